"""The decoding of a stranger's picture: runs in the sandbox, see ``agent.data.pictures``."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

# Imported by name: the locked process must not look for the plugins of other formats.
from PIL import GifImagePlugin, Image, ImageOps, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

from agent.sandbox.ordinary import serve

PLUGINS = (GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin)
FORMATS = ("GIF", "JPEG", "PNG", "WEBP")
MOST_PIXELS = 60_000_000
_QUALITIES = (88, 75, 60, 40)
# As Pillow calls what begins as a picture and is none.
_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, ArithmeticError, LookupError, TypeError, struct.error)


def handle(job: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The picture in the file ``picture`` of the folder, in base64, or why there is none: ``refused``.

    The job says how many pixels its ``longest`` side may have, and how many ``bytes`` it.
    """
    try:
        with Image.open(BytesIO((folder / "picture").read_bytes()), formats=FORMATS) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                return {"refused": "pixels"}
            made = _written(_clean(opened, int(job["longest"])), opened.format in ("JPEG", "WEBP"), int(job["bytes"]))
    except Image.UnidentifiedImageError:
        return {"refused": "kind"}
    except Image.DecompressionBombError:
        return {"refused": "pixels"}
    except MemoryError:
        return {"refused": "work"}
    except _DAMAGED:
        return {"refused": "broken"}
    return {"picture": b64encode(made).decode("ascii")}


def _clean(opened: Any, longest: int) -> Any:
    """Its first frame, upright, on white where it is transparent, made small; nothing but pixels."""
    opened.draft("RGB", (longest, longest))  # a JPEG is decoded small, which saves memory
    opened.load()
    if opened.mode in ("RGB", "L"):
        upright = opened
    else:
        full = opened.convert("RGBA")
        upright = Image.new("RGB", full.size, "white")
        upright.paste(full, mask=full.getchannel("A"))
        upright.info["exif"] = opened.info.get("exif", b"")
    upright.thumbnail((longest, longest))
    upright = ImageOps.exif_transpose(upright)
    clean = Image.new(upright.mode, upright.size)
    clean.paste(upright)
    return clean


def _written(picture: Any, photo: bool, most: int) -> bytes:
    """As a PNG where it was no photo and is small enough so, else as a JPEG."""
    written = BytesIO()
    if not photo:
        picture.save(written, "PNG")
        if written.tell() <= most:
            return written.getvalue()
    for quality in _QUALITIES:
        written = BytesIO()
        picture.save(written, "JPEG", quality=quality, optimize=True)
        if written.tell() <= most:
            return written.getvalue()
    return _written(picture.reduce(2), photo, most)


def main() -> None:
    """The same in an ordinary process; the job names the ``folder``, too."""
    serve(lambda job: handle(job, Path(job["folder"])))
