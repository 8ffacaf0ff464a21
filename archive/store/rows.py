"""A judgement as rows: what every table holds of one deal, computed once so that no query has to.

Each function gives the rows of one table as tuples in the order of its columns, without the deal's number in front.
"""

import json
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

from archive.audit.sentences import say_missing, say_reason
from archive.audit.types import ENGINE, Judgement
from archive.cards import CODES, mask
from archive.play.words import is_tout
from archive.record import Deal, Finding, Session
from archive.rules import TRUMP, Ruleset, Tables, tables
from archive.settle.rounds import in_force
from archive.settle.totals import added

Row = tuple[Any, ...]


def deal_row(found: Judgement, session: int, ruleset: int | None, states: tuple[str, str]) -> Row:
    """The columns of `deals` from `session_id` on; `states` are the texts of what lies on the table around it."""
    deal, played, settled, game = found.deal, found.replay, found.settlement, found.deal.game
    return (
        session,
        found.number,
        ruleset,
        ENGINE,
        game.contract if game else None,
        game.suit if game else None,
        game.called if game else None,
        is_tout(deal) if game else None,
        " ".join(game.words) or None if game else None,
        game.bid if game else None,
        None if deal.round is None else " ".join(deal.round),
        len(played.playing) or None if played else None,
        seat(played.dealer if played else deal.dealer),
        seat(played.declarer if played else game.declarer if game else None),
        seat(played.partner if played else deal.partner),
        seat(settled.loser if settled else None),
        count(deal.knocks),
        count(deal.doubles),
        *((getattr(settled, name) for name in FACTS) if settled else (None,) * len(FACTS)),
        found.verdict,
        None if found.verdict == "agrees" else say_reason(found),
        listed(say_missing(found) or None),
        states[0],
        deal.cut,
        None if (rounds := in_force(deal, found.before)) is None else " ".join(rounds),
        states[1],
        max(settled.marks) if settled and settled.marks else None,
        seat(settled.chalk) if settled else None,
        deal.note,
    )


FACTS = (
    "won",
    "side_points",
    "side_tricks",
    "schneider",
    "schwarz",
    "runners",
    "runners_paid",
    "base",
    "schneider_amount",
    "schwarz_amount",
    "runners_amount",
    "multiplier",
    "price",
    "pot",
)


# The columns of `sessions` that say what is in its head.
TOLD = ("event", "date", "place", "recorder", "unit", "rules", "list", "origin", "licence", "url", "note")
HEAD = (*TOLD, "table_name", "inferred", "judged_by")


def head_row(head: Session, under: Session, named: str | None = None) -> Row:
    """A session as recorded, with what was inferred by the time its first deal was judged, and by which rules it was
    where these are others than those `named` by the deal or the head. `under` is the head that it was judged under."""
    told = (getattr(head, key) for key in TOLD)
    other = None if under.rules == (named or head.rules) else under.rules
    return *told, head.table, listed(under.inferred), other


def seat_rows(found: Judgement, players: Mapping[str, int]) -> Iterable[Row]:
    deal, played, settled = found.deal, found.replay, found.settlement
    dealt = played.dealt if played else deal.hands
    held = played.held if played else deal.held
    payments, marks = (settled.payments, settled.marks) if settled else (None, None)
    all_marks = added(found.before.marks, marks)
    ranked = ranking(found)
    for at, name in enumerate(found.session.players):
        hand, kept = entry(dealt, at), entry(held, at)
        side = played.sides[at] if played else None
        yield (
            at + 1,
            players[name],
            played.playing.index(at) + 1 if played and at in played.playing else None,
            cards(hand),
            None if kept is None or (hand is not None and sorted(kept) == sorted(hand)) else cards(kept),
            None if side is None or side == "alone" else side == "declarer",
            entry(played.points, at) if played else None,
            entry(played.tricks_won, at) if played else None,
            at in settled.winners if settled and settled.winners and side is not None else None,
            entry(payments, at),
            entry(found.after.totals, at),
            entry(marks, at),
            entry(all_marks, at),
            *trumps_of(ranked, kept),
        )


def of_rules(ruleset: Ruleset, name: str, suit: str | None) -> Row:
    """A contract of a ruleset, in a suit."""
    row = ruleset.contracts[name]
    unknown = row.trump == "named" and suit is None
    ranked = None if unknown else tables(ruleset, name, suit)
    return (
        name,
        suit or "",
        row.title,
        row.declarer,
        row.parties,
        row.goal,
        row.exchange,
        " ".join(CODES[number] for number in ranked.trumps) if ranked else None,
        ranked.lords.bit_count() if ranked else None,
    )


