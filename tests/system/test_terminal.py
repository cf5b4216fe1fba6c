"""The shell: what it is for, what it must not let through, and that it refuses where it cannot be confined.

Where this machine cannot confine one (no bubblewrap, or no namespaces), each test sees that every command is refused.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from agent.application.services import SECONDS_TO_RESTORE, empty_bin
from agent.application.tool_trial import ToolTrial
from agent.errors import BadRequest, ToolFailed, UnknownTool
from agent.events import ToolCalled
from agent.loop.approval import ONCE, Policy, needs_approval
from agent.loop.provenance import Told
from agent.sandbox.client import Sandbox
from agent.sandbox.hostile_folder import empty, too_full
from agent.sandbox.locks import kernel, seccomp
from agent.settings import read_settings
from agent.shell import bubblewrap
from agent.shell.chat_shell import ConversationShell, Shells
from agent.shell.launch import MB, ShellLimits
from agent.shell.shell_process import Output, plain, tree
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.toolkit.base import Toolbox
from agent.tools.catalogue import ToolRow, one_tool, only, rows, toolbox
from agent.tools.catalogue import specs as all_entries
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import IN_A_CHAT, Parts
from agent.tools.terminal_tool import terminal_tool
from tests.support.terminal_attacks import ATTACKS, Attack

pytestmark = pytest.mark.system

KEY = "sk-canary-9c1f47d2"
CANARY = "canary-5f0e8b31"
REFUSALS = {
    bubblewrap.WRONG_MACHINE,
    bubblewrap.NOT_INSTALLED,
    bubblewrap.TOO_OLD,
    bubblewrap.NO_NAMESPACES,
    bubblewrap.LEAKS,
}
ALLOWED = {"GLASSBOX_TERMINAL": "yes"}
linux = pytest.mark.skipif(sys.platform != "linux", reason="there is no shell elsewhere")


@pytest.fixture(scope="module")
def shells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shells]:
    """With the data folder of an app around it, in which there are secrets."""
    data = tmp_path_factory.mktemp("app") / "data"
    store = Store(f"sqlite:///{data / 'glassbox.db'}")
    (data / "canary.txt").write_text(CANARY, encoding="utf-8")
    yield Shells(store.database, data / "terminal", Sandbox(), (data,))
    store.close()


@pytest.fixture
def chat(shells: Shells) -> ConversationShell:
    return another(shells)


def another(shells: Shells, cancel: threading.Event | None = None, /, **limits: float) -> ConversationShell:
    """The shell of a new conversation."""
    store = Store(f"sqlite:///{shells._place.parent / 'glassbox.db'}")
    try:
        made = shells.open("v", store.add_conversation("v", "q"), cancel)
    finally:
        store.close()
    if not limits:
        return made
    other = Shells(shells._database, shells._place, shells.sandbox, shells.hidden, replace(shells.limits, **limits))  # type: ignore[arg-type]
    other._tried = shells._tried
    return replace(made, shells=other)


def run(chat: ConversationShell, command: str) -> tuple[str, int] | None:
    """What a command gives; ``None`` where it is refused as every command is on this machine."""
    refusal = chat.available()
    if not refusal:
        return chat.command(command)
    refused(chat, command, refusal)
    return None


def refused(chat: ConversationShell, command: str, refusal: str) -> None:
    assert refusal in REFUSALS
    with pytest.raises(ToolFailed) as failed:
        chat.command(command)
    assert (str(failed.value), failed.value.kind) == (refusal, "refused")
    assert not chat.folder.exists()


def ended(chat: ConversationShell, command: str) -> str:
    """Why a command was ended; "" where it is refused."""
    if refusal := chat.available():
        refused(chat, command, refusal)
        return ""
    with pytest.raises(ToolFailed) as failed:
        chat.command(command)
    return f"{failed.value.kind}: {failed.value}"


# What it is for.


def test_it_runs_commands_in_a_folder_that_stays(chat: ConversationShell, shells: Shells) -> None:
    first = run(chat, "printf 'b\\na\\n' > letters; sort letters; echo said >&2; pwd")
    assert first in (None, ("a\nb\nsaid\n/folder", 0))
    assert run(chat, "cat letters; echo x > /tmp/y; exit 3") in (None, ("b\na", 3))
    assert run(chat, "ls /tmp; kill -9 $$") in (None, ("", 137))
    assert run(another(shells), "ls -A") in (None, ("", 0))
    if first:
        assert (chat.folder / "letters").read_text() == "b\na\n"
        assert chat.folder.stat().st_mode & 0o777 == 0o700 and (chat.folder / "letters").stat().st_mode & 0o077 == 0


def test_a_shell_is_of_a_conversation_of_the_visitors_own(shells: Shells) -> None:
    for visitor, conversation in (("w", another(shells).folder.name), ("v", "0" * 32), ("v", "../x"), ("", "")):
        with pytest.raises(BadRequest):
            shells.open(visitor, conversation)


def test_what_is_printed_is_plain_text_with_both_ends(chat: ConversationShell) -> None:
    assert run(chat, "printf '\\033[1;31mred\\033[0m\\a \\000x\\r\\n\\377y\\n\\n'") in (None, ("red x\n�y", 0))
    long = run(chat, "seq 1 100000")
    if long:
        assert long[0].startswith("1\n2\n") and long[0].endswith("\n100000") and len(long[0]) < 65_000
        assert re.search(r"… [\d,]+ bytes left out …", long[0])


def test_both_ends_of_an_output_are_kept() -> None:
    kept = Output(4, 3)
    for part in (b"ab", b"cdef", b"", b"ghijklmnop"):
        kept.add(part)
    assert kept.text() == "abcd\n… 9 bytes left out …\nnop"
    short = Output(4, 3)
    short.add(b"abcdefg")
    assert short.text() == "abcdefg"
    assert plain(b"\x1b]0;title\x07a\x9b1m\rb") == "a�1m\nb"


# What nobody gets through.


@pytest.fixture(scope="module")
def canaries(shells: Shells) -> Iterator[dict[str, str]]:
    """Where the canaries are; what listens collects under ``reached`` who came."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="canary-")))
        folder.chmod(0o755)
        (folder / "canary").write_text(CANARY, encoding="utf-8")
        secret = shells._place.parent / "canary.txt"
        listeners = {
            "tcp": socket.create_server(("127.0.0.1", 0)),
            "tcp6": socket.create_server(("::1", 0), family=socket.AF_INET6),
            "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        }
        listeners["udp"].bind(("127.0.0.1", 0))
        places = {name: str(one.getsockname()[1]) for name, one in listeners.items()}
        for name, address in (("abstract", f"canary-{os.getpid()}"), ("socket", str(folder / "socket"))):
            listeners[name] = socket.socket(socket.AF_UNIX)
            listeners[name].bind("\0" + address if name == "abstract" else address)
            listeners[name].listen()
            places[name] = address
        (folder / "socket").chmod(0o777)
        for one in listeners.values():
            stack.callback(one.close)
            one.setblocking(False)
        # A file that a careless start would hand on.
        handed = os.open(secret, os.O_RDONLY)
        os.set_inheritable(handed, True)
        stack.callback(os.close, handed)
        holder = subprocess.Popen(["sleep", "1000"], env={**os.environ, "OPENAI_API_KEY": KEY})
        stack.callback(holder.wait)
        stack.callback(holder.kill)
        reached = {name: one for name, one in listeners.items()}
        _LISTENERS.update(reached)
        yield {
            **places,
            "secret": str(secret.resolve()),
            "temporary": str(folder / "canary"),
            "pid": str(holder.pid),
            "handed": str(handed),
        }
        _LISTENERS.clear()


_LISTENERS: dict[str, socket.socket] = {}


def reached() -> list[str]:
    """Which listeners somebody came to since this was asked last."""
    came: list[str] = []
    for name, one in _LISTENERS.items():
        with suppress(BlockingIOError):
            if name == "udp":
                one.recv(100)
            else:
                one.accept()[0].close()
            came.append(name)
    return came


def breached(text: str) -> bool:
    return bool(reached()) | any(sign in text for sign in ("BREACH", KEY, CANARY))


@linux
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_nothing_gets_through(
    attack: Attack, chat: ConversationShell, canaries: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    reached()
    ran = run(chat, attack.command.format(**canaries))
    if ran:
        assert not breached(ran[0]), ran[0]
        assert "syntax error" not in ran[0]
        assert ran[1] == 7 or attack.name != "lie_about_the_end"


@linux
@pytest.mark.parametrize("attack", [one for one in ATTACKS if one.harmless], ids=lambda attack: attack.name)
def test_without_a_lock_it_gets_through(attack: Attack, canaries: dict[str, str], tmp_path: Path) -> None:
    reached()
    ran = subprocess.run(
        ["bash", "-c", attack.command.format(**canaries)],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "OPENAI_API_KEY": KEY},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=[int(canaries["handed"])],
        check=False,
        timeout=60,
    )
    assert breached(ran.stdout.decode(errors="replace"))


@linux
def test_there_are_enough_attacks() -> None:
    assert len(ATTACKS) >= 25 and sum(one.harmless for one in ATTACKS) >= 15


@linux
def test_every_refused_system_call_is_refused(chat: ConversationShell) -> None:
    here = kernel.machine()
    assert here
    calls = seccomp.numbers("shell_refused", here[0])
    tried = "; ".join(
        f'$! = 0; syscall({number}, 0, 0, 0, 0, 0, 0); print "{name} ", $! + 0, "\\n"' for name, number in calls.items()
    )
    ran = run(chat, f"perl -e '{tried}'")
    if ran:
        assert dict(line.split() for line in ran[0].splitlines()) == dict.fromkeys(calls, "1")
        clone = seccomp.numbers("shell_ruled", here[0])
        named = (
            f'syscall({clone["clone3"]}, 0, 0); print $! + 0, " "; syscall({clone["clone"]}, 0x10000011, 0, 0, 0, 0); '
        )
        assert run(chat, f"perl -e '{named} print $! + 0'") == ("38 1", 0)
        if here[0] == 0:  # numbers of the x32 kind end the process
            assert run(chat, "perl -e 'syscall(0x40000000 + 39); print 1'") == ("", 159)


# Limits.


def leftovers(word: str) -> list[str]:
    found: list[str] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if word in place.read_text(errors="replace") and "pytest" not in place.read_text(errors="replace"):
                found.append(place.parent.name)
    return found


@linux
def test_what_is_left_in_the_background_ends_with_the_command(chat: ConversationShell) -> None:
    word = "31337.25"
    many = f"for i in $(seq 20); do sleep {word} & done; (setsid nohup sleep {word} >/dev/null 2>&1 &) ; echo on; "
    assert run(chat, many + "trap '' TERM HUP INT; exit 0") in (None, ("on", 0))
    assert leftovers(word) == []


@linux
def test_a_fork_bomb_stops_by_itself_or_is_ended(shells: Shells) -> None:
    chat = another(shells, seconds=2.0)
    ran = run_or_ended(
        chat, "bomb() { bomb | bomb & }; bomb 2>/dev/null; for i in $(seq 200); do sleep 31337.5 & done; wait"
    )
    assert ran is None or "timeout" in ran or "retry" in ran
    assert leftovers("31337.5") == [] and leftovers("bomb()") == []


def run_or_ended(chat: ConversationShell, command: str) -> str | None:
    try:
        ran = run(chat, command)
    except ToolFailed as error:
        return f"{error.kind}: {error}"
    return ran and ran[0]


@linux
@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("echo begun; sleep 31337.75", "timeout: It took longer than 4 seconds"),
        ("trap '' TERM INT HUP; while :; do :; done", "timeout: It took longer than 4 seconds"),
        ("yes", "input: It printed more than 4 MB"),
        ("perl -e '$x = \"x\" x 30_000_000; for (1..5) { fork } sleep 60'", "input: It needed more than 200 MB"),
        ("for i in $(seq 100); do head -c 1000000 /dev/zero > f$i; done; sleep 60", "input: It wrote more than 8 MB"),
        ("for i in $(seq 5000); do : > f$i; done; sleep 60", "input: It wrote more than"),
        ("for i in $(seq 60); do mkdir d; cd d; done; sleep 60", "input: It wrote more than"),
        ("for i in $(seq 100); do head -c 1000000 /dev/zero > f$i; done", "input: It wrote more than 8 MB"),
    ],
)
def test_a_command_that_takes_too_much_is_ended(shells: Shells, command: str, sentence: str) -> None:
    seconds = 4.0 if sentence.startswith("timeout") else 60.0
    sizes = {"printed": 4 * MB, "memory": 200 * MB, "folder_bytes": 8 * MB, "folder_entries": 1_000}
    chat = another(shells, seconds=seconds, **sizes)
    assert ended(chat, command).startswith(sentence) or chat.available()
    assert leftovers("31337.75") == []
    # What was too much is gone, and the shell goes on.
    assert run(replace(chat, shells=shells), "ls -A") in (None, ("", 0))


