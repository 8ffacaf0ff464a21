"""A judgement as rows: what every table holds of one deal, computed once so that no query has to.

Each function returns the rows of one table, each value by the name of its column, without the number of the deal.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, repeat, zip_longest
from operator import attrgetter
from typing import Any

from archive.cards import BIT, CODES
from archive.judge.decisive_facts import decisive_facts
from archive.judge.sentences import say_missing, say_reason
from archive.judge.types import ENGINE, Judgement, declaring_seats
from archive.play.tricks import deal_tables, turned_suit
from archive.play.types import Act, Draw
from archive.record import TOUTS, Deal, Finding, Ruling, Session, evidence_text
from archive.rules import TRUMP, Ruleset, Tables, tables
from archive.say import to_plain
from archive.settle.rounds import in_force
from archive.settle.rulings import amounts_in_force, effective_payments, is_paid, paid_for_deal
from archive.settle.types import add_per_seat, coalesce
from archive.store.ledger_states import States
from archive.store.row_values import cards_text, entry_of, message_json, numbers_json, seat, seats, to_json

Row = dict[str, Any]
AFTER_TRICK = 99  # the place of a draw at a talon: after every card of a trick


def derived_rows(
    judgement: Judgement, session: int, ruleset: int | None, players: Sequence[int], states: States, begins: bool
) -> dict[str, Sequence[Row]]:
    """Return the rows that the rules make of a deal, by table, parents first; `players` are the archive's numbers of
    those at the table, `begins`: the deal is the first of its session in the archive."""
    deal = judgement.deal
    dealer = judgement.replay.dealer if judgement.replay else deal.dealer
    restated = deal.stated is not None and deal.stated.totals is not None
    texts = states.write(session, judgement.before, judgement.after, dealer, restated, begins)
    return {
        "deals": (deal_row(judgement, session, ruleset, texts),),
        "seats": seat_rows(judgement, players),
        "calls": call_rows(deal),
        "exchanges": exchange_rows(deal),
        "doubles": double_rows(deal),
        "events": event_rows(deal),
        "tricks": trick_rows(judgement),
        "turns": turn_rows(deal),
        "talon_acts": talon_rows(judgement),
        "stated": stated_rows(deal),
    }


def deal_row(judgement: Judgement, session: int, ruleset: int | None, states: tuple[str, str]) -> Row:
    """Return the row of `deals` without its id; `states` are the texts of the ledger before and after it."""
    deal, played, settled, game = judgement.deal, judgement.replay, judgement.settlement, judgement.deal.game
    rounds, (declarer, partner) = in_force(deal, judgement.before), declaring_seats(judgement)
    return {
        "session_id": session,
        "number": judgement.number,
        "ruleset_id": ruleset,
        "engine": ENGINE,
        "contract": game.contract if game else None,
        "suit": game.suit if game else None,
        "called": game.called if game else None,
        "tout": not TOUTS.isdisjoint(game.words) if game else None,
        "words": " ".join(game.words) or None if game else None,
        "bid": game.bid if game else None,
        "round": None if deal.round is None else " ".join(deal.round),
        "players": len(played.playing) or None if played else None,
        "dealer": seat(played.dealer if played else deal.dealer),
        "declarer": seat(declarer),
        "partner": seat(partner),
        "loser": seat(settled.loser if settled else None),
        "knocks": len(deal.knocks) if isinstance(deal.knocks, tuple) else deal.knocks,
        "doubles": len(deal.doubles) if isinstance(deal.doubles, tuple) else deal.doubles,
        **dict(zip(SETTLED, SETTLED_VALUES(settled) if settled else NOT_SETTLED, strict=True)),
        "verdict": judgement.verdict,
        "reason": None if judgement.verdict == "agrees" else say_reason(judgement),
        "missing": to_json(say_missing(judgement)) if judgement.missing else None,
        "state": states[0],
        "cut": deal.cut,
        "rounds": None if rounds is None else " ".join(rounds),
        "state_after": states[1],
        "marks": max(settled.marks) or min(settled.marks) if settled and settled.marks else None,
        "chalk": seat(settled.chalk) if settled else None,
        "note": deal.note,
        "reason_facts": None if judgement.verdict == "agrees" else message_json(judgement.reason),
        "missing_facts": message_json(judgement.missing) if judgement.missing else None,
        "deciding": to_json(to_plain(decisive_facts(judgement))) if judgement.verdict == "undecidable" else None,
        "basis": judgement.basis,
        "unwritten": message_json(judgement.unwritten) if judgement.unwritten else None,
    }


SETTLED = (  # columns of `deals` that a settlement has under the same name
    "won", "side_points", "side_tricks", "schneider", "schwarz", "runners", "runners_paid", "base", "schneider_amount",
    "schwarz_amount", "runners_amount", "multiplier", "price", "pot", "runner_count",
)  # fmt: skip
SETTLED_VALUES, NOT_SETTLED = attrgetter(*SETTLED), (None,) * len(SETTLED)
HEAD = ("event", "date", "place", "recorder", "unit", "rules", "list", "origin", "licence", "url", "note")


def head_row(head: Session, judged_as: Session, named: str | None = None) -> Row:
    """Return the columns of `sessions` that come from its head: as recorded, with what was inferred by its first deal,
    and the rules it was judged by if these differ from those `named` by the deal or the head. `judged_as` is the head
    that it was judged under."""
    return {
        **{key: getattr(head, key) for key in HEAD},
        "table_name": head.table,
        **inferred_columns(judged_as),
        "judged_by": None if judged_as.rules == (named or head.rules) else judged_as.rules,
    }


def inferred_columns(head: Session) -> Row:
    """Return the columns of `sessions` with what was inferred instead of read: as texts, and as ids with facts."""
    if head.inferred is None:
        return {"inferred": None, "inferred_facts": None}
    texts = [evidence_text(entry) for entry in head.inferred]
    return {"inferred": to_json(texts), "inferred_facts": to_json(to_plain(head.inferred))}


def seat_rows(judgement: Judgement, players: Sequence[int]) -> list[Row]:
    """Return the rows of `seats`; `players` are the archive's numbers of those at the table."""
    deal, played, settled = judgement.deal, judgement.replay, judgement.settlement
    payments, marks = (settled.payments, settled.marks) if settled else (None, None)
    playing, shown = played.playing if played else (), effective_payments(deal, settled)
    paid = paid_for_deal(deal, len(players), settled)
    single = not (deal.stated and deal.stated.of_list)  # the sum of a whole list is no deal won
    by_payment = sides_by_payment(judgement, shown) if None in (played.sides if played else ()) else ()
    ranked = trump_tables(judgement)
    per_seat: tuple[Sequence[Any] | None, ...] = (
        played.dealt if played else deal.hands,
        played.held if played else deal.held,
        played.sides if played else None,
        played.points if played else None,
        played.tricks_won if played else None,
        payments,
        marks,
        coalesce(judgement.after.totals, judgement.after.settled),
        add_per_seat(judgement.before.marks, marks),
        amounts_in_force(deal, len(players), settled, judgement.before),
    )
    every = islice(zip_longest(players, *[each or () for each in per_seat]), len(players))
    rows: list[Row] = []
    for at, (player, hand, held, side, points, tricks, payment, mark, total, marks_total, amount) in enumerate(every):
        if side is None:  # who is paid shows the sides
            declaring = entry_of(by_payment, at)
            sits_out = played is not None and bool(played.active) and at not in played.active
            takes_part = (entry_of(paid, at) or entry_of(shown, at)) and not sits_out  # a ruling may pay nothing
            won = is_paid(paid, at, settled) if takes_part and single else None
        else:
            declaring = None if side == "alone" else side == "declarer"
            won = is_paid(paid, at, settled)
        trumps, lords = trumps_of(ranked, held)
        row = {
            "seat": at + 1,
            "player_id": player,
            "place": playing.index(at) + 1 if at in playing else None,
            "dealt": cards_text(hand),
            "held": None if held == hand or (held and hand and sorted(held) == sorted(hand)) else cards_text(held),
            "declaring": declaring,
            "points": points,
            "tricks": tricks,
            "won": won,
            "payment": payment,
            "total": total,
            "marks": mark,
            "marks_total": marks_total,
            "trumps": trumps,
            "lords": lords,
            "amount": amount,
        }
        rows.append(row)
    return rows


