"""The cell of a game that tells more than the game, in the words of a line: `Herz-Solo verloren`, `Wenz mit 2, Kontra
Ben`; and the cell of a result, which says how it ended: `verloren mit 53`, `91:29`, `gewonnen mit 3 Laufenden`."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import gcd
from typing import Any

from archive.notation.game_words import ContractWords, contract_words, is_contract, read_doubling, usual_words
from archive.notation.list_marks import SUIT_OF_PICTURE
from archive.notation.problem import Problem, refuse_entry
from archive.notation.seated_deal import seated_deal
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal, read_to_end
from archive.notation.spoken_facts import HALF, MOST_RUNNERS
from archive.record import Double, Finding
from archive.say import Message, message
from importers.score_sheet.amount_columns import cell_text, mostly
from importers.score_sheet.cells import (
    AT_TABLE,
    MOST,
    Amount,
    SeatNames,
    TableWords,
    is_blank,
    is_one_of,
    match_runners,
    normalize,
    read_game,
    read_points,
    sheet_words,
    split_calls,
)
from importers.score_sheet.tables import Row

TAKES_SUIT = "(?i)ruf|sau|ass|solo"
PICTURES = str.maketrans(SUIT_OF_PICTURE | {"🍃": "♠", "\ufe0f": ""})  # beside a game that takes a suit
# Keys of `stated` that the cell of a game may tell.
KEPT = frozenset("won schneider schwarz points points_against runners runner_count loser virgins".split())
QUESTIONS = frozenset(f"notation.{id}" for id in ("what-doubled", "which-lords", "times-of-what", "number-of-what"))
EXPECTED = message("importers.result", most=MOST)
COUNTS_POINTS = r"(?i)\d\s*(?:aug|p|card|karten)"
BARE = r"[^\W\d_]+\.?\s*\d+[05]"  # a result and a number that may be a price
MEANINGS: dict[str, dict[str, Any]] = {  # of the words of a result
    "won": {"won": True},
    "lost": {"won": False},
    "schneider": {"schneider": True},
    "no-schneider": {"schneider": False},
    "schwarz": {"schwarz": True},
    "normal": {"schneider": False, "schwarz": False},
}
LETTERS, ALONE = 2, 1  # of what is no suit in a word; players
SILENT = ("with", "and", "points")  # kinds of words that say nothing of a result


def fields_of_game(key: str, text: str, of: TableWords, table: SeatNames) -> dict[str, Any]:
    """Return the fields that the cell of a game states: `game`, and whatever else it tells. Raise Problem if it is no
    game, or tells something that would be lost."""
    if not text.isascii() and re.search(TAKES_SUIT, text):
        text = text.translate(PICTURES)
    try:
        game, runners = read_game(key, text, of)
    except Problem as problem:
        return _fields_of_line(key, text, of, table, problem)
    return {"game": game} | ({} if runners is None else {"stated.runners": runners})


def refuse_short_solo(key: str, text: str, partner: str, of: TableWords, table: SeatNames) -> None:
    """Raise Problem for `ES` or `S` beside the name of a partner, if columns.toml does not say what it means: a Solo,
    or the Ace of that suit, or a Sauspiel."""
    meant = (usual_words()["letters"]["games"] | sheet_words()["games"]).get(normalize(text), "")
    if meant.endswith("solo") and text not in dict(of.own) and normalize(partner) in table.seats:
        refuse_entry(key, text, message("importers.solo-or-ace", text=text, partner=partner))


def with_answer(
    key: str, text: str, before: tuple[Double, ...] | int, answer: tuple[Double, ...] | int, word: str
) -> tuple[Double, ...] | int:
    """Return Kontra, Re and what answers it, of a column each, as one list or count. Raise Problem for an answer to
    none, or if only one of them has a name."""
    place = ("kontra", "re", "double").index(word)
    if not answer:
        return before
    if before == place and answer == 1:
        return place + 1
    if isinstance(before, tuple) and isinstance(answer, tuple) and (len(before), len(answer)) == (place, 1):
        return (*before, Double(answer[0].seat, word))
    return refuse_entry(key, text, message("importers.re-of-kontra"))


def game_of_suit(text: str, of: TableWords, has_partner: bool, paid: Sequence[Amount | None]) -> str:
    """Return the text of a game, with the game before a suit alone: that of a called Ace, if a partner is named, or a
    Solo, if one of four was paid by the others, or paid them. `Kreuz` is a game of that name."""
    if len(text) <= LETTERS or normalize(text) not in of.words.words.suits or is_contract(text) or text in dict(of.own):
        return text
    gains = [amount.hundredths > 0 for amount in paid if amount and amount.hundredths]
    is_alone = len(gains) == AT_TABLE and ALONE in (gains.count(True), gains.count(False))
    return f"Ruf {text}" if has_partner else f"Solo {text}" if is_alone else text


def _fields_of_line(key: str, text: str, of: TableWords, table: SeatNames, refused: Problem) -> dict[str, Any]:
    deal = read_spoken_deal(text, of.words, table.players)
    if isinstance(deal, Finding):
        expected = deal.facts.get("expected")
        if isinstance(expected, Message) and expected.id in QUESTIONS:
            refuse_entry(key, text, expected)
        raise refused
    named = [name for _, name in deal.doubles or () if name is not None]
    beside = deal.payments or deal.against or deal.round or deal.dealer or deal.stated.keys() - KEPT
    if deal.game is None or beside or len(named) not in (0, len(deal.doubles or ())):
        raise refused
    seated = seated_deal(deal, table.players, False, None)
    told = {key: getattr(seated, key) for key in ("game", "partner", "knocks", "doubles")}
    told |= {f"stated.{name}": getattr(seated.stated, name) for name in deal.stated}
    return {key: value for key, value in told.items() if value is not None}


def are_games(body: Sequence[Row], at: int) -> bool:
    """Return whether the cells of a column are those of games: two at least, and most of them."""
    cells = [text for row in body if not is_blank(text := cell_text(row, at))]

    def is_game(text: str) -> bool:
        """Return whether a text names a game in the words of a line, and not only how one ended."""
        spoken = read_spoken_deal(text, contract_words()) if any(map(str.isalpha, text)) else None
        return isinstance(spoken, SpokenDeal) and spoken.game is not None

    return len(cells) > 1 and mostly(body, at, is_game)


def is_suit(text: str) -> bool:
    """Return whether a text names the suit of a called Ace: `E`, `die Alte`, `♣`."""
    spoken = read_spoken_deal(f"Ruf {text[:1].upper()}{text[1:]}", contract_words())
    return isinstance(spoken, SpokenDeal) and spoken.game is not None and spoken.game.suit is not None


def find_callers(role: str, text: str) -> list[str]:
    """Return the names in a cell of doublings or knocks, without what says that there was one and not whose, or none,
    though a name may begin so."""
    letters = {"n", *(() if role == "knocks" else usual_words()["letters"]["doubles"])}
    calls = (one for one in split_calls(text) if not read_doubling(one) and normalize(one) not in letters)
    return [one for one in calls if not is_one_of(one, "yes") and not is_one_of(one, "none")]


def tells_sides(texts: Sequence[str]) -> bool | None:
    """Return whether the cells of a column say that runners are with or without; None if they are what runners cost:
    times one price, and one of them too large for a count."""
    if any((match := match_runners(text)) and match["sign"] for text in texts):
        return True
    numbers = [int(text) for text in texts if text.isdecimal()]
    return None if max(numbers, default=0) > MOST_RUNNERS and gcd(*numbers) > 1 else False


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
    results, ends = 0, {"stated.won", "stated.schneider", "stated.schwarz"}
    for text in texts:
        with suppress(Problem):
            results += not ends.isdisjoint(result_fields("", text, of, False))
    return results


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
