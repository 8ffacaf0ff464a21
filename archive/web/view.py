"""From a judgement to its page: pure functions that word, sort and count what the engine found."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import msgspec

from archive.audit.checks import SEATS, Pair, compared
from archive.audit.types import Judgement
from archive.cards import CODES, NUMBER, SUIT_NAMES, is_known
from archive.record import Finding, remedy
from archive.settle.types import Line
from archive.web.parts import (
    Account,
    Card,
    Found,
    Group,
    Level,
    Link,
    Mark,
    Page,
    Place,
    Played,
    Row,
    Seat,
    Segment,
    Sum,
    Trump,
)
from archive.web.steps import Move, Texts, card_name, deal_tables, moves, sentence


def signed(amount: int | None) -> str:
    """An amount with its sign, as a score sheet has it."""
    if amount is None:
        return "–"
    return f"{amount:+d}".replace("-", "−") if amount else "0"


def session_title(event: str | None, number: int, t: Texts) -> str:
    return event or t["session"].format(number=number)


def page(judgement: Judgement, place: Place, t: Texts) -> Page:
    """The deal page of a judgement. Never raises for what a record lacks: what is not known is not shown."""
    deal, replay, settled = judgement.deal, judgement.replay, judgement.settlement
    names, groups, game = judgement.session.players, _groups(judgement, t), game_title(judgement, t)
    order = moves(judgement, game, t)
    seats = _seats(judgement, order, t)
    declarer = replay.declarer if replay else deal.game.declarer if deal.game else None
    partner = replay.partner if replay else deal.partner
    called = deal.game.called if deal.game else None
    paid = (settled.payments if settled else None) or ()
    return Page(
        place=place,
        session=session_title(place.event, place.session, t),
        number=judgement.number,
        title=game,
        verdict=judgement.verdict,
        reason=judgement.reason,
        missing=judgement.missing,
        declarer=_name(names, declarer),
        partner=_name(names, partner),
        loser=_name(names, settled.loser) if settled else None,
        won=settled.won if settled else None,
        score=" : ".join(str(group.points) for group in groups) if _two_sides(groups) else "",
        extras=_extras(judgement, t),
        rules=judgement.ruleset.title if judgement.ruleset else judgement.session.rules,
        called=Card(called, card_name(called, t), None, None) if called and is_known(called) else None,
        trumps_text=_trumps_text(judgement, t),
        sits_out=tuple(names[seat] for seat in deal.sits_out or ()),
        seats=seats,
        groups=groups,
        levels=_levels(judgement, t) if _two_sides(groups) else (),
        total=_total(judgement),
        segments=_segments(order, judgement, t),
        rows=_rows(order, judgement),
        trumps=_trumps(judgement, t),
        lines=tuple(_line(line, order, names, t) for line in settled.lines) if settled else (),
        unit=judgement.session.unit or (judgement.ruleset.house.unit if judgement.ruleset else ""),
        price=settled.price if settled else None,
        payments=tuple((name, signed(paid)) for name, paid in zip(names, paid, strict=False)),
        pot=settled.pot if settled else 0,
        accounts=tuple(_accounts(judgement, t)),
        findings=tuple(_found(finding, order, t) for finding in judgement.findings),
        note=deal.note,
        source=f"{deal.source.path}:{deal.source.line}" if deal.source else "",
        replay=_json({"seat": _first_seat(judgement, seats), "seats": [seat.seat for seat in seats], "steps": order}),
    )


def _json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _name(names: Sequence[str], seat: int | None) -> str | None:
    return None if seat is None else names[seat]


def _first_seat(judgement: Judgement, seats: Sequence[Seat]) -> int:
    """The seat at the bottom of the table: the declarer's, else forehand's."""
    declarer = judgement.replay.declarer if judgement.replay else None
    active = [seat.seat for seat in seats]
    return declarer if declarer in active else next(iter(active), 0)


def game_title(judgement: Judgement, t: Texts) -> str:
    """The game in words: `Rufspiel Gras`, `Solo Herz`, `Wenz`, `thrown in`."""
    game, rules = judgement.deal.game, judgement.ruleset
    if game is None:
        return t["no_game"]
    fixed = {"none": t["thrown_in"], "misdeal": t["misdeal"]}
    if game.contract in fixed:
        return fixed[game.contract]
    contract = rules.contracts.get(game.contract) if rules else None
    words = [contract.title if contract else game.contract.capitalize(), SUIT_NAMES.get(game.suit or "")]
    return " ".join(word for word in (*words, *(word.capitalize() for word in game.words)) if word)


def runners(count: int, t: Texts) -> str:
    """Runners that were paid, with or without."""
    return t["with_runners" if count > 0 else "without_runners"].format(count=abs(count))


def _extras(judgement: Judgement, t: Texts) -> tuple[str, ...]:
    settled = judgement.settlement
    if settled is None:
        return ()
    words = [t["schwarz"] if settled.schwarz else t["schneider"] if settled.schneider else ""]
    if settled.runners_paid and settled.runners:
        words.append(runners(settled.runners, t))
    return tuple(word for word in words if word)


def _groups(judgement: Judgement, t: Texts) -> tuple[Group, ...]:
    """The sides where there are two, else each player alone."""
    replay = judgement.replay
    if replay is None or not replay.steps:
        return ()
    names, active = judgement.session.players, replay.active
    us = tuple(seat for seat in active if replay.sides[seat] == "declarer")
    us = tuple(sorted(us, key=lambda seat: seat != replay.declarer))
    them = tuple(seat for seat in active if replay.sides[seat] == "defence")
    unknown = tuple(seat for seat in active if replay.sides[seat] is None)
    if us and them:
        parts = [(us, "us"), (them, "them"), *([(unknown, "")] if unknown else [])]
    else:
        parts = [((seat,), "us" if seat == replay.declarer else "") for seat in active]

    def total(values: Sequence[int | None], seats: tuple[int, ...]) -> int | None:
        known = [value for seat in seats if (value := values[seat]) is not None]
        return sum(known) if len(known) == len(seats) else None

    return tuple(
        Group(
            seats=seats,
            names=tuple(names[seat] for seat in seats),
            side=side,
            points=total(replay.points, seats),
            tricks=total(replay.tricks_won, seats),
        )
        for seats, side in parts
    )


def _two_sides(groups: Sequence[Group]) -> bool:
    return [group.side for group in groups] == ["us", "them"] and None not in {group.points for group in groups}


def _sides(judgement: Judgement) -> dict[int, str]:
    replay = judgement.replay
    words = {"declarer": "us", "defence": "them"}
    return {seat: words.get(replay.sides[seat] or "", "") for seat in replay.active} if replay else {}


def _total(judgement: Judgement) -> int:
    table = deal_tables(judgement)
    return sum(table.points[number] for number in range(len(CODES)) if table.pack >> number & 1) if table else 120


def _levels(judgement: Judgement, t: Texts) -> tuple[Level, ...]:
    """The marks on the points bar: where the declarer's side is safe, wins, makes Schneider."""
    rules, game = judgement.ruleset, judgement.deal.game
    if rules is None or game is None or rules.contracts[game.contract].goal != "points":
        return ()
    house, total = rules.house.levels, _total(judgement)
    marks = (("safe", total - house.schneider_against + 1), ("wins", house.win), ("is_schneider", house.schneider))
    return tuple(Level(t[key].format(at=at), at, round(100 * at / total, 1)) for key, at in marks)


