"""Pictures of an answer: from its rows to plots, and small ones, which stand on other pages and lead to their
questions. Rows with another unit or other rules have a picture of their own."""

import sqlite3
from collections.abc import Iterable, Mapping, Set
from heapq import nlargest
from operator import itemgetter
from typing import Any

from flask import url_for
from msgspec import Struct
from msgspec.structs import replace

from archive.stats import QUESTIONS
from archive.stats.query import Answer, Rows, answer_question
from archive.text.wording import Texts, sentence
from archive.web.request import connection, is_uncounted
from archive.web.stats.answer import Facts, ValueWords, column_head, label_text
from archive.web.stats.chart_data import CHART_DATA, ROWS
from archive.web.stats.chart_specs import ChartSpec, chart_specs
from archive.web.stats.page import HOME_QUESTIONS, MOST_DEALS, MOST_ROWS, PART_QUESTIONS, question_title
from archive.web.stats.queries import value_words
from archive.web.vega import Chart, Glance, draw_glance

MOST_CHARTS = 3  # on a page


class Charts(Struct, frozen=True):
    """The pictures of an answer: `shown` of `count` groups, the largest first."""

    charts: tuple[Chart, ...]
    shown: int
    count: int


def charts_of_answer(answer: Answer, words: ValueWords, whole: int = MOST_CHARTS) -> Charts:
    """Return the charts of the groups of an answer that have most cases; at most about `whole` of them."""
    size, specs = answer.question.size, chart_specs(answer.question, answer.columns)
    alike = {name for shape in specs for name in shape.apart if answer.is_same(name)}
    charts, shown, count, most = [], 0, 0, max(1, whole // max(1, len(specs)))
    for shape in specs:
        groups, every = _largest_groups(answer, shape, most)
        shown, count = max(shown, len(groups)), max(count, every)
        drawn = [_chart(shape, [answer.facts(row) for row in group], size, words, alike) for group in groups]
        charts += [each for each in drawn if each.rows]
    return Charts(tuple(charts), shown, count)


def _largest_groups(answer: Answer, shape: ChartSpec, most: int) -> tuple[list[Rows], int]:
    """Return rows that are drawn together and have something to draw, those with most cases first, at most so many
    groups; and how many groups there are."""
    at = answer.columns.index
    value, size, places = at(shape.value), at(answer.question.size), [*map(at, shape.apart)]
    key_of = itemgetter(*places) if places else lambda _: None
    cases: dict[object, int] = {}
    for row in answer.rows:
        if row[value] is not None:
            key = key_of(row)
            cases[key] = cases.get(key, 0) + (row[size] or 0)
    least = nlargest(most, cases.values())[-1:]
    large = [key for key, count in cases.items() if [count] >= least]
    large.sort(key=lambda key: (-cases[key], str(key if len(places) > 1 else (key,) if places else ())))
    groups: dict[object, Rows] = {key: [] for key in large[:most]}
    for row in answer.rows:
        if row[value] is not None and (group := groups.get(key_of(row))) is not None:
            group.append(row)
    return [*groups.values()], len(cases)


def _chart(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords, alike: Set[str]) -> Chart:
    """Return a chart of a group; its title names what distinguishes the group, without the values that are `alike` in
    the whole answer."""
    t = words.t
    apart = ", ".join(label_text(name, rows[0], words) for name in shape.apart if name not in alike)
    drawing = CHART_DATA[shape.spec](shape, rows, size, words)
    title = sentence(column_head(shape.value, t) if shape.spec not in TITLED else t[TITLED[shape.spec]])
    says = "; ".join(" ".join(filter(None, row)) for row in drawing["cells"][:ROWS])
    return Chart(spec=shape.spec, title=f"{title}: {apart}" if apart else title, says=says, **drawing)


TITLED = {"points": "sc_points", "runners": "sc_runners", "months": "sc_deals", "verdicts": "sc_deals",
          "scatter": "sc_per_deal", "dealt": "sc_hands_rate"}  # fmt: skip


ANY_NAME = "any-question"  # of no question: a placeholder for the names of others in one address


def ask_all(names: tuple[str, ...], part: Mapping[str, str | int] | None = None) -> list[Answer]:
    """Return the answers to several questions about the same deals; none if the facts are not counted yet."""
    names = () if is_uncounted() else names
    return [answer_question(connection(), name, part, MOST_ROWS) for name in names]


def answer_glances(answers: Iterable[Answer], t: Texts) -> dict[str, Glance]:
    """Return the first picture of each answer, if it has one; cents are euros in it, as on the page around it."""
    words = replace(value_words(connection(), t), euros=True)
    firsts = {answer.question.name: next(iter(charts_of_answer(answer, words, 1).charts), None) for answer in answers}
    return {name: draw_glance(each, t) for name, each in firsts.items() if each}


def home_charts(t: Texts) -> dict[str, Glance]:
    """Return the first pictures of questions over all deals, as many as there is time for."""
    try:
        return answer_glances(ask_all(HOME_QUESTIONS), t)
    except sqlite3.OperationalError:
        return {}


def part_questions(key: str, number: int, deals: int, t: Texts) -> Facts:
    """Return the questions about a `player` or a `session` (`key`) with so many deals: addresses, titles and small
    pictures (`plots`), none if the deals are `too_many` to be counted at once; of the `others` addresses and titles."""
    names, too_many = PART_QUESTIONS[key], deals > MOST_DEALS
    part: dict[str, Any] = {key: number}
    try:
        plots = answer_glances(ask_all(names, part), t) if not too_many else {}
    except sqlite3.OperationalError:
        plots, too_many = {}, True
    others = [(name, question_title(name, t)) for name in QUESTIONS if name not in plots]
    head, _, rest = url_for("question", name=ANY_NAME, **part).partition(ANY_NAME)
    return {
        "plots": [(f"{head}{name}{rest}", question_title(name, t), plot) for name, plot in plots.items()],
        "others": [(f"{head}{name}{rest}", title) for name, title in others],
        "too_many": too_many,
    }
