"""The chat of the client of sauspiel.de, saved as text, as `docs/formats/sauspiel-chat.md` describes it.

A log is cut into games at the lines that begin one. It has no cards and no seats: the seats follow from the order of
the first four calls, and games whose players sit alike are one session."""

from collections.abc import Iterator
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

from msgspec.structs import replace

from archive.record import Call, Deal, Finding, Game, Session, Source, Stated, finding
from archive.record.names import one_form
from archive.say import Message, message
from importers.sauspiel.chat_words import OWNER, ChatEvent, Result, read_call, read_event, read_game
from importers.sauspiel.site_words import PLAIN, doubles_of, implied_settings, session_of, site_settings
from importers.text import numbered_lines

NAME = "sauspiel-chat"

SEATS = 4
NAMELESS = tuple(f"(not named {n})" for n in range(1, SEATS + 1))
ROUND = ("pass", "play", "timeout")  # everyone says one of these before anybody says more
SEATED = "players: the order of the first four calls, which begin with forehand"
LISTED = "players: the order in which the log names them; who sits where is not told"
AS_BEFORE = "players: the same four as in the games around, who are seated as there"
DEALER = "dealer: the first to call is forehand, so that the fourth deals"
ALL_PASSED = "game: all four have passed, and the next game begins"


class EventLine(NamedTuple):
    """An event with the number of its line and its text."""

    no: int
    text: str
    event: ChatEvent


class GameLines(NamedTuple):
    """The lines of a game, and what follows from all of them. `players` are forehand first if the order is told."""

    source: Source
    lines: list[EventLine]
    players: tuple[str, ...]
    is_ordered: bool
    game: Game | None  # the declarer as an index of `players`
    result: Result | None
    is_last: bool
    findings: tuple[Finding, ...]

    @property
    def games(self) -> int:
        """Return the number of games: none between two, several that begin and say nothing."""
        return max(1, sum(line.event.kind == "start" for line in self.lines)) if self.lines else 0

    @property
    def is_deal(self) -> bool:
        return bool(self.lines) and not self.findings

    @property
    def unit(self) -> str | None:
        return self.result.amount.unit if self.result and self.result.amount else None


def matches(name: str, head: bytes) -> bool:
    """Return whether a line among the first bytes of a file begins a game."""
    return any((event := read_event(text)) and event.kind == "start" for _, text in _lines(head))


