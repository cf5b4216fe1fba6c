"""Reads the merge prompt: history and follow-up → the standalone question, on one line.

The prompt holds no schema of tables. The answer before says how its question about a table was read, in words that are
read again the same way, and the reader puts what follows a ";" over what stood before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from agent.data.documents.document_sums import gone_on as gone_on_in_documents
from agent.data.tables.crosstabs.leaning_on_cells import leaned_on
from agent.data.tables.worded.follow_ups import NARROWED, THEM, among_them, leans_on_rows, of_another_row, of_told_rows
from agent.data.tables.worded.gone_on import gone_on
from agent.data.tables.worded.other_units import in_other_unit
from agent.data.tables.worded.rows_told import gap_of_two
from agent.data.tables.worded.value_told import MONEY, of_told
from agent.demo.lookups.lookup import about_person
from agent.demo.phrasebook import listed, phrase
from agent.demo.rules.abilities import understand
from agent.demo.rules.followup import at_that_time, by_itself, continues, on_that_day, standalone
from agent.demo.rules.leaning import leans
from agent.demo.rules.otherwise import first_call
from agent.demo.rules.plan import NOW, Plan, Question, Said
from agent.demo.rules.question_parts import read
from agent.demo.rules.swapping import opposite
from agent.demo.rules.talk import small_talk
from agent.text.literal_marks import unmarked
from agent.text.plainly.name_swapped import name_swapped
from agent.text.plainly.put_in_place import Before, day_or_clock, put_in_place
from agent.text.plainly.swapped_shares import as_share
from agent.text.problems.other_ends import between_answers, with_other_end
from agent.text.problems.value_questions import of_two_values, of_value
from agent.text.regex import regex
from agent.text.sums.phrases import language_of, plain
from agent.text.sums.told_values import value_in, value_of_row, whole_told

_INPUT = regex(
    r"\A(?:Conversation|会話):\n(?P<history>.*)\n\n(?:Follow-up question|続く質問): (?P<question>.*?)\n\n"
    r"(?:Standalone question|独立した質問):\s*\Z",
    re.S,
)
_TURN = regex(r"^(?:User|ユーザー): (.*?)\n(?:Assistant|アシスタント): (.*?)(?=^(?:User|ユーザー): |\Z)", re.S | re.M)


def rewritten(prompt: str) -> str:
    """The standalone form of the prompt's follow-up; the follow-up as it is where it stands alone or nothing fits."""
    found = _INPUT.match(prompt)
    if found is None:
        return plain(prompt.rsplit("\n", 1)[-1])
    turns = [(before.strip(), answer.strip()) for before, answer in _TURN.findall(found["history"])]
    return followed(" ".join(found["question"].split()), turns)


def followed(asked: str, turns: Sequence[tuple[str, str]]) -> str:
    """As ``rewritten``, of a follow-up to those questions and answers, the latest last."""
    turns = [(before, unmarked(answer)) for before, answer in turns]
    if turns and _DECLINED.match(turns[-1][1]) and (other := name_swapped(asked, turns[-1][0])):
        return other
    asked = as_share(asked, turns[-1][0]) if turns else asked
    question = Question(plain(asked), language_of(asked), date.today())
    text = _followed(asked, turns)
    if turns and question.language == "en" and not _READ.search(turns[-1][1]):
        ways = [*day_or_clock(question.text, plain(turns[-1][0]), question.today)]
        found = understand(replace(question, text=plain(text))) if ways else None
        clock = isinstance(found, Plan) and (first_call(found) or ("", ""))[0] == NOW
        text = text if not ways or clock else _understood(ways, question) or text
    if text != asked or not turns or question.language == "ja":
        return text
    of_table = _READ.search(turns[-1][1])  # what is asked of it then takes long to read without it
    if not of_table and not isinstance(read(question), Said):
        return text
    value = None if of_table else value_in(value_part(whole_told(turns[-1][1])))
    last = followed(turns[-1][0], turns[:-1])  # which may itself lean on those before
    befores = [Before(plain(before), value) for before in dict.fromkeys((last, *(one for one, _ in reversed(turns))))]
    ways = [way for before in befores for way in put_in_place(question.text, before, question.today)]
    return (isinstance(read(question), Said) and _understood(ways, question)) or text if ways else text


