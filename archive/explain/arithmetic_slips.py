"""Slips in reckoning: a part of the price that was forgotten, counted twice, or taken for another.

Where a slip is a line left out or written otherwise, the lines are added up again by the bill itself; where it is a
fact seen otherwise (points, tricks, the pot), the deal is settled again with that fact.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from archive.explain.rebill import line_of, rebill_lines, resettle, with_amount, with_line, without_lines
from archive.explain.types import Change, Step, change
from archive.judge.types import Case
from archive.play.game_words import is_tout
from archive.rules import Contract, Ruleset
from archive.say import Fact, Message, message
from archive.settle.facts import contract_of, least_runners, side_points
from archive.settle.goals import levels_of, pays_bonuses, points_in_play
from archive.settle.types import Part, SettlementLine

Maybe = tuple[Change, Case | None]
SAID: tuple[Part, ...] = ("knock", "kontra")
DOUBLING: tuple[Part, ...] = (*SAID, "round", "hausbock", "slip")
UNSEEN = 1.5  # less likely, where nobody knows how near the card points came
ONE_MORE = message("explain.one-more")
WORDS = {"settle.kontra": "explain.kontra", "settle.re": "explain.re"}  # any other is a doubling


def arithmetic_slips(case: Case) -> Iterator[Step]:
    """Every slip in reckoning that is possible in this deal."""
    if not case.settlement.lines:
        return
    row = case.ruleset.contracts.get(contract_of(case.deal))
    for slips in SLIPS if row else ():
        assert row
        for made, after in slips(case, row):
            if after is not None:
                yield made, after


# --- doublings --------------------------------------------------------------------------------------------------------


def _doublings(case: Case) -> list[int]:
    """The places of the lines that double for what was said, or for a round: not for the kind of game."""
    return [n for n, line in enumerate(case.settlement.lines) if line.kind == "times" and line.part in DOUBLING]


def one_missed(case: Case, row: Contract) -> Iterator[Maybe]:
    """A knock, a Kontra, a round, a Tout, a virgin that was not doubled for."""
    lines = case.settlement.lines
    for n, line in enumerate(lines):
        if line.kind != "times":
            continue
        rest = without_lines(lines, n)
        if line.part in SAID:
            several = not line.who and line.amount > 2  # their number alone is known
            rest = with_amount(lines, n, line.amount // 2) if several else rest
            cause = "knock-missed" if line.part == "knock" else "double-missed"
            facts: dict[str, Fact] = {"player": case.players[line.who[0]]} if line.who else {}
            if line.part == "kontra":
                facts["word"] = Message(WORDS.get(line.message.id, "explain.doubling"))
            yield change(cause, line.cite, row=f"{cause}-of" if line.who else cause, **facts), rebill_lines(case, rest)
        elif line.part == "tout":
            yield change("tout-missed", line.cite), rebill_lines(case, rest)
        elif line.part in DOUBLING:
            yield change("factor-missed", line.cite, what=line.message), rebill_lines(case, rest)


def all_missed(case: Case, row: Contract) -> Iterator[Maybe]:
    """All knocks, all that was said after them, or all together."""
    lines, places = case.settlement.lines, _doublings(case)
    knocks = [n for n in places if lines[n].part == "knock"]
    said = [n for n in places if lines[n].part == "kontra"]
    for several in dict.fromkeys(map(tuple, (places, knocks, said))):
        factor = _product(lines, several)
        if factor >= 4:
            yield (
                change("doublings-missed", lines[several[0]].cite, count=factor.bit_length() - 1),
                rebill_lines(case, without_lines(lines, *several)),
            )


def _product(lines: Sequence[SettlementLine], places: Sequence[int]) -> int:
    product = 1
    for place in places:
        product *= lines[place].amount
    return product


def _end(case: Case) -> int:
    """The place behind the doublings, else behind all that they double: before what is carried over, the cap, the
    pot."""
    lines = case.settlement.lines
    last = [n for n, line in enumerate(lines) if line.kind == "times" and line.part in DOUBLING]
    ends = (n for n, line in enumerate(lines) if line.kind not in ("add", "times") or line.part == "stake")
    return last[-1] + 1 if last else next(ends, len(lines))


def more_doubled(case: Case, row: Contract) -> Iterator[Maybe]:
    """One too many; added in place of multiplied; the game doubled before the rest was added."""
    lines, places = case.settlement.lines, _doublings(case)
    if case.settlement.marks is not None:
        return
    extra = SettlementLine("slip", "times", ONE_MORE, 2, None, "")
    yield change("doubling-extra"), rebill_lines(case, with_line(lines, _end(case), extra))
    factor, count = _product(lines, places), len(places)
    count = factor.bit_length() - 1
    if count >= 2 and count + 1 != factor:
        total = SettlementLine("slip", "times", ONE_MORE, count + 1, None, "")
        added = with_line(without_lines(lines, *places), places[0], total)
        yield change("doublings-added", count=count, times=count + 1), rebill_lines(case, added)
    parts = [n for n in range(1, places[0] if places else 0) if lines[n].kind == "add" and lines[n].amount]
    if parts:
        later = [lines[n] for n in parts]
        end = places[-1] + 1
        moved = [*without_lines(lines[:end], *parts), *later, *lines[end:]]
        yield change("doubled-first"), rebill_lines(case, moved)


# --- runners, Schneider, Schwarz --------------------------------------------------------------------------------------


def runners(case: Case, row: Contract) -> Iterator[Maybe]:
    """Forgotten, miscounted by one, or counted though they were too few."""
    settled, stated = case.settlement, case.deal.stated
    if case.replay.example and not (stated and (stated.runners or stated.runner_count)):
        return  # nobody knows how many there were
    count, lines = abs(settled.runners or 0), settled.lines
    sign = 1 if (settled.runners or 0) > 0 else -1
    place = runners_line(case, count)
    facts: dict[str, Any] = {"count": count}
    least = least_runners(case.ruleset, row)
    cite = lines[place].cite if place is not None else ""
    if count and place is not None and settled.runners_amount:
        each = lines[place].amount // count
        forgotten = rebill_lines(case, without_lines(lines, place), runners_paid=False)
        without = "runners-missed-without" if sign < 0 and is_signed(case) else ""
        yield change("runners-missed", cite, row=without, **facts), forgotten
        less, more = ((count + step, with_amount(lines, place, (count + step) * each)) for step in (-1, 1))
        if less[0] >= max(1, least):
            yield (
                change("runner-less", cite, written=less[0], **facts),
                rebill_lines(case, less[1], runners=sign * less[0]),
            )
        yield change("runner-more", cite, written=more[0], **facts), rebill_lines(case, more[1], runners=sign * more[0])
    elif count < least and settled.winners and not case.ruleset.house.table:
        paid = resettle(case, ruleset=_with_runners_from(case.ruleset, runners_from={row.id: max(1, count)}))
        if paid is not None and count:
            yield change("runners-too-few", cite, count=count, least=least), paid
        place = None if paid is None else runners_line(paid, count)
        if paid is not None and place is not None and count + 1 == least:
            amount = (count + 1) * case.ruleset.prices["runner"]
            more_lines = with_amount(paid.settlement.lines, place, amount)
            yield (
                change("runner-more", written=count + 1, **facts),
                rebill_lines(paid, more_lines, runners=sign * least),
            )


def is_signed(case: Case) -> bool:
    """Whether it is known if the declarer's side was with its runners or without."""
    return not case.replay.example or bool(case.deal.stated and case.deal.stated.runners)


