"""Pictures of strangers: what they become, and what is refused."""

from __future__ import annotations

import io
import struct
import zlib
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agent.data import picture_jobs
from agent.data.pictures import (
    LONGEST_SIDE,
    MOST_BYTES,
    MOST_PICTURES,
    PictureTray,
    is_picture_file,
    picture_size,
    read_picture,
)
from agent.errors import BadRequest
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from tests.support.cases import each

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


def encoded(kind: str, size: tuple[int, int] = (40, 30), mode: str = "RGB", **more: Any) -> bytes:
    file = io.BytesIO()
    Image.effect_noise(size, 60).convert(mode).save(file, kind, **more)
    return file.getvalue()


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, *chunks: bytes) -> bytes:
    """A PNG whose header says what it likes."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IEND", b"")


def handled(content: bytes, folder: Path, most: int = MOST_BYTES) -> dict[str, Any]:
    (folder / "picture").write_bytes(content)
    return picture_jobs.handle({"longest": LONGEST_SIDE, "bytes": most}, folder)


def made_of(content: bytes, folder: Path, most: int = MOST_BYTES) -> bytes:
    return b64decode(handled(content, folder, most)["picture"])


MODES = {
    "PNG": ("RGB", "L", "P", "RGBA", "LA", "1", "I;16"),
    "JPEG": ("RGB", "L", "CMYK", "1"),
    "WEBP": ("RGB", "L", "P", "RGBA", "LA", "CMYK", "1"),
    "GIF": ("RGB", "L", "P", "RGBA", "LA", "1"),
}


@pytest.mark.parametrize(("kind", "mode"), [(kind, mode) for kind, modes in MODES.items() for mode in modes])
def test_every_kind_and_mode_becomes_a_plain_png_or_jpeg(kind: str, mode: str, tmp_path: Path) -> None:
    made = made_of(encoded(kind, mode=mode), tmp_path)
    assert picture_size(made) == (40, 30)
    with Image.open(io.BytesIO(made)) as picture:
        picture.load()
        assert picture.mode in ("RGB", "L") and picture.format in ("PNG", "JPEG")


@pytest.mark.slow
def test_what_is_large_is_made_small(tmp_path: Path) -> None:
    for kind in ("PNG", "JPEG", "WEBP"):
        made = made_of(encoded(kind, (2400, 1200)), tmp_path)
        assert picture_size(made) == (LONGEST_SIDE, LONGEST_SIDE // 2) and len(made) <= MOST_BYTES
    small = made_of(encoded("PNG", (300, 300)), tmp_path, 30_000)
    assert small.startswith(b"\xff\xd8") and len(small) <= 30_000  # no PNG is that small


def test_nothing_but_pixels_is_kept_and_it_is_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "at home, 35.6N 139.7E", 6  # ImageDescription; turned by a quarter
    for kind in ("JPEG", "PNG", "WEBP"):
        content = encoded(kind, (60, 20), exif=exif)
        made = made_of(content, tmp_path)
        assert b"at home" in content and b"at home" not in made
        assert picture_size(made) == (20, 60), kind
    made = made_of(encoded("JPEG", comment=b"at home"), tmp_path)
    assert b"at home" not in made


def test_what_is_transparent_stands_on_white_and_an_animation_is_its_first_frame(tmp_path: Path) -> None:
    file = io.BytesIO()
    Image.new("RGBA", (9, 9), (0, 0, 0, 0)).save(file, "PNG")
    with Image.open(io.BytesIO(made_of(file.getvalue(), tmp_path))) as picture:
        assert picture.getpixel((4, 4)) == (255, 255, 255)
    file = io.BytesIO()
    frames = [Image.new("RGB", (9, 9), color) for color in ("red", "blue", "green")]
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    with Image.open(io.BytesIO(made_of(file.getvalue(), tmp_path))) as picture:
        assert picture.getpixel((4, 4)) == (255, 0, 0)


# Made when its turn comes: to pack a bomb takes longer than all else in this file, in each process that collects it.
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "kind"),
    "text": (lambda: b"hello", "kind"),
    "svg": (lambda: SVG, "kind"),
    "a page": (lambda: b"<!doctype html><img src=x>", "kind"),
    "tiff": (lambda: encoded("TIFF"), "kind"),
    "eps": (lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "kind"),
    "a head alone": (lambda: b"\x89PNG\r\n\x1a\n", "broken"),
    "a bomb by its header": (lambda: png(60_000, 60_000, chunk(b"IDAT", b"x")), "pixels"),
    "a bomb": (lambda: png(20_000, 20_000, chunk(b"IDAT", zlib.compress(bytes(60_001 * 200)))), "pixels"),
    "a bomb of text": (lambda: png(9, 9, chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(99_000_000)))), "broken"),
    "truncated png": (lambda: encoded("PNG", (300, 300))[:2_000], "broken"),
    "truncated jpeg": (lambda: encoded("JPEG", (300, 300))[:2_000], "broken"),
    "truncated webp": (lambda: encoded("WEBP", (300, 300))[:900], "broken"),
    "truncated gif": (lambda: encoded("GIF", (300, 300), "P")[:900], "broken"),
}


@each(("hostile", "why"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused(hostile: Callable[[], bytes], why: str, tmp_path: Path) -> None:
    said = handled(hostile(), tmp_path)
    assert set(said) == {"refused"}
    assert said["refused"] == why or (why == "broken" and said["refused"] == "kind")


@pytest.mark.parametrize("kind", FORMATS)
def test_a_picture_with_any_byte_changed_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    content = encoded(kind, (16, 16))
    for place in range(0, len(content), max(1, len(content) // 150)):
        said = handled(content[:place] + bytes([content[place] ^ 0x5A]) + content[place + 1 :], tmp_path)
        assert "refused" in said or picture_size(b64decode(said["picture"]))


def test_sizes_are_read_from_headers_within_bounds() -> None:
    assert picture_size(encoded("JPEG", (33, 44))) == (33, 44)
    assert picture_size(encoded("JPEG", (33, 44), progressive=True)) == (33, 44)
    for none in (
        b"",
        b"\xff\xd8\xff",
        png(5_000, 9),
        png(0, 9),
        encoded("GIF"),
        SVG,
        b"\xff\xd8" + b"\xff\xe0\0\0" * 9,
    ):
        assert picture_size(none) is None
    assert picture_size(encoded("PNG") + bytes(MOST_BYTES)) is None


def test_pictures_are_told_from_tables_by_how_they_begin() -> None:
    assert all(is_picture_file("data", encoded(kind)[:64]) for kind in FORMATS)
    assert is_picture_file("drawing.svg", SVG) and is_picture_file("photo.HEIC", b"") and is_picture_file("a.png", b"x")
    assert not is_picture_file("sales.csv", b"Region,Total\n") and not is_picture_file("png", b"a,b")


@pytest.mark.skipif(bool(client.missing()), reason=client.missing())
def test_pictures_are_decoded_in_the_locked_process_and_wait_for_the_question(sandbox: Sandbox) -> None:
    tray = PictureTray(sandbox)
    for number in range(MOST_PICTURES):
        tray.add(f"{number}.png", io.BytesIO(encoded("PNG", (20 + number, 20))))
    with pytest.raises(BadRequest, match="takes 4 pictures"):
        tray.add("more.png", io.BytesIO(encoded("PNG", (90, 20))))
    with pytest.raises(BadRequest, match="PNG, JPEG, WebP or GIF"):
        tray.add("a.svg", io.BytesIO(SVG))
    with pytest.raises(BadRequest, match="more than 20 MB"):
        read_picture("a.png", io.BytesIO(bytes(21 << 20)), sandbox)
    tray.remove(tray.pictures[0].hash)
    assert [picture.name for picture in tray.take()] == ["1.png", "2.png", "3.png"] and not tray.pictures
