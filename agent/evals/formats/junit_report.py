"""Results as JUnit's XML, as build servers read it: a suite a version, a case an attempt.

The elements are those of https://github.com/testmoapp/junitxml.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from agent.evals.formats.result_lines import Row
from agent.text.regex import regex

_NO_XML = regex("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(name: str, rows: Sequence[Row]) -> bytes:
    """The report. ``name`` is that of the set."""
    whole = Element("testsuites", name=_plain(name))
    for version, some in groupby(sorted(rows, key=lambda row: row.version), key=lambda row: row.version):
        _suite(whole, name, version, list(some))
    _count(whole, rows)
    indent(whole)
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + tostring(whole, encoding="utf-8") + b"\n"


def _suite(whole: Element, name: str, version: str, rows: Sequence[Row]) -> None:
    suite = SubElement(whole, "testsuite", name=_plain(version))
    _count(suite, rows)
    repeats = max(row.repeat for row in rows)
    for row in rows:
        title = f"{row.name} [{row.repeat}/{repeats}]" if repeats > 1 else row.name
        seconds = f"{row.result.seconds:.3f}"
        case = SubElement(suite, "testcase", name=_plain(title), classname=_plain(name), time=seconds)
        if not row.passed:
            why = [f"{grade.said}: {grade.why}" for grade in row.result.failed]
            failure = SubElement(case, "failure", message=_plain(why[0] if why else ""), type=row.result.failed[0].type)
            failure.text = _plain("\n".join(why))


def _count(element: Element, rows: Sequence[Row]) -> None:
    element.set("tests", str(len(rows)))
    element.set("failures", str(sum(not row.passed for row in rows)))
    element.set("errors", "0")
    element.set("time", f"{sum(row.result.seconds for row in rows):.3f}")


def _plain(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
