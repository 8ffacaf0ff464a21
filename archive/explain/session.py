"""The one setting, or the one slip made all evening, that explains most of the differing deals of a session, and makes
no agreeing one differ."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from archive.explain.account import Account, amounts_of
from archive.explain.habits import HABITS, Habit
from archive.explain.house_variants import with_setting
from archive.explain.scene import Vector, scene_of
from archive.explain.search import explain
from archive.explain.sheet import gained_by_totals
from archive.explain.types import Change, SessionExplained, SessionReading, rows
from archive.explain.writing_slips import fits
from archive.judge.from_facts import with_plainest_play
from archive.judge.judge_deal import judge
from archive.judge.types import Judgement, case_of
from archive.record import Session
from archive.say import Message, message

MOST = 20  # readings that are tried on the whole session


def explain_session(judgements: Sequence[Judgement]) -> SessionExplained:
    """The readings of the house by which deals of a session that differ would agree, the best first: what explains
    most, where one that it breaks weighs as much as two. Readings that break as many as they explain are left out."""
    differ = tuple(each.number for each in judgements if each.verdict == "differs")
    votes: Counter[bytes] = Counter()
    changes: dict[bytes, Change] = {}
    for judgement in judgements:
        for change in fitting_readings(judgement) if judgement.verdict == "differs" else ():
            key = msgspec.json.encode([change.setting, change.value])
            votes[key] += 1
            changes.setdefault(key, change)
    order = sorted(votes, key=lambda key: (-votes[key], changes[key].cost))
    good: list[SessionReading] = []
    for key in order[:MOST]:
        each = try_reading(judgements, changes[key])
        good += [each] if len(each.explains) > len(each.breaks) else []
        if each.explains == differ and not each.breaks:  # none can be better, and those that follow are less likely
            break
    written = list(accounts(judgements))
    for habit in HABITS if len(differ) > 1 else ():
        each = try_habit(written, habit)
        good += [each] if len(each.explains) > max(1, len(each.breaks)) else []
    good.sort(key=lambda each: (2 * len(each.breaks) - len(each.explains), len(each.breaks), each.change.cost))
    return SessionExplained(tuple(good), differ, result_of_session(good, differ))


def fitting_readings(judgement: Judgement) -> list[Change]:
    """The readings that alone give what one deal states."""
    singles = [each for each in explain(judgement).explanations if len(each.changes) == 1]
    ways = [changes[0] for each in singles for changes in (each.changes, *each.ways)]
    return [change for change in ways if change.kind == "reading" and change.setting]


def try_reading(judgements: Sequence[Judgement], change: Change) -> SessionReading:
    """A reading tried on every deal; with another tariff prices apart stay or go, whichever is better."""
    readings = [try_session(judgements, change, with_setting)]
    if change.setting == "tariff":
        readings.append(try_session(judgements, change, with_tariff_alone))
    return max(readings, key=lambda each: len(each.explains) - 2 * len(each.breaks))


def with_tariff_alone(session: Session, key: str, value: Any) -> Session:
    """The head of a session with another tariff, and its prices apart as they are."""
    return replace(session, house={**(session.house or {}), key: value})


def try_session(
    judgements: Sequence[Judgement], change: Change, under: Callable[[Session, str, Any], Session]
) -> SessionReading:
    """A session judged under another setting, each deal with what lay on the table before it; a pot runs on as the
    reading has it."""
    explains: list[int] = []
    breaks: list[int] = []
    stay: list[int] = []
    pot: Any = None  # how much more lies in it than was judged
    for judgement in judgements:
        before = judgement.before
        if pot and before.stock is not None:
            before = replace(before, stock=max(0, before.stock + pot))
        now = judge(under(judgement.session, change.setting, change.value), judgement.deal, judgement.number, before)
        if judgement.after.stock is not None and now.after.stock is not None:
            pot = now.after.stock - judgement.after.stock
        if judgement.verdict == "differs":
            (explains if now.verdict == "agrees" else stay).append(judgement.number)
        elif judgement.verdict == "agrees" and now.verdict != "agrees":
            breaks.append(judgement.number)
    return SessionReading(change, tuple(explains), tuple(stay), tuple(breaks))


Written = tuple[int, bool, Account | None, Vector | None]  # number, whether it differs, account, what is stated


def accounts(judgements: Sequence[Judgement]) -> Iterator[Written]:
    """The account of each deal, and the amounts that are stated of it."""
    for judgement in judgements:
        case = case_of(judgement)
        if case is not None and judgement.verdict in ("agrees", "differs"):
            scene = scene_of(judgement, with_plainest_play(case) if judgement.basis == "facts" else case, ())
            stated = scene.stated_paid or gained_by_totals(scene)
            yield judgement.number, judgement.verdict == "differs", scene.account, stated


def try_habit(written: Sequence[Written], habit: Habit) -> SessionReading:
    """A slip as if it had been made in every deal."""
    explains: list[int] = []
    breaks: list[int] = []
    stay: list[int] = []
    for number, differs, account, stated in written:
        if stated is None or account is None:
            stay += [number] if differs else []
            continue
        paid = amounts_of(habit.reckon(account))
        fit = paid is not None and fits(paid, stated)
        if differs:
            (explains if fit else stay).append(number)
        elif not fit:
            breaks.append(number)
    of = rows().cause[habit.cause]
    clause = Message(f"explain.{habit.row}")
    change = Change(habit.cause, of.kind, of.cost, message("explain.offered", clause=clause), clause=clause)
    return SessionReading(change, tuple(explains), tuple(stay), tuple(breaks))


def result_of_session(good: list[SessionReading], differ: tuple[int, ...]) -> Message:
    """That the best reading explains so many deals, and which of them still differ."""
    if not differ:
        return message("explain.no-deal-differs")
    if not good:
        return message("explain.no-setting")
    best = good[0]
    facts = {"change": best.change.message, "n": len(best.explains), "all": len(differ)}
    if not best.stay and best.breaks:
        broken = {"deals": best.breaks, "broken": len(best.breaks)}
        return Message("explain.setting-explains-and-breaks", facts | broken)
    if not best.stay:
        return Message("explain.setting-explains-all", facts)
    return Message("explain.setting-explains-some", facts | {"deals": best.stay, "still": len(best.stay)})
