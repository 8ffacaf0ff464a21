"""A judgement as text, in the reader's language: its reason, what is missing, the lines of its settlement. Cards carry
the faces of the table's pack."""

from collections.abc import Iterator
from functools import lru_cache, reduce
from typing import Any

from archive.cards import suit_name
from archive.judge.compare_stated import SEATS
from archive.judge.types import Judgement
from archive.play.types import DEALT_AGAIN, THROWN_IN
from archive.record import Game
from archive.rules import Ruleset
from archive.rules.titles import contract_title
from archive.say import Fact, Message, has_text, message, say, sentence
from archive.settle.types import SettlementLine

PER_SEAT = ("points", "tricks", "payments", "totals", "marks")  # one value for each seat, shown with the names


def faces_of(judgement: Judgement) -> str:
    """Return the faces of the table's pack; German if the house rules cannot be read."""
    return judgement.ruleset.house.faces if judgement.ruleset else "german"


def say_reason(judgement: Judgement, language: str = "en") -> str:
    """Return the reason for the verdict: one sentence, with a capital and a full stop."""
    says = say if judgement.reason.facts else say_quickly  # most agree, and all of these for the same reason
    return sentence(says(judgement.reason, language, faces_of(judgement)))


def say_missing(judgement: Judgement, language: str = "en") -> tuple[str, ...]:
    """Return the facts that the record lacks, each without a capital or a full stop."""
    return tuple(say(fact, language, faces_of(judgement)) for fact in judgement.missing)


def say_line(judgement: Judgement, line: SettlementLine, language: str = "en") -> str:
    return say_quickly(line.message, language, faces_of(judgement))


def say_quickly(what: Message, language: str, faces: str) -> str:
    """Return a message as a text of the language, as `say` does; for messages that many deals have."""
    return say_again(language, faces, what.id, tuple(what.facts), *what.facts.values())


@lru_cache(1 << 14, typed=True)
def say_again(language: str, faces: str, id: str, names: tuple[str, ...], *values: Fact) -> str:
    """Return a message, given by its id and its facts, as a text of the language; the latest are remembered."""
    return say(Message(id, dict(zip(names, values, strict=True))), language, faces)


def value_fact(players: tuple[str, ...], key: str, value: Any) -> Fact:
    """Return a value stated or computed under a key of `stated` as a fact of a message, with names for seats."""
    if isinstance(value, tuple) and key in PER_SEAT and len(value) == len(players):
        return tuple(
            message("judge.of-player", player=name, value=each) for name, each in zip(players, value, strict=True)
        )
    if isinstance(value, tuple):
        return tuple(_entry(players, key, entry) for entry in value)
    # For virgins, a source may state only the number.
    return value if key == "virgins" else _entry(players, key, value)


def _entry(players: tuple[str, ...], key: str, value: Any) -> Fact:
    if isinstance(value, str):
        return Message(f"judge.{value}")  # undecided, nobody
    return players[value] if key in SEATS and value is not None else value


NO_GAMES = {THROWN_IN: "text.thrown_in", DEALT_AGAIN: "text.misdeal"}


def game_fact(players: tuple[str, ...], ruleset: Ruleset, game: Game) -> Message:
    """Return a game with its declarer, in words."""
    words = reduce(lambda first, then: message("play.words", first=first, then=then), game_words(ruleset, game))
    if game.declarer is None:
        return message("repair.game-alone", game=words)
    return message("repair.game-of", player=players[game.declarer], game=words)


def game_words(ruleset: Ruleset, game: Game) -> Iterator[Fact]:
    """Yield the title of a game, its suit or called card, the words said with it, and the number bid; of a deal that
    nobody played, what became of it."""
    if game.contract in NO_GAMES:
        yield Message(NO_GAMES[game.contract])
        return
    row, house = ruleset.contracts[game.contract], ruleset.house
    yield contract_title(row)
    if game.called and game.called != f"{game.suit}A":
        yield game.called
    elif game.suit in row.nicknames.values() and house.faces == "german":
        yield Message(f"text.on_ace_{game.suit}")
    elif game.suit:
        yield suit_name(game.suit)
    yield from (Message(f"text.word_{word}") if has_text(f"text.word_{word}") else word for word in game.words)
    if game.bid is not None:
        yield Message("text.for_trumps" if house.lengths else "text.for_points", {"points": game.bid})


def name_of_key(key: str) -> Message:
    """Return the name of a key of a record, dotted and with players' names as in its differences."""
    table, _, rest = key.partition(".")
    number, _, leader = rest.partition(".")
    if table == "stated":
        stated, _, player = rest.partition(".")
        what = name_of_stated(stated)
        return message("record.stated", what=what, player=player) if player else what
    if table == "tricks":
        return Message("record.leader" if leader else "record.trick", {"trick": number})
    if table == "house":
        return message("record.house", setting=rest)
    id = f"record.{key if not rest else table}".replace("_", "-")
    return Message(id, {"player": rest} if rest else {}) if has_text(id) else message("record.other", name=key)


def name_of_stated(key: str) -> Message:
    return Message(f"stated.{key.replace('_', '-')}")
