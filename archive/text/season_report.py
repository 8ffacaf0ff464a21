"""The report of a year: standings, attendance, the best evenings, months, and the year before."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from archive.say import make_sayer
from archive.stats.query import answer_question
from archive.text.dates import format_day
from archive.text.numbers import column_unit, format_decimal, format_money
from archive.text.printed_page import printed_page
from archive.text.tables import tabulate
from archive.text.texts import TEXTS
from archive.text.wording import Texts

season_word = make_sayer("season.")
MOST_EVENINGS = 5  # among the best, and among the worst
MOST_NAMES = 7  # side by side on a page
Rows = list[dict[str, Any]]


class ReportTable(Struct, frozen=True):
    """A table of the report: its title, heads, and rows of texts; the first `names` columns are not numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1


class SeasonReport(Struct, frozen=True):
    """The report, worded: title, what it counts, tables for each unit, attendance, and how it is counted."""

    title: str
    counts: str
    parts: tuple[tuple[str, tuple[ReportTable, ...]], ...]
    attendance: ReportTable | None
    how: str


def season_report(
    conn: sqlite3.Connection, year: str | None, event: str | None, language: str, until: str | None = None
) -> SeasonReport:
    """Return the report of a year, or from its first day `until` another (None: of all evenings), of one event if
    given. Raise ArchiveError if it is no year."""

    def ask(name: str, **days: str | None) -> Rows:
        answer = answer_question(conn, name, {"event": event, "since": year, "until": until or year} | days)
        return [answer.facts(row) for row in answer.rows]

    came, players, evenings, months = map(
        ask, ("attendance", "evenings_of_players", "best_evenings", "players_by_month")
    )
    is_year = year is not None and until is None and year.isdecimal() and len(year) == 4
    years = ask("players_by_year", since=str(int(year) - 1)) if is_year and year else []
    days = ask("sessions_overview")
    counts = {
        "evenings": len({row["evening"] for row in evenings}),
        "players": len({row["player"] for row in players}),
        "deals": sum(row["deals"] for row in days),
    }
    if until or not year:
        of = season_word("title-span", language, year=year, until=until) if year else season_word("title-all", language)
    else:
        of = season_word("title", language, year=year) if is_year else season_word("title-month", language, month=year)
    units = dict.fromkeys(row["unit"] for row in players)
    return SeasonReport(
        title=season_word("title-event", language, event=event, of=of) if event else of,
        counts=season_word("counts", language, **counts),
        parts=tuple(
            unit_part(unit, year, language, *(of_unit(rows, unit) for rows in (players, evenings, months, years)))
            for unit in units
        ),
        attendance=attendance_table(whole_span(came) if until else came, language) if came else None,
        how=season_word("how" if players else "nothing", language),
    )


def of_unit(rows: Rows, unit: str | None) -> Rows:
    return [row for row in rows if row["unit"] == unit]


def unit_part(
    unit: str | None, year: str | None, language: str, players: Rows, evenings: Rows, months: Rows, years: Rows
) -> tuple[str, tuple[ReportTable, ...]]:
    """Return the heading of a unit and its tables."""
    t = TEXTS[language]
    tables = [standings_table(players, unit, t), evenings_table("best", evenings[:MOST_EVENINGS], unit, t)]
    if len(evenings) > MOST_EVENINGS:
        tables.append(evenings_table("worst", evenings[: -MOST_EVENINGS - 1 : -1], unit, t))
    if any(row["balance_before"] is not None for row in years):
        now = [row for row in years if str(row["year"]) == year]
        tables.append(years_table(now, unit, t))
    if len({row["month"] for row in months}) > 1:
        names = sorted({row["name"] for row in months})
        tables += [
            months_table(months, names[at : at + MOST_NAMES], unit, t) for at in range(0, len(names), MOST_NAMES)
        ]
    return season_word("in-unit", language, unit=column_unit(unit, t)) if unit else "", tuple(tables)


def heads_of(t: Texts, *keys: str) -> tuple[str, ...]:
    return tuple(season_word(key, t["lang"]) for key in keys)


def standings_table(players: Rows, unit: str | None, t: Texts) -> ReportTable:
    """Return the standings, the highest sum first; equal sums share a place."""
    order = sorted(players, key=lambda row: (-row["balance"], row["name"]))
    rows = []
    for row in order:
        place = 1 + sum(other["balance"] > row["balance"] for other in order)
        best = f"{format_money(row['best_evening'], unit, t)} ({shown_evening(row['best_evening_day'], t)})"
        deal = "" if row["best_deal"] is None else format_money(row["best_deal"], unit, t)
        mean = row["per_evening"]
        each = format_money(round(mean), unit, t) if unit == "ct" else format_decimal(mean, 1, t, sign=True)
        sums = (format_money(row["balance"], unit, t), each, best, deal)
        rows.append((str(place), row["name"], str(row["evenings"]), str(row["deals"]), *sums))
    heads = heads_of(t, "rank", "name", "evenings", "deals", "balance", "per-evening", "best-evening", "best-deal")
    return ReportTable(season_word("standings", t["lang"]), heads, tuple(rows), 2)


