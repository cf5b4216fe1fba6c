"""The ``documents`` tool: passages of the person's documents and of the app's own handbook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from agent.data.documents import handbook
from agent.data.documents.document_places import address_in_document, address_in_handbook
from agent.data.documents.index import Hit, folded
from agent.errors import ToolFailed
from agent.events import Source
from agent.interface_text import Text
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.spec import ToolSpec

if TYPE_CHECKING:
    from agent.data.documents.chat_documents import ConversationDocuments, Found, LoadedDocument

SPEC = ToolSpec(
    "documents",
    Text("Searches your documents and this app's handbook."),
    lambda parts: documents_tool(parts.documents),
    title=Text("Documents"),
    icon="menu_book",
    verbs=(Text("Looking in the documents:"), Text("Documents:")),
    subject="question",
    told="quoted",
    untrusted=True,
)

_MOST = 4
_OF_HANDBOOK = 2
_MOST_QUESTION = 1_000
_LONGEST_PAGE = 5_500  # the loop cuts an observation at 6,000 characters
_SNIPPET = 160
_MOST_NAMED = 12
_ABOUT = (
    "Searches the handbook of Glassbox, this app: what it can do, how it is used, its tools, models, keys, limits, "
    "deployment"
)
_LOADED = "Searches the person's documents ({names}) and this app's handbook; or gives one page of a document"


@dataclass(frozen=True, slots=True)
class _Line:
    """One passage as the model is shown it. ``exact``: the text is to stay as it is, with its lines."""

    title: str
    heading: str
    text: str
    address: str


def documents_tool(library: ConversationDocuments | None = None, timeout: float = 25.0) -> Tool:
    """The tool for one conversation and the documents there are now; without a ``library`` only the handbook is there.

    ``timeout`` is in seconds.
    """
    there = library.loaded() if library else ()
    description = _LOADED.format(names=_names(there)) if there else _ABOUT

    @tool(name="documents", description=f"{description}.", timeout=timeout)
    def documents(question: str, document: str = "", page: int | None = None) -> ToolResult:
        """Passages that fit a question.

        Args:
            question: what to look for, for example how to add a tool
            document: only this one, by its name, or "handbook"
            page: a page of it, whole, instead of a search
        """
        question = " ".join(question.split())
        if len(question) > _MOST_QUESTION:
            raise ToolFailed(f"The question is too long. Use at most {_MOST_QUESTION:,} characters.", "input")
        if page is not None:
            return _page(library, _named(there, document), page)
        if not question:
            raise ToolFailed("Say what to look for, or give a document and a page.", "input")
        if document and folded(document).strip() in ("handbook", "glassbox", "the handbook", "ハンドブック"):
            return _shown(question, [_of_handbook(hit) for hit in handbook.search(question, _MOST)])
        among = (_named(there, document),) if document.strip() else there
        return _shown(question, _found(library, question, among, bool(document.strip())))

    return documents


def _found(
    library: ConversationDocuments | None, question: str, among: tuple[LoadedDocument, ...], only: bool
) -> list[_Line]:
    """The passages of the person's documents; before them those of the handbook where they fit the question better."""
    theirs = library.search(question, among, _MOST) if library and among else []
    lines = [_of_document(found, library.conversation if library else "") for found in theirs]
    if only:
        return lines
    ours = handbook.search(question, _MOST if not theirs else _OF_HANDBOOK)
    best = max((found.covered for found in theirs), default=0.0)
    better = [_of_handbook(hit) for hit in ours if not theirs or hit.covered > best]
    return [*better, *lines][:_MOST]


def _of_document(found: Found, conversation: str) -> _Line:
    document, passage = found.document, found.passage
    title = f"{document.name}, {'page' if document.paged else 'part'} {passage.page}"
    address = address_in_document(conversation, document.id, passage.number)
    return _Line(title, passage.heading, passage.text, address)


def _of_handbook(hit: Hit) -> _Line:
    chapter = handbook.chapter(hit.document)
    title, heading = handbook.source_title(chapter) if chapter else "", hit.passage.heading.partition(" › ")[2]
    address = address_in_handbook(hit.document, hit.passage.number)
    return _Line(title, heading, hit.passage.text, address)


def _shown(question: str, lines: Sequence[_Line]) -> ToolResult:
    if not lines:
        raise ToolFailed(
            f"Nothing was found for “{question[:100]}”. Try other words that the text may use, or say that it is not "
            "there.",
            "nothing",
        )
    parts = [f"[{number}] {line.title}{_under(line.heading)}\n{line.text}" for number, line in enumerate(lines, 1)]
    sources = tuple(
        Source(number, f"{line.title}{_under(line.heading)}", line.address, " ".join(line.text.split())[:_SNIPPET])
        for number, line in enumerate(lines, 1)
    )
    return ToolResult("\n\n".join(parts), sources=sources)


def _under(heading: str) -> str:
    return f" — {heading}" if heading else ""


def _page(library: ConversationDocuments | None, document: LoadedDocument, page: int) -> ToolResult:
    kind = "page" if document.paged else "part"
    if not 1 <= page <= document.pages:
        raise ToolFailed(f"{document.name} has {document.length}: give one from 1 to {document.pages}.", "input")
    found = library.page(document, page) if library else ()
    title = f"{document.name}, {kind} {page} of {document.pages}"
    if not found:
        raise ToolFailed(f"{title} has no text; it may be a picture.", "nothing")
    text = "\n".join(passage.text for passage in found)
    if len(text) > _LONGEST_PAGE:
        text = f"{text[:_LONGEST_PAGE]}\n… {len(text) - _LONGEST_PAGE:,} characters left out …"
    address = address_in_document(library.conversation if library else "", document.id, found[0].number)
    further = f"\n(The next {kind} is {page + 1}.)" if page < document.pages else f"\n(That was the last {kind}.)"
    return ToolResult(f"[1] {title}\n{text}{further}", sources=(Source(1, title, address, text[:_SNIPPET]),))


def _named(there: Sequence[LoadedDocument], name: str) -> LoadedDocument:
    """The document that a model means: by its whole name, a part of it, or nearly its name; the only one there is."""
    if not there:
        raise ToolFailed(
            "No documents are loaded in this chat; only the handbook is here. The person can drop files into the "
            "question box.",
            "input",
        )
    wanted = folded(name).strip()
    if not wanted and len(there) == 1:
        return there[0]
    known = {folded(one.name): one for one in there}
    fitting = [one for full, one in known.items() if full == wanted] or [
        one for full, one in known.items() if wanted and wanted in full
    ]
    near = fitting or [known[full] for full in get_close_matches(wanted, known, 1)]
    if len(near) != 1:
        raise ToolFailed(
            f"There is no document “{name[:60]}”. Those here: {_names(there)}.".replace("“”", "of that name"), "input"
        )
    return near[0]


def _names(there: Sequence[LoadedDocument]) -> str:
    named = "; ".join(f"{' '.join(one.name.split())[:60]}, {one.length}" for one in there[:_MOST_NAMED])
    return f"{named}; {len(there) - _MOST_NAMED} more" if len(there) > _MOST_NAMED else named