def runners_line(case: Case, count: int) -> int | None:
    """The place of the line of so many runners; None where a slip has counted others."""
    place = line_of(case, "runners")
    lines = case.settlement.lines
    return None if place is None or lines[place].message.facts.get("n") != count else place


def _with_runners_from(ruleset: Ruleset, runners_from: dict[str, int]) -> Ruleset:
    house = replace(ruleset.house, runners_from=ruleset.house.runners_from | runners_from)
    return replace(ruleset, house=house)


def levels(case: Case, row: Contract) -> Iterator[Maybe]:
    """Schneider and Schwarz, forgotten or counted though not made."""
    settled, lines = case.settlement, case.settlement.lines
    high, black = line_of(case, "schneider"), line_of(case, "schwarz")
    if high is not None and black is None:
        cite = lines[high].cite
        yield change("schneider-missed", cite), rebill_lines(case, without_lines(lines, high), schneider=False)
        more = case.ruleset.prices.get("schwarz", 0) - case.ruleset.prices.get("schneider", 0)
        if settled.marks is None and not case.ruleset.house.table and more:
            says = message("settle.schwarz", amount=case.ruleset.prices["schwarz"])
            extra = SettlementLine("schwarz", "add", says, more, None, "")
            yield (
                change("schwarz-counted", cite),
                rebill_lines(case, with_line(lines, high + 1, extra), schwarz=True),
            )
    if black is not None and high is not None:
        cite = lines[black].cite
        yield change("schwarz-as-schneider", cite), rebill_lines(case, without_lines(lines, black), schwarz=False)
        both = rebill_lines(case, without_lines(lines, high, black), schneider=False, schwarz=False)
        yield change("schwarz-missed", cite), both
    if settled.winners and high is None and settled.schneider is False and pays_bonuses(case.ruleset, row, case.deal):
        made, rule = side_points(case.replay, "declarer") or 0, case.ruleset.house.levels
        whole = points_in_play(case.replay)
        far = rule.schneider - made if settled.won else rule.schneider_against - (whole - made)
        lower = replace(
            rule,
            schneider=min(rule.schneider, made),
            schneider_against=min(rule.schneider_against, max(0, whole - made)),
        )
        ruleset = replace(case.ruleset, house=replace(case.ruleset.house, levels=lower))
        told = change("schneider-counted", extra=min(3, far / 5), points=made, others=whole - made)
        if settled.side_points is None:
            told = change("schneider-counted", extra=UNSEEN, row="schneider-counted-unseen")
        yield told, resettle(case, ruleset=ruleset)