def _trumps_text(judgement: Judgement, t: Texts) -> str:
    rules, game, table = judgement.ruleset, judgement.deal.game, deal_tables(judgement)
    if table is None or rules is None or game is None:
        return ""
    ranks = {"O": "Ober", "U": "Unter", "K": "König"}
    contract = rules.contracts[game.contract]
    lords = [ranks.get(rank, rank) for rank in contract.lords]
    suit = game.suit if contract.trump == "named" else contract.trump
    words = [*lords, SUIT_NAMES.get(suit or "", "")]
    return t["trumps_are"].format(trumps=", ".join(filter(None, words))) if table.trumps else t["no_trumps"]


def _seats(judgement: Judgement, order: Sequence[Move], t: Texts) -> tuple[Seat, ...]:
    """The players at the table in the order of play, each with the cards that pass through the hand."""
    replay = judgement.replay
    names, sides = judgement.session.players, _sides(judgement)
    active = (
        replay.active
        if replay and replay.active
        else tuple(seat for seat in range(len(names)) if seat not in (judgement.deal.sits_out or ()))
    )
    return tuple(
        Seat(
            seat=seat,
            name=names[seat],
            side=sides.get(seat, ""),
            marks=_marks(judgement, seat, order, t),
            cards=_hand(judgement, seat, order, t),
        )
        for seat in active
    )


