"""The prompts of one conversation: templates and a style that go before those chosen for all."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent.application.preferences import read_back, write_down
from agent.application.setup import Choice, with_own_prompt
from agent.events import StyleName
from agent.prompts import source

KIND = "prompts"  # what they are kept under (see ``agent.store.chats.Chats.choose``)


@dataclass(frozen=True, slots=True)
class ChatPrompts:
    """``templates`` are as in ``Choice.prompts``; ``style`` is ``None`` where it is that of all conversations."""

    templates: tuple[tuple[str, str, str], ...] = ()
    style: StyleName | None = None

    @property
    def empty(self) -> bool:
        return not self.templates and self.style is None

    def text(self, language: str, name: str) -> str:
        """The conversation's own template, or ""."""
        return _found(self.templates, language, name)

    def over(self, choice: Choice) -> Choice:
        """With what the conversation's questions are answered, where ``choice`` is what holds for all."""
        mine = {own[:2] for own in self.templates}
        others = tuple(own for own in choice.prompts if own[:2] not in mine)
        return replace(choice, prompts=(*others, *self.templates), style=self.style or choice.style)

    def with_template(self, language: str, name: str, text: str) -> ChatPrompts:
        """With a template of its own; without one where it is ""."""
        kept = Choice(language=language, prompts=self.templates)
        return replace(self, templates=with_own_prompt(kept, name, text))

    def written(self) -> str:
        """As ``read`` reads it; "" where there is nothing of its own."""
        style = {} if self.style is None else {"style": self.style}
        return "" if self.empty else write_down({"prompts": self.templates, **style}, "")


def read(body: str) -> ChatPrompts:
    """What ``ChatPrompts.written`` wrote; what is not of the right kind any more is left out."""
    kept = read_back(body)
    return ChatPrompts(kept.get("prompts", ()), kept.get("style"))


def text_for_all(choice: Choice, name: str) -> str:
    """The template in the language of the prompts as it holds in all conversations: the visitor's own, or the usual."""
    return _found(choice.prompts, choice.language, name) or source(choice.language, name)


def _found(templates: tuple[tuple[str, str, str], ...], language: str, name: str) -> str:
    return next((text for *place, text in templates if place == [language, name]), "")
