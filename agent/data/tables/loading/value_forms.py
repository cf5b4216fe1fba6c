"""The ways in which people write a number, a date, a yes: each with a pattern and the SQL that makes it a value.

A form fits a column when it fits every value of it. Patterns are of the part that Python's ``re`` and DuckDB's RE2
share, always for a full match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse, islice

from agent.data.tables.identifiers import literal
from agent.interface_text import Text
from agent.text.regex import regex

# Written for "no value" in a column of numbers or dates; in a column of text they are text.
NO_VALUE = ("", "na", "n/a", "n.a.", "null", "none", "nan", "nil", "-", "--", "–", "—", "?", ".", "..", "#n/a",
            "#value!", "#ref!", "#div/0!", "#null!", "#num!", "#name?",
            *(form for dash in "-–—" for form in (f"{dash}%", f"{dash} %", *(f"{sign}{gap}{dash}" for sign in "$€£¥"
              for gap in ("", " ")))))  # fmt: skip
_BLANK_MARKS = "\t\r\n\u00a0\u202f\u3000"
BLANKS = f"' {_BLANK_MARKS}'"
_SPACES = "[ \u00a0\u202f\u2009]"
_CURRENCY = (
    "R\\$|US\\$|A\\$|C\\$|NT\\$|HK\\$|[$€£¥￥₹₩₽₺₫₪฿₴₦₱]|USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|BRL|"
    "Fr\\.|kr\\.?|zł|Kč|円|元|원|Rs\\.?|\\\\(?=[0-9])"
)
# In Shift-JIS the yen sign has the place that a backslash has elsewhere: as that it is read.
_YEN = "\\"
_UNIT = regex(f"(?P<percent>%|％)|(?P<currency>{_CURRENCY})")
# A short word behind a figure and a space: what every value of a column is measured in, where it is one and the same.
# A lone capital is no unit: "12 B" is a flat.
_MEASURE = regex(
    r"[+−-]?\d(?:[\d.,'’]|[ \u00a0\u202f\u2009](?=\d{3}(?!\d)))*[ \u00a0\u202f](?!(?:[AaPp][Mm])\b)"
    r"(?P<measure>(?:[a-zµ]|[^\W\d_]{2,12})[²³]?(?:/[^\W\d_]{1,3})?|°[CF]?)"
)
# Those known to be written right behind the figure as well: "53cm", "250g".
_CLOSE = regex(
    r"[+−-]?\d[\d.,]*(?P<measure>[kmµ]?g|[cmµkn]?m[²³]?|[cmkh]?l|[km]?W|[kMG]Wh|[kKMGT]B|[kMG]?Hz|ms|min|h|ha|px|pt|"
    r"°[CF]?|km/h|m/s)"
)
_LABEL_UNIT = regex(
    r"(?:[A-Z]{1,3})?[$€£¥₹₩₽] ?(?:['’]?000s?\b|(?:millions?|thousands?|billions?|m|k|bn)\b)?|%"
    r"|\b(?:USD|EUR|GBP|JPY|CHF|RMB)\b(?:['’](?:000s?|[Mm]illion|[Tt]housand)\b)?|(?:百万|千|億|万)円"
)
_WORDS = (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("wahr", "falsch"), ("ja", "nein"),
          ("vrai", "faux"), ("oui", "non"), ("verdadero", "falso"), ("sí", "no"), ("si", "no"), ("はい", "いいえ"),
          ("on", "off"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """``value`` is SQL over ``{v}``, the text without outer blanks; it may be NULL or fail where ``pattern`` fits not.

    ``rival`` names the form in which the same text would mean something else; ``note`` is for the person. ``formats``
    are the ways of writing that it takes together.
    """

    name: str
    type: str
    pattern: str
    value: str
    unit: str = ""
    rival: str = ""
    note: str = ""
    formats: int = 1

    def fits(self, text: str) -> bool:
        return re.fullmatch(self.pattern, text) is not None

    def fits_all(self, texts: Iterable[str]) -> bool:
        return all(map(re.compile(self.pattern).fullmatch, texts))

    def sql(self, column: str) -> str:
        """The value of ``column``; NULL where it does not fit."""
        text = f"trim({column}, {BLANKS})"
        return (
            f"CASE WHEN regexp_full_match({text}, {literal(self.pattern)}) "
            f"THEN TRY({self.value.replace('{v}', text)}) END"
        )


def verified(form: Form, column: str) -> str:
    """SQL for the value of ``column``, of which every value fits ``form`` or says that there is none."""
    plain = form.value == f"CAST({{v}} AS {form.type})"
    if not plain:
        return form.sql(column)
    # No pattern is needed any more, and a table may have thousands of columns.
    value = f"TRY_CAST(trim({column}, {BLANKS}) AS {form.type})"
    return f"nullif({value}, 'nan'::DOUBLE)" if form.type == "DOUBLE" else value


def no_value(column: str) -> str:
    """SQL: whether the text says that there is no value."""
    # Not IN (…), which DuckDB would make a join of for all rows before anything else is looked at.
    words = "|".join(re.escape(word) for word in NO_VALUE if word)
    blanks = f"[ {_BLANK_MARKS}]*"
    return f"({column} IS NULL OR regexp_full_match({column}, {literal(f'(?i){blanks}({words})?{blanks}')}))"


def text_value(column: str) -> str:
    """SQL: a text as it is kept, without spaces around it, NULL where nothing is left."""
    return f"nullif(trim({column}), '')"


WHOLE = Form("whole number", "BIGINT", r"[+-]?(0|[1-9]\d{0,17})", "CAST({v} AS BIGINT)")
# 8.412 is eight thousand and some where the other columns of the file have decimal commas.
DECIMAL = Form("number", "DOUBLE", r"[+-]?((0|[1-9]\d{0,17})(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", "CAST({v} AS DOUBLE)",
               rival="number, decimal comma")  # fmt: skip
_ISO_TIME = r"\d{1,2}:\d{2}(:\d{2}([.,]\d{1,9})?)?"
_ZONE = r" ?(Z|UTC|GMT|[+-]\d{2}(:?\d{2})?)"
_CLOCK = r" \d{1,2}:\d{2}(:\d{2})?( ?[AaPp][Mm])?"


def candidates(sample: Sequence[str]) -> list[Form]:
    """The forms that fit all of the ``sample`` (trimmed, none without a value), the best first."""
    if not sample:
        return []
    different = set(sample)
    found = [form for form in _forms(sample) if form.fits_all(different)]
    return found or [form for form in _mixed_dates(sample) if form.fits_all(different)]


def nearly(sample: Sequence[str]) -> tuple[Form, list[str]] | None:
    """The form that fits nine tenths of the sample, and what it does not fit."""
    if len(sample) < 10:
        return None
    most = len(sample) // 10
    for form in _forms([text for text in sample if re.search(r"\d", text)] or sample):
        # One more than that is enough to know: a table may have thousands of columns of words.
        misfits = list(islice(filterfalse(re.compile(form.pattern).fullmatch, sample), most + 1))
        if 0 < len(misfits) <= most:
            return form, misfits
    return None


def _forms(sample: Sequence[str]) -> Iterable[Form]:
    yield from _booleans(sample)
    yield WHOLE
    yield DECIMAL
    yield from _dates()
    yield from _short_dates(sample)
    yield from _figures(sample)


def _booleans(sample: Sequence[str]) -> Iterable[Form]:
    seen = {text.lower() for text in sample[:1000]}
    for yes, no in _WORDS:
        both_needed = len(yes) == 1 or yes == "on"
        if seen <= {yes, no} and (not both_needed or seen == {yes, no}):
            yield Form("yes or no", "BOOLEAN", f"(?i)({yes}|{no})", f"lower({{v}}) = {literal(yes)}")


def _dates() -> Iterable[Form]:
    yield Form("date", "DATE", r"[12]\d{3}-\d{1,2}-\d{1,2}", "CAST({v} AS DATE)")
    yield Form("date", "DATE", r"[12]\d{3}/\d{1,2}/\d{1,2}", "CAST({v} AS DATE)")
    yield _date("date", r"[12]\d{3}\.\d{1,2}\.\d{1,2}", "%Y.%m.%d")
    yield _date("date", r"[12]\d{3}年\d{1,2}月\d{1,2}日", "%Y年%m月%d日")
    yield from _ordered_dates()
    yield _date("date", r"\d{1,2} [A-Za-z]{3,9} [12]\d{3}", "%d %B %Y", "%d %b %Y")
    yield _date("date", r"\d{1,2}-[A-Za-z]{3}-[12]\d{3}", "%d-%b-%Y")
    weekday = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? \d{1,2} [A-Za-z]{3,9} [12]\d{3}"
    named = ((name, mark, month) for name in ("%a", "%A") for mark in (",", "") for month in ("%b", "%B"))
    yield _date("date", weekday, *(f"{name}{mark} %d {month} %Y" for name, mark, month in named))
    yield _date("date", r"[A-Za-z]{3,9} \d{1,2}, ?[12]\d{3}", "%B %d, %Y", "%b %d, %Y", "%B %d,%Y", "%b %d,%Y")
    moment = rf"[12]\d{{3}}[-/]\d{{1,2}}[-/]\d{{1,2}}([T ]{_ISO_TIME})?"
    yield Form("time stamp", "TIMESTAMP", moment, "CAST(replace({v}, ',', '.') AS TIMESTAMP)")
    with_zone = rf"[12]\d{{3}}-\d{{2}}-\d{{2}}([T ]{_ISO_TIME}({_ZONE})?)?"
    in_utc = "CAST(replace(replace({v}, ',', '.'), 'GMT', 'UTC') AS TIMESTAMPTZ) AT TIME ZONE 'UTC'"
    yield Form("time stamp", "TIMESTAMP", with_zone, in_utc, note=Text("Times are in UTC."))
    yield Form("time", "TIME", r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?", _TIME)


_TIME = "CAST(CASE WHEN length({v}) - length(replace({v}, ':', '')) = 1 THEN {v} || ':00' ELSE {v} END AS TIME)"


def _ordered_dates() -> Iterable[Form]:
    """Days and months as figures: only the whole column can say which comes first, where a point does not."""
    for mark in ".", "/", "-":
        for first, second in ("dm", "md"):
            if mark == "." and first == "m":
                continue
            rival = "" if mark == "." else DATE_ORDERS[second]
            name = "date" if mark == "." else DATE_ORDERS[first]
            plain = rf"{_PARTS[first]}\{mark}{_PARTS[second]}\{mark}[12]\d{{3}}"
            day = f"%{first}{mark}%{second}{mark}%Y"
            yield replace(_date(name, plain, day), rival=rival)
            clocks = ("%H:%M:%S", "%H:%M", "%I:%M:%S %p", "%I:%M %p", "%I:%M:%S%p", "%I:%M%p")
            formats = ", ".join(literal(f"{day} {clock}") for clock in clocks)
            moment = f"try_strptime({{v}}, [{formats}, {literal(day)}])"
            yield Form(name, "TIMESTAMP", rf"{plain}({_CLOCK})?", moment, rival=rival)


_PARTS = {"d": r"(0?[1-9]|[12]\d|3[01])", "m": r"(0?[1-9]|1[0-2])"}
DATE_ORDERS = {"d": "date, day first", "m": "date, month first"}
TWO_DIGIT_YEAR = regex(r"\d{1,2}([./-])\d{1,2}\1\d{2}")


_LAST_SHORT = 40  # "26" is 2026; from "41" on it may be of either century


def _short_dates(sample: Sequence[str]) -> Iterable[Form]:
    """ "24/11/26" where it is plain that the year stands last: there are fewer years than days."""
    if not all(map(TWO_DIGIT_YEAR.fullmatch, sample)):
        return
    parts = [tuple(map(int, re.split(r"[./-]", text))) for text in sample]
    firsts, lasts = {part[0] for part in parts}, {part[2] for part in parts}
    if (
        max(lasts) > _LAST_SHORT
        or len(lasts) > len(firsts)
        or (max(firsts) <= _LAST_SHORT and len(firsts) == len(lasts) > 1)
    ):
        return
    note = Text("Years with two figures were read as those from 2000 on.")
    for mark in ".", "/", "-":
        for first, second in ("dm", "md"):
            if mark == "." and first == "m":
                continue
            plain = rf"{_PARTS[first]}\{mark}{_PARTS[second]}\{mark}([0-3]\d|{_LAST_SHORT})"
            form = _date(DATE_ORDERS[first] if mark != "." else "date", plain, f"%{first}{mark}%{second}{mark}%y")
            yield replace(form, rival="" if mark == "." else DATE_ORDERS[second], note=note)


def _mixed_dates(sample: Sequence[str]) -> Iterable[Form]:
    """Dates in several formats: in those that are there, with days first, and with months first where that may be."""
    if not all(re.search(r"\d", text) for text in sample):
        return
    days = [form for form in _dates() if form.type == "DATE" and any(map(form.fits, sample))]
    plain = [form for form in days if not form.rival]
    orders = {name: [form for form in days if form.rival and form.name == name] for name in DATE_ORDERS.values()}
    if not any(orders.values()):
        yield from _together("date", plain, "")
        return
    first, second = DATE_ORDERS["d"], DATE_ORDERS["m"]
    yield from _together(first, [*plain, *orders[first]], second)
    yield from _together(second, [*plain, *orders[second]], first)


def _together(name: str, forms: Sequence[Form], rival: str) -> Iterable[Form]:
    if len(forms) > 1:
        cases = " ".join(f"WHEN regexp_full_match({{v}}, {literal(form.pattern)}) THEN {form.value}" for form in forms)
        pattern = "|".join(f"({form.pattern})" for form in forms)
        yield Form(name, "DATE", pattern, f"CASE {cases} END", rival=rival, formats=len(forms))


def _date(name: str, pattern: str, *formats: str) -> Form:
    written = ", ".join(literal(text) for text in formats)
    return Form(name, "DATE", pattern, f"CAST(try_strptime({{v}}, [{written}]) AS DATE)")


def _figures(sample: Sequence[str]) -> Iterable[Form]:
    """Numbers with marks between thousands, a decimal comma, a currency, a percent sign, brackets or △ below zero."""
    units = {unit_of(text) for text in sample[:1000]} - {""}
    if len(units) > 1:
        return
    unit = next(iter(units), "") or _measure(sample)
    commas = any("," in text for text in sample)
    for name, thousands, decimal in _STYLES:
        rival = "number, decimal comma" if name == "number" and thousands == "," and commas else ""
        for whole in (True, False):
            yield _figure(name, thousands, "" if whole else decimal, unit, rival)


_STYLES = (
    ("number", ",", "."),
    ("number", "", "."),
    ("number, decimal comma", "", ","),
    ("number, decimal comma", ".", ","),
    ("number, decimal comma", _SPACES, ","),
    ("number", "['’]", "."),
    ("number", _SPACES, "."),
)


def unit_of(text: str) -> str:
    """``%``, or the currency as it is written; empty where there is none."""
    found = _UNIT.search(text)
    return "" if found is None else "%" if found["percent"] else found[0]


def _measure(sample: Sequence[str]) -> str:
    """The one word that stands behind the figure of every value; empty where there is none."""
    words = measures(sample)
    return next(iter(words)) if len(sample) > 2 and len(words) == 1 else ""


def measures(sample: Iterable[str]) -> set[str]:
    """The words that stand behind the figures of the values; with "" among them where a value has none."""
    found = (_MEASURE.fullmatch(text) or _CLOSE.fullmatch(text) for text in sample)
    return {match["measure"] if match else "" for match in found}


def unit_in_label(label: str) -> str:
    """The unit that a header tells: ``Total (€)``, ``Share in %``."""
    found = _LABEL_UNIT.search(label)
    return found[0] if found else ""


def _figure(name: str, thousands: str, decimal: str, unit: str, rival: str) -> Form:
    mark = "\\." if thousands == "." else thousands
    grouped = rf"[1-9]\d{{0,2}}({mark}\d{{2,3}})*{mark}\d{{3}}|" if thousands else ""
    fraction = rf"(\{decimal}\d*)?" if decimal else ""
    digits = rf"({grouped}0|[1-9]\d{{0,17}}){fraction}" + (rf"|\{decimal}\d+" if decimal else "")
    affix = f"({'[%％]' if unit == '%' else re.escape(unit)})?" if unit else ""
    amount = f"{affix}{_SPACES}*[+−-]?{_SPACES}?({digits}){_SPACES}?{affix}"
    bracketed = rf"{affix}{_SPACES}?\({_SPACES}?{amount}{_SPACES}?\){_SPACES}?{affix}"
    pattern = rf"([+−▲△-]?{_SPACES}?{amount}-?|{bracketed})"
    value = "regexp_replace({v}, '[^0-9.,()−▲△-]', '', 'g')"
    if unit.endswith("."):
        value = f"regexp_replace(replace({{v}}, {literal(unit)}, ''), '[^0-9.,()−▲△-]', '', 'g')"
    if thousands in (",", "."):
        value = f"replace({value}, '{thousands}', '')"
    if decimal == ",":
        value = f"replace({value}, ',', '.')"
    bare = f"regexp_replace({value}, '[()−▲△-]', '', 'g')"
    sign = f"CASE WHEN regexp_matches({value}, '[(−▲△-]') THEN '-' ELSE '' END"
    type_name = "DOUBLE" if decimal else "BIGINT"
    value = f"CAST({sign} || {bare} AS {type_name})"
    return Form(name, type_name, pattern, value, "¥" if unit == _YEN else unit, rival)


# A whole number that comes out of a cast as it went in was written as one; 007, 1_000, 0x1F and 1.5 are cast as well.
_SAME = "CAST(TRY_CAST({v} AS BIGINT) AS VARCHAR) = {v}"


def strict(form: Form, column: str, sample: Iterable[str] = ()) -> str:
    """SQL for the value of ``column`` in this form: NULL where there is none; an error where it does not fit.

    ``sample`` says whether values have blanks around them; taking these away costs more than all the rest.
    """
    padded = any(text != text.strip() for text in sample)
    text = f"trim({column}, {BLANKS})" if padded else column
    fits = _SAME.replace("{v}", text) if form == WHOLE else f"regexp_full_match({text}, {literal(form.pattern)})"
    value = form.value.replace("{v}", text)
    return (
        f"CASE WHEN {fits} THEN {value} WHEN {no_value(column)} THEN NULL "
        f"ELSE CAST(error('does not fit') AS {form.type}) END"
    )
