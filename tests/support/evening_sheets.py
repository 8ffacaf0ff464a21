"""Four deals of four players as sheets have them, and what is read of a sheet."""

from collections.abc import Sequence

from archive.record import Deal, Finding, Session, Source
from importers import score_sheet

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
FOUR = [(50, -50, -50, 50), (50, -150, 50, 50), (-30, 30, 30, -30), (-50, -50, -50, 150)]
SUMS = [tuple(map(sum, zip(*FOUR[:end], strict=True))) for end in range(1, 5)]
NAMES = ";".join(PLAYERS)
HEAD, OF_GAMES = f"Nr;{NAMES}", f"Nr;Spiel;Spieler;Partner;{NAMES}"
GAMES = ["Sauspiel;Anna;Dora", "Herz-Solo;Ben;", "Sauspiel;Cem;Ben", "Wenz;Dora;"]


def items_of(text: str, path: str = "sheet.csv") -> list[Session | Deal | Finding]:
    data = text.encode()
    assert score_sheet.matches(path, data)
    return list(score_sheet.read(data, Source(path)))


def paid(items: list[Session | Deal | Finding], players: tuple[str, ...] = PLAYERS) -> list[tuple[int | None, ...]]:
    """What each deal paid, in the order of these players; () if that is not known."""
    read: list[tuple[int | None, ...]] = []
    seats: list[int] = []
    for item in items:
        if isinstance(item, Session):
            seats = [item.players.index(name) for name in players if name in item.players]
        elif isinstance(item, Deal):
            amounts = item.stated.payments if item.stated else None
            read.append(tuple(amounts[seat] for seat in seats) if amounts else ())
    return read


def asked(items: list[Session | Deal | Finding]) -> list[tuple[int, str]]:
    """The line and the reason of each finding."""
    findings = [item for item in items if isinstance(item, Finding)]
    reasons = [each.facts.get("why") or each.facts.get("expected") or each.rule for each in findings]
    words = [str(getattr(why, "id", why)).rpartition(".")[2] for why in reasons]
    return [(each.source.line if each.source else 0, word) for each, word in zip(findings, words, strict=True)]


def rows(head: str, *cells: str) -> str:
    return "\n".join([head, *cells]) + "\n"


def numbered(cells: list[str]) -> list[str]:
    return [f"{number};{text}" for number, text in enumerate(cells, 1)]


def joined(amounts: Sequence[tuple[int, ...]]) -> list[str]:
    return [";".join(map(str, each)) for each in amounts]


def beside(*columns: Sequence[object]) -> list[str]:
    """Rows of columns that stand beside each other."""
    return [";".join(map(str, cells)) for cells in zip(*columns, strict=True)]


PLAYED = beside(GAMES, joined(FOUR))
DEALS, ALONE = numbered(PLAYED), numbered(joined(FOUR))
