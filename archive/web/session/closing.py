"""The end of an evening: the final totals, who pays whom, and what it is remembered for, from facts alone."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from archive.say import Message, message
from archive.store import session_row, session_verdicts
from archive.store.left_out import waiting_drafts
from archive.text.cash import POT, Transfer, transfers
from archive.text.dates import format_day
from archive.text.left_out import drafts_text
from archive.text.numbers import format_money, format_number, plain_money
from archive.text.wording import Texts, session_title
from archive.web.queries import Facts
from archive.web.sentences import Sentence, to_sentence
from archive.web.session.plot import TotalsSeries
from archive.web.session.queries import (
    dearest_deal,
    hand_of_declarer,
    has_unpaid_deal,
    hidden_players,
    seat_rows,
    uneven_deals,
)
from archive.web.session.story import Names, RankedSeat, dearest_message, story_of_session

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
    dearest = dearest_deal(conn, session)
    held = hand_of_declarer(conn, dearest["deal"]) if dearest else None
    ends = {name: line[-1] for name, line in course.lines}
    is_open = None in ends.values() or (any(each.open for each in story.ranking) and has_unpaid_deal(conn, session))
    people = {name: key for each in story.ranking for name, key in each.people if key}
    count = sum(verdicts.values())
    deals = t["pv_deals"].format(n=count, count=format_number(count, t))
    day = format_day(head["date"], t) if head["date"] else ""
    uneven = ", ".join(t["deal"].format(number=number) for number in uneven_deals(conn, session))
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
    numbers = {name: t["cl_number"].format(number=key) for name, key in hidden_players(conn).items()}
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
    seats = [row | {"name": shown(row["name"])} for row in seat_rows(conn, session)]
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
