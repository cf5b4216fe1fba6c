"""Characters of a text: those that hide or reorder it left out; in lower case, without accents."""

from __future__ import annotations

from unicodedata import category, combining, name, normalize

from agent.text.regex import regex

# Controls of the terminal and of the writing direction, and the tag characters: they make a text read as another one.
_UNSEEN = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
# Half of a character: it cannot be sent to a browser, nor written to a file.
_HALF = regex("[\ud800-\udfff]")
# Letters and a symbol by their category, which are drawn as nothing: the fillers of Hangul, and braille without a dot.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_WITH = regex(r"LATIN SMALL LETTER (?:DOTLESS )?([A-Z])(?: WITH .*)?")


def readable(text: str) -> str:
    """``text`` without characters that hide or reorder it, its lines ended by ``\\n`` alone."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HALF.sub("\ufffd", _UNSEEN.sub("", lines))


def whole(text: str) -> str:
    """``text`` with both halves of a character as that one, and a replacement character for a half alone."""
    if text.isascii() or _HALF.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def one_line(text: str, most: int) -> str:
    """``text`` on one line of at most ``most`` characters; nothing in it is escaped."""
    line = " ".join(readable(text).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def shows(text: str) -> bool:
    """Whether anything of it can be seen: spaces and what joins or hides letters cannot."""
    return any(category(character)[0] in "LNPS" and character not in _BLANK for character in text)


def lowered(text: str) -> str:
    """Lower case, character for character."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)


def folded(text: str) -> str:
    """Lower case without accents, and with digits that stand low as others ("CO₂"), character for character."""
    lower = lowered(text)
    if text.isascii():
        return lower
    for character in set(lower):
        if "\x80" <= character < "\u0250" or "\u1e00" <= character < "\u1f00":
            lower = lower.replace(character, _bare(character))
        elif "\u2080" <= character <= "\u2089":
            lower = lower.replace(character, str(ord(character) - 0x2080))
    return lower


def _bare(character: str) -> str:
    """A letter without its accent or its stroke: "ø" is written "o" where the keyboard has none."""
    parts = normalize("NFD", character)
    if len(parts) > 1:
        return parts[0] if combining(parts[1]) and parts[0] < "\x80" else character
    letter = _WITH.fullmatch(name(character, ""))
    return letter[1].lower() if letter is not None else character


def digits_of(text: str) -> str:
    """The digits of ``text`` alone: "2,000.5" is "20005"."""
    return "".join(filter(str.isdigit, text))
