"""Kinds of slips of the pen: on amounts, totals, facts and marks of a sheet, in every form in which they can happen.
Nothing here is taken from `archive.explain`."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

Amounts = tuple[int, ...]
Pen = Callable[[int], Iterable[int]]


class Sheet(Struct, frozen=True, kw_only=True):
    """The contents of the sheet of one deal, None for what it lacks; and what is written around them: the totals
    before, those before them, the lines above and below."""

    names: tuple[str, ...]
    payments: Amounts | None = None
    price: int | None = None
    points: int | None = None
    runners: int | None = None
    schneider: bool | None = None
    won: bool | None = None
    totals: Amounts | None = None
    marks: Amounts | None = None
    gained: Amounts = ()  # right
    had: Amounts | None = None
    older: Amounts | None = None
    above: Amounts | None = None
    below: Amounts | None = None
    whole: int = 120
    opponents: int = 1
    scores: tuple[int, ...] = ()
    winners_points: int = 0


Form = tuple[Sheet, tuple[str, ...]]
Slip = Callable[[Sheet], Iterator[Form]]
Table = dict[str, tuple[Slip, tuple[str, ...]]]
AMOUNTS: Table = {}
TOTALS: Table = {}
FACTS: Table = {}
MARKS: Table = {}


# --- numbers ----------------------------------------------------------------------------------------------------------


def text_forms(number: int, change: Callable[[str], Iterable[str]]) -> Iterator[int]:
    sign = -1 if number < 0 else 1
    seen = {number}
    for text in change(str(abs(number))) if number else ():
        if text and text[0] != "0" and (made := sign * int(text)) not in seen:
            seen.add(made)
            yield made


def exchanged(number: int) -> Iterator[int]:
    return text_forms(number, lambda t: (t[:n] + t[n + 1] + t[n] + t[n + 2 :] for n in range(len(t) - 1)))


def missing(number: int) -> Iterator[int]:
    return text_forms(number, lambda t: (t[:n] + t[n + 1 :] for n in range(len(t)) if t[n] != "0"))


def doubled(number: int) -> Iterator[int]:
    return text_forms(number, lambda t: (t[: n + 1] + t[n:] for n in range(len(t)) if t[n] != "0"))


def nought_more(number: int) -> Iterator[int]:
    return text_forms(number, lambda t: (f"{t}0",))


def nought_less(number: int) -> Iterator[int]:
    return text_forms(number, lambda t: (t[:-1],) if t.endswith("0") else ())


LOOKS = {"1": "7", "7": "1", "3": "8", "8": "3", "0": "6", "6": "0", "4": "9", "9": "4", "5": "6"}


def misread(number: int) -> Iterator[int]:
    return text_forms(number, lambda t: (t[:n] + LOOKS[t[n]] + t[n + 1 :] for n in range(len(t)) if t[n] in LOOKS))


def opposite(number: int) -> Iterator[int]:
    yield from (-number,) if number else ()


PENS = {
    "digits exchanged": (exchanged, "digits-swapped"),
    "digit missing": (missing, "digit-missing"),
    "digit twice": (doubled, "digit-doubled"),
    "nought too many": (nought_more, "nought-more digit-doubled"),
    "nought missing": (nought_less, "nought-less digit-missing"),
    "digit misread": (misread, "digit-misread"),
}


# --- places -----------------------------------------------------------------------------------------------------------


def one(values: Amounts, seat: int, value: int) -> Amounts:
    return (*values[:seat], value, *values[seat + 1 :])


def line_of(sheet: Sheet) -> Amounts:
    """Return the amounts of the deal: those that are written, or if only totals are, those that were added to them."""
    return sheet.payments or (sheet.gained if sheet.totals and sheet.had else ())


def with_payments(sheet: Sheet, payments: Amounts) -> Iterator[Sheet]:
    """Yield the sheet with other amounts; totals are added from the right ones, or from these."""
    if sheet.payments is None and sheet.had is not None and payments != sheet.gained:
        yield replace(sheet, gained=payments, totals=added(sheet.had, payments))
    if sheet.payments is None or payments == sheet.payments:
        return
    yield replace(sheet, payments=payments)
    if sheet.totals is not None and sheet.had is not None:
        yield replace(sheet, payments=payments, gained=payments, totals=added(sheet.had, payments))


def added(had: Amounts, paid: Amounts) -> Amounts:
    return tuple(a + b for a, b in zip(had, paid, strict=True))


def one_amount(name: str, pen: Pen, causes: str) -> None:
    def slip(sheet: Sheet) -> Iterator[Form]:
        for seat, amount in enumerate(sheet.payments or ()):
            for wrong in pen(amount):
                for made in with_payments(sheet, one(sheet.payments or (), seat, wrong)):
                    yield made, (sheet.names[seat],)

    AMOUNTS[name] = slip, tuple(causes.split())


def all_amounts(name: str, change: Callable[[Sheet, Amounts], Iterable[Amounts]], causes: str) -> None:
    def slip(sheet: Sheet) -> Iterator[Form]:
        for made in change(sheet, line_of(sheet)) if any(line_of(sheet)) else ():
            yield from ((each, ()) for each in with_payments(sheet, made))

    AMOUNTS[name] = slip, tuple(causes.split())


def by_price(pen: Pen) -> Callable[[Sheet, Amounts], Iterable[Amounts]]:
    """Yield the amount of one opponent miswritten, with the others after it."""

    def change(sheet: Sheet, paid: Amounts) -> Iterator[Amounts]:
        least = min(abs(each) for each in paid if each)
        if not any(each % least for each in paid):
            yield from (tuple(each // least * wrong for each in paid) for wrong in pen(least))

    return change


def exchange(values: Amounts) -> Iterator[tuple[Amounts, int, int]]:
    for a, b in combinations(range(len(values)), 2):
        if values[a] != values[b]:
            yield one(one(values, a, values[b]), b, values[a]), a, b


for title, (pen, cause) in PENS.items():
    one_amount(f"one amount: {title}", pen, " ".join(f"one-{each}" for each in cause.split()))
    all_amounts(f"all amounts: {title}", by_price(pen), cause)
one_amount("one amount: sign", opposite, "one-sign")
one_amount("one amount: nothing written", lambda n: (0,) if n else (), "one-empty")
one_amount("one amount: twice", lambda n: (2 * n,) if n else (), "one-twice")
one_amount("one amount: any other", lambda n: (n + 15, n - 35), "one-wrong")
all_amounts("all signs", lambda _, paid: (tuple(-n for n in paid),), "turned misadded level-win")
all_amounts("no sign", lambda _, paid: (tuple(abs(n) for n in paid),), "signs-lost")
all_amounts(
    "one column further", lambda _, paid: ((*paid[-1:], *paid[:-1]), (*paid[1:], *paid[:1])), "shifted total-shifted"
)
all_amounts("columns from the right", lambda _, paid: (paid[::-1],), "columns-reversed shifted")
all_amounts(
    "line above",
    lambda sheet, _: (sheet.above,) if sheet.above and any(sheet.above) else (),
    "neighbour total-other-line",
)
all_amounts("line below", lambda sheet, _: (sheet.below,) if sheet.below and any(sheet.below) else (), "neighbour")
all_amounts(
    "three columns in a ring",
    lambda _, paid: ((*paid[2:3], *paid[:2], *paid[3:]), (*paid[1:3], paid[0], *paid[3:])),
    "columns-mixed swapped shifted",
)
all_amounts(
    "line above added in",
    lambda sheet, paid: (added(sheet.above, paid),) if sheet.above and any(sheet.above) else (),
    "lines-added total-other-line",
)
all_amounts("nothing written", lambda _, paid: ((0,) * len(paid),), "nothing-written")


def two_exchanged(sheet: Sheet) -> Iterator[Form]:
    for made, a, b in exchange(line_of(sheet)):
        yield from ((each, (sheet.names[a], sheet.names[b])) for each in with_payments(sheet, made))


def one_from_above(sheet: Sheet) -> Iterator[Form]:
    for seat, amount in enumerate(sheet.above or ()):
        if sheet.payments and amount:
            for made in with_payments(sheet, one(sheet.payments, seat, amount)):
                yield made, (sheet.names[seat],)


def one_from_beside(sheet: Sheet) -> Iterator[Form]:
    for seat in range(1, len(sheet.payments or ())):
        paid = sheet.payments or ()
        for made in with_payments(sheet, one(paid, seat, paid[seat - 1])):
            yield made, (sheet.names[seat],)


AMOUNTS["two columns exchanged"] = two_exchanged, ("swapped",)
AMOUNTS["one amount: from above"] = one_from_above, ("one-from-above",)
AMOUNTS["one amount: from the column beside"] = one_from_beside, ("one-from-beside",)


# --- totals -----------------------------------------------------------------------------------------------------------


def all_totals(name: str, change: Callable[[Sheet, Amounts, Amounts], Iterable[Amounts]], causes: str) -> None:
    def slip(sheet: Sheet) -> Iterator[Form]:
        if sheet.totals and sheet.had:
            for made in change(sheet, sheet.had, sheet.gained):
                if made != sheet.totals:
                    yield replace(sheet, totals=made), ()

    TOTALS[name] = slip, tuple(causes.split())


def one_total(name: str, change: Callable[[Sheet, int], Iterable[int]], causes: str) -> None:
    def slip(sheet: Sheet) -> Iterator[Form]:
        for seat in range(len(sheet.totals or ())) if sheet.totals and sheet.had else ():
            for made in change(sheet, seat):
                if made != (sheet.totals or ())[seat]:
                    yield replace(sheet, totals=one(sheet.totals or (), seat, made)), (sheet.names[seat],)

    TOTALS[name] = slip, tuple(causes.split())


def times(n: int) -> Callable[[Sheet, Amounts, Amounts], Iterable[Amounts]]:
    return lambda _, had, paid: (tuple(a + n * b for a, b in zip(had, paid, strict=True)),)


def one_times(n: int) -> Callable[[Sheet, int], Iterable[int]]:
    return lambda sheet, seat: ((sheet.had or ())[seat] + n * sheet.gained[seat],)


all_totals("deal not added", times(0), "total-not-added")
all_totals("deal added twice", times(2), "total-added-twice")
all_totals("deal taken off", times(-1), "total-subtracted")
one_total("one total: not added", one_times(0), "total-one-not-added")
one_total("one total: added twice", one_times(2), "total-one-added-twice")
one_total("one total: taken off", one_times(-1), "total-one-subtracted")
one_total(
    "one total: carried wrongly",
    lambda s, seat: ((s.totals or ())[seat] + n for n in (10, -10, 100, -100)),
    "total-carry total-wrong",
)
one_total("one total: sign", lambda s, seat: opposite((s.totals or ())[seat]), "one-sign total-one-sign")
one_total(
    "one total: amount of the player beside",
    lambda s, seat: ((s.had or ())[seat] + s.gained[seat - 1],),
    "total-other-amount",
)
one_total(
    "one total: from the total of the player beside",
    lambda s, seat: ((s.had or ())[seat - 1] + s.gained[seat],),
    "total-other-row",
)
all_totals(
    "from the totals before last", lambda s, had, paid: (added(s.older, paid),) if s.older else (), "total-other-carry"
)
for title, (pen, cause) in PENS.items():
    one_total(
        f"one total: {title}",
        lambda s, seat, pen=pen: pen((s.totals or ())[seat]),  # type: ignore[misc]
        " ".join(f"one-{each}" for each in cause.split()),
    )


def additions_exchanged(sheet: Sheet) -> Iterator[Form]:
    for paid, a, b in exchange(sheet.gained):
        if sheet.totals and sheet.had:
            yield replace(sheet, totals=added(sheet.had, paid)), (sheet.names[a], sheet.names[b])


def totals_exchanged(sheet: Sheet) -> Iterator[Form]:
    for made, a, b in exchange(sheet.totals or ()):
        yield replace(sheet, totals=made), (sheet.names[a], sheet.names[b])


TOTALS["two additions exchanged"] = additions_exchanged, ("total-exchanged",)
TOTALS["two totals exchanged"] = totals_exchanged, ("total-exchanged",)


# --- facts ------------------------------------------------------------------------------------------------------------


def one_fact(name: str, key: str, change: Callable[[Sheet, int], Iterable[int]], causes: str) -> None:
    def slip(sheet: Sheet) -> Iterator[Form]:
        value = getattr(sheet, key)
        if value is not None and any((sheet.payments, sheet.totals)) and any(sheet.gained):
            yield from ((replace(sheet, **{key: made}), ()) for made in change(sheet, value) if made != value)

    FACTS[name] = slip, tuple(causes.split())


def in_pack(change: Pen) -> Callable[[Sheet, int], Iterable[int]]:
    return lambda sheet, value: (each for each in change(value) if 0 <= each <= sheet.whole)


one_fact("points of the other side", "points", lambda s, n: (s.whole - n,), "points-other-side")
one_fact("points: digits exchanged", "points", in_pack(exchanged), "points-digits-swapped")
one_fact("points: ten more or less", "points", in_pack(lambda n: (n + 10, n - 10)), "points-wrong")
one_fact("points: an ace or a ten lost", "points", in_pack(lambda n: (n + 11, n - 11)), "points-wrong")
one_fact("price: nought", "price", lambda s, n: (n * 10,), "nought-more digit-doubled")
one_fact("price: digits exchanged", "price", lambda s, n: exchanged(n), "digits-swapped")
one_fact("price of all opponents", "price", lambda s, n: (n * s.opponents,), "price-of-all")
one_fact("runners noted otherwise", "runners", lambda s, n: (n + 1, n - 1) if n else (n + 1,), "noted")
one_fact("with for without", "runners", lambda s, n: (-n,), "noted one-sign noted-sign")
one_fact("schneider noted otherwise", "schneider", lambda s, n: (not n,), "noted")
one_fact("winner noted otherwise", "won", lambda s, n: (not n,), "noted")


# --- marks ------------------------------------------------------------------------------------------------------------


def marks(name: str, change: Callable[[Sheet], Iterable[Amounts]], causes: str) -> None:
    def slip(sheet: Sheet) -> Iterator[Form]:
        for made in change(sheet) if sheet.marks is not None and sheet.had is not None and any(sheet.gained) else ():
            if made != sheet.marks:
                yield replace(sheet, marks=made), ()

    MARKS[name] = slip, tuple(causes.split())


def scoring(sheet: Sheet, other: bool, n: int) -> Amounts:
    gained = tuple(min(own, 0) or (n if bool(own) != other else 0) for own in sheet.gained)
    return added(sheet.had or (), gained)


def most(sheet: Sheet) -> int:
    return max(sheet.gained)


marks(
    "marks: another score",
    lambda s: (scoring(s, False, n) for n in s.scores if abs(n - most(s)) == 1),
    "marks-score setting part-missed schneider-missed schneider-counted",
)
marks(
    "marks: three as one",
    lambda s: (scoring(s, False, n) for n in s.scores if abs(n - most(s)) > 1),
    "marks-score setting schwarz-missed",
)
marks("marks: to the other side", lambda s: (scoring(s, True, most(s)),), "marks-other-side setting")
marks("marks: written twice", lambda s: (scoring(s, False, 2 * most(s)),), "total-added-twice marks-twice")
marks("marks: not written", lambda s: (s.had or (),), "total-not-added nothing-written")
marks(
    "marks: schneider at 80",
    lambda s: (
        (scoring(s, False, s.scores[1]),) if s.scores and most(s) == s.scores[0] and 80 <= s.winners_points < 91 else ()
    ),
    "setting marks-score",
)
marks("marks: taken off", lambda s: (scoring(s, False, -most(s)),), "total-subtracted turned")
marks(
    "marks: of another Solo",
    lambda s: (scoring(s, False, n) for n in (8, 12) if most(s) in (8, 12) and n != most(s)),
    "marks-score setting noted",
)
marks(
    "marks: one total miswritten",
    lambda s: (
        tuple(wrong if own == each else each for each in s.marks or ())
        for own in set(s.marks or ())
        for wrong in exchanged(own)
    ),
    "one-digits-swapped digits-swapped",
)
