"""What the pieces of a question of one table come to together: the most of something, groups, a figure, rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.data.tables.pieced.cut_pieces import DONE, OF_DEEDS, Pieces, rest_told
from agent.data.tables.pieced.ends_said import WORDS, of_how, received
from agent.data.tables.pieced.pieced_most import FIGURES, most_asked_in, tells_of_rows
from agent.data.tables.questions.table_lexicon import Token
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Group,
    Measure,
    Table,
    id_like,
    is_money,
    is_share,
    tells_apart,
    usual,
)
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.rates_and_debts import is_of_some_money
from agent.data.tables.worded.rows_said import Mention
from agent.data.tables.worded.worded_columns import (
    content,
    currency,
    has_pieces,
    in_unit,
    names_of_rows,
    nearest_at,
    stem,
)
from agent.data.tables.worded.worded_figures import is_price, of_one_row, told_of_rows


def meant(all_: Pieces) -> Asked | None:
    """``None`` where they do not go together, or a part that is asked for has no column."""
    made = together(all_) if not all_.wish.points else None
    return None if made is None or turned(all_, made) else made


def turned(all_: Pieces, made: Asked) -> bool:
    """Whether a "not", or a word that may say which rows are meant, is nowhere in what was made of them."""
    typed = [token.text.casefold() for token in all_.said]
    said = any(word.endswith("n't") or word in _NOT for word in typed)
    held = any(one.operator in ("<>", "null", "not find") or one.values == ("false",) for one in made.filters)
    figures = made.column or made.order or any(one.kind in ("number", "date") for one in made.shown)
    used = [made.column, *made.shown, *(one.column for one in made.filters)]
    heads = {word for column in used if column for word in content(column)}  # "came back" of a column "Form back"
    states = [word for word in typed if word in WORDS["words"]["status"] and word not in heads]
    if ({*typed} & _WAITED) - heads:
        return True  # "how many forms are we still waiting for" is no number of those that came
    if "still" in typed and not made.filters:
        return True  # "how many are still to come" is no number of all
    loose = bool(states) and (all_.wish.loose > 1 or (all_.wish.loose and not figures))
    if made.column and made.column not in received(all_.table) and is_of_some_money(" ".join(typed), all_.table):
        return True
    return _of_another_deed(all_, made) or _of_other_figure(all_, made) or (said and not held) or bool(loose)


_WHOLE = frozenset(["whole", "entire", "altogether", "total", "all"])
_WAITED = frozenset(["waiting", "missing", "awaiting", "remaining"])
_NOT = frozenset(WORDS["words"]["not"])


def _of_another_deed(all_: Pieces, made: Asked) -> bool:
    """Whether a verb is of a column that is nowhere in what was made of them: "who managed it" of a table of hires."""
    used = {made.column, *made.shown, *(one.column for one in made.filters), *(one.column for one in made.groups)}
    used |= {*people_in(all_.table)} if any(ask.word == "who" for ask in all_.asks) and made.shown else set[Column]()
    verbs = [one for one in all_.wish.asked if one.verb and one.column.kind in ("text", "number")]
    return any(one.column not in used for one in verbs)


def _of_other_figure(all_: Pieces, made: Asked) -> bool:
    """Whether a figure of what was done is told for another deed: kilos "Harvested" for what was planted."""
    figures = [one for one in (made.column, *made.shown) if one and one.kind == "number"]
    done = {stem(word) for one in figures for word in content(one) if DONE.fullmatch(word)}
    typed = {stem(token.word) for token in all_.said if token.kind == "word"}
    return bool(done) and not done & typed and bool(typed & OF_DEEDS)


def together(all_: Pieces) -> Asked | None:
    """As ``meant``, whatever a word points back at."""
    wish = all_.wish
    if wish.most:
        return most_asked_in(all_) if all_.said[0].text.casefold() not in _WHETHER else None
    if wish.groups:
        return _grouped(all_)
    if wish.measure == "distinct":
        return _distinct(all_)
    if wish.measure == "count":
        return _counted(all_)
    if wish.measure:
        return _figure(all_, wish.measure)
    return _rows(all_)


def _grouped(all_: Pieces) -> Asked | None:
    """ "The average charge per boat", "how many per town"."""
    wish, numbers = all_.wish, all_.numbers
    own = [group.column for group in wish.groups]
    numbers = [one for one in numbers if one not in own]
    if len(all_.asks) > 1 or wish.first or any(one.column in own for one in wish.filters):
        return None
    if wish.measure == "count" and not numbers:
        return Asked(all_.table, "count", None, wish.groups, wish.filters)
    measure = wish.measure if wish.measure in FIGURES else None
    if len(numbers) != 1 or (measure is None and usual(numbers[0]) != "sum"):
        return None
    return Asked(all_.table, measure or "sum", numbers[0], wish.groups, wish.filters)


_DIFFERENT = ("different", "distinct", "separate", "of")


def _distinct(all_: Pieces) -> Asked | None:
    several = [one for one in all_.named if one.kind == "text"]
    if not several:  # "boats" of a table "boat hire"
        places = [place for place, token in enumerate(all_.said) if token.text.casefold() in _DIFFERENT]
        behind = places[0] + 1 if places else len(all_.said)
        near = nearest_at(behind, all_.said, all_.table) if behind < len(all_.said) else []
        several = [one.column for one in near if one.column.kind == "text" and not one.verb]
        if not near and behind < len(all_.said) and all_.said[behind].text.casefold() in WORDS["words"]["people"]:
            several = [*people_in(all_.table)]
    asks = [one for one in all_.asks if not one.word.startswith("how ")]
    fits = len(several) == 1 and not asks and not all_.numbers
    return Asked(all_.table, "distinct", several[0], (), all_.wish.filters) if fits else None


def _counted(all_: Pieces) -> Asked | None:
    """ "How many hires", "how many kilos"."""
    wish, table = all_.wish, all_.table
    if len(all_.asks) > 1:
        return None
    place = next((one.place for one in all_.asks), 0)
    behind = [one for one in wish.asked if one.place <= place + 3 and not one.verb]
    if behind and behind[0].column.kind == "number" and not id_like(behind[0].column):
        return _figure(all_, "sum")
    if all_.numbers or (behind and not _is_row(behind[0].column, table)):
        return None
    others = [one for one in wish.asked if not one.verb and one not in behind and not _is_deed(one.column)]
    counted = wish.named or behind or wish.filters
    return Asked(table, "count", None, (), wish.filters) if counted and not others else None


def _is_deed(column: Column) -> bool:
    """Whether it is the day on which something was done with every row: "how many books has Carl borrowed"."""
    return column.kind == "date" and not column.nulls and any(map(DONE.fullmatch, content(column)))


def _is_row(column: Column, table: Table) -> bool:
    """Whether each row has another one, so that their number is that of the rows."""
    return tells_apart(column, table.rows) or column in names_of_rows(table)


def _figure(all_: Pieces, measure: Measure) -> Asked | None:
    """ "Total of the charges for June", "on average how many hours"."""
    wish, table, numbers = all_.wish, all_.table, all_.numbers
    asks = [one for one in all_.asks if one.word.startswith("how ") or one.word == "what"]
    if len(all_.asks) > 1 or len(asks) < len(all_.asks):
        return None
    if not numbers:
        money = [one for one in table.of_kind("number") if is_money(one) and not id_like(one)]
        rest = [one for one in table.of_kind("number") if not id_like(one)]
        numbers = money if len(money) == 1 and (measure == "sum" or len(rest) == 1) else []
        numbers = [one for ask in asks if ask.word != "what" for one in of_how(table, ask.word[4:])] or numbers
    others = [
        one for one in wish.asked if one.column.kind != "number" and not one.verb and not _is_noun(one, all_.said)
    ]
    said = wish.measure == "sum" and not is_share(numbers[0]) and not _of_pieces(table) if numbers else False
    if len(numbers) != 1 or others or (measure == "sum" and usual(numbers[0]) != "sum" and not said):
        return None
    if any(one.column == numbers[0] and one.operator == "null" for one in wish.filters):
        return None
    return Asked(table, measure, numbers[0], _apart(all_), wish.filters)


def _apart(all_: Pieces) -> tuple[Group, ...]:
    """By the column of two who are named, where a figure is asked of each: "how much do Finch and Teal make"."""
    several = [one.column for one in all_.wish.filters if one.operator == "=" and len(one.values) > 1 and one.column]
    whole = all_.wish.measure or not any(token.text.casefold() == "and" for token in all_.said)
    return (Group(several[0]),) if len(several) == 1 and not whole else ()


def _of_pieces(table: Table) -> bool:
    """Whether a row may be of several pieces; what something was "Sold for" is no number of them."""
    return has_pieces(replace(table, columns=tuple(one for one in table.columns if not currency(one))))


def _is_noun(one: Mention, said: Sequence[Token]) -> bool:
    """Whether a column is only what rows are called: "of the unpaid jobs", "all boats together"."""
    return said[one.place].text.endswith("s") or said[one.place - 1].text.casefold() in ("all", "both")


_PEOPLE = frozenset([*WORDS["words"]["people"], "everyone", "everybody", "anyone"])
_LISTS = frozenset(["find", "list", "show", "everything", "everyone", "all", "name"])
_ANY = frozenset(["anyone", "anybody", "anything", "any", "someone", "somebody", "something"])
_WHETHER = ("is", "are", "did", "does", "has", "have", "was", "were")


def _whether(all_: Pieces) -> Asked | None:
    """ "Is anyone under 25", and what the one row has that is meant: "is the maple evergreen"."""
    wish, table = all_.wish, all_.table
    if wish.asked or not wish.filters:
        return None
    if {token.text.casefold() for token in all_.said} & _ANY:
        return told_of_rows(table, wish, ())
    states = [one for one in wish.filters if one.column and one.column.kind == "boolean"]
    row = replace(wish, filters=tuple(one for one in wish.filters if one not in states))
    own = [one.column for one in states if one.column]
    return told_of_rows(table, row, own) if len(own) == 1 and of_one_row(row, table) else None


def _rows(all_: Pieces) -> Asked | None:
    """What is told of the rows that are named, or what their figures come to."""
    wish, table, numbers = all_.wish, all_.table, all_.numbers
    if all_.said[0].text.casefold() in _WHETHER:
        return _whether(all_)
    if not wish.filters:
        return _of_all(all_)
    if not all_.asks:  # "kg of honey from Willow"; "everything by Hall"; "the groups with over 60 people"
        people = people_in(table) if {token.text.casefold() for token in all_.said} & _PEOPLE and not wish.asked else ()
        if len(people) == 1 and all_.said[0].text.casefold() in _LISTS | {"the", "which"}:
            return told_of_rows(table, wish, people)
        head = all_.said[0].word
        amount = len(numbers) == 1 and (in_unit(numbers[0], head) or head in WORDS["deeds"]["money_words"])
        listed = any(token.text.casefold() in _LISTS for token in all_.said) and not wish.asked
        told = wish.named or tells_of_rows(all_.said[0], table)  # "trips over 60 km"
        told = told or any(one.column and head in content(one.column) for one in wish.filters)  # "due before May"
        told = told or any(one.column is table.columns[0] for one in wish.asked)  # "classes after 6pm"
        bare = told and all(one.column is table.columns[0] for one in wish.asked) and not amount
        if head in ("list", "show", "give") and wish.asked and not any(one.verb for one in wish.asked):
            return told_of_rows(table, wish, [one.column for one in wish.asked])  # "list the wingers with their goals"
        if bare and not names_of_rows(table):
            return Asked(table, "rows", filters=wish.filters)
        names = told_of_rows(table, wish, ()) if (listed or bare) and names_of_rows(table) else None
        return _figure(all_, "sum") if amount else names
    first, single = all_.asks[0], of_one_row(wish, table)
    of_all = first.word == "what" and numbers and any(token.word == "all" for token in all_.said)
    if (first.word in ("how much", "how many") or of_all) and not single:  # "the weight of all we gave away"
        return _figure(all_, "sum")
    others = rest_told(all_, None)
    never = any(one.operator in ("<>", "not find") for one in wish.filters)  # who did not here may have elsewhere
    if others is None or never or not _are_told(all_, others, single):
        return None
    of_them = first.word == "which" and all_.said[first.place + 1].text.casefold() == "of"
    if not (others or wish.named or of_them or _are_picked(all_)):
        return None
    unnamed = all(one.kind != "text" for one in names_of_rows(table))
    whole = unnamed and first.word in ("which", "what") and all(one.kind == "text" for one in others)
    return told_of_rows(table, wish, others) if not whole else Asked(table, "rows", filters=wish.filters)


def _of_all(all_: Pieces) -> Asked | None:
    """What kinds there are, "what breeds do we have"; what came in of all, "how much have we made"."""
    table, typed = all_.table, [token.text.casefold() for token in all_.said]
    ask = all_.asks[0] if len(all_.asks) == 1 else None
    came_in = received(table) if {*typed} & {*WORDS["deeds"]["money"]} and not all_.wish.asked else []
    if ask and ask.word == "how much" and came_in:
        return Asked(table, "sum", came_in[0])
    named = len(all_.wish.asked) == len(all_.numbers) == 1 and not {*typed} & {*WORDS["words"]["status"]}
    if ask and ask.word == "how much" and named:
        whole = replace(all_, wish=replace(all_.wish, measure="sum")) if {*typed} & _WHOLE else all_
        return _figure(whole, "sum")  # "how much did gas cost us over the whole period"
    several = [one for one in all_.wish.asked if not one.verb]
    if ask is None or ask.word not in ("what", "which") or len(several) != 1:
        return None
    kind, place = several[0].column, several[0].place
    repeated = kind.kind == "text" and not tells_apart(kind, table.rows)
    rows = {token.text.casefold() for token in all_.said[place + 1 :] if tells_of_rows(token, table)}
    rows |= {token.text.casefold() for token in all_.said[place + 1 :] if token.word in content(table.columns[0])}
    listed = typed[place].endswith("s") and place <= ask.place + 2 and {*typed[place + 1 :]} - rows <= _THERE
    return Asked(table, "count", None, (Group(kind),)) if repeated and listed else None


_THERE = frozenset(WORDS["words"]["there"])


def _are_picked(all_: Pieces) -> bool:
    """Whether the rows are told by what was done or not, and by days: what is asked for is their names then."""
    several = ((one, one.column) for one in all_.wish.filters)
    return all(column and (column.kind in ("boolean", "date") or one.operator == "null") for one, column in several)


def _are_told(all_: Pieces, others: Sequence[Column], single: bool) -> bool:
    """Whether these columns of the rows are what the first word asks for.

    What an order cost is not the price of one piece, what was bought is not what was paid for it.
    """
    word, table = all_.asks[0].word, all_.table
    figures = [one for one in others if one.kind == "number"]
    typed = {one.column for one in all_.wish.asked if all_.said[one.place].word in content(one.column)}
    of_one = _of_pieces(table) and any(is_price(one) and one not in typed for one in figures)
    if word == "what":
        return not of_one and (bool(others) or _are_picked(all_)) and all(one in typed for one in figures)
    if word.startswith("how"):
        return not of_one and bool(figures or word != "how much") and (single or not figures)
    return not of_one
