"""Players: from rows of `player_rows` to what their pages show, and from rows of `month_rows` to the choice of a
span of months. Amounts of different units, and marks, stay apart."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil

from msgspec import Struct

from archive.say import say
from archive.stats.coverage import rests_message
from archive.stats.sql import BASES
from archive.store.stored_messages import finding_from_row
from archive.text.dates import format_day
from archive.text.deal_row import deal_row as listed_deal
from archive.text.deal_row import title_of_contract_id
from archive.text.numbers import axis_words, format_money, format_number
from archive.text.wording import Texts, place_words, unit_after, unit_of
from archive.web.findings.routes import move_anchor
from archive.web.players.queries import Span
from archive.web.queries import Facts, rows_by
from archive.web.rates import Rate, format_percent, format_rate_interval, rate_of
from archive.web.sentences import worded_finding
from archive.web.stored import remedy_of
from archive.web.vega import Chart

ROLES = {  # those of player_rows.ROLE in which cards were played
    "declarer": "pr_declarer",
    "partner": "pr_partner",
    "defence": "pr_against",
    "pair": "pr_pair",
    "alone": "pr_alone",
    "unknown": "pr_unknown",
}
ADDED = ("computed", "balance", "settled_played", "paid_played")  # of the rows of a unit
MOST = 15  # partners, opponents
DRAWN = 200  # points of a running result
CURSORS = 60  # columns that name it, and lead to the deal
PLOTS = 3  # units whose running result is drawn


class RateRow(Struct, frozen=True):
    """A line of a table: its `deals`, and rates in the order of the table's columns."""

    label: str
    deals: int
    rates: tuple[Rate | None, ...]
    player: int | None = None


class RunningResult(Struct, frozen=True):
    """A running result of one unit, to be drawn; `tallied`: in marks."""

    unit: str
    tallied: bool
    rows: tuple[Facts, ...]

    @property
    def at_axis(self) -> str | None:
        """The unit that its amounts are written in; None for marks."""
        return None if self.tallied else self.unit


# --- the page of a player ---------------------------------------------------------------------------------------------


def player_page(
    who: tuple[int, str, Sequence[str]],
    cells: Sequence[Facts],
    met: Sequence[Facts],
    newest: Sequence[Facts],
    offences: tuple[Sequence[Facts], int],
    t: Texts,
    people: Mapping[int, Mapping[str, int]] | None = None,
) -> Facts:
    """Return the page of a player: number, name and other names; the rows of `player_rows`; the players at the table of
    each finding's deal, as `people_of_deals`. `contract_roles` are the columns of `contracts` after all roles together,
    `more` the numbers of further partners and opponents, `offended` is how many `offences` there are in all."""
    played = [cell for cell in cells if cell["role"] in ROLES]
    used = tuple(role for role in ROLES if any(cell["role"] == role for cell in played))
    sides = tuple(role for role in used if role != "unknown")
    partners, opponents = company_tables(met)
    return {
        "id": who[0],
        "name": who[1],
        "aliases": who[2],
        "deals": _deals(cells),
        "results": [*result_rows(cells, t)],
        "roles": [_row(t[ROLES[role]], [cell for cell in played if cell["role"] == role]) for role in used],
        "contract_roles": [t[ROLES[role]] for role in sides] if len(sides) > 1 else [],
        "contracts": [*contract_table(played, sides, t)],
        "places": [*_by(played, "place", lambda place: place_words(place, t))],
        "seats": [*_by(played, "seat", lambda seat: t["pr_seat"].format(seat=seat))],
        "partners": partners[:MOST],
        "opponents": opponents[:MOST],
        "more": (max(0, len(partners) - MOST), max(0, len(opponents) - MOST)),
        "newest": [listed_deal(row, t) for row in newest],
        "offences": [_offence(row, (people or {}).get(row["deal"], {}), t) for row in offences[0]],
        "offended": offences[1],
    }