@linux
@pytest.mark.parametrize(
    "command",
    [
        "head -c 200000000 /dev/zero > /tmp/x && echo BREACH",
        "head -c 200000000 /dev/zero > /dev/shm/x && echo BREACH",
        "head -c 90000000 /dev/zero > x && echo BREACH",
        "fallocate -l 10M x && echo BREACH",
        "perl -e '$x = \"x\" x 900_000_000; print \"BREACH\"'",
        "for i in $(seq 3 300); do eval \"exec $i>/dev/null\" || exit 1; done; echo BREACH",
    ],
)  # fmt: skip
def test_what_is_too_much_at_once_fails(chat: ConversationShell, command: str) -> None:
    ran = run(chat, command)
    assert ran is None or ("BREACH" not in ran[0] and ran[1])


@linux
def test_stop_ends_all_of_it_at_once(shells: Shells) -> None:
    stop = threading.Event()
    chat = another(shells, stop)
    if chat.available():
        assert run(chat, "sleep 300") is None
        return
    begun = chat.folder / "begun"
    outcome: list[str] = []
    thread = threading.Thread(target=lambda: outcome.append(ended(chat, "sleep 31338 & touch begun; sleep 31338")))
    thread.start()
    while not begun.exists():
        assert thread.is_alive()
        time.sleep(0.01)
    stop.set()
    thread.join(20)
    assert outcome == ["stopped: It was stopped."] and leftovers("31338") == []


