"""The ranking of an event: its rows, the bases of its places, and the tables whose books do not add up."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from archive.text.dates import format_day
from archive.text.numbers import format_money
from archive.text.session_ledger import Facts, Standing
from archive.text.wording import Texts

BASES = ("cards", "facts", "amounts")
BY = {"wins": "deals_won", "solos": "solos_won", "touts": "touts_won", "best-deal": "best_deal"}  # words of tie-breaks


class TableSum(Struct, frozen=True):
    """A table of a round that does not add up: the rest of its amounts, or the deal from which on it breaks."""

    session: int
    title: str
    says: str


class RankingView(Struct, frozen=True):
    rows: tuple[Standing, ...]
    facts: tuple[str, ...]  # days, how many players, tables and rounds
    rests: tuple[str, ...]  # so many entries on each basis
    ties: str  # the rule that decides between equal totals
    sums: str  # empty if some table does not add up
    wrong: tuple[TableSum, ...]
    substitutes: tuple[str, ...]  # players who took the seat of another, and from which round on
    has_deals: bool  # of some the number of deals is known
    has_lists: bool
    has_open: bool


def ranking_view(
    rows: Sequence[Standing], by: Sequence[str], tables: Sequence[Facts], substitutes: Sequence[Facts], t: Texts
) -> RankingView:
    """Return the view of the page."""
    broken = [row for row in tables if row["break"] is not None]
    wrong = tuple(TableSum(row["session"], _title(row, t), _how_broken(row, t)) for row in broken)
    days = (format_day(each, t) for each in sorted({row["date"] for row in tables if row["date"]}))
    entries = [sum(row.bases[place] for row in rows) for place in range(len(BASES))]
    agreed = ", ".join(t[BY[name]] for name in by)
    shared = any(row.shared for row in rows)
    ties = t["rk_by"].format(names=agreed) if by else t["rk_by_nothing"]
    return RankingView(
        rows=tuple(rows),
        facts=(*days, t["rk_players"].format(count=len(rows)), *_tables_and_rounds(tables, t)),
        rests=tuple(f"{count} {t[f'basis_{name}']}" for name, count in zip(BASES, entries, strict=True) if count),
        ties=f"{ties} {t['rk_shared']}" if shared else ties,
        sums="" if wrong else t["rk_zero"].format(count=len(tables)),
        wrong=wrong,
        substitutes=tuple(t["substitute_from"].format(**each) for each in substitutes),
        has_deals=any(row.facts[0] != "0" for row in rows),
        has_lists=any(row.lists for row in rows),
        has_open=any(row.undecided for row in rows),
    )


def _tables_and_rounds(tables: Sequence[Facts], t: Texts) -> Iterator[str]:
    """Yield how many tables there are, and how many rounds where they are named; a table without a name is one."""
    names = [row["table_name"] or number for number, row in enumerate(tables)]
    yield t["rk_tables"].format(count=len({*names}))
    if rounds := {row["list"] for row in tables} - {None, ""}:
        yield t["rk_rounds"].format(count=len(rounds))


def _how_broken(row: Facts, t: Texts) -> str:
    if row["rest"]:
        return t["rk_left"].format(rest=format_money(row["rest"], row["unit"], t))
    return t["se_breaks"].format(number=row["break"])


def _title(row: Facts, t: Texts) -> str:
    """Return a table and its round, else the number of the session."""
    parts = [t[key].format(name=row[column]) for key, column in (("rk_table", "table_name"), ("rk_round", "list"))
             if row[column]]  # fmt: skip
    return ", ".join(parts) or str(row["session"])
