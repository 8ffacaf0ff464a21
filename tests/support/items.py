"""The items that an importer yields, by their kind."""

from collections.abc import Iterable

from msgspec.structs import replace

from archive.record import Deal, Finding, Session

Item = Session | Deal | Finding
Read = tuple[list[Session], list[Deal], list[Finding]]


def by_kind(items: Iterable[Item]) -> Read:
    """Return the sessions, deals and findings, each in their order."""
    kept: Read = ([], [], [])
    for item in items:
        kept[(Session, Deal, Finding).index(type(item))].append(item)  # type: ignore[arg-type]
    return kept


def bare(deals: list[Deal]) -> list[Deal]:
    """Return deals without the places that they were read from."""
    return [replace(deal, source=None) for deal in deals]


def places_in(items: Iterable[Item]) -> list[tuple[str, int]]:
    """Return the rule and line of each finding."""
    return [(item.rule, item.source.line if item.source else 0) for item in items if isinstance(item, Finding)]
