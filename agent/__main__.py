"""``python -m agent``: see ``agent.cli.main``."""

import gc
import sys


def main() -> int:
    """What is imported stays: looking through it for garbage, again and again, takes a fifteenth of the start."""
    gc.disable()
    from agent.cli.main import program

    gc.freeze()
    gc.enable()
    return program()


if __name__ == "__main__":
    sys.exit(main())
