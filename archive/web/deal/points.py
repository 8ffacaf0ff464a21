"""The card points of a deal on its page: who counts together, the score, and the marks on the bar."""

from collections.abc import Sequence

from archive.judge.types import Judgement
from archive.settle.facts import sum_of_seats
from archive.settle.goals import levels_of
from archive.text.wording import Texts
from archive.web.deal.model import PointGroup, PointMark


def point_groups(judgement: Judgement) -> tuple[PointGroup, ...]:
    """Return the sides if there are two, else each player alone."""
    replay = judgement.replay
    if replay is None or not replay.steps:
        return ()
    active = replay.active
    us = tuple(seat for seat in active if replay.sides[seat] == "declarer")
    us = tuple(sorted(us, key=lambda seat: seat != replay.declarer))
    them = tuple(seat for seat in active if replay.sides[seat] == "defence")
    unknown = tuple(seat for seat in active if replay.sides[seat] is None)
    if us and them:
        parts = [(us, "us"), (them, "them"), *([(unknown, "")] if unknown else [])]
    else:
        parts = [((seat,), "us" if seat == replay.declarer else "") for seat in active]

    return tuple(_group(judgement, seats, side) for seats, side in parts)


def lonely_points(judgement: Judgement) -> tuple[PointGroup, ...]:
    """Return each player alone, if a seat may not know the partner until the called card lies on the table."""
    return tuple(_group(judgement, (seat,), "") for seat in judgement.replay.active) if judgement.replay else ()


def _group(judgement: Judgement, seats: tuple[int, ...], side: str) -> PointGroup:
    names, replay = judgement.session.players, judgement.replay
    points, tricks = (replay.points, replay.tricks_won) if replay else ((), ())
    totals = sum_of_seats(points, seats), sum_of_seats(tricks, seats)
    return PointGroup(seats, tuple(names[seat] for seat in seats), side, *totals)


def are_two_sides(groups: Sequence[PointGroup]) -> bool:
    """Return whether two sides played against each other, and the card points of both are known."""
    return [group.side for group in groups] == ["us", "them"] and None not in {group.points for group in groups}


def score_of_sides(judgement: Judgement, groups: Sequence[PointGroup], total: int) -> str:
    """Return the card points of the two sides, with those that the rules give a side if the play was broken off."""
    replay, settled = judgement.replay, judgement.settlement
    given_up = replay is not None and replay.ending is not None and replay.ending.taken is not None
    if given_up and settled and settled.side_points is not None:
        return f"{settled.side_points} : {total - settled.side_points}"
    return " : ".join(str(group.points) for group in groups) if are_two_sides(groups) else ""


def levels_on_bar(judgement: Judgement, total: int, t: Texts) -> tuple[PointMark, ...]:
    """Return the marks on the points bar: where the declarer's side is safe, wins, makes Schneider."""
    rules, game = judgement.ruleset, judgement.deal.game
    if rules is None or game is None or rules.contracts[game.contract].goal not in ("points", "reach-bid"):
        return ()
    if rules.contracts[game.contract].goal == "reach-bid":
        bid = game.bid
        return () if bid is None else (PointMark(t["wins"].format(at=bid), bid, round(100 * bid / total, 1)),)
    rule = rules.house.marks
    if rule:
        needs = rule.first if judgement.before.game_deals == 0 else rule.chalk
        both: tuple[tuple[str, int], ...] = (("needs_chalk", needs), ("needs_none", total + 1 - needs))
        if judgement.before.game_deals == 0 and not rule.chalk_card:  # nobody has it yet
            both = (("wins", needs),)
        return tuple(PointMark(t[key].format(at=at), at, round(100 * at / total, 1)) for key, at in both)
    house = levels_of(judgement.deal, rules)
    marks = (("safe", total - house.schneider_against + 1), ("wins", house.win), ("is_schneider", house.schneider))
    return tuple(PointMark(t[key].format(at=at), at, round(100 * at / total, 1)) for key, at in marks)
