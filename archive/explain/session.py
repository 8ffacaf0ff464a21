"""The one setting, or the one slip, that explains most of the differing deals of a session: all evening, from a deal
on, or up to a deal; and the deals that it would break."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from archive.explain.account import amounts_of
from archive.explain.habits import LINES, Habit, Row, habits_at, line_from
from archive.explain.house_variants import with_setting
from archive.explain.scene import Vector, change_of, scene_of
from archive.explain.search import fitting_steps
from archive.explain.sheet import gained_by_totals
from archive.explain.types import Change, SessionExplained, SessionReading, offer_by, rows
from archive.explain.writing_slips import fits
from archive.judge.from_facts import with_plainest_play
from archive.judge.judge_deal import judge
from archive.judge.sentences import faces_of
from archive.judge.types import Judgement, case_of
from archive.record import Session
from archive.say import Message, message

MOST = 20  # readings that are tried on the whole session
LEFT = 5.0  # how much less likely a reading is for each deal that it leaves unexplained,
BROKEN = 10.0  # for each that agrees and would differ,
PART = 3.0  # and if it holds for a part of a session alone


def explain_session(judgements: Sequence[Judgement]) -> SessionExplained:
    """Return the readings of the house, and the slips, by which differing deals of a session would agree, the likeliest
    first. Each is tried on the whole session, from each deal on and up to each deal. Those that break as many deals as
    they explain are left out."""
    differ = tuple(each.number for each in judgements if each.verdict == "differs")
    votes: Counter[bytes] = Counter()
    changes: dict[bytes, Change] = {}
    for judgement in judgements:
        slips = fitting_steps(judgement) if judgement.verdict == "differs" else ()
        for change in (change_of(slip) for slip in slips if slip.setting[0]):
            key = msgspec.json.encode([change.setting, change.value])
            votes[key] += 1
            changes.setdefault(key, change)
    order = sorted(votes, key=lambda key: (-votes[key], changes[key].cost))
    good: list[SessionReading] = []
    is_whole = False
    for key in order[:MOST]:
        if is_whole and votes[key] < len(differ):  # none of those that follow can be as good
            break
        each = try_reading(judgements, changes[key])
        good += [each] if len(each.explains) > len(each.breaks) else []
        is_whole = is_whole or (each.explains == differ and not each.breaks)
    if len(differ) > 1:
        tried = try_habits(list(written_rows(judgements)), judgements[0].session.players)
        good += [each for each in tried if len(each.explains) > max(1, len(each.breaks))]
    good.sort(key=lambda each: (each.weight, len(each.breaks)))
    faces = next(map(faces_of, judgements), "german")
    return SessionExplained(tuple(good), differ, result_of_session(good, differ), faces)


# --- parts of a session -----------------------------------------------------------------------------------------------


class Tried(Struct, frozen=True):
    """A deal under a change: whether it differs by the rules, and whether it agrees with the change."""

    number: int
    differs: bool
    fits: bool


def best_part(change: Change, tried: Sequence[Tried], when: Callable[[Change, str, int], Change]) -> SessionReading:
    """Return a change in the part of a session where it is likeliest: all of it, from a deal on, or up to one."""
    explained = [each.number for each in tried if each.differs and each.fits]
    whole = reading_of(change, tried, None, None)
    if not whole.breaks or len(explained) < 2:
        return whole
    parts = [reading_of(change, tried, number, None) for number in explained[:-1]]
    parts += [reading_of(change, tried, None, number) for number in explained[1:]]
    best = min((whole, *parts), key=lambda each: each.weight)
    if best.since is None and best.until is None:
        return best
    end, number = ("since", best.since) if best.since is not None else ("until", best.until)
    return replace(best, change=when(change, end, number or 0))


def reading_of(change: Change, tried: Sequence[Tried], since: int | None, until: int | None) -> SessionReading:
    """Return a change in one part of a session, with the deals that it explains, leaves and breaks there."""
    explains: list[int] = []
    stay: list[int] = []
    breaks: list[int] = []
    for each in tried:
        holds = (since is None or each.number >= since) and (until is None or each.number <= until)
        if each.differs:
            (explains if holds and each.fits else stay).append(each.number)
        elif holds and not each.fits:
            breaks.append(each.number)
    weight = change.cost + LEFT * len(stay) + BROKEN * len(breaks) + PART * (since is not None or until is not None)
    return SessionReading(change, tuple(explains), tuple(stay), tuple(breaks), since, until, weight)


# --- readings of the house --------------------------------------------------------------------------------------------


def in_part(change: Change, end: str, number: int) -> Change:
    """Return a reading that holds from a deal on, or up to one."""
    clause = Message(f"explain.{end}-deal", {"n": number, "clause": change.clause})
    return replace(change, message=Message(offer_by(change.basis), {"clause": clause}), clause=clause)


def try_reading(judgements: Sequence[Judgement], change: Change) -> SessionReading:
    """Return a reading tried on every deal; with another tariff, separate prices stay or go, whichever is better."""
    ways: list[Under] = [with_setting]
    if change.setting == "tariff":
        ways.append(lambda session, key, value: replace(session, house={**(session.house or {}), key: value}))
    return min((try_session(judgements, change, under) for under in ways), key=lambda each: each.weight)


Under = Callable[[Session, str, Any], Session]


def try_session(judgements: Sequence[Judgement], change: Change, under: Under) -> SessionReading:
    """Return a reading in the part of a session where it is likeliest. If a pot would continue differently from there,
    the part is judged once more."""
    best = best_part(change, list(judged_under(judgements, change, under)), in_part)
    if best.since is None and best.until is None:
        return best
    again = list(judged_under(judgements, change, under, best.since, best.until))
    return replace(reading_of(change, again, best.since, best.until), change=best.change)


def judged_under(
    judgements: Sequence[Judgement], change: Change, under: Under, since: int | None = None, until: int | None = None
) -> Iterator[Tried]:
    """Yield each deal of a session under another setting, with the table before it; a pot continues as the reading has
    it."""
    pot: Any = None  # how much more lies in it than was judged
    for judgement in judgements:
        differs, agrees = judgement.verdict == "differs", judgement.verdict == "agrees"
        if (since is not None and judgement.number < since) or (until is not None and judgement.number > until):
            yield Tried(judgement.number, differs, not differs)
            continue
        before = judgement.before
        if pot and before.stock is not None:
            before = replace(before, stock=max(0, before.stock + pot))
        now = judge(under(judgement.session, change.setting, change.value), judgement.deal, judgement.number, before)
        if judgement.after.stock is not None and now.after.stock is not None:
            pot = now.after.stock - judgement.after.stock
        yield Tried(judgement.number, differs, now.verdict == "agrees" or not (differs or agrees))


# --- habits -----------------------------------------------------------------------------------------------------------


def written_rows(judgements: Sequence[Judgement]) -> Iterator[Row]:
    """Yield each deal that has amounts, by the rules and as stated."""
    for judgement in judgements:
        case = case_of(judgement)
        if case is not None and judgement.verdict in ("agrees", "differs"):
            scene = scene_of(judgement, with_plainest_play(case) if judgement.basis == "facts" else case, ())
            stated = scene.stated_paid or gained_by_totals(scene)
            yield Row(judgement.number, judgement.verdict == "differs", scene.account, scene.paid, stated)


def try_habits(written: Sequence[Row], players: Sequence[str]) -> Iterator[SessionReading]:
    """Yield every slip as if it had been made in every deal, in the part of the session where it is likeliest."""
    for habit in habits_at(players):
        would = [None if row.account is None else amounts_of(habit.reckon(row.account)) for row in written]
        yield try_habit(written, would, habit)
    for name, by in LINES:
        would = [line_from(written, place, by) for place in range(len(written))]
        yield try_habit(written, would, Habit("neighbour", name, lambda account: account))


def try_habit(written: Sequence[Row], would: Sequence[Vector | None], habit: Habit) -> SessionReading:
    """Return a slip that would make these amounts."""
    tried = [
        Tried(
            row.number, row.differs, not row.differs if None in (row.stated, row.account) else is_written_by(row, paid)
        )
        for row, paid in zip(written, would, strict=True)
    ]
    of = rows().cause[habit.cause]

    def change_when(when: Message) -> Change:
        clause = Message(f"explain.{habit.row}", habit.facts | {"when": when})
        return Change(habit.cause, of.kind, of.cost, message("explain.offered", clause=clause), clause=clause)

    return best_part(
        change_when(message("explain.all-evening")),
        tried,
        lambda _, end, number: change_when(Message(f"explain.when-{end}", {"n": number})),
    )


def is_written_by(row: Row, paid: Vector | None) -> bool:
    """Return whether a slip that makes these amounts gives the stated ones. If those are the amounts by the rules, a
    deal that differs does so in something else, which no such slip explains."""
    stated = row.stated or ()
    return is_written(paid, stated) and not (row.differs and is_written(row.paid, stated))


def is_written(paid: Vector | None, stated: Vector) -> bool:
    """Return whether amounts are the stated ones."""
    return paid is not None and None not in paid and fits(tuple(own or 0 for own in paid), stated)


# --- the whole --------------------------------------------------------------------------------------------------------


def result_of_session(good: list[SessionReading], differ: tuple[int, ...]) -> Message:
    """Return a message on how many deals the best reading explains, which of them still differ, and which others would
    then."""
    if not differ:
        return message("explain.no-deal-differs")
    if not good:
        return message("explain.no-setting")
    best = good[0]
    facts: dict[str, Any] = {"change": best.change.message, "n": len(best.explains), "all": len(differ)}
    broken = {"deals": best.breaks, "broken": len(best.breaks)}
    if not best.stay:
        id = "explain.setting-explains-and-breaks" if best.breaks else "explain.setting-explains-all"
        return Message(id, facts | (broken if best.breaks else {}))
    facts |= {"deals": best.stay, "still": len(best.stay)}
    if not best.breaks:
        return Message("explain.setting-explains-some", facts)
    facts |= {"others": best.breaks, "broken": len(best.breaks)}
    return Message("explain.setting-explains-some-and-breaks", facts)
