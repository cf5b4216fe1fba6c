"""Pictures that come with a question: decoded in a locked process, made small, kept until the question is asked."""

from __future__ import annotations

import logging
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import BinaryIO

from agent.errors import BadRequest
from agent.events import Artifact
from agent.interface_text import Templates, Text, keyed
from agent.sandbox.client import Role, Sandbox
from agent.sandbox.locks.roles import MB
from agent.sandbox.ordinary import once
from agent.sandbox.sandbox_errors import SandboxError, WorkerKilled
from agent.toolkit.base import artifact

log = logging.getLogger(__name__)
FILE_TYPES = ("png", "jpg", "jpeg", "webp", "gif")
MOST_PICTURES = 4  # of a question
MOST_BYTES = 1_000_000  # of one as it is kept and sent
LONGEST_SIDE = 1568  # pixels: what vision models read of a picture at most
_MOST_FILE = 20 * MB
_MOST_NAME = 80
_SECONDS = 15.0
_ROLE = Role(handler="agent.data.picture_jobs", memory=768 * MB, seconds=_SECONDS, processor_seconds=20, file_bytes=0)
# Other kinds of pictures, which are refused as such and not taken for tables.
_NOT_TAKEN = ("svg", "svgz", "bmp", "tif", "tiff", "heic", "heif", "avif", "ico", "psd")
_STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
_PNG, _JPEG = _STARTS[:2]
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_REFUSED: Mapping[str, Templates] = {
    "kind": keyed("{name} is no picture that can be read here: they can be PNG, JPEG, WebP or GIF files."),
    "file": keyed("{name} has more than {most} MB."),
    "pixels": keyed("{name} has too many pixels."),
    "broken": keyed("{name} is damaged or not complete."),
    "work": keyed("{name} takes too much time or memory to read."),
    "now": keyed("{name} cannot be read just now. Try again in a moment."),
    "many": keyed("{name} was left out: a question takes {most} pictures."),
}


def is_picture_file(name: str, head: bytes) -> bool:
    """Whether a file called ``name`` that starts with ``head`` is to be read as a picture, or refused as one."""
    if head.startswith(_STARTS) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        return True
    _, dot, ending = name.lower().rpartition(".")
    return bool(dot) and ending in (*FILE_TYPES, *_NOT_TAKEN)


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG or JPEG as its header says, within what is kept; ``None`` for anything else."""
    if len(content) > MOST_BYTES:
        return None
    size = _png_size(content) if content.startswith(_PNG) else _jpeg_size(content)
    return size if size and all(0 < side <= LONGEST_SIDE for side in size) else None


def _png_size(content: bytes) -> tuple[int, int] | None:
    if content[12:16] != b"IHDR":
        return None
    return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    """From the first frame header (ITU-T T.81, B.2.2)."""
    place = 2
    while content.startswith(_JPEG) and place + 9 <= len(content) and content[place] == 0xFF:
        if content[place + 1] in _JPEG_FRAMES:
            return int.from_bytes(content[place + 7 : place + 9]), int.from_bytes(content[place + 5 : place + 7])
        place += 2 + max(2, int.from_bytes(content[place + 2 : place + 4]))
    return None


def read_picture(name: str, source: BinaryIO, sandbox: Sandbox, visitor: str = "") -> Artifact:
    """The picture in a file, decoded and written anew as a PNG or JPEG within the bounds above.

    Nothing else of the file is kept (no EXIF, no comments); of an animation its first frame. Raises ``BadRequest``.
    """
    content = source.read(_MOST_FILE + 1)
    if len(content) > _MOST_FILE:
        raise _refused("file", name)
    job = {"longest": LONGEST_SIDE, "bytes": MOST_BYTES}
    try:
        answer = once(sandbox, _ROLE, job, {"picture": content}, _SECONDS, visitor)
    except WorkerKilled:
        raise _refused("work", name) from None
    except (SandboxError, OSError) as error:
        log.error("a picture could not be read: %s\n%s", error, getattr(error, "trace", ""))
        raise _refused("now", name) from None
    if "refused" in answer:
        raise _refused(str(answer["refused"]), name)
    try:
        made = b64decode(str(answer.get("picture", "")), validate=True)
    except (BadBase64, ValueError):
        made = b""
    if not picture_size(made):  # a hostile picture may have taken the process over
        raise _refused("broken", name)
    return artifact("image", name[:_MOST_NAME], made)


def _refused(reason: str, name: str) -> BadRequest:
    most = {"file": _MOST_FILE // MB, "many": MOST_PICTURES}.get(reason)
    sentence = _REFUSED.get(reason, _REFUSED["broken"])
    return BadRequest(Text(*sentence, name=name, most=most) if most else Text(*sentence, name=name))


@dataclass(slots=True, eq=False)
class PictureTray:
    """The pictures of a visitor's conversation that go with its next question. Thread-safe."""

    sandbox: Sandbox
    visitor: str = ""
    _kept: dict[str, Artifact] = field(default_factory=dict[str, Artifact])
    _lock: Lock = field(default_factory=Lock)

    @property
    def pictures(self) -> tuple[Artifact, ...]:
        with self._lock:
            return tuple(self._kept.values())

    def add(self, name: str, source: BinaryIO) -> None:
        """Read a picture and keep it. Raises ``BadRequest``."""
        read = read_picture(name, source, self.sandbox, self.visitor)
        with self._lock:
            if read.hash not in self._kept and len(self._kept) >= MOST_PICTURES:
                raise _refused("many", name)
            self._kept[read.hash] = read

    def remove(self, hash: str) -> None:
        with self._lock:
            self._kept.pop(hash, None)

    def take(self) -> tuple[Artifact, ...]:
        """The pictures, which are not kept any more."""
        with self._lock:
            taken = tuple(self._kept.values())
            self._kept.clear()
        return taken
