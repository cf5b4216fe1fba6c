"""A formula as MathML, which a browser draws with no script and no font of its own."""

from __future__ import annotations

from html import escape, unescape
from xml.etree.ElementTree import Element

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element

from agent.text.mathematics import Formula

_ELEMENTS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"),
    *("munder", "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd", "mstyle"),
    *("mpadded", "mphantom", "menclose"),
}
_ATTRIBUTES = {
    *("display", "displaystyle", "scriptlevel", "stretchy", "fence", "form", "separator", "accent", "accentunder"),
    *("mathvariant", "linethickness", "columnalign", "rowspacing", "columnspacing", "columnlines", "rowlines"),
    *("notation", "minsize", "maxsize", "movablelimits", "linebreak"),
}
# The library's kinds have no other in common; a formula that breaks off ends in the others.
_OWN_KINDS = (kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception))
_UNREADABLE = (*_OWN_KINDS, StopIteration, LookupError, ValueError, TypeError, AttributeError, RecursionError)
_NAMES = (("{aligned}", "{align*}"), ("{gathered}", "{gather*}"))
_MOST_DEPTH = 60


def formula_html(formula: Formula) -> str:
    """The formula as safe MathML; its TeX as code where it cannot be read.

    What the library makes is written anew: it leaves text and attributes as they stood in the formula.
    """
    tex = formula.tex
    for known, other in _NAMES:
        tex = tex.replace(known, other)
    try:
        drawn = _written(convert_to_element(tex, display="block" if formula.display else "inline"), _MOST_DEPTH)
    except _UNREADABLE:
        return f"<code>{escape(formula.tex)}</code>"
    return drawn


def _written(element: Element, depth: int) -> str:
    tag = element.tag.rpartition("}")[2]
    inner = escape(unescape(element.text or ""))
    if depth > 0:
        inner += "".join(_written(child, depth - 1) + escape(unescape(child.tail or "")) for child in element)
    if tag not in _ELEMENTS:
        return inner
    kept = [f' {name}="{escape(value)}"' for name, value in element.attrib.items() if name in _ATTRIBUTES]
    return f"<{tag}{''.join(kept)}>{inner}</{tag}>"