def _marks(judgement: Judgement, seat: int, order: Sequence[Move], t: Texts) -> tuple[Mark, ...]:
    replay, deal = judgement.replay, judgement.deal
    marks = []
    if seat == (replay.dealer if replay else deal.dealer):
        marks.append(Mark(t["dealer"], "", "start"))
    if replay and replay.active and seat == replay.active[0]:
        marks.append(Mark(t["forehand"], "", "start"))
    marks += [Mark(m.call or "", "loud", m.id) for m in order if m.seat == seat and m.id[0] in "kd" and m.call]
    if replay and seat == replay.declarer:
        marks.append(Mark(t["declarer"], "us", "g"))
    if replay and seat == replay.partner:
        called = deal.game.called if deal.game else None
        shown = next((move.id for move in order if move.card and move.card == called), "end")
        marks.append(Mark(t["partner"], "us", shown, secret=True))
    return tuple(marks)


def _hand(judgement: Judgement, seat: int, order: Sequence[Move], t: Texts) -> tuple[Card, ...]:
    """The cards of a seat, trumps first, dealt or taken up, each with the moves between which it is held."""
    replay, deal = judgement.replay, judgement.deal
    recorded = deal.hands[seat] if deal.hands else deal.held[seat] if deal.held else None
    dealt = (replay.dealt[seat] if replay else recorded) or ()
    held = (replay.held[seat] if replay else None) or dealt
    played = {move.card: move.id for move in order if move.card and move.seat == seat}
    passed = [(f"x{n}", exchange) for n, exchange in enumerate(deal.exchange or (), 1)]
    taken = {card: at for at, exchange in passed if exchange.taker == seat for card in exchange.cards}
    given = {card: at for at, exchange in passed if exchange.giver == seat for card in exchange.cards}
    cards = sorted([*dealt, *(card for card in held if card not in dealt)], key=_sort_key(judgement))
    return tuple(
        Card(card, card_name(card, t), None if card in dealt else taken.get(card), played.get(card) or given.get(card))
        for card in cards
    )


def _sort_key(judgement: Judgement) -> Any:
    table = deal_tables(judgement)
    strength = {CODES[number]: place for place, number in enumerate(table.trumps)} if table else {}
    return lambda code: (strength.get(code, 99), NUMBER.get(code, 99))


def _segments(order: Sequence[Move], judgement: Judgement, t: Texts) -> tuple[Segment, ...]:
    names, sides = judgement.session.players, _sides(judgement)
    parts = []
    for part, group in groupby(order, key=lambda move: move.part):
        inside = list(group)
        take = inside[-1].take
        label = {"start": t["start"], "end": t["end"]}.get(part, part)
        parts.append(
            Segment(
                label,
                tuple(move.id for move in inside),
                str(take[1]) if take else "",
                names[take[0]] if take else "",
                sides.get(take[0], "") if take else "",
                any(move.flag for move in inside),
            )
        )
    return tuple(parts)