def _lines(data: bytes) -> list[tuple[int, str]]:
    """Return the lines that are not blank, each with its number, without what is not seen in them."""
    return [(number, one_form(text)) for number, text in numbered_lines(data)]


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield a session wherever players or their seats change, its deals, findings for what is not understood."""
    events = [EventLine(number, text, event) for number, text in _lines(data) if (event := read_event(text))]
    cut = list(_split_games(events))
    if not any(lines[0].event.kind == "start" for lines in cut):
        yield finding("no-deals", source)
        return
    blocks: list[GameLines] = []
    for lines in cut:
        blocks.append(_block(lines, source, blocks[-1].players if blocks else (), lines is cut[-1]))
    for run in _sessions(blocks):
        position = 0
        head = next((block for block in run if block.is_deal), None)
        if head:
            yield _session(run, head)
        for block in run:
            position += block.games
            at = replace(block.source, deal=position if block.lines else None)
            yield from (replace(item, source=replace(item.source or at, deal=at.deal)) for item in block.findings)
            if head and block.is_deal:
                yield from _deal(block._replace(source=at), head)


def _split_games(lines_read: list[EventLine]) -> Iterator[list[EventLine]]:
    """Yield a list of events for each game; events after its result, before another begins, are a list of their own.
    Games that begin and say nothing are one list."""
    block: list[EventLine] = []
    for line, after in zip_longest(lines_read, lines_read[1:]):
        begins = line.event.kind == "start"
        says_nothing = begins and (after is None or after.event.kind == "start")
        ended = block and block[0].event.kind == "start" and block[-1].event.kind == "result"
        if block and (ended or (begins and not (says_nothing and block[-1].event.kind == "start"))):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


# --- a game -----------------------------------------------------------------------------------------------------------


def _block(cut: list[EventLine], source: Source, before: tuple[str, ...], is_last: bool) -> GameLines:
    """Return a game with its players, and the findings that keep it from being read. Lines between two games are taken
    as said among the players of the first."""
    where = replace(source, line=cut[0].no, end_line=cut[-1].no)
    understood = [line for line in cut if line.event.kind != "unread"]
    names = _names(understood)
    result = next((line.event.result for line in understood if line.event.result), None)

    def is_understood(line: EventLine) -> bool:
        """Return whether an event says what it seems to say; if all four players are known, others only chat."""
        if line.event.kind == "unread":
            known = names if understood else before
            return len(known) >= SEATS and line.event.who not in ("", *known)
        return line.event.kind != "call" or _call(line.event, result) is not None

    findings = []
    for is_read, group in groupby(cut, is_understood):
        if not is_read:  # consecutive lines are one finding
            first, *others = group
            at = replace(source, line=first.no, end_line=(others or [first])[-1].no)
            findings.append(finding("line-not-read", at, text=first.text[:200]))
    if why := _unreadable(understood, names, result):
        findings.append(finding("deal-unreadable", where, why=why))
    if not names:
        players = NAMELESS if understood else before
        return GameLines(where, understood, players, False, None, None, is_last, tuple(findings))
    order = _order(understood)
    players = order or (*names[:SEATS], *NAMELESS)[:SEATS]
    game = None if findings else _game(understood, result, players)
    return GameLines(where, understood, players, bool(order), game, result, is_last, tuple(findings))


def _names(lines_read: list[EventLine]) -> tuple[str, ...]:
    """Return the players named, in order."""
    names: list[str | None] = []
    for event in (line.event for line in lines_read):
        result = event.result
        names += (event.who, result and result.mate, OWNER if result and result.amount else None)
    return tuple(dict.fromkeys(name for name in names if name))


def _unreadable(lines_read: list[EventLine], names: tuple[str, ...], result: Result | None) -> Message | None:
    """Return why the events of a game cannot be a record, or None if they can."""
    if not lines_read:
        return None
    if lines_read[0].event.kind != "start":
        return message("importers.no-beginning")
    if not names:
        return message("importers.it-names-nobody" if len(lines_read) == 1 else "importers.they-name-nobody")
    if len(names) > SEATS:
        return message("importers.too-many-players", n=len(names), players=names[:9])
    announced = _announcement(lines_read, result)
    if result is None or announced is None:
        return None
    declarer, game = announced
    if result.game.contract != game.contract or result.game.suit not in (None, game.suit):
        return message("importers.other-game", game=game.contract, result=result.game.contract)
    if declarer and declarer not in (result.who, result.mate):
        return message("importers.other-declarer", player=declarer, result=result.who)
    return None


def _order(lines_read: list[EventLine]) -> tuple[str, ...]:
    """Return the players from forehand on, if the first four calls are by four different players, else ()."""
    calls = [line.event for line in lines_read if line.event.kind == "call"][:SEATS]
    names = tuple(dict.fromkeys(event.who for event in calls if read_call(event.text, None) in ROUND))
    return names if len(names) == SEATS else ()


def _announcement(lines_read: list[EventLine], result: Result | None) -> tuple[str | None, Game] | None:
    """Return the declarer and the game of the last announcement, or None; the declarer of a Ramsch is None."""
    for event in (line.event for line in reversed(lines_read)):
        if event.kind == "ramsch":
            return None, Game("ramsch")
        call = _call(event, result) if event.text.startswith("spielt ") else None
        if call and (game := read_game(call)):
            return event.who, game
    return None


def _game(lines_read: list[EventLine], result: Result | None, players: tuple[str, ...]) -> Game | None:
    """Return the game as announced, else as the result has it, or None if neither is there."""
    declarer, game = _announcement(lines_read, result) or ((result.who, result.game) if result else (None, None))
    if game is None or game.contract == "ramsch" or declarer is None:
        return game
    return replace(game, declarer=players.index(declarer))


# --- the sessions -----------------------------------------------------------------------------------------------------


def _sessions(blocks: list[GameLines]) -> Iterator[list[GameLines]]:
    """Yield consecutive games at one table; those that cannot be read go with those around them."""
    run: list[GameLines] = []
    head: GameLines | None = None
    unit: str | None = None
    for block in blocks:
        if block.is_deal and head and not (_sit_alike(head, block) and block.unit in (None, unit or block.unit)):
            yield run
            run, head, unit = [], None, None
        run.append(block)
        if block.is_deal:
            head, unit = head or block, unit or block.unit
    if run:
        yield run


def _sit_alike(head: GameLines, block: GameLines) -> bool:
    """Return whether the players of a game are those of the session, in its order as far as it is told."""
    if not block.is_ordered:
        return set(block.players) == set(head.players)
    turned = [block.players[n:] + block.players[:n] for n in range(SEATS)]
    return head.is_ordered and head.players in turned


def _session(run: list[GameLines], head: GameLines) -> Session:
    """Return the head of a session, with the special rules that its games show."""
    rules: dict[str, Any] = {}
    evidence: list[str] = []
    for block in run:
        settings, why = implied_settings(block.game, 0)
        contracts = [*rules.get("contracts", PLAIN), *settings.get("contracts", ())]
        rules |= settings | ({"contracts": list(dict.fromkeys(contracts))} if "contracts" in settings else {})
        evidence += [note.replace("this deal", "a game of the session") for note in why]
    unit = next((block.unit for block in run if block.unit), None)
    recorder = OWNER if OWNER in head.players else None
    inferred = (SEATED if head.is_ordered else LISTED, *dict.fromkeys(evidence))
    about = {"source": head.source, "recorder": recorder, "inferred": inferred}
    return session_of(head.players, None, unit, site_settings(None, None) | rules, **about)


def _deal(block: GameLines, head: GameLines) -> Iterator[Deal | Finding]:
    """Yield the deal of a game, and what its log lacks."""
    players, result = head.players, block.result
    seats = {name: seat for seat, name in enumerate(players)}
    events = [line.event for line in block.lines]
    auction = tuple(
        Call(seats[event.who], call) for event in events if event.kind == "call" and (call := _call(event, result))
    )
    game = _game(block.lines, result, players)
    silent = game is None and result is None and all(call.call == "pass" for call in auction)
    thrown_in = silent and block.is_ordered and not block.is_last
    whole = result is not None or thrown_in
    knocks, kontras = ([seats[event.who] for event in events if event.kind == kind] for kind in ("knock", "kontra"))
    doubles = doubles_of(kontras)
    seated = DEALER if block.is_ordered else AS_BEFORE if head.is_ordered else None
    yield Deal(
        source=block.source,
        id=block.lines[0].event.text,
        inferred=tuple(note for note in (seated, ALL_PASSED if thrown_in else None) if note) or None,
        dealer=seats[block.players[-1]] if block.is_ordered else None,
        knocks=tuple(knocks) if knocks or whole else None,
        auction=auction or None,
        game=Game("none") if thrown_in else game,
        doubles=doubles if doubles or whole else None,
        stated=_stated_values(result, game, seats) if result else None,
    )
    if lacks := tuple(_lacks(block, auction, whole)):
        yield finding("log-incomplete", block.source, what=lacks)


def _call(event: ChatEvent, result: Result | None) -> str | None:
    """Return a call in the words of the record, or None for one that is not understood."""
    return read_call(event.text, result.game if result else None)


def _stated_values(result: Result, game: Game | None, seats: dict[str, int]) -> Stated:
    """Return the stated values of a result; for a Ramsch the loser and the points."""
    owner, who = seats.get(OWNER), seats[result.who]
    payments = tuple(result.amount.value if seat == owner else None for seat in range(SEATS)) if result.amount else None
    if game and game.contract == "ramsch":
        points = None if result.points is None else tuple(result.points if s == who else None for s in range(SEATS))
        return Stated(points=points, loser=None if result.won else who, payments=payments, result=result.text)
    mates = {who, seats[result.mate]} if result.mate and game else set()
    return Stated(
        points=None if result.of_defence else result.points,
        points_against=result.points if result.of_defence else None,
        won=result.won,
        partner=next((seat for seat in mates if game and seat != game.declarer), None),
        payments=payments,
        result=result.text,
    )


def _lacks(block: GameLines, auction: tuple[Call, ...], whole: bool) -> Iterator[Message]:
    """Yield the parts of a whole log that this game lacks."""
    named = [name for name in block.players if name not in NAMELESS]
    if len(named) < SEATS:
        yield message("importers.lacks-names", n=SEATS - len(named))
    if not auction:
        yield message("importers.lacks-calls")
    if not whole:
        yield message("importers.lacks-result")
    elif block.result and block.result.amount is None:
        yield message("importers.lacks-amount-of-owner")
