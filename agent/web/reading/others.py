"""JSON, XML and feeds as text."""

from __future__ import annotations

import json
from typing import Any

from agent.web.reading.document import Document
from agent.web.reading.html import one_line, parse_html, parse_xml

_MOST_ENTRIES = 200
_ENTRIES = ("item", "entry")


def read_json(text: str) -> Document:
    """Set out in lines; as it came where it is not JSON (or JSON lines, or cut off)."""
    try:
        return Document(json.dumps(json.loads(text), ensure_ascii=False, indent=2))
    except (ValueError, RecursionError):
        return Document(text)


def read_xml(text: str) -> Document:
    """The entries of a feed as a list, other XML as it came."""
    root = parse_xml(text)
    entries = _named(root, _ENTRIES)
    if not entries:
        return Document(text)
    channel = (_named(root, ("channel", "feed")) or [root])[0]
    lines = [_entry(entry) for entry in entries[:_MOST_ENTRIES]]
    more = f"\n\n({len(entries) - _MOST_ENTRIES:,} more entries left out)" if len(entries) > _MOST_ENTRIES else ""
    return Document("\n".join(lines) + more, one_line(_child(channel, "title")))


def _named(root: Any, names: tuple[str, ...]) -> list[Any]:
    return [] if root is None else [node for node in root.iter() if _name(node) in names]


def _entry(entry: Any) -> str:
    title = one_line(_child(entry, "title")) or "(without a title)"
    link = next((node.get("href") or node.text or "" for node in entry if _name(node) == "link"), "").strip()
    date = one_line(next(filter(None, (_child(entry, name) for name in ("pubDate", "published", "updated"))), ""), 40)
    about = one_line(_plain(_child(entry, "description") or _child(entry, "summary")), 300)
    named = f"[{title}]({link})" if link.startswith(("http://", "https://")) else title
    return f"- {' · '.join(filter(None, (named, date)))}" + (f"\n  {about}" if about else "")


def _plain(markup: str) -> str:
    if "<" not in markup:
        return markup
    root = parse_html(markup)
    return "" if root is None else " ".join(root.itertext())


def _child(node: Any, name: str) -> str:
    return next(("".join(child.itertext()) for child in node if _name(child) == name), "")


def _name(node: Any) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""
