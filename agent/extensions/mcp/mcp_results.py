"""What a tool of a server gave back, as what a model is shown and a person can open. It may hold anything."""

from __future__ import annotations

import base64
import json
from binascii import Error as NotBase64
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent.data.tables.table_artifacts import is_picture
from agent.errors import ToolFailed
from agent.events import Artifact, Source
from agent.interface_text import Text
from agent.text.plain import link, plain
from agent.text.regex import regex
from agent.toolkit.base import ToolResult, artifact

MOST_CHARACTERS = 200_000  # of one result; the model is shown far less
_MOST_BLOCKS = 200
_MOST_PICTURES = 8
_MOST_ERROR = 1_000
# Characters that show nothing and may say something: tags, variation selectors, changes of direction, controls.
_HIDDEN = regex(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)

Block = Mapping[str, Any]


def visible(text: object) -> str:
    """Text without what does not show."""
    return _HIDDEN.sub("", text.replace("\r\n", "\n"))[:MOST_CHARACTERS] if isinstance(text, str) else ""


def read_result(server: str, result: Mapping[str, Any]) -> ToolResult:
    """A ``CallToolResult`` as JSON. Raises ``ToolFailed`` for one that says that it is an error."""
    blocks = cast("Sequence[Block]", result.get("content") or ())
    structured = result.get("structuredContent")
    if result.get("isError"):
        said = visible(" ".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text"))
        raise ToolFailed(f"{server} could not do it: {said.strip()[:_MOST_ERROR] or 'it does not say why'}")
    made = _blocks(blocks)
    text, artifacts = made.text, made.artifacts
    if structured is not None:
        content = json.dumps(structured, ensure_ascii=False).encode("utf-8", "replace")
        artifacts = (*artifacts, artifact("json", Text("Structured result"), content))
        if not _says_the_same(text, structured):
            text = "\n".join(filter(None, (text, visible(content.decode()))))
    return ToolResult(text or "Done; nothing was given back.", artifacts, made.sources)


def read_contents(contents: Sequence[Block]) -> ToolResult:
    """What a resource holds."""
    made = _blocks([{"type": "resource", "resource": content} for content in contents])
    if not made.text:
        raise ToolFailed(Text("There is nothing in it."), "nothing")
    return made


def _says_the_same(text: str, structured: object) -> bool:
    """Servers are to say in text, too, what they give in a structure."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return bool(said == structured or (isinstance(structured, dict) and structured == {"result": said}))


def _blocks(blocks: Sequence[Block]) -> ToolResult:
    lines: list[str] = []
    artifacts: list[Artifact] = []
    sources: list[Source] = []
    for block in blocks[:_MOST_BLOCKS]:
        kind = block.get("type")
        if kind == "text":
            lines.append(visible(block.get("text")))
        elif kind == "resource_link":
            lines.append(_link(block, sources))
        elif kind == "resource":
            lines.append(_resource(cast("Block", block.get("resource") or {}), artifacts))
        else:
            lines.append(_binary(block.get("data"), block.get("mimeType"), artifacts))
    return ToolResult("\n".join(filter(None, lines))[:MOST_CHARACTERS], tuple(artifacts), tuple(sources))


def _link(block: Block, sources: list[Source]) -> str:
    title = plain(block.get("title") or block.get("name") or "", 200)
    said = plain(block.get("description") or "", 300)
    url = link(block.get("uri"))
    if not url:
        return " ".join(filter(None, (f"Resource {plain(block.get('uri'), 300)}", title, said)))
    sources.append(Source(len(sources) + 1, title or url, url, said))
    return f"[{len(sources)}] {title or url}{f': {said}' if said else ''}"


def _resource(content: Block, artifacts: list[Artifact]) -> str:
    if isinstance(content.get("text"), str):
        return visible(content["text"])
    return _binary(content.get("blob"), content.get("mimeType"), artifacts)


def _binary(data: object, mime: object, artifacts: list[Artifact]) -> str:
    """A picture for the person, where it is one that can be shown; for the model, that it is there."""
    kind = plain(mime, 60) or "unknown type"
    try:
        content = base64.b64decode(data, validate=True) if isinstance(data, str) else b""
    except (NotBase64, ValueError):
        content = b""
    if not content:
        return f"(Something of the type {kind} came that could not be read.)"
    if is_picture(content):
        if sum(made.kind == "png" for made in artifacts) < _MOST_PICTURES:
            artifacts.append(artifact("png", "Picture", content))
        return "(A picture; the person sees it.)"
    return f"({len(content):,} bytes of the type {kind}, which cannot be shown here.)"
