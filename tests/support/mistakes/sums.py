"""Sheets of amounts alone in dispute: rows, totals, sums below, pages carried over, lists, without a game. Nothing here
is taken from `archive.explain`."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from random import Random
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from archive.judge import Judgement, judge_session
from archive.record import Carry, Deal, Session, Stated
from support.mistakes.writings import doubled, exchanged, misread, missing, nought_less, nought_more

Row = tuple[int, ...]
NAMES = ("Anni", "Beppo", "Centa", "Dammerl", "Emmi")
FORMS = ("both", "end", "totals", "page", "list", "rows")


class Table(Struct, frozen=True):
    """A sheet: the payments of each deal, right and as written; the totals that are written, None if none are; where
    and how a page was carried over; `at` is the row of the slip."""

    form: str
    paid: tuple[Row, ...]
    written: tuple[Row, ...]
    totals: tuple[Row | None, ...]
    at: int
    page: int = -1
    carry: Row = ()


Kind = Callable[[Random, Table], Iterator[Table]]


def added(had: Row, more: Row, times: int = 1) -> Row:
    return tuple(a + times * b for a, b in zip(had, more, strict=True))


def put(row: Row, seat: int, value: int) -> Row:
    return (*row[:seat], value, *row[seat + 1 :])


def swap(row: Row, one: int, other: int) -> Row:
    return put(put(row, one, row[other]), other, row[one])


def turn(row: Row, count: int = 1) -> Row:
    return (*row[-count:], *row[:-count])


def running(rows: Sequence[Row]) -> list[Row]:
    sums, had = [], (0,) * len(rows[0])
    for row in rows:
        had = added(had, row)
        sums.append(had)
    return sums


def table(rng: Random, form: str) -> Table:
    """Return an evening that is right."""
    seats, count = rng.choice((3, 4, 4, 4, 5)), rng.randrange(8, 17)
    step = rng.choice((5, 10, 10, 10))
    rows = []
    for n in range(count):
        sitting = [seat for seat in range(seats) if seats < 5 or seat != n % 5]
        price = step * rng.choice((2, 3, 4, 5, 6, 8, 12))
        row = [0] * seats
        if form == "list":
            row = [rng.randrange(-30, 31) * step for _ in range(seats - 1)]
            row.append(-sum(row))
        elif len(sitting) == 4 and rng.random() < 0.6:
            winners = rng.sample(sitting, 2)
            for seat in sitting:
                row[seat] = price if seat in winners else -price
        else:
            alone, sign = rng.choice(sitting), rng.choice((1, -1))
            for seat in sitting:
                row[seat] = sign * price * (3 if seats > 3 else 2) if seat == alone else -sign * price
        rows.append(tuple(row))
    return of_rows(form, tuple(rows), rng.randrange(2, count - 1))


def of_rows(form: str, rows: tuple[Row, ...], at: int) -> Table:
    """Return an evening of payments by deal, written as they are right."""
    sums = running(rows)
    totals: list[Row | None] = [*sums]
    if form in ("end", "rows", "list"):
        totals = [*[None] * (len(rows) - 1), sums[-1] if form == "end" else None]
    page = at if form == "page" else -1
    return Table(form, rows, rows, tuple(totals), at, page, sums[page - 1] if page >= 0 else ())


def rights_alike(right: Table, wrong: Table) -> Iterator[Table]:
    """Yield the evening, and those that a deal of cards makes of the numbers written for it, by its amounts or its
    totals: the sheet cannot show which of these were right."""
    yield right
    at, now, had = right.at, wrong.totals[right.at], wrong.totals[right.at - 1]
    others = [wrong.written[at], *([added(now, had, -1)] if now is not None and had is not None else [])]
    for paid in others:
        sides = ([own for own in paid if own > 0], [own for own in paid if own < 0])
        sizes = sorted(map(len, sides))
        is_game = sizes in ([2, 2], [1, 3], [1, 2]) and sum(paid) == 0 and all(len({*side}) == 1 for side in sides)
        sits_out = at % 5 if len(paid) == 5 else None
        if is_game and (sits_out is None or not paid[sits_out]) and right.form != "list":
            yield of_rows(right.form, (*right.paid[:at], paid, *right.paid[at + 1 :]), at)


# --- slips ------------------------------------------------------------------------------------------------------------


def all_totals(t: Table, change: Row) -> Table:
    """Return the totals from a row on with something added to them; if only those at the end are written, these."""
    return replace(t, totals=tuple(
        total if total is None or n < t.at else added(total, change) for n, total in enumerate(t.totals)))  # fmt: skip


def one_total(t: Table, value: Row) -> Table:
    """Return one row of totals written differently, and those below right again."""
    return replace(t, totals=tuple(value if n == t.at else total for n, total in enumerate(t.totals)))


def summed(times: int, whole: bool) -> Kind:
    """Yield a deal that was added so many times instead of once, for all or for one."""

    def slip(rng: Random, t: Table) -> Iterator[Table]:
        paid = t.paid[t.at]
        if whole:
            yield all_totals(t, tuple((times - 1) * own for own in paid))
        else:
            for seat in filter(lambda n: paid[n], range(len(paid))):
                yield all_totals(t, put((0,) * len(paid), seat, (times - 1) * paid[seat]))

    return slip


def of_pairs(make: Callable[[Table, int, int], Table | None], most: int = 1) -> Kind:
    def slip(rng: Random, t: Table) -> Iterator[Table]:
        for one, other in permutations(range(len(t.paid[0])), 2):
            if abs(one - other) <= most and (made := make(t, one, other)):
                yield made

    return slip


def zero(t: Table) -> Row:
    return (0,) * len(t.paid[0])


def added_exchanged(t: Table, one: int, other: int) -> Table:
    return all_totals(t, added(swap(t.paid[t.at], one, other), t.paid[t.at], -1))


def other_amount(t: Table, one: int, other: int) -> Table:
    return all_totals(t, put(zero(t), one, t.paid[t.at][other] - t.paid[t.at][one]))


def to_other_column(t: Table, one: int, other: int) -> Table:
    own = t.paid[t.at][one]
    return all_totals(t, put(put(zero(t), one, -own), other, own))


def totals_swapped(t: Table, one: int, other: int) -> Table | None:
    total = t.totals[t.at] if t.form != "end" else t.totals[-1]
    if total is None:
        return None
    return one_total(t if t.form != "end" else replace(t, at=len(t.paid) - 1), swap(total, one, other))


def number_of_total(forms: Callable[[int], Iterator[int]]) -> Kind:
    def slip(rng: Random, t: Table) -> Iterator[Table]:
        at = len(t.paid) - 1 if t.form == "end" else t.at
        total = t.totals[at] or ()
        for seat, own in enumerate(total):
            for value in forms(own):
                yield one_total(replace(t, at=at), put(total, seat, value))

    return slip


def number_of_all(forms: Callable[[int], Iterator[int]]) -> Kind:
    """Yield a total that is wrong, with all below it."""

    def slip(rng: Random, t: Table) -> Iterator[Table]:
        total = t.totals[t.at] or t.totals[-1] or ()
        for seat, own in enumerate(total):
            for value in forms(own):
                yield all_totals(t, put(zero(t), seat, value - own))

    return slip


def from_totals(make: Callable[[Table], Row]) -> Kind:
    """Yield totals of a row that begin with others than those above."""

    def slip(rng: Random, t: Table) -> Iterator[Table]:
        begun = make(t)
        yield all_totals(t, added(begun, running(t.paid)[t.at - 1], -1))

    return slip


def anew_for_one(rng: Random, t: Table) -> Iterator[Table]:
    had = running(t.paid)[t.at - 1]
    for seat, own in enumerate(had):
        yield all_totals(t, put(zero(t), seat, -own))


def from_row_before(rng: Random, t: Table) -> Iterator[Table]:
    """Yield one column that goes on from the row before the last."""
    for seat, own in enumerate(t.paid[t.at - 1]):
        yield all_totals(t, put(zero(t), seat, -own))


def from_column(t: Table, one: int, other: int) -> Table:
    had = running(t.paid)[t.at - 1]
    return all_totals(t, put(zero(t), one, had[other] - had[one]))


def cell(forms: Callable[[int], Iterator[int]]) -> Kind:
    """Yield one amount of a row written differently, and added up as it is right."""

    def slip(rng: Random, t: Table) -> Iterator[Table]:
        row = t.paid[t.at]
        for seat, own in enumerate(row):
            for value in forms(own):
                yield with_row(t, put(row, seat, value))

    return slip


def with_row(t: Table, row: Row) -> Table:
    return replace(t, written=(*t.written[: t.at], row, *t.written[t.at + 1 :]))


def line(change: Callable[[Row], Row]) -> Kind:
    def slip(rng: Random, t: Table) -> Iterator[Table]:
        yield with_row(t, change(t.paid[t.at]))

    return slip


def from_above(rng: Random, t: Table) -> Iterator[Table]:
    for seat, own in enumerate(t.paid[t.at - 1]):
        yield with_row(t, put(t.paid[t.at], seat, own))


def line_above(rng: Random, t: Table) -> Iterator[Table]:
    yield with_row(t, t.paid[t.at - 1])


def carry(make: Callable[[Table], Iterator[Row]]) -> Kind:
    """Yield the totals that a new page begins with."""

    def slip(rng: Random, t: Table) -> Iterator[Table]:
        for row in make(t):
            change = added(row, t.carry, -1)
            yield replace(all_totals(t, change), carry=row)

    return slip


def each_carried(forms: Callable[[int], Iterator[int]]) -> Kind:
    return carry(lambda t: (put(t.carry, seat, v) for seat, own in enumerate(t.carry) for v in forms(own)))


def signs(number: int) -> Iterator[int]:
    yield from [-number] if number else []


def empty(number: int) -> Iterator[int]:
    yield from [0] if number else []


def twice(number: int) -> Iterator[int]:
    yield from [2 * number] if number else []


def tens(number: int) -> Iterator[int]:
    yield from (number + step for step in (10, -10, 100, -100))


def swaps(row: Row) -> Iterator[Row]:
    return (swap(row, one, other) for one, other in combinations(range(len(row)), 2))


ADDING: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "deal not added": (summed(0, True), ("total-not-added",)),
    "deal added twice": (summed(2, True), ("total-added-twice",)),
    "deal taken off": (summed(-1, True), ("total-subtracted",)),
    "one: not added": (summed(0, False), ("total-one-not-added",)),
    "one: added twice": (summed(2, False), ("total-one-added-twice",)),
    "one: taken off": (summed(-1, False), ("total-one-subtracted",)),
    "two columns exchanged in adding": (of_pairs(added_exchanged, 4), ("total-exchanged",)),
    "one: amount of the column beside": (of_pairs(other_amount), ("total-other-amount",)),
    "one amount to the column beside": (of_pairs(to_other_column), ("total-other-column",)),
    "two totals exchanged": (of_pairs(totals_swapped, 4), ("total-exchanged",)),
    "carried wrongly": (number_of_all(tens), ("total-carry",)),
    "total: digits exchanged": (number_of_total(exchanged), ("one-digits-swapped",)),
    "total: digits exchanged and carried on": (number_of_all(exchanged), ("one-digits-swapped",)),
    "total: sign": (number_of_total(signs), ("total-one-sign",)),
    "total: digit missing": (number_of_total(missing), ("one-digit-missing", "one-nought-less")),
    "total: nought too many": (number_of_total(nought_more), ("one-nought-more",)),
    "total: digit misread": (number_of_total(misread), ("one-digit-misread",)),
}
ROWWISE: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "begun anew": (from_totals(zero), ("total-other-carry",)),
    "one: begun anew": (anew_for_one, ("total-one-without-carry",)),
    "from the row before last": (from_totals(lambda t: running(t.paid)[t.at - 2]), ("total-other-carry",)),
    "one: from the row before last": (from_row_before, ("total-one-other-carry",)),
    "one: from another column": (of_pairs(from_column), ("total-other-row",)),
    "amounts added a column further": (
        lambda rng, t: iter([all_totals(t, added(turn(t.paid[t.at]), t.paid[t.at], -1))]), ("total-shifted",)),
    "continued a column further": (from_totals(lambda t: turn(running(t.paid)[t.at - 1])), ("total-carry-shifted",)),
}  # fmt: skip
CELLS: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "amount: sign": (cell(signs), ("one-sign",)),
    "amount: digits exchanged": (cell(exchanged), ("one-digits-swapped",)),
    "amount: digit missing": (cell(missing), ("one-digit-missing", "one-nought-less")),
    "amount: nought missing": (cell(nought_less), ("one-nought-less", "one-digit-missing")),
    "amount: nought too many": (cell(nought_more), ("one-nought-more", "one-digit-doubled")),
    "amount: digit twice": (cell(doubled), ("one-digit-doubled", "one-nought-more")),
    "amount: digit misread": (cell(misread), ("one-digit-misread",)),
    "amount: empty": (cell(empty), ("one-empty",)),
    "amount: doubled": (cell(twice), ("one-twice",)),
    "amount: ten off": (cell(tens), ("one-wrong", "one-digit-misread")),
    "amount: from above": (from_above, ("one-from-above", "one-sign")),
    "losers alone": (line(lambda row: tuple(min(0, own) for own in row)), ("side-written",)),
    "winners alone": (line(lambda row: tuple(max(0, own) for own in row)), ("side-written",)),
    "signs lost": (line(lambda row: tuple(map(abs, row))), ("signs-lost",)),
}
LINES: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "all signs": (line(lambda row: tuple(-own for own in row)), ("turned",)),
    "amounts a column further": (line(turn), ("shifted",)),
    "two amounts exchanged": (
        lambda rng, t: (with_row(t, row) for row in swaps(t.paid[t.at]) if row != t.paid[t.at]), ("swapped",)),
    "line above": (line_above, ("neighbour",)),
    "nothing written": (line(lambda row: tuple(0 for _ in row)), ("nothing-written",)),
}  # fmt: skip
PAGES: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "page: a column further": (carry(lambda t: iter([turn(t.carry)])), ("total-carry-shifted",)),
    "page: begun anew": (carry(lambda t: iter([zero(t)])), ("total-other-carry",)),
    "page: two exchanged": (carry(lambda t: swaps(t.carry)), ("total-exchanged",)),
    "page: the row before last": (carry(lambda t: iter([running(t.paid)[t.at - 2]])), ("total-other-carry",)),
    "page: digits exchanged": (each_carried(exchanged), ("one-digits-swapped",)),
    "page: sign": (each_carried(signs), ("total-one-sign",)),
    "page: ten or hundred": (each_carried(tens), ("total-carry",)),
    "page: one of the row before last": (
        carry(lambda t: (put(t.carry, n, own) for n, own in enumerate(running(t.paid)[t.at - 2]))),
        ("total-one-other-carry",)),
}  # fmt: skip
ONE_ALONE = {kind: each for kind, each in ADDING.items() if kind.startswith(("one:", "carried", "total:"))}
BY_FORM = {
    "both": {**ADDING, **ROWWISE, **CELLS, **LINES},
    "end": {**ADDING, **CELLS},
    "totals": ONE_ALONE,
    "page": PAGES,
    "list": {kind: each for kind, each in CELLS.items() if kind.startswith("amount") and "above" not in kind},
    "rows": CELLS,
}
BELOW: dict[str, dict[str, tuple[Kind, tuple[str, ...]]]] = {
    "both": {"below: right again": (number_of_total(signs), ("total-right-again",))},
    "end": {"below: amount of a row": (cell(signs), ("cell-pointed",))},
}
"""Slips that show a second time, further down: the deal in dispute is the last one that differs."""
BY_FORM |= {form: BY_FORM[form] | kinds for form, kinds in BELOW.items()}
ALL = tuple(f"{form}: {kind}" for form, kinds in BY_FORM.items() for kind in kinds)
UNSEEN = frozenset(kind for kind in ALL if crc32(kind.encode()) % 3 == 0)
"""A third of the kinds, set aside by their names before the search was made: nothing is tuned by their results."""


class Sums(Struct, frozen=True):
    """A sheet in dispute: `found` is the deal to explain, `answers` are the causes that name it."""

    kind: str
    found: Judgement
    beside: tuple[Judgement, ...]
    answers: frozenset[str]


def written(t: Table) -> tuple[Session, list[Deal]]:
    """Return a sheet as a record."""
    seats, is_list = len(t.paid[0]), t.form == "list"
    house = {"tariff": "unknown"} | ({"seats": 3, "deck": 24} if seats == 3 else {})
    session = Session(
        players=NAMES[:seats], house=None if is_list else house,
        rules="bavarian-tournament" if is_list else "three-hand" if seats == 3 else "bavarian")  # fmt: skip
    deals = [
        Deal(
            stated=Stated(payments=None if t.form == "totals" else row, totals=total, of_list=is_list or None),
            carry=Carry(totals=t.carry) if n == t.page else None,
            sits_out=(n % 5,) if seats == 5 and not is_list else None,
        )
        for n, (row, total) in enumerate(zip(t.written, t.totals, strict=True))
    ]
    return session, deals


def judged(t: Table) -> list[Judgement]:
    session, deals = written(t)
    if t.form == "list":  # each round is a session of its own
        return list(judge_session(session, [deals[t.at]]))
    return list(judge_session(session, deals))


def in_dispute(kind: str, found: Sequence[Judgement]) -> Judgement | None:
    """Return the first deal that differs, or that restates other totals; the last one, if a slip shows further down."""
    differ = [each for each in found if each.verdict == "differs"]
    if kind.startswith("below"):
        return differ[-1] if len(differ) > 1 else None
    restated = [each for each in found if any(one.rule == "restated-otherwise" for one in each.findings)]
    return next((each for each in found if each.verdict == "differs" or each in restated), None)


def disputes(rng: Random, count: int, kinds: Sequence[str] = ALL) -> Iterator[Sums]:
    """Yield so many sheets in dispute, each kind in turn."""
    for n in range(count):
        name = kinds[n % len(kinds)]
        form, kind = name.split(": ", 1)
        for _ in range(40):
            right = table(rng, form)
            made = [each for each in BY_FORM[form][kind][0](rng, right) if each != right]
            if not made:
                continue
            wrong = rng.choice(made)
            found = judged(wrong)
            if each := in_dispute(kind, found):
                beside = tuple(one for one in found if one is not each)
                answers = answers_to(rng, right, wrong, kind.startswith("below"))
                yield Sums(name, each, beside, answers)
                break


def answers_to(rng: Random, right: Table, wrong: Table, below: bool) -> frozenset[str]:
    """Return the causes of all kinds that make just this sheet, among those that show there or further down."""
    rights = list(rights_alike(right, wrong))
    kinds = [each for kind, each in BY_FORM[right.form].items() if kind.startswith("below") == below]
    alike = (causes for slip, causes in kinds if any(same(wrong, made) for each in rights for made in slip(rng, each)))
    return frozenset(cause for causes in alike for cause in causes)


def same(one: Table, other: Table) -> bool:
    return (one.written, one.totals, one.carry) == (other.written, other.totals, other.carry)


def untouched(rng: Random, count: int) -> Iterator[list[Judgement]]:
    """Yield so many sheets that are right."""
    yield from (judged(table(rng, FORMS[n % len(FORMS)])) for n in range(count))


def place(each: Sums, named: Sequence[Sequence[str]]) -> int:
    """Return the place of the first explanation that names a dispute with one cause; 99 if none of three does."""
    return next((n for n, causes in enumerate(named[:3], 1) if len(causes) == 1 and causes[0] in each.answers), 99)
