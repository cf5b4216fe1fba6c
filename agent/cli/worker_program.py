"""``python -m agent worker``: answers questions that were asked in the pages of the same site."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from agent.application.queue.job_queue import JobQueue
from agent.application.queue.queue_worker import work
from agent.application.recovery import keep_resuming
from agent.application.services import open_services
from agent.errors import BadSettings, GlassboxError


def main(arguments: Sequence[str]) -> int:
    """Work until this process is told to end; the exit status is 2 for wrong usage or settings."""
    parser = argparse.ArgumentParser(
        prog="python -m agent worker",
        description="Answer questions that were asked in the pages of the same site, as many as GLASSBOX_RUNS at once.",
        epilog="It needs the site's own settings, in the environment, with GLASSBOX_WORKERS=queue.",
    )
    parser.parse_args(arguments)
    try:
        services = open_services(os.environ, {}, worker=True)
        if services.settings.workers != "queue":
            raise BadSettings.because("Workers are not used here: set GLASSBOX_WORKERS to queue, for the pages, too.")
        jobs = JobQueue(services.store)
    except GlassboxError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    keep_resuming(services)
    print(f"Worker ready: it takes up to {services.settings.runs} questions at once.", file=sys.stderr, flush=True)
    asyncio.run(work(services, jobs))
    services.end()
    # What is at work is left to the others: nothing waits for its threads.
    sys.stderr.flush()
    os._exit(0)
