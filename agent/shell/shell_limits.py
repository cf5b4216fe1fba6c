"""What a command may use."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True, slots=True)
class ShellLimits:
    """Sizes are bytes.

    ``memory`` is that of all processes of a command together; ``scratch`` is that of ``/tmp``, which is memory, too,
    and goes with the command. ``folder_bytes`` and ``folder_entries`` are of the folder that stays. Of what is printed
    the first ``head`` and the last ``tail`` bytes are kept; beyond ``printed`` the command is ended.
    """

    seconds: float = 60.0
    processor_seconds: int = 60
    memory: int = 512 * MB
    scratch: int = 64 * MB
    tasks: int = 64
    files: int = 256
    file_bytes: int = 64 * MB
    folder_bytes: int = 128 * MB
    folder_entries: int = 2_000
    folder_depth: int = 40
    printed: int = 32 * MB
    head: int = 48_000
    tail: int = 16_000
    at_once: int = 4
