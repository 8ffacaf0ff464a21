"""`/stats`: the contents of a page of questions, the part of an archive that a question is about, the table of an
answer with the deals that its rows count, and the addresses of its data."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, get_args
from urllib.parse import urlencode

from msgspec import Struct

from archive.judge.types import Basis
from archive.stats import QUESTIONS
from archive.stats.fact_tables import DAYS, WHERE
from archive.stats.query import Answer, Rows
from archive.stats.sql import BASES
from archive.stats.texts import all_texts as question_words
from archive.stats.texts import column_text
from archive.text.dates import format_day
from archive.text.numbers import format_number
from archive.text.wording import Texts
from archive.web.rates import FEW
from archive.web.stats.answer import KEYS, Facts, ValueWords, column_head, format_interval, value_text

MOST_ROWS = 20_000  # rows of an answer that are read
PAGE_ROWS = 20  # of them, in the table of a page
ALL_ROWS = 2_000  # of them, if all are shown
OPTIONS = 200  # values to choose from
# Questions with a small picture among all others.
GLANCE_QUESTIONS = ("results_by_contract", "runners_distribution", "points_histogram", "lords_dealt")
HOME_QUESTIONS = ("results_by_contract", "runners_distribution")
PART_QUESTIONS = {  # those on the page of a player, of a session
    "player": ("players_declaring", "runners_distribution", "points_histogram"),
    "session": ("balances", "players_declaring", "runners_distribution"),
}
IN_COMMAND = ("rules", "contract", "session", "basis", "since", "until")
MOST_DEALS = 5_000  # of a player or a session, whose questions are asked on its page


def question_subjects(t: Texts, cases: Mapping[str, int] | None = None) -> list[Facts]:
    """Return the headings (`key`, `title`) with the questions under each as `entries`: name, title, and in words how
    many `cases` it counts, if these are given."""
    return [
        {
            "key": key,
            "title": title.of(t["lang"]),
            "entries": [
                (name, question_title(name, t), cases_text(cases[question.facts[0]], t) if cases else "")
                for name, question in QUESTIONS.items()
                if question.subject == key
            ],
        }
        for key, title in question_words().subjects.items()
    ]


def cases_text(count: int, t: Texts) -> str:
    if not count:
        return t["st_none"]
    return t["st_cases"].format(n=count, count=format_number(count, t))


def question_title(name: str, t: Texts) -> str:
    return question_words().questions[name].title.of(t["lang"])


# --- what is asked ----------------------------------------------------------------------------------------------------


def part_parameters(parameters: Mapping[str, str | int]) -> dict[str, str | int]:
    """Return the parts of the archive among the parameters: a player, days and so on."""
    return {key: value for key, value in parameters.items() if key in WHERE}


def span_words(parameters: Mapping[str, str | int], t: Texts) -> str:
    """Return the days among the parameters, in words."""
    since, until = (format_day(str(parameters.get(key, "")), t) for key in DAYS)
    words = "st_of_day" if since == until else "st_of_days" if since and until else "st_since" if since else "st_until"
    return t[words].format(since=since, until=until)


def question_filters(whole: Answer, parameters: Mapping[str, str | int], words: ValueWords) -> list[Facts]:
    """Return the drop-downs of a question, each a parameter with its title, `options` and the `chosen` one: the values
    that exist without any choice, those with most cases first; a contract on offer fits the chosen rules."""
    at, filters = whole.columns.index, []
    size = at(whole.question.size)
    rows: Sequence[tuple[Any, ...]] = whole.rows
    for key in whole.question.narrow:
        chosen = str(parameters.get(key, ""))
        others = [(at(each), parameters[each]) for each in whole.question.narrow if each != key and each in parameters]
        fits = [row for row in rows if all(row[n] == value for n, value in others)] if others else rows
        cases: dict[str, int] = {}
        spoken: dict[str, str] = {}
        for row in fits:
            if (value := row[at(key)]) is not None:
                if value not in cases:
                    cases[value], spoken[value] = 0, value_text(key, whole.facts(row), words)
                cases[value] += row[size] or 0
        if chosen and chosen not in cases:
            cases[chosen], spoken[chosen] = 0, value_text(key, {key: chosen}, words)
        order = sorted(cases, key=lambda value: (-cases[value], value))[:OPTIONS]
        options = ((value, spoken[value]) for value in order)
        if order:
            title = column_head(key, words.t)
            filters.append({"key": key, "title": title, "options": list(options), "chosen": chosen})
    return filters


def basis_filter(parameters: Mapping[str, str | int], t: Texts) -> Facts:
    """Return the drop-down of what the amounts of a deal rest on."""
    options = [(key, t[f"basis_{key}"]) for key in get_args(Basis)]
    return {"key": "basis", "title": t["st_basis"], "options": options, "chosen": str(parameters.get("basis", ""))}


# Questions whose rows count all deals of their subject, and the columns that the list of deals is searched by.
COUNTING = frozenset({
    "results_by_contract", "results_by_trump_suit", "results_of_hochzeit", "sessions_overview", "deals_by_month",
    "touts",
})  # fmt: skip
FILTERS = ("rules", "unit", "contract", "suit", "hochzeit", "session", "verdict")
FOLLOWING = frozenset({"date"})  # columns that follow from the others
PARTS = ("player", "session", "basis", "since", "until", "rules", "contract")  # which narrow a whole question


def deals_search(question: str, row: Facts, asked: Mapping[str, str | int]) -> dict[str, str]:
    """Return the search for the deals of a row of a question that was narrowed by `asked`: values by filter of the
    list; empty if the list has no filter for one of the columns that name the row."""
    if question not in COUNTING:
        return {}
    own = {key: str(row[key]) for key in KEYS if row.get(key) is not None and key not in FOLLOWING}
    if month := own.pop("month", None):
        until = str(asked.get("until", "")) or "~"  # a day, a month or a year as a whole; open
        own |= {"since": max(month, str(asked.get("since", ""))), "until": min(month, until, key=lambda end: f"{end}~")}
    known = own.keys() <= {*FILTERS, "since", "until"} and asked.keys() <= {*PARTS}
    if not known or not own.keys() & {"contract", "session", "since"}:
        return {}
    return {key: str(value) for key, value in asked.items()} | own


# --- where the data is ------------------------------------------------------------------------------------------------


def data_links(answer: Answer, data: str = "/data") -> dict[str, str]:
    """Return where the data of an answer is in Datasette: for all deals the view, whose files are complete, and its
    prepared query; for a part the SQL alone. `data`: the address of Datasette's pages."""
    name, parameters = answer.question.name, {key: value for key, value in answer.parameters.items() if value != ""}
    asked = urlencode({"sql": answer.sql, **answer.parameters})
    sql = f"{data}?{asked}"
    if part_parameters(parameters):
        kept = {"csv": f"{data}.csv?{asked}&_size=max", "json": f"{data}.json?{asked}&_size=max&_shape=objects"}
        return kept | {"query": "", "sql": sql}
    fits = {f"{key}__exact": value for key, value in parameters.items()}
    return {
        "csv": f"{data}/{name}.csv?{urlencode({'_stream': 'on', **fits})}",
        "json": f"{data}/{name}.json?{urlencode({'_shape': 'objects', '_size': 'max', **fits})}",
        "query": f"{data}/ask_{name}?{urlencode(parameters)}",
        "sql": sql,
    }


