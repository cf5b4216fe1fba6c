"""``python -m agent backup FILE`` and ``restore FILE``: a whole site in one file, and back."""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from agent.application.backup.restoration import restore_backup
from agent.application.backup.snapshot import Made, make_backup
from agent.errors import BadSettings, GlassboxError
from agent.settings import read_settings

DONE, USAGE = 0, 2


def main(arguments: Sequence[str]) -> int:
    """Do what the first of the arguments says; the exit status is 2 where it cannot be done."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        settings = read_settings(os.environ, _secrets())
        if given.program == "backup":
            made, done = make_backup(settings, given.file), "Backed up to"
        else:
            given.file.open("rb").close()  # before a store is made for what is not there
            made, done = restore_backup(settings, given.file, given.replace), "Restored from"
    except GlassboxError as error:
        parser.exit(USAGE, f"{parser.prog}: {error}\n")
    except OSError as error:
        parser.exit(USAGE, f"{parser.prog}: {error.filename or given.file}: {error.strerror}.\n")
    print(f"{done} {given.file}: {_counted(made)}.")
    for said in made.left_out:
        print(f"Not in it: {said}", file=sys.stderr)
    return DONE


def _secrets() -> dict[str, object]:
    """The sections of the app's secrets, where Streamlit finds them: a person's own, and over them the app's.

    Raises ``BadSettings``.
    """
    found: dict[str, object] = {}
    for folder in (Path.home(), Path()):
        file = folder / ".streamlit" / "secrets.toml"
        try:
            found |= tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            continue
        except ValueError:  # of what is no TOML, or no text; the message would have a part of it
            raise BadSettings.because("{file} cannot be read as TOML.", file=str(file)) from None
    return found


def _counted(made: Made) -> str:
    amounts = ((made.chats, "chat"), (made.runs, "run"), (made.files, "file"))
    return ", ".join(f"{count:,} {name}{'s' if count != 1 else ''}" for count, name in amounts)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agent")
    programs = parser.add_subparsers(dest="program", required=True)
    needs = "Run it where the app runs, with the settings of the app: from the environment and .streamlit/secrets.toml."
    told = "Write the chats of the site, their tables and documents to a new file, while the site is at work."
    program = programs.add_parser("backup", help=told, description=told, epilog=needs)
    program.add_argument("file", type=Path, metavar="FILE")
    told = "Bring a backup back into an empty store of either kind. The site must be stopped."
    program = programs.add_parser("restore", help=told, description=told, epilog=needs)
    program.add_argument("file", type=Path, metavar="FILE")
    program.add_argument("--replace", action="store_true", help="remove everything that is in the store first")
    return parser