def _understood(ways: Iterable[str], question: Question) -> str:
    return next((way for way in ways if isinstance(understand(replace(question, text=plain(way))), Plan)), "")


def _followed(asked: str, turns: Sequence[tuple[str, str]]) -> str:
    bare = _TABLE_ENDS.sub("", asked)
    told = [found["reading"].strip() if (found := _READ.search(answer)) else "" for _, answer in turns[-2:]]
    if turns and (
        text := gone_on_in_documents(asked, *turns[-1])
        or leaned_on(asked, told)
        or _of_figures(asked, turns)
        or of_another_row(asked, *turns[-1])
    ):
        return text
    if turns and (text := _of_rows_told(asked, bare, turns[-1][1])):
        return text
    if not (leans(asked) or _of_answer(bare, turns[-1][1] if turns else "")):
        return asked
    question = Question(plain(asked), language_of(asked), date.today())
    if turns and (text := _of_last(question, bare, *turns[-1])):
        return text
    values = [value_in(value_part(answer)) for _, answer in turns[-2:]]
    if len(turns) > 1 and leans(turns[-1][0]) and (text := between_answers(question.text, values)):
        return text
    if small_talk(question) or not (isinstance(read(question), Said) or continues(question)):
        return asked
    for before, answer in reversed(turns):
        if text := after_table(asked, answer):
            return text
        previous = Question(plain(before), language_of(before), question.today)
        if not (small_talk(previous) or _stranded(previous)):
            return (
                about_person(question, previous)
                or on_that_day(question, answer)
                or at_that_time(question, previous.text, answer)
                or standalone(question, previous.text, value_in(value_part(answer)))
                or by_itself(question)
                or asked
            )
    return asked


def _of_rows_told(asked: str, bare: str, answer: str) -> str | None:
    its = _ITS.fullmatch(bare) and _FIRST_OF_ROW.search(answer)
    return after_table(asked, answer) if its or (language_of(asked) == "ja" and _of_answer(bare, answer)) else None


def _of_figures(asked: str, turns: Sequence[tuple[str, str]]) -> str | None:
    """What is asked of the figures of the last answers, or of the question before from or to another end."""
    values = [value_of_row(answer) or value_in(value_part(answer)) for _, answer in turns[-3:]]
    if gap := gap_of_two(asked, [answer for _, answer in turns]):
        return gap
    of_one = in_other_unit(asked, turns[-1][1]) or of_value(asked, values[-1], turns[-1][0])
    if text := of_one or of_two_values(asked, *values):
        return text
    text = None if _READ.search(turns[-1][1]) else with_other_end(asked, turns[-1][0])
    found = understand(Question(plain(text), language_of(text), date.today())) if text else None
    return text if isinstance(found, Plan) else None


def _of_last(question: Question, bare: str, before: str, answer: str) -> str | None:
    """The opposite of the question before, or what is asked of the one value that was told."""
    of_value = of_told(question.text, answer, date.today()) if question.language == "en" else None
    return opposite(bare, before) or of_value


def _of_answer(bare: str, answer: str) -> bool:
    """Whether it is of the table, the rows or the chart that was told, by its words."""
    told = _READ.search(answer)
    of_rows = told is not None and leans_on_rows(bare, told["reading"])
    shaped = any(shape.fullmatch(bare) for shape in (_DRAWS_ALONE, _HOW_MANY))
    return of_rows or shaped or THEM.search(bare) is not None


_LEANS = phrase("leans")


def _stranded(previous: Question) -> bool:
    """A follow-up that was declined: what it leaned on is still what is talked about."""
    return _LEANS.match(previous.text) is not None and isinstance(read(previous), Said)


