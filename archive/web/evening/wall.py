"""The evening as it is watched: the standing, with its ranking, its story and the course of the totals; and the wall,
for the television of the room: each seat with its player and total, the dealer, the last deal in a sentence, the totals
as lines that grow to the right edge."""

import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from flask import url_for
from msgspec import Struct, structs

from archive.store import session_row, session_verdicts
from archive.store.live_evenings import LiveEvening
from archive.text.wording import Texts
from archive.web.evening.page import LastDeal, TableView
from archive.web.queries import Facts
from archive.web.request import row_address
from archive.web.session.closing import story_of_session
from archive.web.session.plot import totals_chart, totals_series
from archive.web.session.queries import session_lines
from archive.web.vega import draw_plot

FEWEST = 2  # deals that make a course worth drawing


def standing_of(conn: sqlite3.Connection, session: int | None, t: Texts) -> dict[str, Any]:
    """Return the `story` of a session and its `plot`; None before the first deal."""
    head = None if session is None else session_row(conn, session)
    if head is None or not (verdicts := session_verdicts(conn, head["id"])):
        return {"story": None, "plot": None}
    series, story = story_of_session(conn, head, verdicts, t)
    drawn = series is not None and len(series.numbers) >= FEWEST
    address = url_for("session_plot", number=session)
    return {
        "story": story,
        "plot": draw_plot(totals_chart(series, t, partial(row_address, "deal")), address, t)
        if drawn and series
        else None,
    }


WIDE, HIGH = 1000, 300  # of the plot, in its own units
GAP = 34  # between the ends of two lines, for their names
PLACES = {3: "swe", 4: "swne", 5: "swnNe", 6: "swWnNe", 7: "swWnNEe"}  # around the table, clockwise from below


class WallLine(Struct, frozen=True):
    """The course of a total: its path, the newest stretch of it, where it ends and where its name stands."""

    seat: int
    name: str
    path: str
    newest: str
    end: float
    label: float


def wall_of(
    conn: sqlite3.Connection, evening: LiveEvening, table: TableView, deals: Sequence[LastDeal], t: Texts
) -> Facts:
    """Return all that is seen from across the room: the `seats`, each with its place around the table and whether it
    leads; the `lines` of the totals; the last deal in words. `deals` has the newest first."""
    totals = evening.state.table.totals
    best = max((each for each in totals or () if each is not None), default=None)
    sides = PLACES.get(len(table.seats), "swne" + "N" * len(table.seats))
    seats = [
        (side, each, bool(best) and totals is not None and totals[each.seat] == best)
        for side, each in zip(sides, table.seats, strict=False)
    ]
    last = next((each for each in deals if not each.taken_back), None)
    lines, zero = lines_of(conn, evening, t)
    says, price = t["ev_no_deals"], ""
    if last:
        row, price = last.row, last.price
        parts = filter(None, (row.game, row.players, ", ".join(filter(None, (row.outcome, row.details)))))
        says = f"{t['ev_deal_n'].format(number=row.number)}: {' · '.join(parts)}"
    return {"seats": seats, "lines": lines, "zero": zero, "says": says, "price": price}


def lines_of(conn: sqlite3.Connection, evening: LiveEvening, t: Texts) -> tuple[list[WallLine], float]:
    """Return a line for each seat whose totals are known, and the height of zero; none before the first deal."""
    if evening.session is None:
        return [], HIGH / 2
    people, rows = session_lines(conn, evening.session)
    series = totals_series(rows, {line: " / ".join(each) for line, each in people.items()}, None, t)
    if series is None:
        return [], HIGH / 2
    courses = [(name, (0, *line)) for name, line in series.lines]
    known = [total for _, line in courses for total in line if total is not None]
    low, high = min(known), max(known)
    scale, step = (HIGH - 40) / ((high - low) or 1), WIDE / max(1, len(series.numbers))

    def height(total: int) -> float:
        return round(HIGH - 20 - (total - low) * scale, 1)

    lines, players = [], evening.state.players
    for seat, (name, line) in enumerate(courses):
        points = [(round(n * step, 1), height(total)) for n, total in enumerate(line) if total is not None]
        seat = players.index(name) if name in players else seat  # the colour of who sits there
        lines.append(WallLine(seat, name, path_of(points), path_of(points[-2:]), points[-1][1], points[-1][1]))
    return list(apart(lines)), height(0)


def path_of(points: Sequence[tuple[float, float]]) -> str:
    """Return points as an SVG path."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def apart(lines: Sequence[WallLine]) -> Iterator[WallLine]:
    """Yield lines with their names moved if they would overlap, all of them within the plot."""
    order = sorted(lines, key=lambda line: line.end)
    free, places = 0.0, []
    for each in order:
        places.append(max(each.end, free))
        free = places[-1] + GAP
    lowest = HIGH - GAP / 2
    for at in reversed(range(len(places))):
        places[at] = min(places[at], lowest)
        lowest = places[at] - GAP
    for each, place in zip(order, places, strict=True):
        yield structs.replace(each, label=place)