def shown_evening(evening: str | None, t: Texts) -> str:
    """Return an evening in words: its day, or the number of its session."""
    number = (evening or "").removeprefix("session ")
    return format_day(evening, t) if number == (evening or "") else t["session"].format(number=number)


def evenings_table(key: str, evenings: Rows, unit: str | None, t: Texts) -> ReportTable:
    rows = (
        (row["name"], shown_evening(row["evening"], t), str(row["deals"]), format_money(row["balance"], unit, t))
        for row in evenings
    )
    return ReportTable(season_word(key, t["lang"]), heads_of(t, "name", "day", "deals", "balance"), tuple(rows), 2)


def years_table(years: Rows, unit: str | None, t: Texts) -> ReportTable:
    """Return the sums of a year beside those of the year before."""
    rows = []
    for row in years:
        before = row["balance_before"]
        sums = (row["balance"], before, None if before is None else row["balance"] - before)
        rows.append((row["name"], *("–" if each is None else format_money(each, unit, t) for each in sums)))
    heads = heads_of(t, "name", "balance", "before", "change")
    return ReportTable(season_word("years", t["lang"]), heads, tuple(rows))


def months_table(months: Rows, names: Sequence[str], unit: str | None, t: Texts) -> ReportTable:
    """Return the sums of some players month by month, a row for each month."""
    sums = {(row["month"], row["name"]): row["balance"] for row in months}
    rows = tuple(
        (
            format_day(month, t),
            *("" if sums.get((month, name)) is None else format_money(sums[month, name], unit, t) for name in names),
        )
        for month in sorted({row["month"] for row in months})
    )
    return ReportTable(season_word("months", t["lang"]), (season_word("month", t["lang"]), *names), rows)


def whole_span(came: Rows) -> Rows:
    """Return how often each player came in all years together, whoever came most first."""
    every = sum({row["year"]: row["all_evenings"] for row in came}.values())
    sums = dict[str, int]()
    for row in came:
        sums[row["name"]] = sums.get(row["name"], 0) + row["evenings"]
    order = sorted(sums.items(), key=lambda each: (-each[1], each[0]))
    return [
        {"name": name, "year": "", "evenings": n, "all_evenings": every, "attended": n / every} for name, n in order
    ]


def attendance_table(came: Rows, language: str) -> ReportTable:
    """Return how often each player came, year by year if there are several."""
    t, years = TEXTS[language], len({row["year"] for row in came}) > 1
    rows = (
        (
            f"{row['name']} {row['year'] or ''}".strip() if years else row["name"],
            f"{row['evenings']} {season_word('came', language, evenings=row['all_evenings'])}",
            f"{round(100 * row['attended'])}\u202f%",
        )
        for row in came
    )
    return ReportTable(season_word("attendance", language), (*heads_of(t, "name", "evenings"), ""), tuple(rows))


# --- on paper, and in the terminal ------------------------------------------------------------------------------------


def season_html(report: SeasonReport, made_on: str, language: str) -> bytes:
    """Return the report as a page to print on A4, complete in itself; `made_on` is a day."""
    written = season_word("written", language, day=made_on)
    return printed_page("dossier/season.html", language, report=report, written=written)


def season_lines(report: SeasonReport) -> Iterable[str]:
    """Yield the report in lines for the terminal, without how it is read."""
    yield f"{report.title}: {report.counts}"
    tables = [(heading, table) for heading, of in report.parts for table in of]
    tables += [("", report.attendance)] if report.attendance else []
    said = ""
    for heading, table in tables:
        if heading and heading != said:
            yield f"\n{heading}"
            said = heading
        yield f"\n{table.title}"
        numbers = len(table.heads) - table.names
        aligned = ("left",) * table.names + ("right",) * numbers
        yield tabulate(
            table.rows, table.heads, "simple", colalign=aligned if table.rows else None, disable_numparse=True
        )


def report_rows(report: SeasonReport) -> Iterable[Mapping[str, object]]:
    """Yield each table as an object: its unit, title, heads and rows."""
    for heading, tables in report.parts:
        yield from ({"of": heading, "title": each.title, "heads": each.heads, "rows": each.rows} for each in tables)
    if each := report.attendance:
        yield {"of": "", "title": each.title, "heads": each.heads, "rows": each.rows}


def years_of(conn: sqlite3.Connection) -> Sequence[str]:
    """Return the years that have evenings, the last first."""
    sql = "SELECT DISTINCT substr(date, 1, 4) FROM sessions WHERE date IS NOT NULL ORDER BY 1 DESC"
    return [row[0] for row in conn.execute(sql)]