def sides_by_payment(judgement: Judgement, paid: tuple[int | None, ...] | None) -> tuple[bool | None, ...]:
    """Return for each seat whether it is on the declarer's side, which is paid as the declarer is; None if it is paid
    nothing or sits out. Empty if nobody can tell: if not as many are paid so as the contract has on that side."""
    deal, played, rules = judgement.deal, judgement.replay, judgement.ruleset
    declarer = entry_of(paid, played.declarer) if played else None
    if played is None or paid is None or not declarer or (deal.stated and deal.stated.of_list):
        return ()
    out = [bool(played.active) and seat not in played.active for seat in range(len(paid))]
    own = tuple((each > 0) == (declarer > 0) if each and not gone else None
                for each, gone in zip(paid, out, strict=True))  # fmt: skip
    row = rules.contracts.get(deal.game.contract) if rules and deal.game else None
    sizes = (1, 2) if row is None else (1,) if row.parties == "alone" else (2,)
    return own if sum(each is True for each in own) in sizes else ()


def contract_row(ruleset: Ruleset, name: str, suit: str | None) -> Row:
    """Return the row of `contracts` of a contract in a suit, without the number of the ruleset."""
    row = ruleset.contracts[name]
    unknown = row.trump in ("named", "turned") and suit is None
    ranked = None if unknown else tables(ruleset, name, suit)
    return {
        "contract": name,
        "suit": suit or "",
        "title": row.title,
        "declarer": row.declarer,
        "parties": row.parties,
        "goal": row.goal,
        "exchange": row.exchange,
        "trumps": " ".join(CODES[number] for number in ranked.trumps) if ranked else None,
        "lords": ranked.lords.bit_count() if ranked else None,
    }


