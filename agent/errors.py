"""Everything that can go wrong, sorted by who must act.

    GlassboxError
    ├── ForTheModel          becomes an observation; the loop goes on
    │   ├── UnknownTool      no tool of that name
    │   ├── BadArguments     the arguments do not fit the tool's signature
    │   └── ToolFailed       the tool could not do it (nothing, key, quota, network, refused, timeout, input)
    ├── ForTheUser           ends the run with a sentence that says what to do
    │   ├── ModelFailed      the model's server cannot be reached, broke off, or answered with an error
    │   │   └── ToolsRefused the server takes no tool schemas: the text wire works
    │   ├── BudgetReached    a cap of the owner's is used up for today
    │   └── BadRequest       what was asked for cannot be done (an empty question, an unknown conversation)
    └── ForTheOperator       the installation must be mended
        ├── BadSettings      a setting is missing or makes no sense
        ├── BadPrompt        a template lacks a variable or has one too many
        └── StoreFailed      the store cannot be read or written
            ├── RunUnreadable    one run of it cannot be; all else can
            └── StoreRefused     it never takes these values, or what it has there is damaged

The text of an error is shown to whoever must act, so it never holds a key.
"""

from __future__ import annotations

from typing import LiteralString, Self

from agent.interface_text import Filling, Text


class GlassboxError(Exception):
    """Root of the tree. ``str(error)`` is the sentence in English, for the terminal, the log and the model.

    ``text`` is the same sentence for a page: an ``interface_text.Text``, with its key and values, where it is ours.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.text = text

    @classmethod
    def because(cls, key: LiteralString, plural: LiteralString = "", /, **values: Filling) -> Self:
        """With a sentence that has a key, as ``Text`` takes it: ``BadRequest.because("{name} is empty.", name=…)``."""
        return cls(Text.of(key, plural, values))


class ForTheModel(GlassboxError):
    """The model can mend it; ``kind`` becomes ``Observed.error``."""

    kind = "tool"


class UnknownTool(ForTheModel):
    kind = "unknown_tool"


class BadArguments(ForTheModel):
    kind = "arguments"


class ToolFailed(ForTheModel):
    """A tool's expected failure.

    ``kind`` is one of ``nothing``, ``key``, ``quota``, ``network``, ``refused``, ``timeout``, ``input``.
    """

    def __init__(self, text: str, kind: str = "tool") -> None:
        super().__init__(text)
        self.kind = kind


class ForTheUser(GlassboxError):
    """A person must act: connect another model, correct a key, try again."""


class ModelFailed(ForTheUser):
    """The model's server failed.

    ``kind`` is one of ``unreachable``, ``timeout``, ``broken``, ``garbage``, ``key``, ``model``, ``quota``,
    ``rate``, ``server``, ``refused``, ``context``.
    """

    def __init__(
        self,
        text: str,
        kind: str = "server",
        happened: str = "",
        reason: str = "",
        said: str = "",
        most: int | None = None,
    ) -> None:
        """``happened`` is the text without what to do, ``said`` what the server said.

        ``reason`` tells failures of one kind apart, such as ``certificate`` among the ``unreachable``. ``most`` is how
        many tokens the model can be sent, where a server that refuses a longer prompt (``context``) says so.
        """
        super().__init__(text)
        self.kind = kind
        self.happened = happened or text
        self.reason = reason
        self.said = said
        self.most = most


class ToolsRefused(ModelFailed):
    """The server answered that it, or this model, takes no ``tools``."""

    def __init__(self, text: str, happened: str = "", said: str = "") -> None:
        super().__init__(text, "tools", happened=happened, said=said)


class BadRequest(ForTheUser):
    pass


class BudgetReached(ForTheUser):
    """A cap of the owner's was reached; the sentence says which, until when, and what to do."""


class ForTheOperator(GlassboxError):
    """The owner of the installation must act."""


class BadSettings(ForTheOperator):
    pass


class BadPrompt(ForTheOperator):
    pass


class StoreFailed(ForTheOperator):
    pass


class StoreRefused(StoreFailed):
    """The store does not take these values, or has something damaged there: trying again does not help."""


class RunUnreadable(StoreFailed):
    """An event of a run is of a ``newer`` version, or damaged. Other runs, and its place in the store, are as ever."""

    def __init__(self, newer: bool) -> None:
        super().__init__(
            Text("This run was written by a newer version of Glassbox. Update Glassbox to see it.")
            if newer
            else Text("This run cannot be read: what was kept of it is damaged.")
        )
