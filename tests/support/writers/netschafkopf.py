"""Our deals as a log of NetSchafkopf: the text of its window, hard-wrapped as the program does it.

Points, price and totals are those that our rules compute; the log does not name the players who knocked or doubled.
"""

from functools import cache
from textwrap import wrap

from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.record import Deal, PriceStep, Session, Stated
from support.forty import forty

SUITS = {"E": "Eichel", "G": "Grün", "H": "Herz", "S": "Schellen"}
VERSION = "8.00, Update 07.09.20"
OWNER = 3  # the seat of the owner of the log
WIDTH = 70


@cache
def evening() -> dict[int | None, Judgement]:
    """Return our deals, judged, by number: a log has the totals after each."""
    return {found.deal.no: found for found in judge_session(*forty())}


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return one log, in the encoding of the program."""
    day = "{2}.{1}.{0}".format(*(head.date or "").removeprefix("20").split("-"))
    lines = ["Standard", f"gespielt von {head.players[OWNER]} am {day} mit Version {VERSION}.", " "]
    for deal in deals:
        lines += [*_deal(head.players, evening()[deal.no]), " "]
    return ["\r\n".join([*lines, ""]).encode("cp1252")]


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    """Return what a log has of a deal."""
    session = Session(
        players=head.players, rules="bavarian", date=head.date, recorder=head.players[OWNER], unit="P",
        table="Standard", origin=f"NetSchafkopf Version {VERSION}",
    )  # fmt: skip
    return session, Deal(
        no=deal.no,
        dealer=deal.dealer,
        hands=deal.hands,
        knocks=_count(deal.knocks),
        game=deal.game,
        doubles=_count(deal.doubles),
        tricks=deal.tricks,
        stated=_stated(head.players, evening()[deal.no]),
    )


def _count(said: tuple[object, ...] | int | None) -> int:
    return len(said) if isinstance(said, tuple) else said or 0


def _deal(players: tuple[str, ...], found: Judgement) -> list[str]:
    """Return the lines of a deal."""
    deal, stated = found.deal, _stated(players, found)
    assert deal.dealer is not None
    room = max(map(len, players)) + 4
    order = [(deal.dealer + n) % 4 for n in (1, 2, 3, 4)]
    hands = [f"{players[seat]:>{room}} hat: {' '.join((deal.hands or ())[seat] or ())}" for seat in order]
    tricks = [f"{players[t.leader or 0]:>{room}} spielt aus: {' '.join(t.cards)}" for t in deal.tricks or ()]
    heading = "".join(f"{name:>{room}}" for name in players)
    totals = "".join(f"{total:>+{room}}" if total else f"{0:>{room}}" for total in stated.totals or ())
    price = " ".join(step.text or "" for step in stated.steps or ())
    return [
        f"Geber: {players[deal.dealer]}",
        *hands,
        _game(players, found),
        *tricks,
        *_wrapped(stated.result or ""),
        *_wrapped(price),
        f"Spiel    Preis{heading}    Stock",
        f"{deal.no:>5}{stated.price:>9}{totals}{stated.stock:>9}",
    ]


def _wrapped(text: str) -> list[str]:
    """Return a text wrapped at blanks, each of which stays before its break."""
    lines = wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return [*(f"{line} " for line in lines[:-1]), *lines[-1:]]


def _played(found: Judgement) -> str:
    """Return the game as the program words it."""
    game = found.deal.game
    tout = " Tout" * ("tout" in game.words)
    if game.contract == "rufspiel":
        return f"Mit der {SUITS[game.suit or '']}-Ass"
    kind = game.contract.removeprefix("farb").capitalize()
    return (f"{SUITS[game.suit]}-{kind}" if game.suit else kind) + tout


def _game(players: tuple[str, ...], found: Judgement) -> str:
    game = found.deal.game
    if game.declarer is None:
        return "Es wurde Ramsch gespielt."
    return f"{players[game.declarer]} spielt {_played(found)}"


def _stated(players: tuple[str, ...], found: Judgement) -> Stated:
    """Return what the program states of the result."""
    game, settled, steps = found.deal.game, found.settlement, _steps(found)
    told = Stated(
        steps=steps, price=steps[-1].amount, totals=found.after.totals, stock=0, result=_verdict(players, found)
    )
    if game.declarer is None:
        points = tuple(settled.side_points if seat == settled.loser else None for seat in range(4))
        return _with(told, points=points, loser=settled.loser, virgins=())
    kinds, tout = {step.kind: step for step in steps}, "tout" in game.words
    against = None if settled.side_points is None or tout else 120 - settled.side_points
    return _with(
        told,
        points_against=against,
        won=settled.won,
        partner=found.replay.partner if found.replay else None,
        schneider=None if tout else "schneider" in kinds,
        schwarz=None if tout else "schwarz" in kinds,
        runners=settled.runners if "runners" in kinds else None,
    )


def _with(told: Stated, **more: object) -> Stated:
    return Stated(**{key: getattr(told, key) for key in told.__struct_fields__} | more)  # type: ignore[arg-type]


def _verdict(players: tuple[str, ...], found: Judgement) -> str:
    """Return who won or lost; the owner of the log is `Du` and `dir`."""
    game, settled = found.deal.game, found.settlement
    if game.declarer is None:
        assert settled.loser is not None
        mine = settled.loser == OWNER
        who = "Du" if mine else players[settled.loser]
        verb, have = ("verlierst", "hast") if mine else ("verliert", "hat")
        return f"{who} {verb} den Ramsch. {who} {have} {settled.side_points} Augen"
    who = "Du" if game.declarer == OWNER else players[game.declarer]
    verb = ("gewinn" if settled.won else "verlier") + ("st" if game.declarer == OWNER else "t")
    article = {"rufspiel": "das Rufspiel:", "solo": "das"}.get(game.contract, "den")
    partner = found.replay.partner if found.replay else None
    mate = "" if partner is None else f" mit {'dir' if partner == OWNER else players[partner]}"
    against = "" if "tout" in game.words else f". Die Gegner haben {120 - (settled.side_points or 0)} Augen"
    return f"{who} {verb} {article} {_played(found)}{mate}{against}"


def _steps(found: Judgement) -> tuple[PriceStep, ...]:
    """Return the price, step by step."""
    game, settled, deal = found.deal.game, found.settlement, found.deal
    assert settled.payments
    ramsch, tout = game.declarer is None, "tout" in game.words
    name = "Das Rufspiel" if game.contract == "rufspiel" else "Der Ramsch" if ramsch else "Das Einzelspiel"
    price = settled.price if settled.price is not None else max(abs(paid or 0) for paid in settled.payments) // 3
    knocks, doubles, runners = _count(deal.knocks), _count(deal.doubles), settled.runners or 0
    last = price >> (knocks + doubles)
    parts: list[tuple[str, int | None, int, str]] = []  # kind, count, price after it, words
    extras = (
        ("schneider", settled.schneider_amount or 0, None, "Mit Schneider"),
        ("schwarz", settled.schwarz_amount or 0, None, "Mit Schwarz"),
        ("runners", settled.runners_amount or 0, abs(runners),
         f"{'Mit' if runners > 0 else 'Ohne'} {abs(runners)} Laufende"),
    )  # fmt: skip
    now = last - sum(amount for _, amount, _, _ in extras)
    parts.append(("base", None, now, f"{name} kostet"))
    for kind, amount, count, words in extras:
        if amount:
            now += amount
            parts.append((kind, count, now, words))
    for kind, count, words in (("knocks", knocks, "aufgedoppelt"), ("doubles", doubles, "gespritzt")):
        if count:
            now <<= count
            parts.append((kind, count, now, f"{count} mal {words}"))
    if tout:
        parts.append(("tout", None, now, "Doppelt für Tout"))
    return tuple(PriceStep(kind, amount, count, f"{words} {amount} Punkte.") for kind, count, amount, words in parts)
