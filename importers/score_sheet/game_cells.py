"""The cell of a game that tells more than the game, in the words of a line: `Herz-Solo verloren`, `Wenz mit 2, Kontra
Ben`."""

import re
from collections.abc import Sequence
from math import gcd
from typing import Any

from archive.notation.game_words import contract_words, read_doubling, usual_words
from archive.notation.pictures import SUIT_OF_PICTURE
from archive.notation.problem import Problem, refuse_entry
from archive.notation.seated_deal import seated_deal
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.notation.spoken_facts import MOST_RUNNERS
from archive.record import Finding
from archive.say import Message, message
from importers.score_sheet.amount_columns import cell_text, mostly
from importers.score_sheet.cells import (
    SeatNames,
    TableWords,
    is_blank,
    is_one_of,
    match_runners,
    normalize,
    read_game,
    sheet_words,
    split_calls,
)
from importers.score_sheet.tables import Row

TAKES_SUIT = "(?i)ruf|sau|ass|solo"
PICTURES = str.maketrans(SUIT_OF_PICTURE | {"🍃": "♠", "\ufe0f": ""})  # beside a game that takes a suit
KEPT = frozenset("won schneider schwarz points points_against runners runner_count loser".split())  # of `stated`
QUESTIONS = frozenset(f"notation.{id}" for id in ("what-doubled", "which-lords", "times-of-what", "number-of-what"))


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
    """Raise Problem for `ES` beside the name of a partner, if columns.toml does not say what it means: a Solo, or the
    Ace of that suit."""
    meant = sheet_words()["games"].get(normalize(text), "")
    if meant.endswith(" solo") and text not in dict(of.own) and normalize(partner) in table.seats:
        refuse_entry(key, text, message("importers.solo-or-ace", text=text, partner=partner))


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
    return len(cells) > 1 and mostly(body, at, _is_game)


def _is_game(text: str) -> bool:
    """Return whether a text names a game in the words of a line, and not only how one ended."""
    if not any(map(str.isalpha, text)):
        return False
    spoken = read_spoken_deal(text, contract_words())
    return isinstance(spoken, SpokenDeal) and spoken.game is not None


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


def have_strokes(texts: set[str]) -> bool:
    """Return whether a column of knocks or doublings has strokes: `II`, `//`, or `/` and nothing else."""
    return texts - {""} == {"/"} or any(len(text) > 1 and {*text} <= {*"I|/"} for text in texts)


def tells_sides(texts: Sequence[str]) -> bool | None:
    """Return whether the cells of a column say that runners are with or without; None if they are what runners cost:
    times one price, and one of them too large for a count."""
    if any((match := match_runners(text)) and match["sign"] for text in texts):
        return True
    numbers = [int(text) for text in texts if text.isdecimal()]
    return None if max(numbers, default=0) > MOST_RUNNERS and gcd(*numbers) > 1 else False