def ranking(found: Judgement) -> Tables | None:
    """The trumps of the game that was played; None where there is none, or its suit is not known."""
    game, ruleset = found.deal.game, found.ruleset
    row = ruleset.contracts.get(game.contract) if game and ruleset else None
    if game is None or ruleset is None or row is None or (row.trump == "named" and game.suit is None):
        return None
    return tables(ruleset, game.contract, game.suit, game.called)


def trumps_of(ranked: Tables | None, hand: tuple[str, ...] | None) -> tuple[int | None, int | None]:
    """How many trumps, and how many lords of them, a hand has; None where a card of it is not known."""
    if ranked is None or hand is None or (bits := mask(hand)).bit_count() != len(hand):
        return None, None
    return (bits & ranked.groups[TRUMP]).bit_count(), (bits & ranked.lords).bit_count()


def call_rows(deal: Deal) -> Iterable[Row]:
    return ((n, each.seat + 1, each.call) for n, each in enumerate(deal.auction or (), 1))


def exchange_rows(deal: Deal) -> Iterable[Row]:
    rows = enumerate(deal.exchange or (), 1)
    return ((n, seat(each.giver), seat(each.taker), " ".join(each.cards)) for n, each in rows)


def double_rows(deal: Deal) -> Iterable[Row]:
    """Knocks first, since they are made before the play, then Kontra and what follows it."""
    knocks = deal.knocks if isinstance(deal.knocks, tuple) else ()
    doubles = deal.doubles if isinstance(deal.doubles, tuple) else ()
    for n, knocker in enumerate(knocks, 1):
        yield n, knocker + 1, "knock", None, None
    for n, each in enumerate(doubles, len(knocks) + 1):
        yield n, each.seat + 1, each.word, each.trick, each.card


def event_rows(deal: Deal) -> Iterable[Row]:
    rows = enumerate(deal.events or (), 1)
    return ((n, each.seat + 1, each.verb, each.moment, each.arg, seat(each.by)) for n, each in rows)


def trick_rows(found: Judgement) -> Iterable[Row]:
    """Leaders are the record's where nothing was replayed."""
    tricks, played = found.deal.tricks or (), found.replay
    computed = zip(played.leaders, played.winners, played.trick_points, strict=True) if played else ()
    for n, (trick, facts) in enumerate(zip_longest(tricks, computed), 1):
        if trick is not None:
            leader, winner, points = facts or (trick.leader, None, None)
            yield n, seat(leader), seat(winner), points, " ".join(trick.cards)


def stated_rows(deal: Deal) -> Iterable[Row]:
    """One row where the source states anything."""
    said = deal.stated
    if said is None:
        return
    steps = ((each.kind, each.count, each.amount) for each in said.steps or ())
    yield (
        said.points if isinstance(said.points, int) else None,
        said.points_against,
        listed(said.points) if isinstance(said.points, tuple) else None,
        said.tricks if isinstance(said.tricks, int) else None,
        listed(said.tricks) if isinstance(said.tricks, tuple) else None,
        listed(seats(said.winners)),
        said.won,
        seat(said.partner),
        seat(said.loser),
        listed(seats(said.virgins) if isinstance(said.virgins, tuple) else said.virgins),
        said.schneider,
        said.schwarz,
        said.runners,
        None
        if said.steps is None
        else ", ".join(" ".join(str(part) for part in step if part is not None) for step in steps),
        said.price,
        listed(said.payments),
        listed(said.totals),
        said.stock,
        listed(said.marks),
        said.result,
    )


def finding_row(found: Finding) -> Row:
    """The columns of `findings` from `rule` on."""
    return found.rule, found.severity, found.message, found.source.line if found.source else None, found.at


def correction_rows(deal: Deal) -> Iterable[Row]:
    return ((each.by, each.when, each.why, None, listed(each.set)) for each in deal.correction or ())


def ruling_rows(deal: Deal) -> Iterable[Row]:
    return ((each.by, each.when, each.why, listed(each.payments), each.cite) for each in deal.ruling or ())


# --- values ---------------------------------------------------------------------------------------------------------


def seat(at: int | None) -> int | None:
    """A seat as people count: from 1."""
    return None if at is None else at + 1


def seats(told: tuple[int, ...] | None) -> list[int] | None:
    return None if told is None else [at + 1 for at in told]


def entry(per_seat: tuple[Any, ...] | None, at: int) -> Any:
    """A seat's entry; None where there is none, since the number of entries in a record is the record's."""
    return per_seat[at] if per_seat is not None and at < len(per_seat) else None


def cards(hand: tuple[str, ...] | None) -> str | None:
    return None if hand is None else " ".join(hand)


def count(told: tuple[Any, ...] | int | None) -> int | None:
    return len(told) if isinstance(told, tuple) else told


def listed(value: Any) -> str | None:
    """A list or table as JSON text."""
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
