"""Files that are no import, each with a part of the sentence that refuses it.

Most are the export of ``everything`` with one thing changed: what is changed is looked for first, so that a file that
has lost what made it hostile does not pass as one.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from agent.events import Answered, Asked, Event, Failed, Observed, Replied, TextDelta, dump
from agent.messages import Usage
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.json_lines import export_json_lines
from tests.support.whole_runs import TABLE, WHOLE, asking_run, everything, native_run, text_run

GOOD = export_json_lines(everything())
LINES = GOOD.removesuffix("\n").split("\n")
_REPLY = Replied("", "", Usage(), 0.0, 0.0)


def put(old: str, new: str) -> bytes:
    """The good file with the first ``old`` replaced."""
    assert old in GOOD, old
    return GOOD.replace(old, new, 1).encode("utf-8", "surrogatepass")


def line(kind: str, **changed: Any) -> bytes:
    """The good file with fields of the first event of that kind changed; ``...`` takes one away."""
    place = next(number for number, text in enumerate(LINES) if text.endswith(f'"type":"{kind}"}}'))
    fields = {name: value for name, value in (json.loads(LINES[place]) | changed).items() if value is not ...}
    return file(*LINES[:place], json.dumps(fields), *LINES[place + 1 :])


def header(**changed: Any) -> bytes:
    fields = {name: value for name, value in (json.loads(LINES[0]) | changed).items() if value is not ...}
    return file(json.dumps(fields), *LINES[1:])


def file(*lines: str) -> bytes:
    return "".join(f"{text}\n" for text in lines).encode()


def runs(*changed: ExportedRun) -> bytes:
    return export_json_lines(Exported("t", changed)).encode()


def of(*events: Event, **fields: Any) -> bytes:
    """A file of one run with these events."""
    return runs(ExportedRun("1", "", events, **fields))


def asking(place: int, **changed: Any) -> bytes:
    """A file of the run that asked the person, with fields of one of its events changed."""
    lines = of(*asking_run()).decode().removesuffix("\n").split("\n")
    fields = json.loads(lines[2 + place])
    assert all(fields[name] != value for name, value in changed.items())
    return file(*lines[: 2 + place], json.dumps(fields | changed), *lines[3 + place :])


def asked_anew(*places: int, end: Event | None = None) -> bytes:
    """A file of the run that asked the person up to its first call, then these of its events."""
    events = asking_run()
    begins = 3 if 3 in places else 4
    return of(*events[:begins], *(events[place] for place in places), end or events[-1])


def without(*places: int, events: tuple[Event, ...] = text_run()) -> bytes:
    return of(*(event for place, event in enumerate(events) if place not in places))


def swapped(first: int, second: int) -> bytes:
    events = [*text_run()]
    events[first], events[second] = events[second], events[first]
    return of(*events)


def named(id: str, follows: str = "", parent: str = "", at: int | None = None) -> ExportedRun:
    return ExportedRun(id, follows, (Asked("q", 1.0, parent=parent, at=at), Failed("model", "m")))


def artifact_line(hash: str, content: bytes | str) -> bytes:
    """The good first run with one artifact line, of that hash and content."""
    written = content if isinstance(content, str) else b64encode(content).decode()
    added = json.dumps({"artifact": hash, "content": written})
    return file(*LINES[: 2 + len(text_run())], added)


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


ASKED, MERGED, PREPARED, REPLIED, CALLED, OBSERVED = text_run()[:6]
END = text_run()[-1]
_IN = "is nested deeper than 100 levels"
_ID = "has an impossible id"
_TEXT = "a character that no text may have"
_NUMBER = "has a number that cannot be"
_UNKNOWN = "has a field that is not known here: a newer version of Glassbox may have written it"
_LACKS = "lacks a field"
_WRONG = "a value of the wrong kind"

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    # The file
    "empty": (lambda: b"", "It is empty."),
    "too large": (lambda: GOOD.encode() + b" " * 10_000_000, "It has more than 10 MB."),
    "too many lines": (lambda: GOOD.encode() + b"\n" * 20_001, "It has more than 20,000 lines."),
    "too many values": (lambda: header(title=[1] * 1_000_001), "It has more than 1,000,000 values."),
    "latin-1": (lambda: GOOD.replace("°", "\xb0").encode("latin-1", "replace"), "It is not UTF-8 text."),
    "utf-16": (lambda: GOOD.encode("utf-16"), "It is not UTF-8 text."),
    "cut in a character": (lambda: GOOD.encode()[: GOOD.encode().index("°".encode()) + 1], "It is not UTF-8 text."),
    "a surrogate in UTF-8": (lambda: put("You are…", "\ud800"), "It is not UTF-8 text."),
    "byte order mark": (lambda: b"\xef\xbb\xbf" + GOOD.encode(), "Line 1 is not JSON."),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n", "It is not UTF-8 text."),
    "a page": (lambda: b"<!doctype html>\n<html>", "Line 1 is not JSON."),
    "another program's": (lambda: b'{"messages": []}\n', "It is not an export of Glassbox"),
    "a list": (lambda: b"[1, 2]\n", "Line 1 is not a JSON object."),
    "another format": (lambda: header(format="glasbox"), "It is not an export of Glassbox"),
    "a later version": (lambda: header(version=2), "It has another version of the format than 1"),
    "a version of text": (lambda: header(version="1"), "It has another version of the format than 1"),
    "a version of truth": (lambda: header(version=True), "It has another version of the format than 1"),
    "no title": (lambda: header(title=...), f"Line 1 {_LACKS}."),
    "a title of numbers": (lambda: header(title=5), "Line 1 has a field with a value of the wrong kind."),
    "a long title": (lambda: header(title="x" * 301), "Its title has more than 300 characters."),
    "more in the header": (lambda: header(visitor="b" * 32), f"Line 1 {_UNKNOWN}."),
    "only a header": (lambda: file(LINES[0]), "There is no run in it."),
    "no first run": (lambda: file(LINES[0], *LINES[2:]), "Its second line is not that of a run."),
    "a header in between": (lambda: file(*LINES, LINES[0]), "is neither a run nor an event nor an artifact."),
    "an empty line": (lambda: file(*LINES, ""), "is not JSON."),
    "a broken line": (lambda: GOOD.encode()[:-5], "is not JSON."),
    "a line of null": (lambda: file(*LINES, "null"), "is not a JSON object."),
    "a name twice": (lambda: put('"follows":""', '"follows":"","follows":""'), "Line 2 is not JSON."),
    # Nesting and numbers
    "nested lists": (lambda: file(LINES[0], '{"a":' + deep(100) + "}"), f"Line 2 {_IN}."),
    "a bomb of lists": (lambda: file(LINES[0], deep(2_000_000)), f"Line 2 {_IN}."),
    "an unclosed bomb": (lambda: file('{"a":' * 200_000), f"Line 1 {_IN}."),
    "a bomb in parameters": (lambda: put('"deep":"x"', f'"deep":{deep(150)}'), _IN),
    "brackets hidden by a text": (lambda: file(LINES[0], '{"a":"\\"","b":' + deep(101) + "}"), f"Line 2 {_IN}."),
    "NaN": (lambda: line("Replied", seconds=float("nan")), _NUMBER),
    "infinity": (lambda: line("Replied", seconds=float("inf")), _NUMBER),
    "a number above all": (lambda: put('"seconds":1.5', '"seconds":1e999'), _NUMBER),
    "NaN in arguments": (lambda: put('"digits":1e-7', '"digits":NaN'), _NUMBER),
    "a number of 400 digits": (lambda: put('"digits":1e-7', f'"digits":{"9" * 400}'), _NUMBER),
    "a number of 9,000 digits": (lambda: put('"digits":1e-7', f'"digits":{"9" * 9000}'), "is not JSON."),
    "negative seconds": (lambda: line("Replied", seconds=-0.5), _NUMBER),
    "a negative first token": (lambda: line("Replied", first_token=-1.0), _NUMBER),
    "seconds of ages": (lambda: line("Observed", seconds=1e10), _NUMBER),
    "merged for ages": (lambda: line("Merged", seconds=-1.0), _NUMBER),
    "asked in the year 10,000": (lambda: line("Asked", time=253_402_300_801.0), _NUMBER),
    "asked before 1970": (lambda: line("Asked", time=-1.0), _NUMBER),
    "negative tokens": (lambda: put('"input":100', '"input":-100'), _NUMBER),
    "endless tokens": (lambda: put('"output":20', f'"output":{10**13}'), _NUMBER),
    "negative money": (lambda: put('"amount":"0.0000325"', '"amount":"-1"'), _NUMBER),
    "money that is none": (lambda: put('"amount":"0.0000325"', '"amount":"NaN"'), _WRONG),
    "endless money": (lambda: put('"amount":"0.0000325"', '"amount":"1E+999999"'), _NUMBER),
    "endlessly small money": (lambda: put('"amount":"0.0000325"', '"amount":"1E-999999"'), _NUMBER),
    "a currency of markup": (lambda: put('"currency":"USD"', '"currency":"<b>"'), "has a currency that is none"),
    "a negative source": (lambda: put('"number":1', '"number":-1'), _NUMBER),
    "a negative size": (lambda: put('"size":36', '"size":-36'), _NUMBER),
    # Characters
    "half a character": (lambda: put("You are…", "\\ud800"), _TEXT),
    "NUL": (lambda: put("You are…", "\\u0000"), _TEXT),
    "NUL in a title": (lambda: header(title="a\0"), _TEXT),
    "NUL in a comment": (lambda: put("Just right", "\\u0000"), _TEXT),
    "NUL in a name": (lambda: put('"query":"high', '"\\u0000":"high'), _TEXT),
    "a raw control character": (lambda: put("You are…", "\x01"), "is not JSON."),
    # Fields of events
    "an unknown event": (lambda: put('"type":"Asked"', '"type":"Deleted"'), "an event of a kind that is not known"),
    "an event of a list": (lambda: put('"type":"Asked"', '"type":["Asked"]'), "of a kind that is not known"),
    "an event without a kind": (lambda: line("Asked", type=...), "is neither a run nor an event nor an artifact."),
    "an unknown field": (lambda: line("Asked", visitor="b" * 32), _UNKNOWN),
    "an unknown field inside": (lambda: put('"estimated":false', '"estimated":false,"x":1'), _UNKNOWN),
    "a missing field": (lambda: line("Replied", usage=...), _LACKS),
    "a text for a number": (lambda: line("Asked", time="1"), _WRONG),
    "a number for a text": (lambda: line("Answered", text=5), _WRONG),
    "nothing for a text": (lambda: line("Answered", text=None), _WRONG),
    "an unknown wire": (lambda: line("Prepared", wire="soap"), _WRONG),
    "an unknown reason": (lambda: line("Failed", reason="because"), _WRONG),
    "an unknown role": (lambda: put('"role":"system"', '"role":"root"'), _WRONG),
    "content in an event": (lambda: put('"size":36', '"size":36,"content":"eA=="'), "has an artifact with its content"),
    "no hash": (lambda: put(f'"hash":"{WHOLE.hash}"', '"hash":"../../etc/passwd"'), "by something that is no hash"),
    # Links
    "a link of script": (lambda: put("http://127.0.0.1:1/plain", "javascript:alert(1)"), "no web address"),
    "a link of data": (lambda: put("http://127.0.0.1:1/plain", "data:text/html,<b>"), "no web address"),
    "a link of a file": (lambda: put("http://127.0.0.1:1/plain", "file:///etc/passwd"), "no web address"),
    "a link into the app": (lambda: put("http://127.0.0.1:1/plain", "/?c=1"), "no web address"),
    "a link with a user": (lambda: put("http://127.0.0.1:1/plain", "http://bank.test@a.test/"), "no web address"),
    "a link with a space": (lambda: put("http://127.0.0.1:1/plain", "http://a.test/ b"), "no web address"),
    "a server of script": (lambda: put("http://localhost:11434/v1", "javascript:alert(1)"), "no web address"),
    "a language of nobody": (
        lambda: put('"language":"en"', '"language":"xx"'),
        "language for which there are no prompts",
    ),
    "a server in a shell": (lambda: put("http://localhost:11434/v1", "; rm -rf ~"), "no web address"),
    # The order of events
    "no event": (of, "Line 3 should be a question."),
    "no end": (lambda: without(12), "Line 15 should be the end of a run"),
    "no question": (lambda: without(0), "Line 3 should be a question."),
    "two questions": (lambda: of(ASKED, *text_run()), "Line 4 is a second question."),
    "a question later": (lambda: of(*text_run()[:6], ASKED, END), "Line 9 is a second question."),
    "two ends": (lambda: of(*text_run(), END), "Line 16 stands behind the end of its run."),
    "an answer and a failure": (lambda: of(*text_run(), Failed("model", "m")), "Line 16 stands behind the end"),
    "an event behind the end": (lambda: swapped(11, 12), "Line 15 stands behind the end of its run."),
    "an answer at once": (lambda: of(ASKED, END), "Line 4 stands before the run was prepared."),
    "a reply before it was prepared": (lambda: swapped(2, 3), "Line 5 stands before the run was prepared."),
    "a limit before it was prepared": (lambda: of(ASKED, Observed("", "x"), END), "Line 4 stands before the run"),
    "merged twice": (lambda: of(ASKED, MERGED, *text_run()[1:]), "Line 5 is a merged question at the wrong place."),
    "merged late": (lambda: swapped(1, 2), "Line 5 is a merged question at the wrong place."),
    "streamed text": (lambda: of(ASKED, PREPARED, TextDelta("answer", "x"), END), "Line 5 is a piece of streamed text"),
    "a call without a reply": (lambda: without(3), "Line 6 is a call that no reply asked for."),
    "a call before everything": (lambda: of(ASKED, CALLED, END), "Line 4 is a call that no reply asked for."),
    "a call after a telling-off": (lambda: swapped(8, 9), "Line 11 is a call that no reply asked for."),
    "a call without an id": (lambda: put('"call_id":"call_1"', '"call_id":""'), "is a call without an id of its own."),
    "a call twice": (
        lambda: put('"call_id":"b","tool"', '"call_id":"a","tool"'),
        "is a call without an id of its own.",
    ),
    "an observation first": (lambda: swapped(4, 5), "Line 7 is an observation of a call that is not open."),
    "an observation of nothing": (lambda: without(4), "Line 7 is an observation of a call that is not open."),
    "an observation twice": (lambda: of(*text_run()[:6], OBSERVED, END), "Line 9 is an observation of a call that is"),
    "an observation of another call": (
        lambda: put('"call_id":"b","text"', '"call_id":"c","text"'),
        "that is not open.",
    ),
    "an answer over an open call": (lambda: without(5), "stands where a call waits for its observation."),
    "a reply over an open call": (lambda: of(*text_run()[:5], _REPLY, END), "Line 8 stands where a call waits"),
    "prepared over an open call": (lambda: of(*text_run()[:5], PREPARED, END), "Line 8 stands where a call waits"),
    # Waiting for the person
    "a wait for no call": (lambda: asking(4, call_id="x"), "waits for a decision about a call that is not open."),
    "a wait before its call": (lambda: asked_anew(4, 3), "waits for a decision about a call that is not open."),
    "a wait in a wait": (lambda: asked_anew(4, 4, 4), "stands where a decision is waited for."),
    "a wait once more": (lambda: asked_anew(*range(4, 12), 12, 11, 12), "waits for a decision about a call that is"),
    "a wait for another kind": (lambda: asking(4, kind="payment"), _WRONG),
    "a wait in another time": (lambda: asking(4, time=1e300), "has a number that cannot be."),
    "another offer": (lambda: asking(11, choices=["allowed", "pay"]), "offers a decision that is none."),
    "a decision without a wait": (lambda: asked_anew(5), "is a decision about what did not wait for it."),
    "a decision twice": (lambda: asked_anew(4, 5, 5), "is a decision about what did not wait for it."),
    "a decision about another call": (lambda: asking(12, call_id="b"), "is a decision about what did not wait for it."),
    "a decision of another kind": (lambda: asking(5, decision="allowed"), "is a decision that was not asked for."),
    "an answer to an approval": (lambda: asking(12, decision="answered"), "is a decision that was not asked for."),
    "a decision that is none": (lambda: asking(12, decision="paid"), _WRONG),
    "changed without arguments": (lambda: asking(15, arguments=None), "is a decision that was not asked for."),
    "arguments of what was denied": (lambda: asking(12, arguments={"x": 1}), "is a decision that was not asked for."),
    "a decision before it was asked": (lambda: asking(5, seconds=-1.0), "has a number that cannot be."),
    "made without a decision": (lambda: asked_anew(4, 6), "stands where a decision is waited for."),
    "answered over a wait": (lambda: asked_anew(4, end=END), "stands where a decision is waited for."),
    "answered over a decision": (lambda: asked_anew(4, 5, end=END), "stands where a call waits for its observation."),
    "waiting for ever": (lambda: of(*asking_run()[:-1]), "should be the end of a run, an answer or a failure."),
    "a failure without a question": (lambda: of(Failed("model", "m")), "Line 3 should be a question."),
    # Runs
    "an id twice": (lambda: runs(named("1"), named("1")), "has the id of an earlier one."),
    "no id": (lambda: runs(named("")), _ID),
    "an id of markup": (lambda: runs(named("<b>")), _ID),
    "an id with a line's end": (lambda: runs(named("1\n")), _ID),
    "a long id": (lambda: runs(named("x" * 65)), _ID),
    "follows an unknown run": (lambda: runs(named("1", "9")), "follows one that does not stand before it."),
    "follows itself": (lambda: runs(named("1", "1")), "follows one that does not stand before it."),
    "follows in a circle": (lambda: runs(named("1", "2"), named("2", "1")), "follows one that does not stand before"),
    "branches from an unknown run": (lambda: runs(named("1", parent="9")), "branches from one that does not stand"),
    "branches from itself": (lambda: runs(named("1", parent="1")), "branches from one that does not stand before it."),
    "branches from a stored run": (lambda: runs(named("1", parent="ab" * 16)), "branches from one that does not"),
    "branches behind the end": (lambda: runs(named("1"), named("2", "", "1", 3)), "from an event that is not there."),
    "branches before the start": (
        lambda: runs(named("1"), named("2", "", "1", -1)),
        "from an event that is not there.",
    ),
    "branches from nothing": (lambda: runs(named("1", at=0)), "branches from an event that is not there."),
    "a third verdict": (
        lambda: put('"verdict":1', '"verdict":2'),
        "Line 2 has a field with a value of the wrong kind.",
    ),
    "a verdict of text": (lambda: put('"verdict":1', '"verdict":"1"'), "Line 2 has a field with a value"),
    "a long comment": (lambda: put("Just right", "x" * 5001), "has more than 5,000 characters."),
    "more of a run": (lambda: put('"run":"1"', '"run":"1","conversation":"x"'), f"Line 2 {_UNKNOWN}."),
    "too many runs": (lambda: runs(*(named(str(number)) for number in range(501))), "It has more than 500 runs."),
    "too many events": (
        lambda: of(ASKED, PREPARED, *[_REPLY] * 1998, END),
        "The run of line 2 has more than 2,000 events.",
    ),
    # Artifacts
    "another content": (lambda: artifact_line(WHOLE.hash, b"something else"), "is not the one that its event names."),
    "another size": (lambda: put('"size":36', '"size":35'), "is not the one that its event names."),
    "no base64": (lambda: artifact_line(WHOLE.hash, "not base64!"), "is not in base64."),
    "base64 of other letters": (lambda: artifact_line(WHOLE.hash, "東京"), "is not in base64."),
    "an artifact nobody names": (lambda: artifact_line(sha256(b"x").hexdigest(), b"x"), "that no event names"),
    "an artifact twice": (lambda: file(*LINES[:16], LINES[15], *LINES[16:]), "or that was there before."),
    "an event behind artifacts": (lambda: file(*LINES[:16], LINES[14], *LINES[16:]), "an event behind its artifacts."),
    "an artifact without content": (lambda: put(',"content":"', ',"contents":"'), _LACKS),
}
# What the tests above rely on.
assert json.loads(LINES[15])["artifact"] == WHOLE.hash
assert json.loads(LINES[16])["artifact"] == TABLE.hash
assert isinstance(END, Answered)
assert dump(replace(END, text="")) not in LINES
assert isinstance(native_run()[-1], Failed)
