"""Small pictures of answers, which stand on other pages and lead to their questions."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from flask import url_for
from msgspec.structs import replace

from archive.stats.query import Answer, answer_question
from archive.text.wording import Texts
from archive.web.request import connection, is_uncounted
from archive.web.stats.answer import Facts
from archive.web.stats.charts import charts_of_answer
from archive.web.stats.page import MOST_DEALS, MOST_ROWS, PART_QUESTIONS, other_questions, question_title
from archive.web.stats.queries import value_words
from archive.web.vega import Glance, draw_glance

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


def home_charts(names: tuple[str, ...], t: Texts) -> dict[str, Glance]:
    """Return the first pictures of questions over all deals, as many as there is time for."""
    try:
        return answer_glances(ask_all(names), t)
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
    head, _, rest = url_for("question", name=ANY_NAME, **part).partition(ANY_NAME)
    return {
        "plots": [(f"{head}{name}{rest}", question_title(name, t), plot) for name, plot in plots.items()],
        "others": [(f"{head}{name}{rest}", title) for name, title in other_questions([*plots], t)],
        "too_many": too_many,
    }
