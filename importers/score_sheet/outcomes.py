"""How a deal ended, as the cell of a result says it: `verloren mit 53`, `91:29`, `gewonnen mit 3 Laufenden`."""

import re
from collections.abc import Iterable
from typing import Any

from archive.notation.game_words import ContractWords, usual_words
from archive.notation.problem import Problem, refuse_entry
from archive.notation.spoken_deal import read_to_end
from archive.notation.spoken_facts import HALF, MOST_RUNNERS
from archive.say import message
from importers.score_sheet.cells import MOST, read_points

EXPECTED = message("importers.result", most=MOST)
COUNTS_POINTS = r"(?i)\d\s*(?:aug|p|card|karten)"
BARE = r"[^\W\d_]+\.?\s*\d+[05]"  # a result and a number that may be a price


def result_fields(key: str, text: str, of: ContractWords, counts_runners: bool) -> dict[str, Any]:
    """Return the fields of a result: `stated.KEY`, `knocks` and `doubles`. `counts_runners`: the sheet has a column of
    its own for runners, so that a small number of a lost deal counts points. Raise Problem if it cannot be read, or may
    mean two things."""
    try:
        stated, refused = read_result(key, text), None
    except Problem as problem:
        stated, refused = {}, problem
    is_small = "won" in stated and 0 < stated.get("points", 0) <= MOST_RUNNERS and not re.search(COUNTS_POINTS, text)
    if refused and "?" in text:
        raise refused
    if stated.get("won") and stated.get("points", MOST) <= HALF and re.fullmatch(BARE, text):  # `gewonnen 20`
        refuse_entry(key, text, message("notation.points-or-cents", number=stated["points"]))
    if refused or (is_small and (stated["won"] or not counts_runners)):
        try:
            return _in_words(key, text, of)
        except Problem as problem:
            if refused:
                raise refused from None
            refuse_entry(key, text, problem.facts.get("expected", EXPECTED))
    return {f"stated.{name}": value for name, value in stated.items()}


def count_results(texts: Iterable[str], of: ContractWords) -> int:
    """Return how many texts say who won, or how high: results, wherever they stand."""
    return sum(_is_result(text, of) for text in texts)


def _is_result(text: str, of: ContractWords) -> bool:
    try:
        return any(f"stated.{name}" in result_fields("", text, of, False) for name in ("won", "schneider", "schwarz"))
    except Problem:
        return False


def _in_words(key: str, text: str, of: ContractWords) -> dict[str, Any]:
    """Return the fields of a result that is told as in a line of words. Raise Problem if a word is not understood, or
    tells more than how the deal ended."""
    line = read_to_end(text, of, ())
    is_more = line.game or line.people or line.amounts or line.rounds or line.is_alone or line.all_runners
    beside = {"knocks": line.knock_count, "doubles": len(line.doubles) or (() if line.no_doubles else None)}
    fields = {f"stated.{name}": value for name, value in line.stated.items()}
    fields |= {name: value for name, value in beside.items() if value is not None}
    if is_more or line.all_knocked or "bid" in line.stated or not fields:
        refuse_entry(key, text, EXPECTED)
    return fields


MEANINGS: dict[str, dict[str, Any]] = {  # of the words of a result
    "won": {"won": True},
    "lost": {"won": False},
    "schneider": {"schneider": True},
    "no-schneider": {"schneider": False},
    "schwarz": {"schwarz": True},
    "normal": {"schneider": False, "schwarz": False},
}
SILENT = ("with", "and", "points")


def _meaning(word: str) -> dict[str, Any] | None:
    """Return the facts that a word of a result states, or None if it is none."""
    words = usual_words()
    tables = (words["results"], words["letters"]["results"], words["deal"])
    kind = next((kind for each in tables if (kind := each.get(word))), "")
    return {} if kind in SILENT else MEANINGS.get(kind)


def read_result(key: str, text: str) -> dict[str, Any]:
    """Return the stated values of a result: `verloren mit 53`, `won 91 Schneider`, `91:29`, `Schneider`, `+`."""
    fields: dict[str, Any] = {}
    text = re.sub(r"(?<=\d) zu (?=\d)", ":", text)
    plain = text.replace("−", "-").replace("–", "-")
    for token in re.findall(r"\d+\s*[:/]\s*\d+|[+-]\s*\d+|[^\W\d_]+|\S", plain) if len(text) < 200 else ["?"]:
        meaning: dict[str, Any] | None
        both = re.fullmatch(r"(\d{1,3})\s*[:/]\s*(\d{1,3})", token)
        if both:
            meaning = {"points": int(both[1]), "points_against": int(both[2])}
        elif token.isdecimal():
            continue
        elif token in "+-":
            meaning = {"won": token == "+"}
        elif token in "().,!/&;":
            meaning = {}
        else:
            meaning = _meaning(token.casefold()) if token.isalpha() else None
        if meaning is None or any(fields.get(name, value) != value for name, value in meaning.items()):
            refuse_entry(key, text, EXPECTED)
        fields |= meaning
    numbers = re.findall(r"\d+", re.sub(r"\d+\s*[:/]\s*\d+", " ", text))
    if len(numbers) > 1 or (numbers and "points" in fields):
        refuse_entry(key, text, EXPECTED)
    if numbers:
        fields["points"] = read_points(key, numbers[0])
    if max(fields.get("points", 0), fields.get("points_against", 0)) > MOST:
        refuse_entry(key, text, EXPECTED)
    return fields
