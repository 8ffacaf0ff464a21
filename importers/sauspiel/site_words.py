"""The words that all formats of sauspiel.de share: titles, amounts, tariffs, results, calls, dates and card codes as
written there. Every reader returns None for a text that it cannot read; nothing is guessed."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from archive.cards import is_known
from archive.cards import read_card as read_code
from archive.notation.game_words import contract_text, contract_words, read_contract
from archive.notation.problem import Problem
from archive.record import Double, Game, Session, Stated
from importers.dates import MONTH_NAMES
from importers.text import on_one_line

ORIGIN = "sauspiel.de"
RULES = "bavarian"
PLAIN = ("rufspiel", "wenz", "solo", "sie")  # the contracts without special rules
SPECIAL = ("farbwenz", "geier", "ramsch")
SHORT = "kurze karte"
SHORT_HAND = 6
SPECIAL_RULES = "Kurze Karte, Farbwenz, Geier, Ramsch"  # as the site writes them
ALONE = ("none", "ramsch")  # contracts without a declarer
NOTHING = frozenset({"", "-", "–", "—"})  # cells that say nothing
DOUBLES = ("kontra", "re")  # in turn
DEALER = "dealer: forehand is the first of the four players, the dealer the last"
LONGEST = 1000  # characters of names that run together
THROWN_IN = frozenset({"zamgworfen", "zammgworfen", "zusammengeworfen"})


class Title(NamedTuple):
    game: Game
    runners: int | None  # negative: without


class Amount(NamedTuple):
    unit: str  # P, TP, …; € as ct
    value: int


class Tariff(NamedTuple):
    unit: str | None
    text: str  # as in the house setting


class Outcome(NamedTuple):
    """The result of a game with a declarer; None for what the words do not say."""

    won: bool
    points: int | None  # of the declarer's side
    schneider: bool | None
    schwarz: bool | None


# --- games ------------------------------------------------------------------------------------------------------------


_RUNNERS = re.compile(r" (mit|ohne) (\d{1,2})(?: Laufenden?)?$", re.IGNORECASE)


def read_title(text: str, players: Sequence[str], declarer: int | None = None) -> Title | None:
    """Read a title like `Sauspiel auf die Alte mit 3 von vroni7`, which ends with the declarer. If two players could
    end it with different meanings, `declarer` decides, the seat of the declarer by the roles; else return None."""
    title = _read_title(text, players)
    if title is None and declarer is not None:
        return _read_title(text, [name if seat == declarer else "" for seat, name in enumerate(players)])
    return title


def _read_title(text: str, players: Sequence[str]) -> Title | None:
    text, titles = on_one_line(text), set()
    if text.casefold() in THROWN_IN:
        return Title(Game("none"), None)
    for seat, name in enumerate(players):
        ending = f" von {on_one_line(name)}"
        if text.endswith(ending) and (title := _title(text.removesuffix(ending), seat)):
            titles.add(title)
    if title := _title(text, None):
        titles.add(title)
    return titles.pop() if len(titles) == 1 else None


def _title(text: str, declarer: int | None) -> Title | None:
    runners = None
    if match := _RUNNERS.search(text):
        runners, text = int(match[2]) * (1 if match[1].casefold() == "mit" else -1), text[: match.start()]
    game = read_game(text, declarer)
    return Title(game, runners) if game else None


def read_game(text: str, declarer: int | None = None) -> Game | None:
    """Return the game of a contract alone: `Sauspiel auf die Alte`, `Eichel-Solo-Tout`, `Gras-Farbwenz`, `Ramsch`."""
    words = contract_words()
    if text.casefold() in THROWN_IN:
        return Game("none") if declarer is None else None
    try:
        game = read_contract("title", re.sub(r"\bSchelln\b", "Schellen", text), "german", words)
    except Problem:
        return None
    if game.bid is not None or (declarer is not None and not words.words.declarer.get(game.contract, True)):
        return None
    return Game(game.contract, declarer, game.suit, game.called, game.words)


_OUTCOME = re.compile(
    r"(?P<won>gewonnen|verloren)(?: mit (?P<points>\d{1,3})(?: Augen)?)?(?: \((?P<level>[^()]*)\))?", re.I
)
_LEVELS = {"normal": (False, False), "schneider": (True, False), "schwarz": (None, True)}


def read_outcome(text: str) -> Outcome | None:
    """Read `Verloren mit 53 Augen (Normal)`, `verloren mit 53`. A level in other words says nothing about Schneider."""
    match = _OUTCOME.fullmatch(on_one_line(text))
    if not match:
        return None
    points = int(match["points"]) if match["points"] else None
    schneider, schwarz = _LEVELS.get((match["level"] or "").casefold(), (None, None))
    return Outcome(match["won"].casefold() == "gewonnen", points, schneider, schwarz)


# --- amounts ----------------------------------------------------------------------------------------------------------

_NUMBER = r"[-−–+]? ?(?:\d{1,3}(?:\.\d{3}){1,4}|\d{1,9})(?:,\d{1,2})?"
_UNIT = r"[^\W\d_]{1,3}|[€$]"
_AMOUNT = re.compile(rf"(?:(?P<before>{_UNIT}) ?)?(?P<number>{_NUMBER})(?: ?(?P<after>{_UNIT}))?")


def read_amount(text: str) -> Amount | None:
    """Read `P -400`, `€ 1,20`, `TP 3`, `P 1.400`, `100 P` as unit and whole number; € is counted in ct."""
    match = _AMOUNT.fullmatch(on_one_line(text))
    if not match or bool(match["before"]) == bool(match["after"]):
        return None
    unit = match["before"] or match["after"]
    value = _whole_number(match["number"], unit)
    return None if value is None else Amount("ct" if unit == "€" else unit, value)


def _whole_number(number: str, unit: str | None) -> int | None:
    """Return the number of `unit`, or None; only € may have cents."""
    whole, _, cents = number.replace(".", "").replace(" ", "").lstrip("-−–+").partition(",")
    if cents and unit != "€":
        return None
    value = int(whole) * 100 + int(cents.ljust(2, "0")) if unit == "€" else int(whole)
    return -value if number[0] in "-−–" else value


def read_tariff(text: str) -> Tariff | None:
    """Read `P 10 / 20 / 50`: extra, Rufspiel, Solo. Two numbers are extra and one price for both, which the house
    setting says with three (its own two mean something else)."""
    text = on_one_line(text)
    head = re.match(rf"({_UNIT}) ?(?=\d)", text)
    unit = head[1] if head else None
    parts = [re.sub(rf"^(?:{_UNIT}) ?", "", part.strip()) for part in text.split("/")]
    if len(parts) not in (2, 3) or not all(re.fullmatch(_NUMBER, part) for part in parts):
        return None
    numbers = [_whole_number(part, unit) for part in parts]
    if any(number is None or number < 0 for number in numbers):
        return None
    extra, call, solo = numbers if len(numbers) == 3 else (*numbers, numbers[1])
    return Tariff("ct" if unit == "€" else unit, f"{extra}/{call}/{solo}")


# --- the house --------------------------------------------------------------------------------------------------------


def site_settings(tariff: str | None, special: Iterable[str] | None) -> dict[str, Any]:
    """Return the house settings of the site, with a tariff and special rules (None: not stated)."""
    settings: dict[str, Any] = {
        "tariff": tariff or "unknown",
        "knock": "anyone",
        "tout": "base+runners",
        "wishes": True,
        "runners_from": {"farbwenz": 3},
        "stoss": {"limit": 4},
    }
    if special is not None:
        named = {on_one_line(rule).casefold() for rule in special}
        settings["deck"] = 24 if SHORT in named else 32
        settings["contracts"] = [*PLAIN, *(name for name in SPECIAL if name in named)]
        settings |= {"all_pass": "ramsch"} if "ramsch" in named else {}
    return settings


def session_of(
    players: tuple[str, ...], time: str | None, unit: str | None, house: dict[str, Any], **others: Any
) -> Session:
    """Return the head of a game of the site, with the day of its moment."""
    day = time[:10] if time else None
    return Session(players=players, rules=RULES, date=day, unit=unit, house=house, origin=ORIGIN, **others)


def unknown_rules(special: Iterable[str]) -> list[str]:
    """Return the special rules for which no house setting is known."""
    return [rule for rule in special if on_one_line(rule).casefold() not in (SHORT, *SPECIAL)]


def implied_settings(game: Game | None, size: int, is_short: bool = False) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the settings that a deal shows if its special rules are not stated, and the evidence for each; `size` is
    the number of cards in a hand, 0 if unknown. `is_short`: the short pack is stated and needs no evidence."""
    settings: dict[str, Any] = {}
    if size == SHORT_HAND:
        settings["deck"] = 24
    if game and game.contract in SPECIAL:
        settings["contracts"] = [*PLAIN, game.contract]
        settings |= {"all_pass": "ramsch"} if game.contract == "ramsch" else {}
    evidence = {"deck": f"a hand has {size} cards"}
    inferred = [key for key in settings if not (is_short and key == "deck")]
    return settings | ({"deck": 24} if is_short else {}), tuple(
        f"house.{key}: {evidence.get(key, 'by what is played in this deal')}" for key in inferred
    )