def terminal_command(name: str, parameters: Mapping[str, Any], db_name: str) -> str:
    """Return the command for the same question. It has no way to name a player by number, so for a player it covers
    all."""
    narrowed = {key: value for key, value in parameters.items() if key in IN_COMMAND}
    return " ".join(
        [f"schafkopf stats {name}", *(f"--{key} {value}" for key, value in narrowed.items()), f"--db {db_name}"]
    )


HIDDEN = frozenset({"player", "partner"})  # the numbers of people whose names are in another column
LINKS = {"session": "session", "first_deal": "deal", "last_deal": "deal"}
PEOPLE = {"name": "player", "partner_name": "partner"}
HOUSE = ("rules", "unit")


class TableView(Struct, frozen=True):
    """A part of a table: the column that it is sorted by, descending with a minus before it, or none; its first row,
    and the most rows."""

    sort: str = ""
    start: int = 0
    most: int = 1_000_000

    @property
    def column(self) -> str:
        return self.sort.removeprefix("-")


WHOLE = TableView()


class AnswerColumn(Struct, frozen=True):
    """A column: its name, short head and meaning, whether it holds numbers, and the address of the table sorted by it;
    `order` is `ascending` or `descending` if the table is sorted by it now."""

    name: str
    head: str
    says: str
    numeric: bool
    to: str = ""
    order: str = ""


