"""`/stats`: the contents of a page of questions, the part of an archive that a question is about, the deals that the
rows of an answer count, and the addresses of its data."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args
from urllib.parse import urlencode

from archive.judge.types import Basis
from archive.stats import QUESTIONS
from archive.stats.fact_tables import DAYS, WHERE
from archive.stats.query import Answer
from archive.stats.texts import all_texts as question_words
from archive.text.dates import format_day
from archive.text.numbers import format_number
from archive.text.wording import Texts
from archive.web.stats.answer import KEYS, Facts, ValueWords, column_head, value_text

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
        own |= {"since": max(month, str(asked.get("since", ""))), "until": _earlier(month, str(asked.get("until", "")))}
    known = own.keys() <= {*FILTERS, "since", "until"} and asked.keys() <= {*PARTS}
    if not known or not own.keys() & {"contract", "session", "since"}:
        return {}
    return {key: str(value) for key, value in asked.items()} | own


def _earlier(one: str, other: str) -> str:
    """Return the earlier of two starts of a span: days, months or years as a whole, or an open one, which is empty."""
    return min(one, other or "~", key=lambda end: f"{end}~")


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


def other_questions(but: Sequence[str], t: Texts) -> list[tuple[str, str]]:
    """Return the other questions about the same deals, with their titles."""
    return [(name, question_title(name, t)) for name in QUESTIONS if name not in but]