def trump_tables(judgement: Judgement) -> Tables | None:
    """Return the trumps of the game that was played; None if there is none, or its suit is not known."""
    deal, game, ruleset = judgement.deal, judgement.deal.game, judgement.ruleset
    row = ruleset.contracts.get(game.contract) if game and ruleset else None
    if game is None or ruleset is None or row is None or (row.trump == "named" and game.suit is None):
        return None
    return None if row.trump == "turned" and turned_suit(deal, row) is None else deal_tables(ruleset, deal, row)


def trumps_of(ranked: Tables | None, hand: tuple[str, ...] | None) -> tuple[int | None, int | None]:
    """Return how many trumps and how many lords a hand has; both None if a card of it is not known."""
    if ranked is None or hand is None:
        return None, None
    bits = sum(map(BIT.get, hand, repeat(0)))
    if bits.bit_count() != len(hand):  # a card is unknown, or occurs twice
        return None, None
    return (bits & ranked.groups[TRUMP]).bit_count(), (bits & ranked.lords).bit_count()


def call_rows(deal: Deal) -> list[Row]:
    return [{"n": n, "seat": each.seat + 1, "call": each.call} for n, each in enumerate(deal.auction or (), 1)]


def exchange_rows(deal: Deal) -> list[Row]:
    return [
        {"n": n, "giver": seat(each.giver), "taker": seat(each.taker), "cards": " ".join(each.cards)}
        for n, each in enumerate(deal.exchange or (), 1)
    ]


def double_rows(deal: Deal) -> list[Row]:
    """Return the rows of `doubles`: knocks first, since they are made before the play, then Kontra and what follows
    it."""
    knocks = deal.knocks if isinstance(deal.knocks, tuple) else ()
    doubles = deal.doubles if isinstance(deal.doubles, tuple) else ()
    by_knock = [(knocker, "knock", None, None) for knocker in knocks]
    every = by_knock + [(each.seat, each.word, each.trick, each.card) for each in doubles]
    return [
        {"n": n, "seat": at + 1, "word": word, "trick": trick, "card": card}
        for n, (at, word, trick, card) in enumerate(every, 1)
    ]


def event_rows(deal: Deal) -> list[Row]:
    return [
        {"n": n, "seat": each.seat + 1, "verb": each.verb, "moment": each.moment, "arg": each.arg,
         "by_seat": seat(each.by)}
        for n, each in enumerate(deal.events or (), 1)
    ]  # fmt: skip


def trick_rows(judgement: Judgement) -> list[Row]:
    """Return the rows of `tricks`; leaders come from the record if nothing was replayed."""
    tricks, played = judgement.deal.tricks or (), judgement.replay
    facts: list[tuple[int | None, int | None, int | None]] = []
    if played:
        facts += zip(played.leaders, played.winners, played.trick_points, strict=True)
    facts += [(trick.leader, None, None) for trick in tricks[len(facts) :]]
    return [
        {
            "trick": n,
            "leader": None if leader is None else leader + 1,
            "winner": None if winner is None else winner + 1,
            "points": points,
            "cards": " ".join(trick.cards),
        }
        for n, (trick, (leader, winner, points)) in enumerate(zip(tricks, facts, strict=False), 1)
    ]


