"""The story of an evening, the ranking and how it came about, in a line and in three sentences; and its end: the final
totals, who pays whom, and what it is remembered for, from facts alone."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from archive.say import Message, message
from archive.store import session_row, session_verdicts
from archive.store.left_out import waiting_drafts
from archive.store.load import first_break
from archive.text.cash import POT, Transfer, transfers
from archive.text.dates import format_day
from archive.text.deal_row import deal_row
from archive.text.left_out import drafts_text
from archive.text.numbers import format_money, format_number, plain_money
from archive.text.wording import Texts, session_title
from archive.web.queries import Facts
from archive.web.sentences import Sentence, to_sentence
from archive.web.session import queries
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
    return series, Story(tuple(_ranking(paid, lines, rests_on_open, t)) if paid else (), tuple(sentences))


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
    series: TotalsSeries, seats: Mapping[int, Mapping[str, int]], rests_on_open: Sequence[int], t: Texts
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
            total="–" if last is None else format_money(last, series.unit, t),
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


LEAST = 2  # deals in a row, or declared, that are an honour


Honour = tuple[str, Sentence]  # a thing that an evening is remembered for: its title and a sentence


class Closing(Struct, frozen=True):
    """The end of a session that is paid. `unsettled` is the reason why nobody knows who pays whom: a total is not
    known, or lacks a deal without an amount, the amounts of a deal do not sum to zero, or deals of the evening
    `drafts_of` wait as drafts; empty otherwise."""

    title: str
    facts: str
    ranking: tuple[RankedSeat, ...]
    unsettled: str
    payments: tuple[Sentence, ...]
    honours: tuple[Honour, ...]
    hand: tuple[str, tuple[str, ...]] | None  # of the declarer of the dearest deal, with his name, if it is known
    drafts_of: int | None


def closing_of(conn: sqlite3.Connection, session: int, t: Texts, shown: Names = str) -> Closing | None:
    """Return the end of a session; None if it has no deals, or counts marks. `shown` returns the name to show for a
    name."""
    head, verdicts = session_row(conn, session), session_verdicts(conn, session)
    if head is None or not verdicts:
        return None
    course, story = story_of_session(conn, head, verdicts, t, shown=shown)
    if course is None or course.tallied:
        return None
    dearest = queries.dearest_deal(conn, session)
    held = queries.hand_of_declarer(conn, dearest["deal"]) if dearest else None
    ends = {name: line[-1] for name, line in course.lines}
    is_open = None in ends.values() or (
        any(each.open for each in story.ranking) and queries.has_unpaid_deal(conn, session)
    )
    people = {name: key for each in story.ranking for name, key in each.people if key}
    count = sum(verdicts.values())
    deals = t["pv_deals"].format(n=count, count=format_number(count, t))
    day = format_day(head["date"], t) if head["date"] else ""
    uneven = ", ".join(t["deal"].format(number=number) for number in queries.uneven_deals(conn, session))
    evening, drafts = waiting_drafts(conn, session)
    crooked = t["cl_uneven"].format(deals=uneven) if uneven else ""
    unsettled = t["cl_open"] if is_open else crooked or drafts_text(drafts, t["lang"])
    return Closing(
        title=session_title(head["event"], session, t),
        facts=" · ".join(filter(None, (day, head["place"], deals))),
        ranking=story.ranking,
        unsettled=unsettled,
        payments=tuple(
            to_sentence(each, t, people=people, whole=True)
            for each in payment_messages(transfers({name: end or 0 for name, end in ends.items()}), course.unit, t)
        )
        if not unsettled
        else (),
        honours=tuple(honours_of(conn, session, course, dearest, t, shown, people)),
        hand=(shown(held[0]), held[1]) if held else None,
        drafts_of=evening,
    )


def hidden_names(conn: sqlite3.Connection, t: Texts) -> Names:
    """Return the names in a picture: a name that is hidden from strangers is a number there, whoever sends the
    picture."""
    numbers = {name: t["cl_number"].format(number=key) for name, key in queries.hidden_players(conn).items()}
    return lambda name: numbers.get(name, name)


def payment_messages(paid: Sequence[Transfer], unit: str | None, t: Texts) -> Iterator[Message]:
    """Yield a sentence for each payment."""
    for payer, each in groupby(sorted(paid, key=lambda one: (one.payer == POT, one.payer)), lambda one: one.payer):
        parts = tuple(_part(one, unit, t) for one in each)
        yield (
            message("evening.pays-pot", parts=parts)
            if payer == POT
            else message("evening.pays", payer=payer, parts=parts)
        )


def _part(one: Transfer, unit: str | None, t: Texts) -> Message:
    amount = plain_money(one.amount, unit, t)
    if one.payee == POT:
        return message("evening.pays-into-pot", amount=amount)
    return message("evening.pays-part", payee=one.payee, amount=amount)


# --- honours ----------------------------------------------------------------------------------------------------------


def honours_of(
    conn: sqlite3.Connection,
    session: int,
    course: TotalsSeries,
    dearest: Facts | None,
    t: Texts,
    shown: Names,
    people: Mapping[str, int],
) -> Iterator[Honour]:
    """Yield the honours of a session that have something to say; `people` are the numbers of the players by the names
    that are `shown`."""
    seats = [row | {"name": shown(row["name"])} for row in queries.seat_rows(conn, session)]
    declared = Counter(each["name"] for each in seats if each["declared"])
    schneider = Counter(each["name"] for each in seats if each["schneider"] and each["won"])
    says, deals = dearest_message("evening.dearest-deal", dearest, course.unit, t) if dearest else (None, {})
    honours = {
        "dearest": says,
        "row": most_message("evening.in-a-row", longest_runs(seats), LEAST),
        "declared": most_message("evening.declared-most", declared, LEAST),
        "turn": turn_message(course, t),
        "schneider": most_message("evening.schneider-king", schneider, 1),
    }
    for key, each in honours.items():
        if each:
            yield t[f"cl_{key}"], to_sentence(each, t, people=people, whole=True, deals=deals)


def most_message(key: str, counted: Mapping[str, int], least: int) -> Message | None:
    """Return a message on the player with most of something; None if nobody has enough."""
    most = max(counted.values(), default=0)
    if most < least:
        return None
    return message(key, players=tuple(name for name, n in counted.items() if n == most), n=most)


def longest_runs(seats: Sequence[Facts]) -> dict[str, int]:
    """Return the most deals in a row that each player won, of those that they played."""
    now, longest = Counter[str](), Counter[str]()
    for row in seats:
        now[row["name"]] = now[row["name"]] + 1 if row["won"] else 0
        longest[row["name"]] = max(longest[row["name"]], now[row["name"]])
    return dict(longest)


def turn_message(course: TotalsSeries, t: Texts) -> Message | None:
    """Return a message on the largest fall of a total, from its highest to its lowest point after that; None if no
    total fell."""
    falls = [(high - low, name, high, low, since) for name, line in course.lines for high, low, since in falls_of(line)]
    if not falls:
        return None
    _, name, high, low, since = max(falls, key=lambda each: each[0])
    ends = {"high": format_money(high, course.unit, t), "low": format_money(low, course.unit, t)}
    return message("evening.turn", player=name, number=course.numbers[since], **ends)


def falls_of(line: Sequence[int | None]) -> Iterator[tuple[int, int, int]]:
    """Yield each fall of a total: from where, to where, and the place of the deal with which it began."""
    high, top = 0, 0
    for place, total in enumerate(line):
        if total is None:
            continue
        if total >= high:
            high, top = total, place + 1
        else:
            yield high, total, top