def result_rows(cells: Iterable[Facts], t: Texts) -> Iterable[Facts]:
    """Return results by unit, the one with most deals first: of its deals `computed` have an amount in force, `rests`
    are the bases of the amounts."""
    for (unit, tallied), rows in sorted(rows_by(_unit, cells).items(), key=lambda item: -_deals(item[1])):
        computed, balance, played, paid = (sum(row[key] for row in rows) for key in ADDED)
        bases = {key: sum(row[key] for row in rows) for key in BASES}
        yield {
            "unit": unit_name(unit, t),
            "deals": _deals(rows),
            "computed": computed,
            "balance": format_amount(balance, unit, tallied, t) if computed else "–",
            "per_deal": _mean_text(paid / played, unit, tallied, t) if played else "–",
            "won": _win_rate(rows),
            "rests": say(rests_message(computed, bases), t["lang"]),
        }


def _unit(row: Facts) -> tuple[str, bool]:
    return row["unit"], bool(row["tallied"])


def _deals(rows: Iterable[Facts]) -> int:
    return sum(row["deals"] for row in rows)


def unit_name(unit: str, t: Texts) -> str:
    """Return the name of the unit that amounts are written in, euros for cents."""
    return "€" if unit == "ct" else unit_of(unit, t) or t["pr_no_unit"]


def format_amount(total: int, unit: str | None, tallied: bool, t: Texts, named: bool = False) -> str:
    """Return an amount, cents as euros: a number alone, or `named` with its unit."""
    if tallied or not named:
        return _mean_text(total, unit, tallied, t, 0) + (f" {unit_after(total, unit or '', t)}" if named else "")
    return format_money(total, unit, t) if unit else f"{format_number(total, t, sign=True)} {t['pr_no_unit']}"


def _mean_text(amount: float, unit: str | None, tallied: bool, t: Texts, places: int = 1) -> str:
    """Return an amount as a number alone, cents as euros, anything else with so many places."""
    if unit == "ct" and not tallied:
        return format_number(amount / 100, t, 2, sign=True)
    return format_number(amount, t, places, sign=not tallied)


def _win_rate(rows: Iterable[Facts]) -> Rate | None:
    decided = [row for row in rows if row["won"] is not None]
    return rate_of(_deals(row for row in decided if row["won"]), _deals(decided))


def _row(label: str, rows: Sequence[Facts]) -> RateRow:
    return RateRow(label, _deals(rows), (_win_rate(rows),))


def contract_table(played: Sequence[Facts], used: Sequence[str], t: Texts) -> Iterable[RateRow]:
    """Return results by contract, the one played most first: the rate of all roles, then of each."""
    by_contract = rows_by(lambda cell: cell["contract"] or "", played)
    for name, rows in sorted(by_contract.items(), key=lambda item: (-_deals(item[1]), item[0])):
        role_rates = [_win_rate(row for row in rows if row["role"] == role) for role in used] if len(used) > 1 else []
        yield RateRow(_contract_title(name, t), _deals(rows), (_win_rate(rows), *role_rates))


def _contract_title(name: str | None, t: Texts) -> str:
    return title_of_contract_id(name, language=t["lang"]) if name else t["no_game"]


def _by(played: Sequence[Facts], key: str, label: Callable[[int], str]) -> Iterable[RateRow]:
    """Return by place or seat how often a player won, and how often the player was declarer."""
    for value in sorted({cell[key] for cell in played if cell[key] is not None}):
        rows = [cell for cell in played if cell[key] == value]
        declared = rate_of(_deals(row for row in rows if row["role"] == "declarer"), _deals(rows))
        yield RateRow(label(value), _deals(rows), (_win_rate(rows), declared))


