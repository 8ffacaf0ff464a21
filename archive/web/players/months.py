"""The months of a player's page: from rows of `month_rows` to the choice of a span of them."""

from collections.abc import Sequence

from msgspec import Struct

from archive.text.dates import format_day
from archive.text.numbers import format_number
from archive.text.wording import Texts
from archive.web.players.queries import Span
from archive.web.queries import Facts

Option = tuple[str, str, bool]  # the value in the address, the same in words, whether it is chosen


class MonthChoice(Struct, frozen=True):
    """From which month to which: the options of both ends in the order of time, the open ends among them."""

    since: tuple[Option, ...]
    until: tuple[Option, ...]
    says: str  # the span and the number of its deals; empty if all deals are shown
    undated: str  # how many deals are in no span


def month_choice(rows: Sequence[Facts], span: Span, deals: int, t: Texts) -> MonthChoice | None:
    """Return the choice of a player with `deals` in a span; None if there is only one month and the address names no
    span."""
    months = [row["month"] for row in rows if row["month"]]
    if not span and len(months) < 2:
        return None
    undated = sum(row["deals"] for row in rows if not row["month"])
    return MonthChoice(
        since=(("", t["pr_start"], not span.since), *_options(months, span.since, t)),
        until=(*_options(months, span.until, t), ("", t["pr_end"], not span.until)),
        says=_span_words(span, deals, sum(row["deals"] for row in rows), t) if span else "",
        undated=t["pr_undated"].format(count=format_number(undated, t)) if span and undated else "",
    )


def _options(months: Sequence[str], chosen: str, t: Texts) -> list[Option]:
    """Return the months, and the month of the address if it is none of them."""
    every = sorted({*months, chosen} - {""})
    return [(month, format_day(month, t), month == chosen) for month in every]


def _span_words(span: Span, deals: int, total: int, t: Texts) -> str:
    since, until = format_day(span.since, t) or t["pr_start"], format_day(span.until, t) or t["pr_end"]
    words = t["pr_span_one" if span.since == span.until else "pr_span"]
    return words.format(count=format_number(deals, t), total=format_number(total, t), since=since, until=until)
