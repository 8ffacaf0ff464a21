"""The story of an evening: the ranking and how it came about, in a line and in three sentences."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from archive.say import Message, message
from archive.store.load import first_break
from archive.text.deal_row import deal_row
from archive.text.numbers import format_money, plain_money
from archive.text.wording import Texts
from archive.web.queries import Facts
from archive.web.sentences import Sentence, to_sentence
from archive.web.session.plot import TotalsSeries, totals_series
from archive.web.session.queries import dearest_deal, session_lines

WIDTH, HEIGHT = 120, 26  # of a small line, in pixels
POINTS = 60  # of it
Names = Callable[[str], str]


class RankedSeat(Struct, frozen=True):
    """The standing of a seat: its place, its players with their numbers, the total in words, and whether it rests on an
    open deal; the course of the total as the path of a line, and the height of zero."""

    place: int
    people: tuple[tuple[str, int | None], ...]
    total: str
    open: bool
    line: str
    zero: float


class Story(Struct, frozen=True):
    ranking: tuple[RankedSeat, ...]
    sentences: tuple[Sentence, ...]


def story_of_session(
    conn: sqlite3.Connection, head: Facts, verdicts: Mapping[str, int], t: Texts, shown: Names = str
) -> tuple[TotalsSeries | None, Story]:
    """Return the totals of a session, None if none is known, and its story; `head` is its row, `verdicts` counts its
    deals, `shown` returns the name to show for a name."""
    people, rows = session_lines(conn, head["id"])
    lines = {line: {shown(name): key for name, key in each.items()} for line, each in people.items()}
    names = {line: " / ".join(each) for line, each in lines.items()}
    series = totals_series(rows, names, first_break(conn, head["id"]), t)
    paid = series if series and not series.tallied else None
    dearest = dearest_deal(conn, head["id"]) if paid else None
    unit = series.unit if series else None
    numbers = {name: number for sitting in lines.values() for name, number in sitting.items()}
    sentences = [to_sentence(lead, t, people=numbers, whole=True)] if paid and (lead := lead_message(paid)) else []
    if dearest:
        dearest_price, deals = dearest_message("evening.dearest", dearest, unit, t)
        sentences.append(to_sentence(dearest_price, t, whole=True, deals=deals))
    sentences.append(to_sentence(verdict_message(verdicts), t, whole=True))
    rests_on_open = [row["seat"] for row in rows if row["deal"] == rows[-1]["deal"] and row["said"]]
    return series, Story(tuple(_ranking(paid, lines, rests_on_open, unit, t)) if paid else (), tuple(sentences))


def dearest_message(key: str, dearest: Facts, unit: str | None, t: Texts) -> tuple[Message, dict[str, int]]:
    """Return the message `key` on the deal that cost most, and its link: the number of the deal, by its game."""
    row = deal_row(dearest, t)
    game = " ".join(filter(None, (row.game, row.details)))
    amount = plain_money(dearest["price"], unit, t)
    return message(key, game=game, number=row.number, amount=amount), {game: row.id}


def lead_message(series: TotalsSeries) -> Message | None:
    """Return a message on the leader at the end, and since when without a break; None if that is not known."""
    known = [(name, total) for name, line in series.lines if line and (total := line[-1]) is not None]
    if not known or len(series.numbers) < 2:
        return None
    top = max(total for _, total in known)
    leaders = tuple(name for name, total in known if total == top)
    if len(leaders) > 1:
        return message("evening.share-the-lead", players=leaders) if len(leaders) < len(known) else None
    since = len(series.numbers) - 1
    while since and leads_at(series, leaders[0], since - 1):
        since -= 1
    if since == 0:
        return message("evening.leads-throughout", player=leaders[0])
    if since == len(series.numbers) - 1:
        return message("evening.leads-at-last", player=leaders[0])
    return message("evening.leads-from", player=leaders[0], number=series.numbers[since])


def leads_at(series: TotalsSeries, name: str, place: int) -> bool:
    """Return whether that line is above all others after a deal."""
    totals = {each: line[place] for each, line in series.lines}
    own = totals.pop(name)
    return own is not None and all(total is not None and total < own for total in totals.values())


def verdict_message(verdicts: Mapping[str, int]) -> Message:
    """Return a message on how many deals are in dispute, and how many are open."""
    disputed, undecided = sum(verdicts.get(key, 0) for key in ("differs", "unplayable")), verdicts.get("undecidable", 0)
    if disputed:
        more = {"more": message("evening.of-them-open", n=undecided)} if undecided else {}
        return message("evening.in-dispute", n=disputed, **more)
    if undecided:
        return message("evening.open", n=undecided)
    return message("evening.all-agree", n=sum(verdicts.values()))


def _ranking(
    series: TotalsSeries,
    seats: Mapping[int, Mapping[str, int]],
    rests_on_open: Sequence[int],
    unit: str | None,
    t: Texts,
) -> list[RankedSeat]:
    known = [total for _, line in series.lines for total in line if total is not None]
    low, high = min(0, *known), max(0, *known)
    scale = (HEIGHT - 4) / ((high - low) or 1)
    ends = {}
    for (seat, sitting), (_, line) in zip(seats.items(), series.lines, strict=True):
        last = next((total for total in reversed(line) if total is not None), None)
        ends[seat] = (last, line, sitting)
    order = sorted(ends.items(), key=lambda each: (each[1][0] is None, -(each[1][0] or 0)))
    totals = [last for _, (last, _, _) in order if last is not None]
    return [
        RankedSeat(
            place=totals.index(last) + 1 if last is not None else len(totals) + 1,
            people=tuple(sitting.items()),
            total="–" if last is None else format_money(last, unit, t),
            open=seat in rests_on_open,
            line=_line((0, *line), low, scale),
            zero=round(HEIGHT - 2 + low * scale, 1),
        )
        for seat, (last, line, sitting) in order
    ]


def _line(totals: Sequence[int | None], low: int, scale: float) -> str:
    """Return the course of a total as an SVG path."""
    step = max(1, len(totals) // POINTS)
    places = [n for n in range(len(totals)) if n % step == 0 or n == len(totals) - 1]
    wide = WIDTH / max(1, len(totals) - 1)
    points = [(n * wide, HEIGHT - 2 - (total - low) * scale) for n in places if (total := totals[n]) is not None]
    return "M" + "L".join(f"{x:.0f} {y:.1f}" for x, y in points)