# --- results ----------------------------------------------------------------------------------------------------------


def doubles_of(seats: Iterable[int]) -> tuple[Double, ...]:
    """Return Kontra, Retour and so on, by the seats of those who said them in turn."""
    return tuple(Double(seat, DOUBLES[number % 2]) for number, seat in enumerate(seats))


def unless_empty(stated: Stated) -> Stated | None:
    """Return the stated values, or None if there are none."""
    return None if stated == Stated() else stated


# --- calls ------------------------------------------------------------------------------------------------------------

_CALLS = {"sagt weiter": "pass", "dad gern": "play", "lässt den vortritt": "good", "lässt vortritt": "good"}
_TIMEOUT = "(timeout)"


def read_call(text: str, game: Game | None) -> str | None:
    """Return the call of a player from a text without the name: `sagt weiter.`, `hätt a Solo.`, `spielt auf die Alte.`,
    `spielt Eichel.`, `spielt a Gras-Solo.`; `game` is what was played in the end, for a suit names no contract. A
    player whose time was over is out; after a bid `(timeout)` adds nothing."""
    whole = on_one_line(text).rstrip(". ")
    late = whole.casefold().endswith(_TIMEOUT)
    words = whole[: -len(_TIMEOUT)].rstrip(". ") if late else whole
    if call := _CALLS.get(words.casefold()):
        return "timeout" if late and call != "play" else call
    verb, _, what = words.partition(" ")
    what = re.sub(r"^(?:a|an|en|einen?) ", "", what)
    if verb == "hätt" and (bid := read_game(what)):
        return contract_text(bid) if bid.words or bid.suit else f"have-{bid.contract}"
    if verb != "spielt":
        return None
    named = read_game(what)
    if named is None and game and not game.called and (named := read_game(f"{game.contract} {what}")):
        named = game if named.suit == game.suit else named  # a Tout is not said again
    return contract_text(named) if named else None


