"""Questions of four tables that belong together, asked of the real engine: what is read, and what is left alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.data.tables.asking.querying import query
from agent.data.tables.cards import card_of
from agent.data.tables.loading.load_work import Reporter, Work
from agent.data.tables.loading.upload import load
from agent.data.tables.questions.naming import described
from agent.data.tables.questions.observed import Seen
from agent.data.tables.questions.table_schema import Filter, Table, table_of
from agent.data.tables.selected.selection_reading import selected
from agent.data.tables.selected.selection_sql import selection_written
from agent.data.tables.selected.selection_told import rows_told, selection_told
from agent.data.tables.selected.simple_selection import as_asked
from agent.data.tables.selected.sought_values import sought, with_values
from agent.data.tables.selected.table_links import links, path

FILES = {
    "authors": "author_id,name,nation,birth_year\n1,Ada Stone,France,1950\n2,Ben Hill,Spain,1972\n"
    "3,Cleo Marsh,France,1981\n4,Dov Lake,Italy,1960\n",
    "books": "book_id,title,author_id,genre,pages,published_year\n1,Ash,1,novel,300,1990\n2,Birch,1,poems,120,2001\n"
    "3,Cedar,2,novel,250,2010\n4,Dogwood,3,novel,410,2015\n5,Elm,2,guide,180,2015\n",
    "members": "member_id,name,city,age\n1,Ida,Paris,30\n2,Jon,Lyon,45\n3,Kit,Paris,22\n4,Lou,Nice,61\n",
    "loans": "loan_id,book_id,member_id,year\n1,1,1,2020\n2,1,2,2021\n3,3,1,2021\n4,4,1,2022\n5,5,3,2022\n6,1,3,2022\n",
}
Loaded = tuple[tuple[Table, ...], dict[str, Path]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    folder = tmp_path_factory.mktemp("library")
    tables, files = list[Table](), dict[str, Path]()
    for name, text in FILES.items():
        (folder / "given").write_text(text, encoding="utf-8")
        made = load(Work(folder, f"{name}.csv", Reporter(None), set(files)), folder / "given")[0]
        tables.append(table_of(card_of(made, folder)))
        files[made.name] = folder / made.file
    return tuple(tables), files


def rows(library: Loaded, question: str) -> list[tuple[Any, ...]] | None:
    tables, files = library
    made = selected(question, tables)
    return None if made is None else list(query(files, selection_written(made, tables).sql).rows)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many books are there?", [(5,)]),
        ("What are the names of all authors, sorted alphabetically?",
         [("Ada Stone",), ("Ben Hill",), ("Cleo Marsh",), ("Dov Lake",)]),
        ("List the title and pages of every book in descending order of pages.",
         [("Dogwood", 410), ("Ash", 300), ("Cedar", 250), ("Elm", 180), ("Birch", 120)]),
        ("What is the average, minimum and maximum age of the members from Paris?", [(26, 22, 30)]),
        ("Show the names of authors who are from France.", [("Ada Stone",), ("Cleo Marsh",)]),
        ("Which authors have no books?", [("Dov Lake",)]),
        ("List the names of members without any loan.", [("Lou",)]),
        ("What are the titles of the books of authors from Spain?", [("Cedar",), ("Elm",)]),
        ("Which author has the most books?", [("Ada Stone", 2), ("Ben Hill", 2)]),
        ("What is the title of the book with the most pages?", [("Dogwood",)]),
        ("How many different genres are there?", [(3,)]),
        ("Which genres have at least two books?", [("novel",)]),
        ("What is the most common genre of books?", [("novel", 3)]),
        ("What are the names of members who are older than 40?", [("Jon",), ("Lou",)]),
        ("What are the names of members whose age is above the average?", [("Jon",), ("Lou",)]),
        ("Show the titles of books with more than 200 pages.", [("Ash",), ("Cedar",), ("Dogwood",)]),
        ("Which members have at least 2 loans?", [("Ida",), ("Kit",)]),
        ("What are the names of members who have loans in 2020?", [("Ida",)]),
        ("What are the names of members who do not have any loan in 2022?", [("Jon",), ("Lou",)]),
        ("Show the titles of the books whose title contains 'ar'.", [("Cedar",)]),
        ("What are the titles of books with pages between 150 and 300?", [("Ash",), ("Cedar",), ("Elm",)]),
        ("What is the name of the youngest member?", [("Kit",)]),
        ("List the names and cities of the 2 oldest members.", [("Lou", "Nice"), ("Jon", "Lyon")]),
        ("How many members are from Paris or Nice?", [(3,)]),
        ("What are the names of the authors who are not from France?", [("Ben Hill",), ("Dov Lake",)]),
        ("Show the names of authors whose birth year is before 1970.", [("Ada Stone",), ("Dov Lake",)]),
        ("Which book has the most loans? Give me the title and pages.", [("Ash", 300, 3)]),
        ("Show the different cities of members.", [("Lyon",), ("Nice",), ("Paris",)]),
        ("What is the average number of pages of books by authors from France?", [(276.6667,)]),
        ("How many loans are there in 2022?", [(3,)]),
    ],
)  # fmt: skip
def test_rows_of_questions(library: Loaded, question: str, wanted: list[tuple[Any, ...]]) -> None:
    found = rows(library, question)
    ordered = "sorted" in question or "order" in question
    assert found == wanted if ordered else sorted(found or [], key=str) == sorted(wanted, key=str)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Show the name of each author and the number of books.",
         {("Ada Stone", 2), ("Ben Hill", 2), ("Cleo Marsh", 1), ("Dov Lake", 0)}),
        ("Show each city and the number of members in each city.", {("Paris", 2), ("Lyon", 1), ("Nice", 1)}),
        ("For each genre, what is the average number of pages?",
         {("novel", 320.0), ("poems", 120.0), ("guide", 180.0)}),
        ("Show the names of the authors and the total pages of their books.",
         {("Ada Stone", 420), ("Ben Hill", 430), ("Cleo Marsh", 410), ("Dov Lake", None)}),
    ],
)  # fmt: skip
def test_figures_of_each(library: Loaded, question: str, wanted: set[tuple[Any, ...]]) -> None:
    assert {*(rows(library, question) or [])} == wanted


@pytest.mark.parametrize(
    "question",
    [
        "What are the names of authors who wrote good books?",
        "Which members hate novels?",
        "Which books were stolen by members from Paris?",
        "Show the names of authors and",
        "What is his age?",
        "Which authors died before 1990?",
        "How many books are there and which is the longest?",
        "Draw a chart of books by genre",
        "Show the nations without any book.",  # of authors without one, or of no author with one?
        "Which authors were born before 1960 and after 1970?",
        "What share of books are novels?",
        "What is the capital of France?",
        "Show the names of members and books.",
        "Which members are taller than 180?",
    ],
)
def test_what_is_left_alone(library: Loaded, question: str) -> None:
    assert selected(question, library[0]) is None


def test_told_in_plain_words(library: Loaded) -> None:
    tables, _ = library
    told = {
        "Which members have at least 2 loans?": "Name of members, with at least 2 of loans",
        "What are the names of members who do not have any loan in 2022?": (
            "Name of members, without any loans (year 2022)"
        ),
        "What is the name of the youngest member?": "Name of members, with the lowest age",
        "How many books are there?": "Number of rows of books",
    }
    for question, wanted in told.items():
        made = selected(question, tables)
        assert made is not None and selection_told(made) == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What are the names of members older than 40?", "List name in the table “members” where age over 40"),
        ("What is the average age of members from Paris?", "Average age in the table “members” where city is “Paris”"),
        ("What is the name of the youngest member?", "Name with the lowest age in the table “members”"),
        ("How many books are there?", "Number of rows in the table “books”"),
        ("Show each city and the number of members in each city.", "Number of rows by city in the table “members”"),
    ],
)
def test_a_simple_one_is_that_of_the_other_readers(library: Loaded, question: str, wanted: str) -> None:
    made = selected(question, library[0])
    simple = as_asked(made) if made else None
    assert simple is not None and described(simple, careful=False) == wanted


@pytest.mark.parametrize("question", ["Which authors have no books?", "Show the different cities of members."])
def test_what_the_others_cannot_say_stays_a_selection(library: Loaded, question: str) -> None:
    made = selected(question, library[0])
    assert made is not None and as_asked(made) is None


def test_figures_stand_to_the_right(library: Loaded) -> None:
    made = selected("Show the name of each author and the number of books.", library[0])
    assert made is not None
    assert rows_told(made, Seen("1", (("Ada Stone", "1234"), ("Dov Lake", "0")))) == [
        "| Name | Number of books |",
        "| --- | ---: |",
        "| Ada Stone | 1,234 |",
        "| Dov Lake | 0 |",
    ]


def test_values_no_card_shows_are_looked_for(library: Loaded) -> None:
    tables, files = library
    made = selected('What are the pages of the book with the title "cedr"?', tables)
    assert made is not None
    ((table, one),) = sought(made)
    assert (table.name, one.operator, one.values) == ("books", "find", ("cedr",))
    settled = with_values(made, {one: Filter(one.column, "=", ("Cedar",))})
    assert list(query(files, selection_written(settled, tables).sql).rows) == [(250,)]


def test_links_of_keys(library: Loaded) -> None:
    tables, _ = library
    by_name = {table.name: table for table in tables}
    hops = links(tables)
    assert {hop.table.name for hop in hops["loans"]} == {"books", "members"}
    assert all(hop.one for hop in hops["loans"])
    way = path(tables, by_name["members"], by_name["authors"])
    assert [hop.table.name for hop in way] == ["loans", "books", "authors"]


def test_hostile_names_stay_names(library: Loaded) -> None:
    tables, files = library
    made = selected("""What are the pages of books whose title is "x' OR 1=1 --"?""", tables)
    assert made is not None
    ((_, one),) = sought(made)
    settled = with_values(made, {one: Filter(one.column, "=", one.values)})
    assert list(query(files, selection_written(settled, tables).sql).rows) == []
