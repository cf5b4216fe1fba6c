"""``python -m agent``: see ``agent.cli.main``."""

import sys

from agent.cli.main import program

if __name__ == "__main__":
    sys.exit(program())
