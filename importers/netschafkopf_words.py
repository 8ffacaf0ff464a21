"""The German of a NetSchafkopf log: what was played, who won it and what it cost, read from lines already found."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from archive.record import Game, PriceStep, Stated

SUITS = {"Eichel": "E", "Grün": "G", "Herz": "H", "Schellen": "S"}
_GRAS = r"Gr(?:[^\x00-\x7f]{1,3}|\\x[0-9a-f]{2}|u\u0308|ue|\?)n"  # `Grün` in whatever an encoding made of it
_SUIT = f"Eichel|{_GRAS}|Herz|Schellen"
_DASH = "[-‐‑–]"
GAME = (
    rf"(?:Mit der (?P<called>{_SUIT}){_DASH}Ass?"
    rf"|(?:(?P<solo>{_SUIT}){_DASH}Solo|(?:(?P<suit>{_SUIT}){_DASH})?(?P<kind>Wenz|Geier))"
    r"(?P<tout> Tout)?)"
)

# The steps of a price, in the only order the program prints them; each amount includes all steps before it.
STEPS = tuple(
    (kind, re.compile(rf" ?{pattern} (?P<amount>\d{{1,9}}) Punkte?\."))
    for kind, pattern in (
        ("base", r"(?:Das Rufspiel|Das Einzelspiel|Der Ramsch) kostet"),
        ("schneider", r"Mit Schneider"),
        ("schwarz", r"Mit Schwarz"),
        ("runners", r"(?P<side>Mit|Ohne) (?P<count>\d{1,9}) Laufenden?"),
        ("knocks", r"(?P<count>\d{1,9}) mal aufgedoppelt"),
        ("doubles", r"(?P<count>\d{1,9}) mal gespritzt"),
        ("tout", r"Doppelt f\S{1,5}r Tout"),
        ("virgins", r"Mit (?P<count>\d{1,9}) mal Jungfrau"),
    )
)
THROWN_IN = re.compile(
    r"Der Erste und der Letzte zahlen an die beiden anderen Spieler (?P<amount>\d{1,9}) Punkte?, "
    r"weil sie nicht gespielt haben\."
)


class SeatNames(NamedTuple):
    """The players, in the order of the totals' columns; `owner` is the seat that the log calls `Du`."""

    players: tuple[str, ...]
    owner: int

    def seat(self, name: str) -> int | None:
        """Return the seat of a player, or None for a name that is not at the table."""
        if name in self.players:
            return self.players.index(name)
        return self.owner if name in ("Du", "dir") else None


def read_game(parts: Mapping[str, Any], table: SeatNames) -> Game:
    """Return the game by the parts of a contract line or of the verdict. `-Wenz` after a suit is a Farbwenz."""
    declarer = table.seat(parts["name"]) if parts["name"] else None
    words = ("tout",) if parts.get("tout") else ()
    if called := _suit(parts["called"]):
        return Game("rufspiel", declarer, suit=called, called=called + "A")
    if suit := _suit(parts["solo"]):
        return Game("solo", declarer, suit=suit, words=words)
    if parts["kind"]:
        suit = _suit(parts["suit"])
        return Game(("farb" if suit else "") + parts["kind"].lower(), declarer, suit=suit, words=words)
    return Game("none" if parts["ramsch"] == "zusammengeworfen" else "ramsch")


def _suit(written: str | None) -> str | None:
    """Return the suit that a word of the program names, which are four: only one begins with these two letters."""
    return next((suit for word, suit in SUITS.items() if written and word[:2] == written[:2]), None)


@cache
def _verdicts(players: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of the verdict on a game with a declarer, and on a Ramsch, with the names of this table."""
    who = "|".join(map(re.escape, sorted(players, key=len, reverse=True)))
    return re.compile(
        rf"(?P<name>{who}|Du) (?P<verb>gewinns?t|verliers?t) (?:das Rufspiel: |das |den ){GAME}"
        rf"(?: mit (?P<mate>{who}|dir))?"
        r"(?:\. Die Gegner haben (?P<against>\d{1,9}) Augen)?\.?"
    ), re.compile(
        rf"(?P<name>{who}|Du) verliers?t den Ramsch(?:\. (?P=name) ha(?:t|st) (?P<points>\d{{1,9}}) Augen)?"
        r"(?:\. Bei Augengleichheit verliert, wer den h\S{1,5}heren Ober hatte)?"
        rf"(?P<virgins>(?:\. (?:{who}|Du) (?:ist|bist) Jungfrau)*)\.?"
    )


def read_sentences(text: str, game: Game, table: SeatNames) -> tuple[Stated, int]:
    """Return the stated values of the joined sentences, and the place up to which they are understood: 0 if they tell
    of another game."""
    if game.contract == "none":
        match = THROWN_IN.match(text)
        if not match:
            return Stated(), 0
        step = PriceStep("thrown-in", int(match["amount"]), text=match[0])
        return Stated(steps=(step,), result=match[0]), match.end()
    verdict = _verdicts(table.players)[game.contract == "ramsch"].match(text)
    if verdict and game.declarer is not None and read_game(verdict.groupdict(), table) != game:
        return Stated(), 0
    steps, end = list[PriceStep](), verdict.end() if verdict else 0
    for kind, pattern in STEPS:
        if (steps or kind == "base") and (match := pattern.match(text, end)):
            count = match.groupdict().get("count")
            steps.append(PriceStep(kind, int(match["amount"]), int(count) if count else None, match[0].strip()))
            end = match.end()
    return (_stated_ramsch if game.contract == "ramsch" else _stated_values)(verdict, tuple(steps), game, table), end


def _stated_values(verdict: re.Match[str] | None, steps: tuple[PriceStep, ...], game: Game, table: SeatNames) -> Stated:
    """Return the stated values of verdict and price. A Schneider that the price of a game does not name was not paid;
    runners that it does not name may still have been held, so nothing is stated about them."""
    parts = verdict.groupdict() if verdict else {}
    by_kind = {step.kind: step for step in steps}
    levels = bool(steps) and "tout" not in game.words
    runners = by_kind.get("runners", PriceStep("runners", 0))
    return Stated(
        points_against=int(parts["against"]) if parts.get("against") else None,
        won=parts["verb"].startswith("gewinn") if parts else None,
        partner=table.seat(parts["mate"]) if parts.get("mate") else None,
        schneider="schneider" in by_kind if levels else None,
        schwarz="schwarz" in by_kind if levels else None,
        runners=-runners.count if runners.count and (runners.text or "").startswith("Ohne") else runners.count,
        steps=steps or None,
        result=verdict[0] if verdict else None,
    )


def _stated_ramsch(verdict: re.Match[str] | None, steps: tuple[PriceStep, ...], _: Game, table: SeatNames) -> Stated:
    """Return the loser of a Ramsch, his points and the virgins; only their count if the verdict does not name them."""
    count = next((step.count for step in steps if step.kind == "virgins"), None)
    if not verdict:
        return Stated(steps=steps or None, virgins=count)
    loser, points = table.seat(verdict["name"]), int(verdict["points"]) if verdict["points"] else None
    names = re.findall(r"\. (.+?) b?ist Jungfrau", verdict["virgins"])
    virgins = tuple(seat for name in names if (seat := table.seat(name)) is not None)
    return Stated(
        points=None if points is None else tuple(points if seat == loser else None for seat in range(4)),
        loser=loser,
        virgins=virgins if virgins or not count else count,
        steps=steps or None,
        result=verdict[0],
    )