def company_tables(met: Sequence[Facts]) -> tuple[list[RateRow], list[RateRow]]:
    """Return a table of partners: how often won together, as the declarer's side, as the other; and one of opponents:
    how often won against them."""
    partners: list[RateRow] = []
    opponents: list[RateRow] = []
    for player, rows in rows_by(lambda row: int(row["id"]), met).items():
        same, other = ([row for row in rows if bool(row["together"]) is together] for together in (True, False))
        sides = [[row for row in same if row["declaring"] == side] for side in (1, 0)]
        for group, into, parts in ((same, partners, [same, *sides]), (other, opponents, [other])):
            if group:
                rates = (rate_of(*(sum(row[key] for row in part) for key in ("won", "known"))) for part in parts)
                into.append(RateRow(rows[0]["name"], _deals(group), tuple(rates), player))
    for table in (partners, opponents):
        table.sort(key=lambda row: (-row.deals, row.label))
    return partners, opponents


def _offence(row: Facts, people: Mapping[str, int], t: Texts) -> Facts:
    """Return a finding at a card that the player played, its `message`, what to `do` and its `place` in words."""
    trick, _, card = row["moment"].partition(".")
    return row | {
        "message": worded_finding(finding_from_row(row), t, people),
        "do": remedy_of(row["rule"], t),
        "at": move_anchor(row["moment"]),
        "place": t["pr_moment"].format(number=row["deal"], trick=trick, card=card),
    }


# --- plots ------------------------------------------------------------------------------------------------------------


def contract_rows(cells: Sequence[Facts], t: Texts, address: Callable[[str], str] = lambda contract: "") -> list[Facts]:
    """Return how often a player won each contract as declarer; with the `address` of the deals of a contract."""
    declared = [cell for cell in cells if cell["role"] == "declarer"]
    names = {_contract_title(cell["contract"], t): cell["contract"] for cell in declared}
    return [
        _contract_row(row.label, row.rates[0], t) | {"to": address(names[row.label]) if names[row.label] else ""}
        for row in contract_table(declared, (), t)
    ]


def _contract_row(label: str, rate: Rate | None, t: Texts) -> Facts:
    if rate is None:
        return {"label": label, "says": t["pl_open"], "won": None, "of": 0}
    says = t["pl_of"].format(share=format_percent(rate.share), count=rate.of)
    return {"label": label, "says": says, **{key: getattr(rate, key) for key in ("won", "of", "share", "low", "high")}}


def contract_chart(rows: Sequence[Facts], t: Texts) -> Chart:
    """Return how often each contract was won, of `contract_rows`."""
    return Chart(
        spec="rates",
        rows=rows,
        title=t["pl_contracts"],
        says="; ".join(f"{row['label']} {row['says']}" for row in rows),
        caption=t["pl_whiskers"],
        heads=(t["contract"], t["deals"], t["pr_won"], "%", "95 %"),
        cells=tuple((row["label"], str(row["of"]), *_rate_cells(rate_of(row["won"] or 0, row["of"]))) for row in rows),
    )


def _rate_cells(rate: Rate | None) -> tuple[str, str, str]:
    return (str(rate.won), format_percent(rate.share), format_rate_interval(rate)) if rate else ("–", "–", "–")


def running_results(rows: Sequence[Facts], t: Texts) -> list[RunningResult]:
    """Return the running results, by unit, those of most deals first."""
    results = []
    for (unit, tallied), of_unit in rows_by(_unit, rows).items():
        first = {"at": 0, "total": 0, "date": None, "deal": None}
        points = [first, *({key: row[key] for key in first} for row in of_unit)]
        points[-1] |= {"end": True, "says": format_amount(points[-1]["total"], unit, tallied, t)}
        results.append(RunningResult(unit, tallied, tuple(points)))
    return sorted(results, key=lambda run: -run.rows[-1]["at"])[:PLOTS]