_DECLINED = regex(r"My rules |That is beyond my rules")
_READ = regex(r"^(?:I read this as|読み方): (?P<reading>.+)$", re.M)
_READINGS = regex(r"^(?:I read this as|It could also mean|読み方|別の読み方): .+$", re.M)
_TABLE_LEAD = phrase("table_lead")
_TABLE_ENDS = regex(r"[ ?.!？。]+$")
_NARROWS = phrase("narrows")
_REGROUPS = phrase("regroups")
_MEASURES = phrase("measures")
_ASKS_ANEW = phrase("asks_anew")  # a whole question of its own, not about figures
_DRAWS = phrase("draws")
_DRAWS_ALONE = phrase("draws_alone")  # that says of nothing what is to be drawn, or ranked
_WHOLE = phrase("whole_measure")  # that says itself of what: "total moons?"
_SWAPS = regex(r"(?:what|how) about (?:the )?(?:(?:for|in|by|of) )?", re.I)
_JAPANESE_FITS = phrase("fits_ja")
_MOST_WORDS = 14
_ONE_ROW = regex(r"where [^“”;]{1,200} is (“[^“”]{1,200}”)$")
# 「その店の店長は誰？」 of the one row that was told, which begins with its name.
_OF_ROW_JA = regex(
    r"(?:(?:そこ|それ|彼|彼女|その[一-龯ァ-ヶー]{1,6})(?:の|は)|その(?=[一-龯ァ-ヶー]{1,6}は))"
    r"(?P<rest>(?!誰|だれ|どこ|何|いくら|いつ).+?)"
    r"(?:[はが](?:誰|だれ|どこ|何|いくら|いつ|いくつ|何[歳円人年])?(?:です|でした)?か?)?"
)
_ROWS_TOLD = regex(r"^- (?:[^:\n]+: )?([^,\n]+)(?:,.*)?$", re.M)
_FIRST_OF_ROW = regex(r"^- ([^:\n]+): ([^,\n]+), .*$", re.M)
# "And what is its fee?", "in which bed?", of the one row that was told with its name.
_WHOLE_ROW = regex(r"I did not read every word of this\. 1 row of ")
_ITS = regex(
    r"(?:(?:what|who|which|how much|how old|when|where) (?:is|was|are) |what's |who's )?"
    r"(?:its|his|her|their|the(?! [a-z]+est\b| (?:average|mean|median|total|sum|count|number|most|first|last|next"
    r"|others?|same|top|bottom|second|third|max|min)\b| .* (?:of|in|with|for|by|from|on|at)\b))"
    r" (?P<rest>[a-z _]+)"
    r"|(?:in|on|at|by|of) (?P<which>which [a-z _]+)"
    r"|(?:what|which) (?P<column>[a-z _]{1,40}?) (?:is|was) (?:that (?:person|one)|he|she|it) (?:in|on|at|from)",
    re.I,
)
# "How many kg?" of the one line that was told, in a unit that its column has.
_HOW_MANY = regex(
    r"how (?:many|much)(?: ([a-z]+))?(?: (?:is|was|are) (?:it|that|they))?|(?:いくら|いくつ|何([a-zA-Z]+))(?:ですか)?",
    re.I,
)
_LINES = regex(r"^- ", re.M)
_IT = regex(r"\b(?:it|he|she|they|him|her|that one)\b", re.I)  # "and who made it?"
_OF_IT = regex(r"\b(?:does|did|has|had|is|was) it\b", re.I)  # "how many holds does it have?"


def after_table(question: str, answer: str) -> str | None:
    """``None`` where the answer is of no table, or the follow-up is of another thing."""
    if in_unit := in_other_unit(question, answer):
        return in_unit
    read = _READ.search(answer)
    text = _TABLE_ENDS.sub("", question)
    bare = _TABLE_LEAD.sub("", text, count=1)
    if read is None:
        return _of_row(bare, "", answer) if _WHOLE_ROW.match(answer) else None
    leads = bare != text
    back = f"{read['reading'].rstrip()}; {bare}" if _POINTS_BACK.search(bare) else None
    if not bare or len(bare.split()) > _MOST_WORDS or re.search(r"[;；]", bare):
        return back if ";" not in bare else None
    if going_on := gone_on(question, read["reading"].rstrip(), answer):
        return going_on
    if of_row := _of_row(bare, read["reading"].rstrip(), answer):
        return of_row
    if among := among_them(bare, read["reading"].rstrip()):
        return among
    swapped = _SWAPS.match(bare)
    shapes = (_NARROWS, _REGROUPS, _MEASURES, _DRAWS)
    fits = swapped or any(shape.match(bare) for shape in shapes) or _JAPANESE_FITS.fullmatch(bare) or leads
    fits = fits or leans_on_rows(bare, read["reading"])
    if not fits or _ASKS_ANEW.match(bare):
        return back
    if not (leads or swapped) and _WHOLE.fullmatch(bare):
        return back or question
    added = bare[swapped.end() :] if swapped else bare
    if swapped and added and swapped[0].lower().rstrip().endswith(" by"):
        added = f"by {added}"
    also = "also " if re.match(r"(?:and )?also\b", text, re.I) and _REGROUPS.match(bare) else ""
    return f"{read['reading'].rstrip()}; {also}{added}" if added else None