def turn_rows(deal: Deal) -> list[Row]:
    return [
        {"number": number, "seat": seat(each.seat), "source": each.source, "target": each.target or None,
         "cards": " ".join(each.cards) or None}
        for number, each in enumerate(deal.turns or (), 1)
    ]  # fmt: skip


def talon_rows(judgement: Judgement) -> list[Row]:
    """Return the rows of `talon_acts`: draws and acts in the order in which they were done."""
    talon = judgement.replay.talon if judgement.replay else None
    if talon is None:
        return []
    done: list[Act | Draw] = [*talon.acts, *talon.draws]
    done.sort(key=lambda each: (each.trick, each.place if isinstance(each, Act) else AFTER_TRICK))
    return [
        {"n": n, "seat": each.seat + 1, **(draw_row(each) if isinstance(each, Draw) else act_row(each))}
        for n, each in enumerate(done, 1)
    ]


def draw_row(draw: Draw) -> Row:
    """Return the columns of a drawn card."""
    of_act = {"act": "draws", "trick": draw.trick, "card": None, "cards": draw.card}
    return {**of_act, "given": None, "points": None, "talon_left": draw.left}


def act_row(act: Act) -> Row:
    """Return the columns of an act."""
    given, cards = (act.cards[:1], act.cards[1:]) if act.verb == "takes-trump" else ((), act.cards)
    return {
        "act": act.verb,
        "trick": act.trick,
        "card": act.place,
        "cards": " ".join(cards) or None,
        "given": " ".join(given) or None,
        "points": act.points if act.verb == "marriage" else None,
        "talon_left": act.left,
    }


def stated_rows(deal: Deal) -> list[Row]:
    """Return one row of `stated`; none if the source states nothing."""
    stated = deal.stated
    if stated is None:
        return []
    steps = (" ".join(str(part) for part in (step.kind, step.count, step.amount) if part is not None)
             for step in stated.steps or ())  # fmt: skip
    row = {
        "points": stated.points if isinstance(stated.points, int) else None,
        "points_against": stated.points_against,
        "seat_points": numbers_json(stated.points) if isinstance(stated.points, tuple) else None,
        "tricks": stated.tricks if isinstance(stated.tricks, int) else None,
        "seat_tricks": numbers_json(stated.tricks) if isinstance(stated.tricks, tuple) else None,
        "winners": numbers_json(seats(stated.winners)),
        "won": stated.won,
        "partner": seat(stated.partner),
        "loser": seat(stated.loser),
        "virgins": numbers_json(seats(stated.virgins) if isinstance(stated.virgins, tuple) else stated.virgins),
        "schneider": stated.schneider,
        "schwarz": stated.schwarz,
        "runners": stated.runners,
        "steps": None if stated.steps is None else ", ".join(steps),
        "price": stated.price,
        "payments": numbers_json(stated.payments),
        "totals": numbers_json(stated.totals),
        "stock": stated.stock,
        "marks": numbers_json(stated.marks),
        "result": stated.result,
        "runner_count": stated.runner_count,
        "of_list": stated.of_list,
        "deals": stated.deals,
        "wins": numbers_json(stated.wins),
        "solos": numbers_json(stated.solos),
        "touts": numbers_json(stated.touts),
    }
    return [row]


def finding_row(finding: Finding) -> Row:
    """Return the columns of `findings` that the finding itself gives."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "line": finding.source.line if finding.source else None,
        "moment": finding.at,
        "facts": None if finding.text else to_json({key: to_plain(fact) for key, fact in finding.facts.items()}),
    }


def correction_rows(deal: Deal) -> Iterable[Row]:
    for row in deal.correction or ():
        yield {"author": row.by, "made_at": row.when, "why": row.why, "before": None, "after": to_json(row.set)}


def ruling_rows(deal: Deal) -> Iterable[Row]:
    return map(ruling_row, deal.ruling or ())


def ruling_row(row: Ruling) -> Row:
    why = {"why": row.why, "cite": row.cite}
    return {"author": row.by, "made_at": row.when, **why, "payments": to_json(row.payments), "kind": row.kind}
