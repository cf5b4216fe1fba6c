"""lxml's parsers, set up for what strangers send: nothing is fetched, no entity replaced, mistakes are passed over."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# lxml tells no types; its elements are Any in this package.
_etree: Any = import_module("lxml.etree")


def parse_html(text: str) -> Any:
    """The root element; ``None`` where there is nothing. Levels beyond 2,048 are not read."""
    parser = _etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    return _parsed(text, parser)


def parse_xml(text: str) -> Any:
    """The root element; ``None`` where there is none."""
    parser = _etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, recover=True, remove_comments=True, remove_pis=True
    )
    return _parsed(text, parser)


def _parsed(text: str, parser: Any) -> Any:
    try:
        return _etree.fromstring(text.encode("utf-8", "replace") or b" ", parser)
    except (_etree.XMLSyntaxError, ValueError):
        return None
