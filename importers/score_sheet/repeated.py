"""Evenings that two score sheets have: the same evening as CSV and as XLSX, at another date, in another order, or as a
row of sums in an overview. Without cards a deal is recognised by who was paid what for which game."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from archive.record import Deal, Finding, Session, Source, finding
from archive.say import Message, message

ALIKE = 4  # fewest deals that two evenings must share
MOST = 0.8  # of the deals of the shorter one

Payments = frozenset[tuple[str, int]]


class Evening(Struct, frozen=True):
    """The deals of a session, each as its game and the payments by name; their sums, and where they are."""

    place: Message | str
    file: tuple[str, str | None]  # its path and the hash of its bytes
    games: Counter[tuple[str | None, Payments]]
    sums: Payments
    tells_games: bool


Stored = Callable[[tuple[str, ...], Source], Iterable[Evening]]  # the evenings of an archive with any of the players


def stored_evening(session: int, path: str, deals: Iterable[tuple[str | None, dict[str, int]]]) -> Evening:
    """Return an evening of an archive, by the game and the payments by name of each of its deals."""
    place = message("importers.of-archive", session=session, path=path)
    return _evening_of(place, (path, None), [(contract, frozenset(paid.items())) for contract, paid in deals])


class KnownEvenings(Struct):
    """The evenings of all score sheets of one run, and those of the archive that they may repeat."""

    stored: Stored | None = None
    known: list[Evening] = []

    def without_repeated(self, items: Iterable[Session | Deal | Finding]) -> Iterator[Session | Deal | Finding]:
        """Yield the items of a sheet, with a finding for an evening that is known, or made of sums of others."""
        for session, rest in _by_session(items):
            if session is None:
                yield from rest
                continue
            deals = [item for item in rest if isinstance(item, Deal)]
            evening = _evening(session, deals)
            question = self._question(session, evening, deals)
            if question is None:
                yield session
                yield from rest
                self.known.append(evening)
            else:
                yield question
                yield from (item for item in rest if isinstance(item, Finding))

    def _question(self, session: Session, evening: Evening, deals: list[Deal]) -> Finding | None:
        if session.source is None or (session.x and session.x.get("columns", {}).get("deals")):
            return None
        path, digest = evening.file
        stored = self.stored(session.players, session.source) if self.stored and evening.games else ()
        of = evening.games.total()
        for other in (*self.known, *stored):
            if other.file[0] != path and other.file[1] == digest:
                continue  # a copy of the file, whose deals are known by their hashes
            shorter = min(of, other.games.total())
            shared = (evening.games & other.games).total() if shorter >= ALIKE else 0
            if shared >= ALIKE and shared >= MOST * shorter:
                return finding("evening-twice", session.source, n=shared, of=of, other=other.place)
        sums = {other.sums for other in self.known}
        rows = [_payments(session, deal) in sums for deal in deals]
        if not evening.tells_games and any(rows):
            why = message("importers.sums-of-sheets", n=sum(rows), of=len(rows))
            return finding("row-unclear", session.source, why=why)
        return None


def _by_session(
    items: Iterable[Session | Deal | Finding],
) -> Iterator[tuple[Session | None, list[Session | Deal | Finding]]]:
    """Yield each session with what follows it; None with what precedes the first."""
    session: Session | None = None
    rest: list[Session | Deal | Finding] = []
    for item in items:
        if isinstance(item, Session):
            yield session, rest
            session, rest = item, []
        else:
            rest.append(item)
    yield session, rest


def _evening(session: Session, deals: list[Deal]) -> Evening:
    paid = [(deal.game.contract if deal.game else None, _payments(session, deal)) for deal in deals]
    source, sheet = session.source, (session.x or {}).get("sheet")
    place = f"{source.path if source else ''}{f' ({sheet})' if sheet else ''}"
    return _evening_of(place, (source.path if source else "", source.sha256 if source else None), paid)


def _evening_of(place: Message | str, file: tuple[str, str | None], paid: list[tuple[str | None, Payments]]) -> Evening:
    sums: Counter[str] = Counter()
    for _, payments in paid:
        sums.update(dict(payments))
    tells = any(contract for contract, _ in paid)
    counted = Counter(each for each in paid if each[1])
    return Evening(place, file, counted, frozenset((name, n) for name, n in sums.items() if n), tells)


def _payments(session: Session, deal: Deal) -> Payments:
    """Return the payments of a deal by name, without those that are zero."""
    amounts = (deal.stated and deal.stated.payments) or ()
    players = deal.players or session.players
    return frozenset((name, n) for name, n in zip(players, amounts, strict=False) if n)
