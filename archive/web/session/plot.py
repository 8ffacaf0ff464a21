"""The plot of a session: the totals after each deal, the deal where the books first break, the rulings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, floor, log10

from msgspec import Struct

from archive.text.numbers import axis_words, format_entry, format_money, format_signed
from archive.text.wording import Texts, clip
from archive.web.queries import Facts, rows_by
from archive.web.vega import Chart

CURSORS = 120  # columns that name the totals after a deal; of more deals every second, third, … has one
MOST = 300  # deals that are drawn; of more every second, third, … is
LINES = 8  # as many as a reader can distinguish
NEAR = 0.075  # of the height: labels closer than this are moved apart
APART = 0.2  # of the width: marks closer than this share a label
LONGEST = 20  # letters of a name in a label, and half of them on a phone


class TotalsSeries(Struct, frozen=True):
    """Totals over a session: `lines` of one seat each, in a marks game of those who score together; a total for each of
    the `numbers` of the deals, None if it is not known. `begins`: places where a game of marks begins."""

    numbers: tuple[int, ...]
    lines: tuple[tuple[str, tuple[int | None, ...]], ...]
    begins: tuple[int, ...]
    deals: tuple[int, ...]  # of the archive
    marks: tuple[tuple[int, str], ...]  # places that are marked, and why
    tallied: bool
    stated: bool  # some are only stated
    unit: str | None = None


def totals_series(
    rows: Sequence[Facts], names: Mapping[int, str], broken: Facts | None, t: Texts
) -> TotalsSeries | None:
    """Return the totals of a session by the names on its seats; None if none is known."""
    tallied = any(row["tallied"] for row in rows)
    key = "marks" if tallied else "total"
    order = list(rows_by(lambda row: int(row["deal"]), rows).values())
    seats: dict[int, list[int | None]] = {seat: [None] * len(order) for seat in names}
    for place, deal in enumerate(order):
        for row in deal:
            seats[row["seat"]][place] = row[key]
    if all(row[key] is None or not (tallied or row["known"]) for row in rows):
        return None
    together: dict[tuple[int | None, ...], list[str]] = {}
    for seat, line in seats.items():
        alike = tuple(line) if tallied else (*line, seat)
        together.setdefault(alike, []).append(names[seat])
    return TotalsSeries(
        numbers=tuple(deal[0]["number"] for deal in order),
        deals=tuple(deal[0]["deal"] for deal in order),
        lines=tuple((" + ".join(who), line[: len(order)]) for line, who in together.items()),
        begins=tuple(
            n
            for n, each in enumerate(order)
            if tallied and n and each[0]["begins"] and any(row["marks"] for row in order[n - 1])
        ),
        marks=tuple(_marks(order, broken, t)),
        tallied=tallied,
        unit=None if tallied else next((row["unit"] for row in rows if row.get("unit")), None),
        stated=not tallied and any(row["said"] and row["total"] is not None for row in rows),
    )


def _marks(order: Sequence[list[Facts]], broken: Facts | None, t: Texts) -> list[tuple[int, str]]:
    marks = []
    for place, (first, *_) in enumerate(order):
        key = "pl_break" if broken and broken["deal"] == first["deal"] else "pl_ruled" if first["ruled"] else ""
        if key:
            marks.append((place, t[key].format(number=first["number"])))
    return marks


# --- drawing ----------------------------------------------------------------------------------------------------------


def totals_chart(series: TotalsSeries, t: Texts, address: Callable[[int], str] | None = None) -> Chart:
    """Return the totals of a session as a chart; with the `address` of a deal, each deal names its totals and leads
    there."""
    last = {name: next((total for total in reversed(line) if total is not None), None) for name, line in series.lines}
    at_end = ", ".join(f"{name} {format_total(total, series, t)}" for name, total in _by_total(last))
    drawn = drawn_places(len(series.numbers))
    caption = [t["pl_marks_how"] if series.tallied else t["pl_totals_how"]]
    caption += [t["pl_said"]] if series.stated else []
    caption += (
        [t["pl_every"].format(shown=len(drawn), count=len(series.numbers))] if len(drawn) < len(series.numbers) else []
    )
    rows, values = plot_rows(series, t)
    if address:
        rows = [*_cursors(series, address, t), *rows]
    return Chart(
        spec="totals",
        rows=rows,
        values=values,
        title=t["running_marks" if series.tallied else "running_total"],
        says=t["pl_at_end"].format(count=len(series.numbers), totals=at_end),
        caption=" ".join(caption),
        heads=(t["pl_deal"], *(name for name, _ in series.lines)),
        cells=tuple(
            (str(series.numbers[n]), *(format_total(line[n], series, t) for _, line in series.lines)) for n in drawn
        ),
    )


def _cursors(series: TotalsSeries, address: Callable[[int], str], t: Texts) -> Iterator[Facts]:
    """Yield columns that name all totals after a deal and lead to it."""
    count = len(series.numbers)
    step = ceil(count / CURSORS)
    for n in range(step - 1, count, step):
        known = {name: line[n] for name, line in series.lines}
        says = ", ".join(f"{name} {format_total(total, series, t)}" for name, total in _by_total(known))
        tip = f"{t['deal'].format(number=series.numbers[n])}: {says}"
        ends = {"from": n + 1 - step / 2, "until": min(n + 1 + step / 2, count)}
        yield {"kind": "cursor", **ends, "tip": tip, "to": address(series.deals[n])}


def _by_total(last: dict[str, int | None]) -> list[tuple[str, int | None]]:
    return sorted(last.items(), key=lambda each: (each[1] is None, -(each[1] or 0)))


def format_total(total: int | None, series: TotalsSeries, t: Texts) -> str:
    if total is None:
        return "–"
    if series.tallied:
        return str(total)
    return format_money(total, "ct", t) if series.unit == "ct" else format_signed(total)


def drawn_places(count: int) -> list[int]:
    """Return the deals that are drawn: all, or the most that can be drawn, evenly spread, with the last among them."""
    step = ceil(count / MOST) or 1
    return [n for n in range(count) if (n + 1) % step == 0 or n == count - 1]


def plot_rows(series: TotalsSeries, t: Texts) -> tuple[list[Facts], Facts]:
    """Return the rows of the plot, by `kind`: points of a line, names at its end, marked deals; and the ends of its
    axes."""
    count, drawn = len(series.numbers), drawn_places(len(series.numbers))
    totals = [total for _, line in series.lines for total in line if total is not None]
    least, most = min(0, *totals), max(0, *totals)
    step = _nice((most - least) / 5) or 1
    low, high = floor(least / step) * step, ceil(most / step) * step  # round ends of an axis that holds both values
    high = high if high > low else low + step
    rows: list[Facts] = []
    for number, (_, line) in enumerate(series.lines):
        rows += _points(number, line, drawn, series.begins)
    for number, (name, total, at) in enumerate(_labels(series, low, high)):
        words = format_total(total, series, t) if series.tallied else format_entry(total, series.unit, t)
        rows.append({"kind": "name", "line": number, "at": count, "total": total, "label_at": at,
                     "label": f"{clip(name, LONGEST)} {words}", "short": f"{clip(name, LONGEST // 2)} {words}"}
        )  # fmt: skip
    before = -1.0
    for place, says in series.marks:
        near = (place - before) / count < APART and before >= 0
        label, late = "" if near else says, place + 1 > 0.6 * count
        rows.append({"kind": "mark", "at": place + 1, "label": label, "top": high, "late": late})
        before = before if near else place
    ticks, few_ticks = (
        list(range(step, count + 1, step)) for step in (max(1, round(_nice(count / most))) for most in (14, 8))
    )
    ends = {"last": count, "low": low, "high": high}
    axis = {"plus": "" if series.tallied else "+", **axis_words(series.unit, t)}
    return rows, ends | {"ticks": ticks, "few_ticks": few_ticks, **axis}


def _points(number: int, line: Sequence[int | None], drawn: Sequence[int], begins: Sequence[int]) -> list[Facts]:
    """Return the points of a line, which begins at zero; a new game of marks begins at zero again."""
    rows: list[Facts] = [{"kind": "line", "line": number % LINES, "stretch": f"{number}.0", "at": 0, "total": 0}]
    stretch = 0
    for n in drawn:
        game = sum(begin <= n for begin in begins)
        if game != stretch:
            stretch = game
            start = {"kind": "line", "line": number % LINES, "stretch": f"{number}.{game}", "total": 0}
            rows.append(start | {"at": begins[game - 1]})
        alone = line[n] is not None and n > 0 and line[n - 1] is None and (n + 1 == len(line) or line[n + 1] is None)
        point = {"kind": "line", "line": number % LINES, "stretch": f"{number}.{game}", "at": n + 1, "total": line[n]}
        rows.append(point | {"dot": alone})
    return rows


def _labels(series: TotalsSeries, low: float, high: float) -> list[tuple[str, int | None, float]]:
    """Return the names at the ends of the lines, moved apart if they would overlap: name, total, height."""
    ended = [
        (name, next((total for total in reversed(line) if total is not None), None)) for name, line in series.lines
    ]
    gap = NEAR * (high - low)
    order = sorted((n for n, (_, total) in enumerate(ended) if total is not None), key=lambda n: -(ended[n][1] or 0))
    heights: dict[int, float] = {}
    above = high + gap
    for n in order:
        heights[n] = above = min(float(ended[n][1] or 0), above - gap)
    below = low - gap
    for n in reversed(order):
        heights[n] = below = max(heights[n], below + gap)
    return [(name, total, heights[n]) for n, (name, total) in enumerate(ended) if n in heights]


def _nice(width: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, …"""
    if width <= 0:
        return 0.0
    power = 10.0 ** floor(log10(width))
    return float(next(factor * power for factor in (1, 2, 5, 10) if width <= factor * power * (1 + 1e-9)))
