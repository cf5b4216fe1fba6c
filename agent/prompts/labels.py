"""The labels of text ReAct as the prompts of each language teach them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Labels:
    thought: str
    action: str
    action_input: str
    observation: str
    final_answer: str
    next_actions: str


LABELS = {
    "en": Labels("Thought", "Action", "Action Input", "Observation", "Final Answer", "Next Actions"),
    "ja": Labels("思考", "行動", "行動の入力", "観察", "最終的な答え", "次の質問"),
}
