"""The one setting that explains most of the differing deals of a session, and makes no agreeing one differ."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from archive.explain.house_variants import readings, with_setting
from archive.explain.search import amounts_fit, differing_values, stated_values_of
from archive.explain.types import Change, SessionExplained, SessionReading
from archive.judge.judge_deal import judge
from archive.judge.types import Judgement, case_of
from archive.say import Message, message

MOST = 20  # readings that are tried on the whole session


def explain_session(judgements: Sequence[Judgement]) -> SessionExplained:
    """The readings of the house by which deals of a session that differ would agree, the best first: what explains
    most, and of those what breaks fewest. Readings that break as many as they explain are left out."""
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
    good.sort(key=lambda each: (bool(each.breaks), -len(each.explains), len(each.breaks), each.change.cost))
    return SessionExplained(tuple(good), differ, result_of_session(good, differ))


def fitting_readings(judgement: Judgement) -> list[Change]:
    """The readings that alone give what one deal states."""
    case = case_of(judgement)
    if case is None or judgement.deal.stated is None:
        return []
    stated = stated_values_of(case)
    if "amounts" not in differing_values(case, stated):
        return []
    return [change for change, after in readings(case, judgement.session) if amounts_fit(after, stated)]


def try_reading(judgements: Sequence[Judgement], change: Change) -> SessionReading:
    """A reading tried on every deal, each with what lay on the table before it; a pot runs on as the reading has it."""
    explains: list[int] = []
    breaks: list[int] = []
    stay: list[int] = []
    pot: Any = None  # how much more lies in it than was judged
    for judgement in judgements:
        before = judgement.before
        if pot and before.stock is not None:
            before = replace(before, stock=max(0, before.stock + pot))
        now = judge(
            with_setting(judgement.session, change.setting, change.value), judgement.deal, judgement.number, before
        )
        if judgement.after.stock is not None and now.after.stock is not None:
            pot = now.after.stock - judgement.after.stock
        if judgement.verdict == "differs":
            (explains if now.verdict == "agrees" else stay).append(judgement.number)
        elif judgement.verdict == "agrees" and now.verdict != "agrees":
            breaks.append(judgement.number)
    return SessionReading(change, tuple(explains), tuple(stay), tuple(breaks))


def result_of_session(good: list[SessionReading], differ: tuple[int, ...]) -> Message:
    """That the best reading explains so many deals, and which of them still differ."""
    if not differ:
        return message("explain.no-deal-differs")
    if not good:
        return message("explain.no-setting")
    best = good[0]
    facts = {"change": best.change.message, "n": len(best.explains), "all": len(differ)}
    if not best.stay:
        return Message("explain.setting-explains-all", facts)
    return Message("explain.setting-explains-some", facts | {"deals": best.stay})