def running_chart(run: RunningResult, t: Texts, address: Callable[[int], str] | None = None) -> Chart:
    """Return the running result of a unit, deal by deal; with the `address` of a deal its columns name the result and
    lead there."""
    end = run.rows[-1]
    cursors = _cursors(run, address, t) if address else ()
    caption = t["pl_run_how"]
    if len(run.rows) - 1 < end["at"]:
        caption = f"{caption} {t['pl_every'].format(shown=len(run.rows) - 1, count=end['at'])}"
    return Chart(
        spec="running",
        rows=(*cursors, *run.rows),
        values=axis_words(run.at_axis, t),
        title=t["pl_run"].format(unit=unit_name(run.unit, t)),
        says=t["pl_at_end"].format(count=end["at"], totals=end["says"]),
        caption=caption,
        heads=(t["pl_nth"], t["date"], t["running_total"]),
        cells=tuple(
            (str(row["at"]), format_day(row["date"], t), format_amount(row["total"], run.at_axis, False, t))
            for row in run.rows[1:]
        ),
    )


def _cursors(run: RunningResult, address: Callable[[int], str], t: Texts) -> Iterable[Facts]:
    """Return columns, of as many deals each, that say the result after one of them."""
    rows = run.rows
    step = ceil((len(rows) - 1) / CURSORS)
    places = range(step, len(rows), step)
    for place in places:
        row, before = rows[place], rows[place - step]["at"]
        after = rows[place + step]["at"] if place + step < len(rows) else row["at"]
        day = f" ({format_day(row['date'], t)})" if row["date"] else ""
        says = format_amount(row["total"], run.at_axis, False, t)
        yield {
            "from": (before + row["at"]) / 2, "until": (row["at"] + after) / 2, "to": address(row["deal"]),
            "tip": f"{t['deal'].format(number=row['deal'])}{day}: {says}",
        }  # fmt: skip


Option = tuple[str, str, bool]  # the value in the address, the same in words, whether it is chosen


def month_choice(rows: Sequence[Facts], span: Span, deals: int, t: Texts) -> Facts | None:
    """Return the choice of a player with `deals` in a span: the options of both ends in the order of time, the open
    ends among them; what the span `says` (empty: all deals are shown), and how many deals are in none (`undated`). None
    if there is only one month and the address names no span."""
    months = [row["month"] for row in rows if row["month"]]
    if not span and len(months) < 2:
        return None
    undated = sum(row["deals"] for row in rows if not row["month"])
    return {
        "since": [("", t["pr_start"], not span.since), *_options(months, span.since, t)],
        "until": [*_options(months, span.until, t), ("", t["pr_end"], not span.until)],
        "says": _span_words(span, deals, sum(row["deals"] for row in rows), t) if span else "",
        "undated": t["pr_undated"].format(count=format_number(undated, t)) if span and undated else "",
    }


def _options(months: Sequence[str], chosen: str, t: Texts) -> list[Option]:
    """Return the months, and the month of the address if it is none of them."""
    every = sorted({*months, chosen} - {""})
    return [(month, format_day(month, t), month == chosen) for month in every]


def _span_words(span: Span, deals: int, total: int, t: Texts) -> str:
    since, until = format_day(span.since, t) or t["pr_start"], format_day(span.until, t) or t["pr_end"]
    words = t["pr_span_one" if span.since == span.until else "pr_span"]
    return words.format(count=format_number(deals, t), total=format_number(total, t), since=since, until=until)


# --- the list ---------------------------------------------------------------------------------------------------------


def only_unit(balances: Iterable[Sequence[Facts]], t: Texts) -> str | None:
    """Return the name of the unit of all known amounts; None if there are several, or none."""
    units = {each["unit"] for of_player in balances for each in of_player if each["known"]}
    return unit_name(units.pop(), t) if len(units) == 1 else None


def player_line(row: Facts, balances: Sequence[Facts], t: Texts, in_words: bool) -> Facts:
    """Return a player of the list with `balances` by unit, each with its unit or as a number alone."""
    known = [(each, bool(each["tallied"])) for each in balances if each["known"]]
    texts = [format_amount(each["settled"], each["unit"], marks, t, named=in_words) for each, marks in known]
    return row | {"balances": texts}
