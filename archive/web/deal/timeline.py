"""The deal beside the table: the step bar, the protocol, the trumps, the card points and who counts together; and as
pictures, one for each part of the step bar: what the page shows without a script."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import chain, cycle, groupby
from operator import attrgetter

from archive.cards import CODES
from archive.judge.types import Judgement
from archive.rules.titles import trick_name
from archive.settle.facts import sum_of_seats
from archive.settle.goals import levels_of
from archive.text.chalk import initials
from archive.text.wording import Texts, card_name
from archive.web.deal import model
from archive.web.deal.moves import DealView
from archive.web.deal.seats import trumps_passed

FACE_DOWN = model.HandCard("??", "", None, None)


def frames(view: DealView, table: model.DealTable, broken: Collection[str]) -> tuple[model.Frame, ...]:
    """Return the parts of a deal in order, each as its last move leaves the table; the last with the hands as they were
    dealt and what each was paid. `broken` are the moves against a rule."""
    replay, order, t = view.judgement.replay, view.moves, view.t
    seats, amounts = table.seats, {amount.seat: amount for amount in table.amounts}
    ahead = [move.id for move in order]
    parts = [(part, list(group)) for part, group in groupby(order, key=attrgetter("part"))]
    firsts = ["", *(inside[0].id for _, inside in parts), ""]
    places = dict(zip((seat.seat for seat in seats), cycle(table.around), strict=False))
    kept = bool(replay and replay.turned)
    drawn = []
    for n, (part, inside) in enumerate(parts):
        ahead, last = ahead[len(inside) :], inside[-1]
        to_come: frozenset[str | None] = frozenset(ahead)
        holder = next((move.best for move in reversed(inside) if move.card), None)
        drawn.append(
            model.Frame(
                label={"start": t["start"], "end": t["end"]}.get(part, part),
                part=part,
                hands=tuple(
                    [
                        _hand_at(seat, places[seat.seat], last, to_come, amounts.get(seat.seat), t, kept)
                        for seat in seats
                    ]
                ),
                trick=tuple(trick_cards(inside, places, broken, holder)),
                moves=tuple(inside),
                before=firsts[n],
                after=firsts[n + 2],
                on_table=open_after(table.blind, to_come) if kept else (),
                talon=open_after(table.talon, to_come) if table.talon else (),
            )
        )
    return tuple(drawn)


def _hand_at(
    seat: model.Seat,
    place: str,
    move: model.Move,
    ahead: Set[str | None],
    amount: model.SeatAmount | None,
    t: Texts,
    kept: bool,
) -> model.HandAt:
    """Return a player after a move, before those `ahead`; in the end with the hand as it was dealt, or as it was
    `kept`."""
    is_end = move.part == "end"
    as_dealt = is_end and not kept
    points, tricks = move.won.get(seat.seat, (0, 0))
    return model.HandAt(
        seat.name,
        place,
        tuple([mark for mark in seat.marks if mark.since not in ahead or (mark.secret and "g" not in ahead)]),
        tuple(
            [
                card if is_end or card.opened is None or (card.opened and card.opened not in ahead) else FACE_DOWN
                for card in seat.cards
                if (not card.since if as_dealt else card.since not in ahead and (not card.until or card.until in ahead))
            ]
        ),
        t["won_in_one" if tricks == 1 else "won_in"].format(points=points, tricks=tricks) if tricks else "",
        amount if is_end else None,
        seat.pile if is_end else (),
    )


def open_after(cards: Sequence[model.HandCard], ahead: Set[str | None]) -> tuple[model.HandCard, ...]:
    """Return the cards on the table before the moves `ahead`, face down if nobody has seen them."""
    there = [card for card in cards if card.since not in ahead and (not card.until or card.until in ahead)]
    return tuple(card if card.opened and card.opened not in ahead else FACE_DOWN for card in there)


def trick_cards(
    moves: Iterable[model.Move], places: Mapping[int, str], broken: Collection[str], taker: int | None
) -> list[model.PlayedCard]:
    """Return the cards among some moves of one trick, as they lie at the `places` of their seats."""
    cards = [move for move in moves if move.card and move.seat in places]
    return [
        model.PlayedCard(
            move.id, move.card or "", move.say, places[move.seat or 0], n == 0, taker == move.seat, move.id in broken
        )
        for n, move in enumerate(cards)
    ]


def bar_segments(view: DealView) -> tuple[model.Segment, ...]:
    parts, names, sides, t = [], view.judgement.session.players, view.sides, view.t
    for part, group in groupby(view.moves, key=attrgetter("part")):
        inside = list(group)
        take = inside[-1].take
        label = {"start": t["start"], "end": t["end"]}.get(part, part)
        parts.append(
            model.Segment(
                label,
                tuple(move.id for move in inside),
                str(take[1]) if take else "",
                names[take[0]] if take else "",
                sides.get(take[0], "") if take else "",
                any(move.flag for move in inside),
            )
        )
    return tuple(parts)


def timeline_rows(view: DealView, broken: Collection[str]) -> tuple[model.TimelineRow, ...]:
    """Return the protocol: calls as a line of links, each trick as a row. `broken` are the moves against a rule."""
    active, sides = view.judgement.replay.active if view.judgement.replay else (), view.sides
    both = {"us", "them"} == set(sides.values())
    rows: list[model.TimelineRow] = []
    for part, group in groupby(view.moves, key=attrgetter("part")):
        inside = list(group)
        if spoken := tuple(move for move in inside if not move.card):
            rows.append(model.TimelineRow("", links=spoken))
        cards = [move for move in inside if move.card]
        if not cards:
            continue
        last = cards[-1]
        played = trick_cards(cards, dict.fromkeys(active, ""), broken, last.take[0] if last.take else None)
        cell = {move.seat: card for move, card in zip(cards, played, strict=True)}
        side = sides.get(last.take[0], "") if last.take else ""
        won_by = [[won[0] for seat, won in last.won.items() if sides.get(seat) == each] for each in ("us", "them")]
        score = " : ".join(str(sum(points)) for points in won_by) if both else ""
        points = last.take[1] if last.take else None
        rows.append(
            model.TimelineRow(part, tuple(cell.get(seat) for seat in active), side, points, trick_name(points), score)
        )
    return tuple(rows)


LONGEST_INITIALS = 3


def owner_initials(names: Sequence[str]) -> tuple[str, ...]:
    """Return the initials of each player if there is room for three letters: as few as distinguish the name from the
    others, else the number of the seat."""
    return tuple(
        short if len(short) <= LONGEST_INITIALS and short.isalnum() else str(seat)
        for seat, short in enumerate(initials(names), 1)
    )


def trump_list(view: DealView) -> tuple[model.Trump, ...]:
    """Return the trumps of a deal, highest first."""
    judgement, table, t = view.stored, view.table, view.t
    replay, deal, names = judgement.replay, judgement.deal, judgement.session.players
    if table is None or replay is None or not replay.steps:
        return ()
    played = {step.card: f"t{step.trick}.{step.place}" for step in replay.steps}
    owner = {card: seat for seat, hand in enumerate(replay.held) for card in hand or ()}
    owner |= {step.card: step.seat for step in replay.steps}
    opened: dict[str, str] = {}
    if replay.talon:  # whose holders, and those of the cards exchanged with it, are not known from the start
        exchanged = chain(*[act.cards for act in replay.talon.acts if act.verb == "takes-trump"])
        opened = {card: played.get(card, "") for card in {*(deal.talon or ()), *exchanged}}
    for seat in replay.active:
        opened |= view.opened.get(seat, {})
    seen, unseen = trumps_passed(judgement) if deal.exchange else ({}, set())
    opened |= seen
    short, settled = owner_initials(names), judgement.settlement
    runners = abs(settled.runners or 0) if settled and settled.runners_paid else 0
    return tuple(
        model.Trump(
            code=code,
            name=card_name(code, t),
            owner=names[owner[code]] if code in owner else "",
            initials=short[owner[code]] if code in owner else "",
            seat=owner.get(code),
            played=played.get(code),
            runner=place < runners,
            opened=opened.get(code),
            is_unseen=code in unseen,
        )
        for place, code in enumerate(CODES[number] for number in table.trumps)
    )


def doublings(view: DealView) -> tuple[tuple[str, str], ...]:
    """Return the knocks and doublings in order, each with who and when, and its move."""
    names, t = view.judgement.session.players, view.t
    rows = []
    for move in view.moves:
        if move.seat is not None and move.id[0] in "ckd":
            doubled, knocked = ("doubled_when", "knocked_when") if move.when else ("doubled", "knocked")
            text = t[doubled if move.id[0] == "d" else knocked]
            rows.append((text.format(what=move.call, name=names[move.seat], when=move.when), move.id))
    return tuple(rows)


def point_groups(judgement: Judgement) -> tuple[model.PointGroup, ...]:
    """Return the sides if there are two, else each player alone."""
    replay = judgement.replay
    if replay is None or not replay.steps:
        return ()
    active = replay.active
    us, them, unknown = (
        tuple(seat for seat in active if replay.sides[seat] == side) for side in ("declarer", "defence", None)
    )
    us = tuple(sorted(us, key=lambda seat: seat != replay.declarer))
    if us and them:
        parts = [(us, "us"), (them, "them"), *([(unknown, "")] if unknown else [])]
    else:
        parts = [((seat,), "us" if seat == replay.declarer else "") for seat in active]

    return tuple(_group(judgement, seats, side) for seats, side in parts)


def lonely_points(judgement: Judgement) -> tuple[model.PointGroup, ...]:
    """Return each player alone, if a seat may not know the partner until the called card lies on the table."""
    return tuple(_group(judgement, (seat,), "") for seat in judgement.replay.active) if judgement.replay else ()


def _group(judgement: Judgement, seats: tuple[int, ...], side: str) -> model.PointGroup:
    names, replay = judgement.session.players, judgement.replay
    points, tricks = (replay.points, replay.tricks_won) if replay else ((), ())
    totals = sum_of_seats(points, seats), sum_of_seats(tricks, seats)
    return model.PointGroup(seats, tuple(names[seat] for seat in seats), side, *totals)


def are_two_sides(groups: Sequence[model.PointGroup]) -> bool:
    """Return whether two sides played against each other, and the card points of both are known."""
    return [group.side for group in groups] == ["us", "them"] and None not in {group.points for group in groups}


def score_of_sides(view: DealView) -> str:
    """Return the card points of the two sides, with those that the rules give a side if the play was broken off."""
    replay, settled, groups = view.judgement.replay, view.judgement.settlement, view.groups
    given_up = replay is not None and replay.ending is not None and replay.ending.taken is not None
    if given_up and settled and settled.side_points is not None:
        return f"{settled.side_points} : {view.total - settled.side_points}"
    return " : ".join(str(group.points) for group in groups) if are_two_sides(groups) else ""


def levels_on_bar(view: DealView) -> tuple[model.PointMark, ...]:
    """Return the marks on the points bar: where the declarer's side is safe, wins, makes Schneider."""
    judgement, total = view.judgement, view.total
    rules, game = judgement.ruleset, judgement.deal.game
    if rules is None or game is None or rules.contracts[game.contract].goal not in ("points", "reach-bid"):
        return ()
    marks: tuple[tuple[str, int], ...]
    if rules.contracts[game.contract].goal == "reach-bid":
        marks = () if game.bid is None else (("wins", game.bid),)
    elif rule := rules.house.marks:
        is_first = judgement.before.game_deals == 0
        needs = rule.first if is_first else rule.chalk
        both = ("needs_chalk", needs), ("needs_none", total + 1 - needs)
        marks = (("wins", needs),) if is_first and not rule.chalk_card else both  # nobody has the card yet
    else:
        house = levels_of(judgement.deal, rules)
        marks = ("safe", total - house.schneider_against + 1), ("wins", house.win), ("is_schneider", house.schneider)
    return tuple(model.PointMark(view.t[key].format(at=at), at, round(100 * at / total, 1)) for key, at in marks)
