"""What an answer says otherwise than an earlier one, in the files of a conversation."""

from __future__ import annotations

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.messages import Usage
from agent.sharing.export.checked_answer import checked
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.html_page import export_html
from agent.sharing.export.markdown import export_markdown

SAID = "Earlier in this chat: 3 people died in the fire. Now: 8 people died in the fire."


def _run(answer: str) -> tuple[Event, ...]:
    return (
        Asked("How many people died in the fire?", 1_795_219_200.0),
        Replied("text", "thought", Usage(), 1.0, 0.1),
        ToolCalled("c1", "search", "fire", {"query": "fire"}),
        Observed("c1", answer),
        Answered(answer),
    )


def test_both_files_say_what_two_answers_say_otherwise() -> None:
    first = ExportedRun("1", "", _run("3 people died in the fire."))
    exported = Exported("Fire", (first, ExportedRun("2", "1", _run("8 people died in the fire."))))
    known = checked(exported)
    assert known["1"].evidence.remarks == () and known["2"].evidence.remarks == (SAID,)
    for file in (export_markdown(exported, known), export_html(exported, known)):
        assert file.count(SAID) == 1
    markdown = export_markdown(exported, known)
    assert markdown.index("8 people died in the fire.") < markdown.index(SAID)