_NAMES_OF_ROWS, _OF_THEM, _ANOTHER_JA = phrase("names_of_rows"), phrase("of_them"), phrase("of_another_ja")
_HOW = regex(r"(?:and )?(?P<how>how (?:old|tall|heavy|long|big|fast|expensive|far)) (?:is|was) (?:he|she|it)", re.I)
_COUNTED = regex(r"Number of (?:different )?(.+)")
_LISTED = regex(r"List ([^,;“”]+?) in (.+)")
_ONE_GROUP = regex(r"(?:Top|Bottom) (.+?) by ")
_OF_ONE_ROW = regex(r"^- ([^:\n]+): [\d.,]+ from 1 row$", re.M)


_RANKED = regex(r"(?:Top|Bottom) (?P<top>.+?) by |“?(?P<name>[^“”]+?)”?(?: and .+)? with the (?:highest|lowest) ")
_POINTS_BACK = regex(r"\b(?:they|them|their|theirs|those|these)\b", re.I)
_OF_ANY = frozenset(("most", "least", "fewest", "highest", "lowest", "first", "last", "earliest", "latest"))


def _other_end(bare: str, reading: str) -> str | None:
    """ "And the oldest?" after who earns most is of another column, if of any."""
    ranked, word = _RANKED.match(reading), bare.lower().removeprefix("the ")
    if ranked is None or word == bare.lower() or word in _OF_ANY or word not in listed("opposites"):
        return None
    rows = "".join(reading.partition(" where ")[1:])
    name = (ranked["top"] or ranked["name"]).lower()
    return f"What is the {word} {name}{rows}?" if rows else f"Which {name} is the {word}?"


def _of_rows(bare: str, reading: str) -> str | None:
    """The names of the rows that were counted, another figure of those that were listed, the same of somebody else."""
    if (counted := _COUNTED.fullmatch(reading)) and _NAMES_OF_ROWS.fullmatch(bare):
        return f"List {counted[1]}"
    if (rows := _LISTED.fullmatch(reading)) and (of_them := _OF_THEM.fullmatch(bare)):
        return f"List {rows[1]} and {of_them['column']} in {rows[2]}"
    other = _ANOTHER_JA.fullmatch(bare)
    return f"{reading}; {other['who']}" if other and NARROWED.search(reading) else None


def _of_row(bare: str, reading: str, answer: str) -> str | None:
    """What is asked of the one row that the answer told."""
    if of_rows := of_told_rows(bare, reading, answer) or _other_end(bare, reading) or _of_rows(bare, reading):
        return of_rows
    if (row := _ONE_ROW.search(reading)) and _OF_IT.search(bare):
        return _IT.sub(row[1], bare, count=1)
    it_of_row = len(_FIRST_OF_ROW.findall(answer)) == 1 and _IT.search(bare) and not MONEY.search(reading)
    if not it_of_row and (how_many := _HOW_MANY.fullmatch(bare)) and len(_LINES.findall(answer)) == 1:
        unit = next(filter(None, how_many.groups()), "").lower()
        if not unit or unit in re.findall(r"\w+", reading.partition(" in ")[0].lower()):
            return reading
    group = _ONE_GROUP.match(reading)
    rows = [(group[1], name) for name in _OF_ONE_ROW.findall(answer)] if group else _FIRST_OF_ROW.findall(answer)
    if len(rows) == 1 and (how := _HOW.fullmatch(bare)):
        return f"{how['how']} is {rows[0][1]}"
    if len(rows) == 1 and (its := _ITS.fullmatch(bare)):
        return f"{next(filter(None, its.groups()))} where {rows[0][0]} is “{rows[0][1]}”"
    if len(rows) == 1 and _IT.search(bare):
        return _IT.sub(f"“{rows[0][1]}”", bare, count=1)
    if (of_row := _OF_ROW_JA.fullmatch(bare)) and len(names := _ROWS_TOLD.findall(answer)) == 1:
        return f"{names[0]}の{of_row['rest']}は？"
    return None


def value_part(answer: str) -> str:
    """The answer without how its question was read: what a sum can go on from."""
    return _READINGS.sub("", answer).strip()