def read_names(written: str, players: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the ways, two at most, to read a text as names with commas between them; names may have commas."""
    ways: dict[int, list[tuple[int, ...]]] = {len(written) + 1: [()]}  # by place, as if a comma ended the last name
    for place in range(len(written) - 1 if len(written) <= LONGEST else -1, -1, -1):
        readings: list[tuple[int, ...]] = []
        for seat, name in enumerate(players):
            end = place + len(name)
            if name and written.startswith(name, place) and (end == len(written) or written[end] == ","):
                rest = ways.get(end + 1, []) or (ways.get(end + 2, []) if written[end : end + 2] == ", " else [])
                readings += [(seat, *way) for way in rest]
        if readings:
            ways[place] = readings[:2]
    return ways.get(0, [])


# --- cards, numbers, dates --------------------------------------------------------------------------------------------


def read_card(text: str) -> str | None:
    """Return the code of a card: `EX`, `E-X` and `EZ` are the ten of acorns; None for anything but one known card."""
    code = read_code(text.strip().replace("-", ""))
    return code if code and is_known(code) else None


def read_number(text: str) -> str | None:
    """Return the number of a game without `#` and dots, or None."""
    digits = on_one_line(text).lstrip("#").replace(".", "")
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 15 else None


_TIME = re.compile(
    r"(?i)(\d{1,2})\. ?(\d{1,2}\.|[^\W\d_]{3,9}) ?(\d{4}),?(?: um)? ?(\d{1,2}):(\d{2})(?!\d| ?[ap]\.?m\b)"
)


def read_time(text: str) -> str | None:
    """Return the moment in `15. April 2026, um 20:08` or `15.04.2026 20:08` in ISO form; the site tells no zone."""
    match = _TIME.search(on_one_line(text))
    if not match:
        return None
    month = match[2].rstrip(".").casefold()
    number = int(month) if month.isdecimal() else MONTH_NAMES.get(month, 0)
    try:
        moment = datetime(int(match[3]), number, int(match[1]), int(match[4]), int(match[5]))
    except ValueError:
        return None
    return moment.isoformat(timespec="minutes")