# --- the rest of the price --------------------------------------------------------------------------------------------


def parts(case: Case, row: Contract) -> Iterator[Maybe]:
    """Another part of the price left out; the price of another kind of game; the pot forgotten."""
    lines, settled, ruleset = case.settlement.lines, case.settlement, case.ruleset
    for n, line in enumerate(lines[1:], 1):
        of_game = line.kind == "times" and line.part in ("contract", "hand", "open")
        other = line.kind == "add" and line.amount and line.part not in ("schneider", "schwarz", "runners")
        if line.part == "cap" or of_game or other:
            rest = without_lines(lines, n)
            if line.kind == "at-most":
                rest = with_line(rest, n, replace(line, amount=10**9))
            yield change("part-missed", line.cite, what=line.message), rebill_lines(case, rest)
    if settled.marks is None and not ruleset.house.table and lines[0].kind == "add" and settled.base:
        own = lines[0].amount
        others = dict.fromkeys(ruleset.prices[each.price] for each in ruleset.contracts.values())
        for value in others:
            if value != own:
                yield (
                    change("wrong-game", lines[0].cite, value=value, was=own),
                    rebill_lines(case, with_amount(lines, 0, value)),
                )
    if any(line.kind == "pot" for line in lines) and case.before.stock:
        yield change("stock-missed", lines[-1].cite), resettle(case, before=replace(case.before, stock=0))


def alone(case: Case, row: Contract) -> Iterator[Maybe]:
    """Who plays alone against several is written with the price for one."""
    declarer, settled = case.replay.declarer, case.settlement
    if declarer is None or settled.payments is None or not settled.price or None in settled.payments:
        return
    own = settled.payments[declarer] or 0
    count = abs(own) // settled.price
    if count > 1 and abs(own) == count * settled.price:
        payments = tuple(own // count if seat == declarer else paid for seat, paid in enumerate(settled.payments))
        told = change("paid-once", name=case.players[declarer], count=count)
        yield told, replace(case, settlement=replace(settled, payments=payments))


def virgins(case: Case, row: Contract) -> Iterator[Maybe]:
    """A virgin that nobody saw."""
    if row.parties != "each":
        return
    by_tricks = case.ruleset.house.ramsch.virgin_is == "no-trick"
    for seat in case.settlement.virgins:
        seen = list(case.replay.tricks_won if by_tricks else case.replay.points)
        seen[seat] = 1
        played = replace(case.replay, **{"tricks_won" if by_tricks else "points": tuple(seen)})
        yield change("virgin-missed", name=case.players[seat]), resettle(case, replay=played)


def wrong_sums(case: Case, row: Contract) -> Iterator[Maybe]:
    """Card points added up wrongly, so that the other side won."""
    settled, seats = case.settlement, case.replay.sides
    if row.goal != "points" or row.parties == "each" or settled.won is None or is_tout(case.deal):
        return
    if settled.marks is not None or case.replay.ending is not None or settled.side_points is None:
        return
    win, made = levels_of(case.deal, case.ruleset).win, settled.side_points
    stated = case.deal.stated.points if case.deal.stated else None
    half = points_in_play(case.replay) // 2
    wrong = win - 1 if settled.won else win
    wrong -= settled.won and wrong == half and (row.tie or levels_of(case.deal, case.ruleset).tie) != "lost"
    if isinstance(stated, int) and stated != made and (stated >= win) != settled.won:
        wrong = stated
    points = list(case.replay.points)
    for side, step in (("declarer", wrong - made), ("defence", made - wrong)):
        seat = [*map(str, seats)].index(side)
        points[seat] = (points[seat] or 0) + step
    after = resettle(case, replay=replace(case.replay, points=tuple(points)))
    if after is not None and after.settlement.won is not settled.won and not after.settlement.undecided:
        far = abs(wrong - made)
        yield change("misadded", extra=min(4, far / 5), written=wrong, points=made), after


SLIPS: tuple[Callable[[Case, Contract], Iterator[Maybe]], ...] = (
    one_missed, all_missed, more_doubled, runners, levels, parts, alone, virgins, wrong_sums,
)  # fmt: skip
