"""What a web process does for its visitors, without its pages: begins the runs that it is told to, a line each.

Run as a program with the settings of a site in the environment. It reads JSON lines with ``question``, ``conversation``
and ``follows`` ("" for none), and answers each with the ids of the run and of its conversation.
"""

from __future__ import annotations

import json
import os
import sys

from agent.application.chat_runs import ChatRuns
from agent.application.recovery import keep_resuming
from agent.application.services import open_services
from agent.application.setup import default_choice
from agent.errors import StoreFailed
from tests.support.killed_process import VISITOR


def _main() -> None:
    services = open_services(os.environ, {})
    keep_resuming(services)
    runs = ChatRuns(services, VISITOR, "s", default_choice(services.settings))
    print("ready", flush=True)
    for line in sys.stdin:
        told = json.loads(line)
        try:
            run = runs.begin(told["question"], told["conversation"], told["follows"])
            row = services.store.run(run)
        except StoreFailed as error:  # a person would be told, and ask again
            print(json.dumps({"error": str(error)}), flush=True)
            continue
        print(json.dumps({"run": run, "conversation": row.conversation if row else ""}), flush=True)


if __name__ == "__main__":
    _main()
