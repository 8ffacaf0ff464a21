"""What `benchmarks/questions.py` finds out, and the report that it writes of it."""

from collections.abc import Iterator

from measured import Measured
from msgspec import Struct

NEVER = 60.0  # seconds after which a query without facts is given up


class Asked(Struct, frozen=True):
    """A question: how many rows it has, of all deals by its view and narrowed to rules and contract; by part; without
    facts; without indexes, by part."""

    name: str
    rows: int
    cold: float
    view: Measured
    narrowed: Measured
    of_part: dict[str, Measured]
    without_facts: float | None
    bare: dict[str, float]


class Page(Struct, frozen=True):
    address: str
    status: int
    measured: Measured
    missing: tuple[str, ...]  # facets that were not counted in time
    bare: float | None  # without indexes
    bare_late: str  # what did not come in time then


# --- told -------------------------------------------------------------------------------------------------------------


def ms(value: float | None) -> str:
    if value is None:
        return ""
    return f"> {1000 * NEVER:,.0f}" if value == float("inf") else f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def both(found: Measured) -> str:
    return f"{ms(found.p50)} | {ms(found.p95)}"


def ratio(slow: float | None, fast: float) -> str:
    return "" if slow is None else "∞" if slow == float("inf") else f"{slow / max(fast, 0.01):,.1f}"


def told_questions(found: list[Asked]) -> Iterator[str]:
    yield "\n## Standard questions of all deals\n"
    yield "The view, and the prepared query for the most frequent rules and contract: the first 1,001 rows, which is as"
    yield "far as Datasette reads. Cold: the first query of a connection, the file's pages dropped from memory. Without"
    yield "facts: the same SQL over the deals, once.\n"
    yield "| question | rows | cold | view p50 | p95 | narrowed p50 | p95 | without facts | ratio |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for each in found:
        yield (f"| {each.name} | {each.rows:,} | {ms(each.cold)} | {both(each.view)} | {both(each.narrowed)} "
               f"| {ms(each.without_facts)} | {ratio(each.without_facts, each.view.p50)} |")  # fmt: skip
    yield "\n## Standard questions of a part\n"
    yield "The session, player and event in the middle by their number of deals, the player and the event with most."
    yield "Without our indexes: the session and the player again, once, and how many times as long it takes.\n"
    parts = " | ".join(f"{part} p50 | p95" for part in ("session", "player", "event", "most: player", "most: event"))
    yield f"| question | {parts} | session without indexes | ratio | player without indexes | ratio |"
    yield "|---" + "|--:" * 14 + "|"
    for each in found:
        times = " | ".join(both(each.of_part[part]) for part in ("session", "player", "event", "regular", "league"))
        slow = " | ".join(f"{ms(each.bare.get(part))} | {ratio(each.bare.get(part), each.of_part[part].p50)}"
                          for part in ("session", "player"))  # fmt: skip
        yield f"| {each.name} | {times} | {slow} |"


def told_pages(title: str, found: list[Page]) -> Iterator[str]:
    yield f"\n## {title}\n"
    yield "| address | status | p50 | p95 | without indexes | ratio |\n|---|--:|--:|--:|--:|--:|"
    for each in found:
        late = f" ({', '.join(each.missing)} not in time)" if each.missing else ""
        yield (f"| `{each.address}` | {each.status}{late} | {both(each.measured)} | {ms(each.bare)}{each.bare_late} "
               f"| {ratio(each.bare, each.measured.p50)} |")  # fmt: skip


def told_sizes(found: list[tuple[str, int, int]], deals: int) -> Iterator[str]:
    whole = sum(each[1] + each[2] for each in found)
    yield f"\n## Size\n\n{whole / 2**30:.2f} GB, {whole / deals:,.0f} bytes a deal.\n"
    yield "| part | rows: bytes a deal | indexes: bytes a deal | share |\n|---|--:|--:|--:|"
    shown = [each for each in found if (each[1] + each[2]) / deals >= 1]
    for name, rows, indexes in shown:
        yield f"| {name} | {rows / deals:,.1f} | {indexes / deals:,.1f} | {100 * (rows + indexes) / whole:.1f} % |"
    rest = sum(each[1] + each[2] for each in found if each not in shown)
    yield f"| all else | {rest / deals:,.1f} | | {100 * rest / whole:.1f} % |"