@linux
def test_one_command_at_a_time(shells: Shells) -> None:
    chat = another(shells)
    with chat._lock:
        stop = threading.Event()
        stop.set()
        told = ended(replace(chat, cancel=stop), "echo")
    assert told in ("", "refused: The shell of this chat is at work on another command. Try again when that is done.")
    full = another(shells, at_once=1)
    with full.shells.places:
        told = ended(replace(full, cancel=stop), "echo")
    assert told in ("", "refused: Too many shells are at work at once. Try again in a moment.")
    assert run(full, "echo on") in (None, ("on", 0))


@linux
def test_a_tree_of_processes_is_known() -> None:
    with subprocess.Popen(["sh", "-c", "sleep 1000 & wait"]) as process:
        try:
            while len(list(tree(process.pid))) < 2:
                assert process.poll() is None
                time.sleep(0.01)
            child = [pid for pid in tree(process.pid) if pid != process.pid]
            os.kill(child[0], 9)
        finally:
            process.kill()


# The folder, as the app sees it.


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Something of the app's that must stay."""
    place = tmp_path / "outside"
    place.mkdir()
    (place / "kept.txt").write_text("x" * 9_000, encoding="utf-8")
    return place


def wild(folder: Path, outside: Path) -> None:
    """What a shell may leave: links out, folders that are deep or closed, odd names."""
    (folder / "link").symlink_to(outside / "kept.txt")
    (folder / "folder link").symlink_to(outside)
    (folder / "broken").symlink_to("/nonexistent")
    (folder / "-rf").write_text("x", encoding="utf-8")
    os.mkfifo(folder / "pipe")
    closed = folder / "closed"
    (closed / "inner").mkdir(parents=True)
    (closed / "inner" / "file").write_text("x", encoding="utf-8")
    (closed / "inner" / "up").symlink_to("../../..")
    (closed / "inner").chmod(0)
    closed.chmod(0)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1_500):  # longer than any path may be
        os.mkdir("d" * 20, dir_fd=here)
        inner = os.open("d" * 20, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def full(folder: Path, limits: ShellLimits) -> bool:
    return too_full(folder, limits.folder_bytes, limits.folder_entries, limits.folder_depth)


@linux
def test_a_folder_is_emptied_whatever_is_in_it_and_no_link_is_followed(tmp_path: Path, outside: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    wild(folder, outside)
    assert full(folder, ShellLimits())
    empty(folder)
    assert os.listdir(folder) == [] and not full(folder, ShellLimits())
    assert os.listdir(outside) == ["kept.txt"]
    empty(tmp_path / "nothing")


@linux
def test_a_link_out_of_the_folder_costs_nothing_and_shows_nothing(tmp_path: Path, outside: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "out").symlink_to(outside)
    (folder / "file").symlink_to(outside / "kept.txt")
    assert not full(folder, ShellLimits(folder_bytes=8192, folder_entries=2))
    assert full(folder, ShellLimits(folder_entries=1))
    (folder / "own").write_text("x" * 9_000, encoding="utf-8")
    assert full(folder, ShellLimits(folder_bytes=8192))
    with pytest.raises(OSError, match=r"Not a directory|symbolic"):
        full(folder / "out", ShellLimits())


@linux
def test_what_a_shell_left_goes_with_the_chat(shells: Shells, outside: Path) -> None:
    chat = another(shells)
    run(chat, "echo x > file")
    chat.folder.mkdir(parents=True, exist_ok=True)
    wild(chat.folder, outside)
    store = Store(f"sqlite:///{shells._place.parent / 'glassbox.db'}")
    try:
        assert Chats(store).delete("v", chat.folder.name)
        assert empty_bin(Chats(store), [shells], time.time()) == 0 and chat.folder.exists()
        assert empty_bin(Chats(store), [shells], time.time() + SECONDS_TO_RESTORE + 60) == 1
    finally:
        store.close()
    assert not chat.folder.exists() and os.listdir(outside) == ["kept.txt"]


# Where it cannot be confined.


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of programs that everybody can walk to, the only one on the path."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        monkeypatch.setenv("PATH", place)
        yield Path(place)


def program(folder: Path, text: str) -> None:
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def fresh(shells: Shells) -> ConversationShell:
    """That of a conversation of a process that has not tried yet."""
    other = Shells(shells._database, shells._place, shells.sandbox, shells.hidden)
    return replace(another(shells), shells=other)


@linux
def test_without_bubblewrap_there_is_no_shell(shells: Shells, programs: Path) -> None:
    chat = fresh(shells)
    assert chat.available() == bubblewrap.NOT_INSTALLED
    refused(chat, "echo", bubblewrap.NOT_INSTALLED)
    row = row_of(Parts(read_settings(ALLOWED), SearchCache(), shell=chat))
    assert (row.state, row.why) == ("needs", bubblewrap.NOT_INSTALLED)
    with pytest.raises(UnknownTool) as told:
        toolbox(Parts(read_settings(ALLOWED), SearchCache(), shell=chat)).prepare("terminal", "ls")
    assert bubblewrap.NOT_INSTALLED in str(told.value)


def test_outside_of_linux_there_is_no_shell(chat: ConversationShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    refused(chat, "echo", bubblewrap.WRONG_MACHINE)


@linux
@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("echo 'bwrap: No permissions to create new namespace' >&2; exit 1", bubblewrap.NO_NAMESPACES),
        ("echo 'bwrap: Unknown option --disable-userns' >&2; exit 1", bubblewrap.TOO_OLD),
        ("exit 0", bubblewrap.NO_NAMESPACES),
        # One that runs the command as it is.
        ("while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"", bubblewrap.NO_NAMESPACES),
    ],
)  # fmt: skip
def test_where_bubblewrap_cannot_start_there_is_no_shell(
    shells: Shells, programs: Path, text: str, refusal: str
) -> None:
    program(programs, text)
    chat = fresh(shells)
    # Where not even the way to bubblewrap is open here, that is what is said of any.
    assert chat.available() in {refusal, shells._tried}
    refused(chat, "echo", chat.available())


# Without the layer of ``left_out``, each of them real; ``more`` opens something.
LOOSE = [
    (("--seccomp", 1), "", bubblewrap.LEAKS),
    (("", 0), "--ro-bind / /mnt", bubblewrap.LEAKS),
    (("", 0), "--ro-bind /etc /etc", bubblewrap.LEAKS),
    (("--remount-ro", 1), "", bubblewrap.LEAKS),
    (("--uid", 1), "--uid 0", bubblewrap.LEAKS),
    (("--unshare-all", 0), "--unshare-pid --unshare-ipc --unshare-uts", bubblewrap.NO_NAMESPACES),
    (("--unshare-all", 0), "--unshare-net --unshare-ipc --unshare-uts", bubblewrap.NO_NAMESPACES),
]


@linux
@pytest.mark.parametrize(("left_out", "more", "refusal"), LOOSE, ids=[f"{left[0]} {more}" for left, more, _ in LOOSE])
def test_a_lock_with_a_layer_left_out_is_seen(
    shells: Shells, left_out: tuple[str, int], more: str, refusal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = shells.available()
    real = shutil.which("bwrap")
    name, values = left_out
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        drop = f"{name}) shift {values}; n=$((n-{values}));;" if name else ""
        program(
            Path(place),
            f'n=$#; while [ $n -gt 0 ]; do a=$1; shift; n=$((n-1)); case "$a" in --) set -- "$@" {more} --;; {drop} '
            f'*) set -- "$@" "$a";; esac; done; exec {real or "/nonexistent"} "$@"',
        )  # fmt: skip
        monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
        # Where nothing can be confined here, a loose lock is none either.
        assert fresh(shells).available() in ({refusal} if not sound else REFUSALS)


@linux
def test_folders_of_the_apps_own_are_hidden_among_the_systems_programs() -> None:
    words = bubblewrap.arguments("true", [Path("/usr/share"), Path("/nonexistent"), Path("/usr")], ShellLimits(), 3, 4)
    hidden = [words[index + 1] for index, word in enumerate(words) if word == "--tmpfs"]
    assert hidden == ["/usr/share", "/dev/shm", "/tmp"]


@linux
def test_what_is_hidden_is_empty(shells: Shells) -> None:
    other = Shells(shells._database, shells._place, shells.sandbox, (*shells.hidden, Path("/usr/share")))
    chat = replace(another(shells), shells=other)
    ran = run(chat, "ls -A /usr/share; touch /usr/share/x 2>/dev/null && echo BREACH; ls -d /usr/bin")
    assert ran in (None, ("/usr/bin", 0))


# As a tool.


def row_of(parts: Parts) -> ToolRow:
    return next(row for row in rows(parts, None) if row.spec.name == "terminal")


def test_it_is_off_unless_the_owner_allows_it(chat: ConversationShell) -> None:
    off = Parts(read_settings({}), SearchCache(), shell=chat)
    row = row_of(off)
    assert row.state == "owner"
    assert row.why == "Off: the owner of this site has not allowed a shell (GLASSBOX_TERMINAL)."
    with pytest.raises(UnknownTool, match=r"The tool ‘terminal’ cannot be used now\. Off: the owner"):
        toolbox(off, only(["terminal", "now"])).prepare("terminal", "ls")
    on = Parts(read_settings(ALLOWED), SearchCache(), shell=chat)
    refusal = chat.available()
    row = row_of(on)
    assert (row.state, row.why) == (("needs", refusal) if refusal else ("ready", ""))
    assert ("terminal" in toolbox(on).names) is not bool(refusal)


def test_without_a_chat_there_is_no_folder_for_it() -> None:
    row = row_of(Parts(read_settings(ALLOWED), SearchCache()))
    assert row.state == "needs" and row.tool is None
    assert row.why in {IN_A_CHAT.sentence, *REFUSALS}


def test_it_asks_before_every_call(chat: ConversationShell) -> None:
    entry = next(entry for entry in all_entries(Parts(read_settings({}), SearchCache())) if entry.name == "terminal")
    parts = Parts(read_settings(ALLOWED), SearchCache(), shell=chat)
    made = one_tool(entry, parts)
    assert (made.effect, made.untrusted, made.stateful) == ("acts", True, True)
    called = ToolCalled("1", "terminal", "ls", {"command": "ls"})
    for policy in (Policy(), Policy(asks=("terminal",), always=("terminal",))):
        needed = needs_approval(called, made, Told([], (), Toolbox([made])), policy)
        assert needed is not None and needed.decisions == ONCE and "locked shell of this chat" in needed.reason


def test_a_person_who_tries_it_is_not_asked(chat: ConversationShell) -> None:
    trial = ToolTrial(terminal_tool(chat.command), '{"command": "echo on; exit 2"}')
    assert trial.done(60) and trial.call and trial.call.observation
    assert trial.call.observation == (chat.available() or "Exit code 2.\non")


def test_near_misses_and_what_cannot_be_run() -> None:
    ran: list[str] = []

    def record(command: str) -> tuple[str, int]:
        ran.append(command)
        return "", 0

    made = terminal_tool(record)
    for text in ("ls -la", '{"cmd": "ls -la"}', '{"command": "ls -la"}', "```bash\nls -la\n```"):
        ready = made.prepare(text)
        assert made.call(ready.arguments).text == "Exit code 0; it printed nothing."
    assert ran == ["ls -la"] * 4
    for command, sentence in (
        (" ", "The command is empty."),
        ("x" * 20_001, "The command has 20,001 characters; at most 20,000 fit."),
        ("a\0b", "The command has a NUL character in it. Write it without."),
    ):
        with pytest.raises(ToolFailed) as failed:
            made.call({"command": command})
        assert (str(failed.value), failed.value.kind) == (sentence, "input")
    assert len(ran) == 4