class AnswerCell(Struct, frozen=True):
    """A value in a table: its text, the small text after it, and its link."""

    text: str
    beside: str = ""
    to: tuple[str, int] | None = None  # an endpoint with its number
    at: str = ""  # an address


def answer_table(
    answer: Answer, words: ValueWords, view: TableView = WHOLE, sort_at: Callable[[str], str] = lambda _: ""
) -> Facts:
    """Return a part of the rows of an answer for a page, each its cells and whether it rests on few cases, and the
    `count` of all; `sort_at` returns the address of the table in another order. `same` has head and value of each
    column with the same value in every row of the answer; it is left out of the `columns`."""
    shown = [name for name in answer.columns if is_shown(name, answer.columns)]
    same = same_columns(answer, shown)
    columns = tuple(_column(name, view, sort_at, words.t) for name in shown if name not in same)
    rows = sort_rows(answer, view.column, view.sort.startswith("-"), words) if view.sort else answer.rows
    part = map(answer.facts, rows[view.start : view.start + view.most])
    first = answer.facts(rows[0]) if rows else {}
    known = (name for name in same if first[name] is not None)
    return {
        "columns": columns,
        "rows": [_row(row, columns, answer.question.size, words) for row in part],
        "count": len(rows),
        "same": [(column_head(name, words.t), value_text(name, first, words)) for name in known],
    }


def is_shown(name: str, columns: Sequence[str]) -> bool:
    """Return False for the ends of an interval, and for the number of a person whose name has a column."""
    rate, _, end = name.rpartition("_")
    return not (end in ("low", "high") and rate in columns) and name not in HIDDEN


def same_columns(answer: Answer, shown: Sequence[str]) -> list[str]:
    """Return the columns with the same value in every row: rules and unit, anything else that names what a row is
    about, and the deals that an amount rests on if there are none. One column of those that name what a row is about
    stays."""
    if not answer.rows:
        return []
    first = answer.facts(answer.rows[0])
    same = [name for name in shown if answer.is_same(name)]
    nothing = [name for name in same if name in BASES and not first[name]]
    if len(answer.rows) == 1:
        return [name for name in same if name in HOUSE]
    keys = [name for name in shown if name in KEYS]
    same_keys = [name for name in same if name in KEYS]
    return [*(same_keys if len(same_keys) < len(keys) else same_keys[:-1]), *nothing]


def sort_rows(answer: Answer, column: str, falling: bool, words: ValueWords) -> Rows:
    """Return the rows by a column, numbers by their size, anything else by its text; unknown values last."""
    at = answer.columns.index(column)
    known = [row for row in answer.rows if row[at] is not None]
    if all(isinstance(row[at], int | float) for row in known):
        known.sort(key=itemgetter(at), reverse=falling)
    else:
        known.sort(key=lambda row: sort_text(value_text(column, answer.facts(row), words)), reverse=falling)
    return [*known, *(row for row in answer.rows if row[at] is None)]


def sort_text(text: str) -> str:
    """Return a text as it is sorted: without the marks of its letters, and small."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()


def _column(name: str, view: TableView, sort_at: Callable[[str], str], t: Texts) -> AnswerColumn:
    numeric, falling = name not in KEYS and name not in LINKS, view.sort.startswith("-")
    chosen = name == view.column
    to = sort_at(name if (falling if chosen else not numeric) else f"-{name}")
    order = ("descending" if falling else "ascending") if chosen else ""
    return AnswerColumn(name, column_head(name, t), column_text(name, t["lang"]), numeric, to, order)


def _row(row: Facts, columns: Sequence[AnswerColumn], size: str, words: ValueWords) -> tuple[list[AnswerCell], bool]:
    deals_at = words.deals_at(row)
    return [_cell(column.name, row, words, deals_at) for column in columns], 0 < (row[size] or 0) < FEW


def _cell(name: str, row: Facts, words: ValueWords, deals_at: str) -> AnswerCell:
    text = value_text(name, row, words)
    if name in PEOPLE:
        return AnswerCell(text, to=("player", row[PEOPLE[name]]))
    if name in LINKS and row[name] is not None:
        return AnswerCell(text, to=(LINKS[name], row[name]))
    beside = format_interval(row, name, words.t) if row[name] is not None and f"{name}_low" in row else ""
    return AnswerCell(text, beside, at=deals_at if name == "deals" else "")
