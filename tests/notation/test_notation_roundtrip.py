"""Records survive being written and read: the same structs, and written twice the same bytes."""

from collections.abc import Iterable
from typing import Any

from hypothesis import HealthCheck, given, settings
from msgspec import structs
from support.strategies import evenings
from support.thorough import examples

from archive.notation import identity, read_lines, read_toml, write_line, write_toml
from archive.record import Deal, Finding, Session, Source

HERE = Source("evening")
thorough = settings(max_examples=examples(10, 60), suppress_health_check=list(HealthCheck))
Evening = tuple[Session, tuple[Deal, ...]]


def bare(things: Iterable[Session | Deal | Finding]) -> list[Any]:
    """Without the places where they were read."""
    return [structs.replace(thing, source=None) for thing in things]


@thorough
@given(evenings())
def test_a_session_file_written_and_read_is_the_same_record(evening: Evening) -> None:
    session, deals = evening
    text = write_toml(session, deals)
    assert bare(read_toml(text.encode(), HERE)) == [session, *deals]
    assert write_toml(*(lambda first, *rest: (first, rest))(*bare(read_toml(text.encode(), HERE)))) == text


@thorough
@given(evenings())
def test_lines_written_and_read_are_the_same_record(evening: Evening) -> None:
    session, deals = evening
    lines = [write_line(session, deal) for deal in deals]
    assert bare(read_lines(b"\n".join(lines), HERE)) == [*([session] if deals else []), *deals]
    assert [write_line(session, deal) for deal in bare(read_lines(b"\n".join(lines), HERE))[1:]] == lines


@thorough
@given(evenings())
def test_a_page_and_a_line_of_one_deal_have_one_identity(evening: Evening) -> None:
    session, deals = evening
    page = bare(read_toml(write_toml(session, deals).encode(), HERE))
    for number, deal in enumerate(page[1:], 1):
        head, line = bare(read_lines(write_line(page[0], deal), HERE))
        assert identity(page[0], deal, number) == identity(head, line, number)