def _rows(order: Sequence[Move], judgement: Judgement) -> tuple[Row, ...]:
    """The protocol: what was said as a line of links, each trick as a row."""
    sides, replay = _sides(judgement), judgement.replay
    active = replay.active if replay else ()
    broken = {f"t{step.trick}.{step.place}" for step in replay.steps if step.broken} if replay else set()
    rows: list[Row] = []
    for part, group in groupby(order, key=lambda move: move.part):
        inside = list(group)
        if said := tuple(move for move in inside if not move.card):
            rows.append(Row("", links=said))
        cards = [move for move in inside if move.card]
        if not cards:
            continue
        last = cards[-1]
        taker = last.take[0] if last.take else None
        cell = {
            move.seat: Played(
                id=move.id,
                code=move.card or "",
                name=move.say,
                lead=move is cards[0],
                took=taker == move.seat,
                broken=move.id in broken,
            )
            for move in cards
        }
        side = sides.get(last.take[0], "") if last.take else ""
        ours, theirs = (sum(won[0] for seat, won in last.won.items() if sides.get(seat) == s) for s in ("us", "them"))
        score = f"{ours} : {theirs}" if {"us", "them"} == set(sides.values()) else ""
        rows.append(
            Row(part, tuple(cell.get(seat) for seat in active), side, last.take[1] if last.take else None, score)
        )
    return tuple(rows)


def _trumps(judgement: Judgement, t: Texts) -> tuple[Trump, ...]:
    table, replay, names = deal_tables(judgement), judgement.replay, judgement.session.players
    if table is None or replay is None or not replay.steps:
        return ()
    played = {step.card: f"t{step.trick}.{step.place}" for step in replay.steps}
    owner = {card: names[seat] for seat, hand in enumerate(replay.held) for card in hand or ()}
    settled = judgement.settlement
    runners = abs(settled.runners or 0) if settled and settled.runners_paid else 0
    return tuple(
        Trump(code, card_name(code, t), owner.get(code, ""), played.get(code), place < runners)
        for place, code in enumerate(CODES[number] for number in table.trumps)
    )


def _link(to: str, order: Sequence[Move], t: Texts) -> Link | None:
    """A link to a move, named after its card or its words."""
    move = next((move for move in order if move.id == to), None)
    return Link(card_name(move.card, t) if move.card else move.say.rstrip("."), to) if move else None


def _line(line: Line, order: Sequence[Move], names: Sequence[str], t: Texts) -> Sum:
    shown = {
        "times": f"× {line.amount}",
        "at-most": f"≤ {line.amount}",
        "pot": t["pot"].format(amount=signed(line.amount)),
    }.get(line.kind, str(line.amount) if line.running == line.amount else signed(line.amount))
    proof = tuple(link for to in line.proof if (link := _link(to, order, t)))
    return Sum(line.text, shown, line.running, line.cite, ", ".join(names[seat] for seat in line.who), proof)


def _accounts(judgement: Judgement, t: Texts) -> tuple[Account, ...]:
    """Everything that the source states, beside what the rules compute for it."""
    names = judgement.session.players
    rows = []
    for pair in compared(judgement):
        if pair.key in PER_SEAT and isinstance(pair.stated, tuple):
            found = pair.computed or (None,) * len(names)
            rows += [
                _account(t[f"a_{pair.key}_of"].format(name=name), Pair(pair.key, mine, computed), names, t)
                for name, mine, computed in zip(names, pair.stated, found, strict=False)
                if mine is not None
            ]
        else:
            rows.append(_account(t[f"a_{pair.key}"], pair, names, t))
    return tuple(rows)


PER_SEAT = ("points", "tricks", "payments", "totals")


def _account(label: str, pair: Pair, names: Sequence[str], t: Texts) -> Account:
    def shown(value: Any, listed: bool = False) -> str:
        if value is None:
            return "–"
        if isinstance(value, bool):
            return t["yes"] if value else t["no"]
        if isinstance(value, tuple):
            return ", ".join(shown(each, listed=True) for each in value) or t["nobody"]
        if pair.key in SEATS and (listed or pair.key != "virgins"):  # of virgins a source may state the number only
            return str(names[value])
        return signed(value) if pair.key in ("payments", "totals") else str(value)

    return Account(label, shown(pair.stated), shown(pair.computed), pair.differs)


def _found(finding: Finding, order: Sequence[Move], t: Texts) -> Found:
    at = finding.at or ""
    to = at if not at[:1].isdigit() else f"t{at}" if "." in at else f"t{at}.1"
    place = f"{finding.source.path}:{finding.source.line}" if finding.source else ""
    message, do = sentence(finding.message), remedy(finding.rule)
    return Found(finding.rule, finding.severity, message, do, _link(to, order, t), place)
