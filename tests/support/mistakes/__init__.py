"""Disputes of many kinds, drawn from deals of every ruleset: operations on prices, people, pots and sheets that were
written apart from `archive.explain`, over a reading of the prices of its own (`prices`).

A kind counts as named if one of its causes is, or one of another kind's that makes exactly the same sheet of this deal:
nobody can tell these apart. Of a pair both must be named, or a single kind, or two others, that make the same sheet.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from archive import generate
from archive.cards import SUITS
from archive.generate import PLAYERS
from archive.judge import Judgement, judge, judge_session
from archive.record import Deal, Game, Stated
from archive.rules import bundled
from support import real_games
from support.facts_of_deals import facts_of
from support.mistakes.parts import PARTS
from support.mistakes.prices import Amounts, Reckoning, amounts, price, reckoning
from support.mistakes.reckonings import PEOPLE, POTS, RECKONING
from support.mistakes.settings import SETTINGS
from support.mistakes.writings import AMOUNTS, FACTS, MARKS, TOTALS, Sheet, added

HOUSES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pub", {"tariff": "10/20/50"}),
    ("pub", {"tariff": "5/10", "knock": "anyone"}),
    ("bavarian", {"tariff": "20/100", "knock": "anyone"}),
    ("pub", {"tout": "base+runners", "runners_from": {"wenz": 3}}),
    ("pub", {"stock": {"amount": 10, "won_by": ["rufspiel"]}, "all_pass": "thrown-in"}),
    ("bavarian", {"stock": {"amount": 20, "won_by": ["rufspiel", "solo", "wenz"]}}),
)
UNSEEN = frozenset({
    "once for all doublings", "tripled for doubled", "all but the game doubled", "runners paid twice",
    "runners at the price of the game", "schneider beside the whole schwarz", "nothing but the game",
    "tout that nobody said", "runners of a house that caps them", "another partner", "one pays for all of a side",
    "one is paid for all of a side", "each pays each", "losers alone written", "pot and no price",
    "whole pot to each", "pot to the other side", "one amount: nought missing", "one amount: digit misread",
    "all amounts: nought too many", "one amount: from the column beside", "no sign", "one total: taken off",
    "one total: amount of the player beside", "from the totals before last", "two totals exchanged",
    "one total: digit missing", "price of all opponents", "with for without", "marks: of another Solo",
    "marks: schneider at 80", "all amounts: digit misread",
})  # fmt: skip
"""A quarter of the kinds, set aside before the search was made: nothing was tuned by their results. Of kinds that are
added later a quarter joins them by its name: where `crc32` of it is divisible by 4."""
FORMS = ("payments", "payments price", "payments totals", "totals", "payments points runners schneider won")
NOTED: dict[str, tuple[str, ...]] = {
    "noted: another declarer": ("declarer-noted", "game-noted"),
    "noted: another suit": ("game-noted", "suit-noted", "called-noted"),
    "noted: another contract": ("game-noted", "contract-noted"),
    "noted: a Tout": ("game-noted", "contract-noted", "tout-missed"),
}
ANY_NUMBER = {
    "one amount: any other": ("one-wrong", "payments"),
    "points: ten more or less": ("points-wrong", "points"),
    "points: an ace or a ten lost": ("points-wrong", "points"),
}
ONCE = {**RECKONING, **PEOPLE, **POTS, **AMOUNTS, **TOTALS, **FACTS, **MARKS}  # and in pairs
KINDS: dict[str, Any] = {**ONCE, **PARTS}
EVERY: dict[str, Any] = {**KINDS, **SETTINGS}
ALL = (*ONCE, *NOTED)
LATER = ("three columns in a ring", "line above added in")
UNSEEN |= {kind for kind in LATER if crc32(kind.encode()) % 4 == 0}


class Right(Struct, frozen=True):
    """A deal that agrees, with its sheets in one form, those around it, and how it was reckoned where this reading of
    the documents comes to the same."""

    found: Judgement
    beside: tuple[Judgement, ...]
    form: str
    sheet: Sheet
    reckoned: Reckoning | None


class Dispute(Struct, frozen=True):
    """A deal that states what one kind of slip made of it, or two. `answers` are the sets of causes that name it, one
    of which must be named; `rights` are the deals before, `goal` is what is stated."""

    kinds: tuple[str, ...]
    found: Judgement
    beside: tuple[Judgement, ...]
    answers: tuple[tuple[frozenset[str], ...], ...]
    rights: tuple[Right, ...]
    goal: Stated


# --- deals ------------------------------------------------------------------------------------------------------------


def evenings(rng: Random, count: int, deals: int = 8) -> Iterator[list[Judgement]]:
    """Yield judged sessions of every ruleset, and of houses with settings of their own."""
    tables = [*((name, {}) for name in bundled()), *HOUSES, ("palatinate", {})]
    for n in range(count):
        rules, house = tables[n % len(tables)]
        five = {"players": PLAYERS} if n % len(tables) == len(tables) - 1 else {}
        evening = generate.session(rules, house, **five)
        yield list(judge_session(evening, list(generate.deals(rng, evening, deals, state=("payments",)))))


@cache
def shared_evenings() -> tuple[list[Judgement], ...]:
    """Return an evening of each of these tables, made once for all tests that are content with these."""
    return tuple(evenings(Random(28), 29, deals=12))


def real() -> Iterator[list[Judgement]]:
    """Yield the real games, if their folder is there."""
    if real_games.FOLDER.is_dir():
        yield from (list(judge_session(session, [deal])) for session, deal in real_games.settled())
        yield from ([each for each in log if isinstance(each, Judgement)] for _, log in real_games.logs())


def right_deals(sessions: Iterable[list[Judgement]], rng: Random, bare: float = 0.25) -> Iterator[Right]:
    """Yield the deals that agree, each with sheets of one form, a part of them, `bare`, without their cards."""
    for found in sessions:
        running: Amounts | None = None
        older: Amounts | None = None
        for n, each in enumerate(found):
            settled = each.settlement
            paid = (settled.payments or settled.marks) if settled else None
            gained = None if paid is None or None in paid else tuple(own or 0 for own in paid)
            had = running or (0,) * len(each.session.players)
            if settled and settled.marks is not None and each.before.marks and None not in each.before.marks:
                had = tuple(own or 0 for own in each.before.marks)  # a new game may have begun
            if gained is not None and any(gained) and each.verdict == "agrees" and len(gained) == len(had):
                near = [found[n - 1]] if n else []
                near += found[n + 1 : n + 2]
                yield from right_sheets(each, tuple(near), gained, had, older, rng, bare)
            older, running = running, None if gained is None or len(gained) != len(had) else added(had, gained)


def right_sheets(
    found: Judgement,
    beside: tuple[Judgement, ...],
    gained: Amounts,
    had: Amounts,
    older: Amounts | None,
    rng: Random,
    bare: float,
) -> Iterator[Right]:
    settled = found.settlement
    marks = settled.marks is not None
    form = "marks" if marks else rng.choice(FORMS)
    above = next((paid_of(each) for each in beside if each.number == found.number - 1), None)
    below = next((paid_of(each) for each in beside if each.number == found.number + 1), None)
    if not marks and found.replay and not found.replay.example and rng.random() < bare:
        facts = judge(found.session, on_paper(found), found.number, found.before)
        if facts.verdict == "agrees" and facts.basis == "facts" and paid_of(facts) == gained:
            found, settled, form = facts, facts.settlement, "payments points runners schneider won"
    reckoned = None if marks else reckoning(found)
    sheet = Sheet(
        names=found.session.players, gained=gained, had=had, older=older,
        above=above if above and len(above) == len(gained) else None,
        below=below if below and len(below) == len(gained) else None,
        scores=found.ruleset.house.marks.scores if marks and found.ruleset and found.ruleset.house.marks else (),
        winners_points=max(settled.side_points or 0, 120 - (settled.side_points or 0)),
    )  # fmt: skip
    if "Ramsch" in form or settled.loser is not None:
        form = form.replace(" points runners schneider won", "")
    if found.ruleset and found.ruleset.house.deck == 32 and reckoned:
        sheet = replace(sheet, opponents=len(reckoned.theirs) // max(1, len(reckoned.ours)))
    else:
        form = form.replace(" points runners schneider won", "")
    yield Right(found, beside, form, written(sheet, form, gained, found, reckoned), reckoned)


def on_paper(found: Judgement) -> Deal:
    """Return all the facts of a deal, and nothing of its cards."""
    deal, settled = facts_of(found), found.settlement
    stated = replace(deal.stated or Stated(), runners=settled.runners if settled else None)
    return replace(deal, knocks=deal.knocks or (), doubles=deal.doubles or (), events=deal.events or (), stated=stated)


def paid_of(found: Judgement) -> Amounts | None:
    paid = found.settlement.payments if found.settlement else None
    return None if paid is None or None in paid else tuple(each or 0 for each in paid)


def written(sheet: Sheet, form: str, paid: Amounts, found: Judgement, reckoned: Reckoning | None) -> Sheet:
    """Return the sheet of a deal with these amounts, in one form."""
    settled, keys = found.settlement, form.split()
    if form == "marks":
        return replace(sheet, marks=added(sheet.had or (), paid))
    values: dict[str, Any] = {"gained": paid}
    if "payments" in keys:
        values["payments"] = paid
    if "totals" in keys:
        values["totals"] = added(sheet.had or (), paid)
    if "price" in keys and reckoned:
        values["price"] = price(reckoned)
    for key, value in (("points", settled.side_points), ("runners", settled.runners),
                       ("schneider", settled.schneider), ("won", settled.won)):  # fmt: skip
        if key in keys:
            values[key] = value
    return replace(sheet, **values)


# --- disputes ---------------------------------------------------------------------------------------------------------


def forms_of(right: Right, kind: str, before: tuple[Sheet, Reckoning | None] | None = None) -> Iterator[Any]:
    """Yield every form of a kind in a deal, or after another slip: its sheet, reckoning and names."""
    sheet, reckoned = before or (right.sheet, right.reckoned)
    slip, _ = EVERY[kind]
    if kind in PARTS or kind in SETTINGS:
        for paid in slip(right.found, sheet, reckoned) if before is None and right.form != "marks" else ():
            yield written(right.sheet, right.form, paid, right.found, right.reckoned), None, ()
        return
    if kind in RECKONING or kind in PEOPLE or kind in POTS:
        for made, names in slip(reckoned) if reckoned else ():
            yield written(right.sheet, right.form, amounts(made), right.found, made), made, names
    else:
        yield from ((made, None, names) for made, names in slip(sheet))


KEYS = ("payments", "price", "points", "runners", "schneider", "won", "totals", "marks")


def stated_of(sheet: Sheet) -> Stated:
    return Stated(**{key: getattr(sheet, key) for key in KEYS})


def deal_stating(right: Right, sheet: Sheet) -> Deal:
    """Return the record with the contents of a sheet; a record without cards keeps the facts that it rests on."""
    values = {key: value for key in KEYS if (value := getattr(sheet, key)) is not None}
    facts = right.found.basis == "facts" and right.found.deal.stated
    return replace(right.found.deal, stated=replace(facts or Stated(), **values))


def disputes(rng: Random, count: int, pool: Sequence[Right], kinds: Sequence[str] = ()) -> Iterator[Dispute]:
    """Yield so many disputes of one slip, each kind in turn, each in a deal of the pool in which it can happen."""
    wanted = list(kinds or ALL)
    for n in range(count):
        for _ in range(3 * len(pool)):
            right, kind = rng.choice(pool), wanted[n % len(wanted)]
            if kind in NOTED:
                noted = noted_wrongly(rng, right, kind)
                if noted is not None:
                    yield noted
                    break
                continue
            forms = [each for each in forms_of(right, kind) if stated_of(each[0]) != stated_of(right.sheet)]
            if forms:
                made = dispute(right, (kind,), rng.choice(forms)[0])
                if made is not None:
                    yield made
                    break


def pairs(rng: Random, count: int, pool: Sequence[Right], kinds: Sequence[str] = ()) -> Iterator[Dispute]:
    """Yield so many disputes of two slips, the second one after the first."""
    wanted, made = list(kinds or ONCE), 0
    for _ in range(200 * count):
        right, one, other = rng.choice(pool), rng.choice(wanted), rng.choice(wanted)
        if made == count:
            return
        first = list(forms_of(right, one))
        if one == other or not first or stage(one) > stage(other):
            continue
        sheet, reckoned, _ = rng.choice(first)
        second = list(forms_of(right, other, (sheet, reckoned)))
        if not second:
            continue
        last = rng.choice(second)[0]
        if stated_of(last) in (stated_of(right.sheet), stated_of(sheet)):
            continue
        each = dispute(right, (one, other), last)
        if each is not None:
            made += 1
            yield each


def stage(kind: str) -> int:
    tables = (RECKONING, PEOPLE, POTS, AMOUNTS, TOTALS, FACTS, MARKS)
    return next(n for n, table in enumerate(tables) if kind in table)


def judge_stating(right: Right, sheet: Sheet) -> Judgement:
    """Return the deal judged with the contents of a sheet."""
    before = right.found.before
    if sheet.had is not None:
        before = replace(before, stated_totals=sheet.had, totals=sheet.had) if sheet.marks is None else replace(
            before, stated_marks=sheet.had, marks=sheet.had)  # fmt: skip
    return judge(right.found.session, deal_stating(right, sheet), right.found.number, before)


def dispute(right: Right, kinds: tuple[str, ...], sheet: Sheet) -> Dispute | None:
    """Return the dispute; None if the deal as stated does not differ."""
    found = judge_stating(right, sheet)
    if found.verdict != "differs":
        return None
    goal = stated_of(sheet)
    rights = (right, *as_noted(right, found))
    alike = [
        kind for kind in (EVERY if kinds[0] in SETTINGS else KINDS)
        if any(stated_of(each[0]) == goal for before in rights for each in forms_of(before, kind))
    ]  # fmt: skip
    answers = [(frozenset(EVERY[kind][1]),) for kind in alike]
    answers += [(frozenset(NOTED[kind]),) for kind in kinds if kind in NOTED]
    if len(kinds) > 1:
        answers.append(tuple(frozenset(KINDS[kind][1]) for kind in kinds))
        answers += [(frozenset({cause}),) for kind in kinds if (cause := any_number(right, kind, sheet))]
    return Dispute(kinds, found, right.beside, tuple(answers), rights, goal)


def any_number(right: Right, kind: str, sheet: Sheet) -> str:
    """Return the cause of one number that is simply wrong, if a kind that writes any number changed the only number
    there is."""
    cause, key = ANY_NUMBER.get(kind, ("", ""))
    was, now = (stated_of(each) for each in (right.sheet, sheet))
    if not cause or replace(was, **{key: getattr(now, key)}) != now:
        return ""
    pairs = zip(getattr(was, key), getattr(now, key), strict=True) if key == "payments" else [(0, 1)]
    return cause if sum(one != other for one, other in pairs) == 1 else ""


def as_noted(right: Right, found: Judgement) -> Iterator[Right]:
    """Yield, for a deal without cards, the right deal with the facts as they are noted: nobody can tell a fact that was
    noted wrongly from one that was computed wrongly."""
    facts = found.deal.stated
    if found.basis != "facts" or facts is None:
        return
    bare = replace(found.deal, stated=replace(facts, payments=None, totals=None, price=None))
    again = judge(found.session, bare, found.number, found.before)
    paid = paid_of(again)
    if paid is not None and again.verdict == "agrees" and len(paid) == len(right.sheet.gained):
        reckoned = reckoning(again)
        sheet = written(replace(right.sheet, gained=paid), right.form, paid, again, reckoned)
        noted = ((key, getattr(facts, key)) for key in ("points", "runners", "schneider", "won"))
        sheet = replace(sheet, **{key: value for key, value in noted if getattr(sheet, key) is not None})
        yield Right(again, right.beside, right.form, sheet, reckoned)


def noted_wrongly(rng: Random, right: Right, kind: str) -> Dispute | None:
    """Return the right sheet of a deal whose game is noted wrongly, and can be played so; None if it cannot."""
    found, played = right.found, right.found.replay
    if not found.ruleset or not played or not found.deal.game or found.basis != "cards" or right.form == "marks":
        return None
    game, row = found.deal.game, found.ruleset.contracts.get(found.deal.game.contract)
    if row is None or row.parties == "each":
        return None
    if kind == "noted: another declarer":
        games = [replace(game, declarer=seat) for seat in played.active if seat != game.declarer]
    elif kind == "noted: another suit":
        called = row.called if row.takes == "called" else ""
        games = [replace(game, suit=suit, called=suit + called if called else None) for suit in SUITS]
        games = games if game.suit else []
    elif kind == "noted: a Tout":
        games = [replace(game, words=())] if "tout" in game.words else []
    else:
        games = [Game(name, game.declarer) for name in ("wenz", "geier") if name in found.ruleset.house.contracts]
    rng.shuffle(games)
    for other in games:
        again = judge(found.session, replace(found.deal, game=other, stated=None), found.number, found.before)
        if other != game and again.verdict == "agrees" and again.settlement and again.settlement.payments:
            paid, reckoned = paid_of(again) or (), reckoning(again)
            sheet = written(replace(right.sheet, gained=paid), right.form, paid, again, reckoned)
            wrong = Right(again, right.beside, right.form, sheet, reckoned)
            made = dispute(wrong, (kind,), right.sheet)
            if made is not None:
                return made
    return None


def place(named: Sequence[tuple[str, ...]], dispute: Dispute) -> int:
    """Return the place of the first explanation (its causes) that names the dispute; 99 if none of three does."""
    return next((n for n, each in enumerate(named[:3], 1) if names(each, dispute)), 99)


def names(named: tuple[str, ...], dispute: Dispute) -> bool:
    """Return whether causes are those of the dispute, or of two kinds that together make exactly the same sheet."""
    if any(fits(named, answer) for answer in dispute.answers):
        return True
    if len(named) != 2 or len(dispute.kinds) != 2:
        return False
    one, other = ([kind for kind in ONCE if cause in ONCE[kind][1]] for cause in named)
    both = ((first, second) if stage(first) <= stage(second) else (second, first) for first in one for second in other)
    return any(make(right, dispute.goal, *pair) for pair in dict.fromkeys(both) for right in dispute.rights)


def make(right: Right, goal: Stated, one: str, other: str) -> bool:
    """Return whether two kinds, one after the other, make a sheet of a deal."""
    for sheet, reckoned, _ in forms_of(right, one):
        if any(stated_of(last[0]) == goal for last in forms_of(right, other, (sheet, reckoned))):
            return True
    return stage(one) == stage(other) and any(
        stated_of(last[0]) == goal
        for sheet, reckoned, _ in forms_of(right, other)
        for last in forms_of(right, one, (sheet, reckoned))
    )


def fits(named: tuple[str, ...], answer: tuple[frozenset[str], ...]) -> bool:
    if len(named) != len(answer):
        return False
    if len(named) == 1:
        return named[0] in answer[0]
    one, other = named
    return (one in answer[0] and other in answer[1]) or (other in answer[0] and one in answer[1])
