"""The session logs of the Windows program NetSchafkopf, as `docs/formats/netschafkopf.md` describes them.

A log is cut into blocks, one for each deal; a line belongs to a block, has a kind, or is prose. The prose at the end of
a block (verdict and price sentences) is joined before it is read, since the program wraps it at any blank. A deal with
a line that is not understood is not read; a deal that lacks a line is read as far as it goes. Either is a finding."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, permutations, takewhile, zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from archive.cards import is_known, read_card
from archive.notation.game_words import letters
from archive.record import Deal, Finding, Game, Session, Source, Stated, Trick, finding
from archive.record.names import one_form
from archive.say import Message, message
from importers.dates import iso_day
from importers.netschafkopf_words import GAME, SeatNames, read_game, read_sentences
from importers.text import numbered_lines as text_lines

NAME = "netschafkopf"

PLACEHOLDER = "DU"  # printed for each of the two lords that a Schieber keeps out of the deal

OWNER = re.compile(r"gespielt von (?P<name>.+) am (?P<day>\d\d)\.(?P<month>\d\d)\.(?P<year>\d\d) mit (?P<version>.+)")
LINES = {
    kind: re.compile(pattern)
    for kind, pattern in {
        "dealer": r"Geber: (?P<name>.+)",
        "round": r"Spielart: Schieber",
        "hand": r"(?P<name>.+) hat:(?P<cards>.*)",
        "game": rf"(?P<name>.+) spielt {GAME}|Es wurde (?P<ramsch>Ramsch gespielt|zusammengeworfen)\.",
        "trick": r"(?P<name>.+) spielt aus:(?P<cards>.*)",
        "columns": r"Spiel\s+Preis\s+(?P<names>.+\S)\s+Stock",
        "totals": r"\d{1,9}\s+\d{1,9}(?:\s+[+−–-]?\d{1,9}){5}",
    }.items()
}
BLANKS = re.compile(r"[\xa0\u2000-\u200a\u202f]")  # each of them is one blank, which the columns may need
MINUS = str.maketrans("−–", "--")
AFTER_PLAY = ("columns", "totals")


class Line(NamedTuple):
    """A line that is not blank: its number from 1, its text without the blanks around it, its kind ("" for prose), and
    the parts of its pattern."""

    no: int
    text: str
    kind: str = ""
    parts: dict[str, str] = {}  # noqa: RUF012  # never changed


# --- the file ---------------------------------------------------------------------------------------------------------


def matches(name: str, head: bytes) -> bool:
    """Return whether the first bytes of a file are those of a log: its second line, or the first lines of a deal."""
    lines = _lines(head)
    return any(OWNER.fullmatch(line.text) for line in lines) or {"dealer", "hand"} <= {line.kind for line in lines}


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield the session of a log, its deals in order, and a finding for whatever in it is not understood or missing;
    one log after another, if several were joined."""
    blocks = [([*takewhile(lambda line: not line.kind, block)], block) for block in _split_deals(_lines(data))]
    if not any(line.kind for _, block in blocks for line in block):
        yield finding("no-deals", source)
        return
    with_head = [len(loose) < len(block) and any(map(_owner, loose)) for loose, block in blocks]
    starts = [number for number, is_head in enumerate(with_head) if is_head or not number]
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        yield from _log(blocks[start:end], source)


def _log(blocks: list[tuple[list[Line], list[Line]]], source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield what a log holds, by its blocks, each after the lines of it that stand before its deal."""
    players = _players([block for _, block in blocks])
    session, findings = _session(blocks[0][0], players, source)
    if session:
        yield session
    yield from findings
    owner = session.recorder if session else None
    table = SeatNames(players, players.index(owner) if owner in players else len(players) - 1)
    for number, (lines, block) in enumerate(blocks):
        if number:
            yield from (finding("line-not-read", _at(source, line), text=line.text) for line in lines)
        if len(lines) < len(block):
            yield from _deal(block[len(lines) :], table, replace(source, deal=number + 1))


def _owner(line: Line) -> re.Match[str] | None:
    return OWNER.fullmatch(one_form(line.text))


def _lines(data: bytes) -> list[Line]:
    return [_line(number, BLANKS.sub(" ", text)) for number, text in text_lines(data)]


def _line(number: int, text: str) -> Line:
    for kind, pattern in LINES.items() if len(text.split(maxsplit=1)) > 1 else ():  # one word is of no kind
        if match := pattern.fullmatch(text):
            return Line(number, text, kind, {key: part and one_form(part) for key, part in match.groupdict().items()})
    return Line(number, text)


def _split_deals(lines: list[Line]) -> list[list[Line]]:
    """Return a block for each deal: from the dealer's name or after the totals, for either line may be missing, or from
    the head of a further log."""
    blocks: list[list[Line]] = []
    ended = True
    for line, after in zip_longest(lines, lines[1:]):
        begins = line.kind == "dealer" or _owner(line) or (after and _owner(after) and not line.kind)
        if ended or (begins and any(other.kind for other in blocks[-1])):
            blocks.append([])
        blocks[-1].append(line)
        ended = line.kind == "totals"
    return blocks


def _players(blocks: list[list[Line]]) -> tuple[str, ...]:
    """Return the four columns of the totals, as most deals name them in agreement with their hands, or ()."""
    votes: Counter[tuple[str, ...]] = Counter()
    for block in blocks:
        names = {line.parts["name"] for line in block if line.kind == "hand"}
        columns = [line.parts["names"] for line in block if line.kind == "columns"]
        if len(names) == 4 and len(columns) == 1:
            votes.update(order for order in permutations(sorted(names)) if _names(columns[0], order))
    return votes.most_common(1)[0][0] if votes else ()


def _names(columns: str, players: tuple[str, ...]) -> bool:
    """Return whether the heading of the totals names these players in this order; names may hold blanks."""
    for name in players:
        rest = columns.lstrip().removeprefix(name)
        if rest == columns.lstrip():
            return False
        columns = rest
    return not columns


def _session(head: list[Line], players: tuple[str, ...], source: Source) -> tuple[Session | None, list[Finding]]:
    """Return the head of a log, or None if no deal names the players, and its findings. A head has the name of the rule
    table, then the owner, the day and the version."""
    findings, day, table, owner = [], None, None, None
    begin = head[0].no if head else 1
    owners = [place for place, line in enumerate(head) if _owner(line)]
    first = max(owners[0] - 1, 0) if owners else 0  # a letter may stand above the log
    for line in head:
        match = _owner(line)
        if match and not owner and (day := _date(match)):
            owner = match
        elif line is head[first] and not match:
            table = line.text
        else:
            findings.append(finding("line-not-read", _at(source, line), text=line.text))
    if gaps := tuple(
        message(f"importers.{key}") for key, there in (("rule-table", table), ("owner-and-date", owner)) if not there
    ):
        what = message("importers.and", parts=gaps)
        findings.append(finding("log-incomplete", replace(source, line=begin), what=what))
    if owner and players and owner["name"] not in players:
        where = _at(source, next(line for line in head if one_form(line.text) == owner.string))
        findings.append(_unknown_player("gespielt von", owner["name"], players, where))
    if not players:
        return None, findings
    session = Session(
        source=replace(source, line=begin, end_line=head[-1].no if head else begin),
        players=players,
        rules="bavarian",
        date=day,
        recorder=owner["name"] if owner else None,
        unit="P",
        table=table,
        origin=f"NetSchafkopf {owner['version'].rstrip('.')}" if owner else None,
    )
    return session, findings


# --- a deal -----------------------------------------------------------------------------------------------------------


def _date(match: re.Match[str]) -> str | None:
    """Return the ISO date of a log, or None; its years have two digits, and the program is of this century."""
    return iso_day(int(match["year"]), int(match["month"]), int(match["day"]))


def _deal(block: list[Line], table: SeatNames, source: Source) -> Iterator[Deal | Finding]:
    """Yield the deal of a block and what it lacks, or the findings that keep it from being read."""
    where = replace(source, line=block[0].no, end_line=block[-1].no)
    if not table.players:
        yield finding("deal-unreadable", where, why=message("importers.no-players"))
        return
    body, prose, stray = _sort_lines(block)
    errors = [finding("line-not-read", _at(source, line), text=line.text) for line in stray]
    errors += _contradictions(body, table, source)
    game = next((read_game(line.parts, table) for line in body if line.kind == "game"), None)
    if not errors and not game:
        errors.append(finding("deal-unreadable", where, why=message("importers.no-game-line")))
    stated, end = read_sentences(" ".join(line.text for line in prose), game, table) if game else (Stated(), 0)
    if game:
        errors += _unread(prose, end, source)
    if errors or not game:
        yield from errors
        return
    named = {line.kind: line for line in body}
    row = named["totals"].text.translate(MINUS).split() if named.keys() >= {"columns", "totals"} else []
    no, price = map(int, row[:2]) if row else (None, None)
    totals = [*map(int, row[2:])]
    counts = {step.kind: step.count for step in stated.steps or ()}
    none_named = 0 if "base" in counts else None  # a price names every knock and doubling
    deal = Deal(
        source=where,
        no=no,
        dealer=table.seat(named["dealer"].parts["name"]) if "dealer" in named else None,
        round=("schieber",) if "round" in named else None,
        hands=_hands(body, table),
        knocks=counts.get("knocks", none_named),
        game=game,
        doubles=counts.get("doubles", none_named),
        tricks=_tricks(body, table),
        stated=replace(stated, price=price, totals=tuple(totals[:-1]) or None, stock=totals[-1] if totals else None),
    )
    yield deal
    if lacks := tuple(_lacks(deal, table)):
        yield finding("log-incomplete", where, what=lacks)


def _sort_lines(block: list[Line]) -> tuple[list[Line], list[Line], list[Line]]:
    """Return the lines of a kind, the prose after play, and the lines that are neither."""
    body = [line for line in block if line.kind]
    played = max((line.no for line in body if line.kind not in AFTER_PLAY), default=0)
    rest = [line for line in block if not line.kind]
    return body, [line for line in rest if line.no > played], [line for line in rest if line.no < played]


def _contradictions(body: list[Line], table: SeatNames, source: Source) -> Iterator[Finding]:
    """Yield a finding for each line of a kind with a wrong name or card, and for each that may stand only once."""
    schieber = any(line.kind == "round" for line in body)
    last = max((line.no for line in body if line.kind == "trick"), default=0)
    seen = set()
    for line in body:
        where, name, cards = _at(source, line), line.parts.get("name"), line.parts.get("cards", "").split()
        if name and table.seat(name) is None:
            yield _unknown_player(line.text.split(":")[0], name, table.players, where)
        if line.kind == "columns" and not _names(line.parts["names"], table.players):
            yield _unknown_player("Spiel Preis", line.parts["names"], table.players, where)
        once = (line.kind, name if line.kind == "hand" else None)
        if once in seen and line.kind != "trick":
            yield finding("deal-unreadable", where, why=message("importers.second-line", text=line.text))
        seen.add(once)
        for card in cards:
            if not is_known(read_card(card) or "") and not (card == PLACEHOLDER and schieber and line.kind == "hand"):
                yield finding("unknown-card", where, key=line.text.split(":")[0], card=card, alphabet=letters("german"))
        if line.kind == "trick" and (len(cards) > 4 or (len(cards) < 4 and line.no < last)):
            yield finding("deal-unreadable", where, why=message("importers.trick-of", n=len(cards)))


def _cards(line: Line) -> tuple[str, ...]:
    words = line.parts["cards"].split()
    return tuple("??" if word == PLACEHOLDER else read_card(word) or "??" for word in words)


def _hands(body: list[Line], table: SeatNames) -> tuple[tuple[str, ...] | None, ...] | None:
    hands = {table.seat(line.parts["name"]): _cards(line) for line in body if line.kind == "hand"}
    return tuple(hands.get(seat) for seat in range(len(table.players))) if hands else None


def _tricks(body: list[Line], table: SeatNames) -> tuple[Trick, ...]:
    return tuple(Trick(_cards(line), table.seat(line.parts["name"])) for line in body if line.kind == "trick")


def _unread(prose: list[Line], end: int, source: Source) -> Iterator[Finding]:
    """Yield a finding for the sentences from `end` of the joined prose on, with their lines."""
    text = " ".join(line.text for line in prose)[end:].strip()
    if text:
        starts = accumulate((len(line.text) + 1 for line in prose), initial=0)
        first = [line for line, start in zip(prose, starts, strict=False) if start <= end + 1][-1]
        yield finding("line-not-read", replace(source, line=first.no, end_line=prose[-1].no), text=text)


def _lacks(deal: Deal, table: SeatNames) -> Iterator[Message]:
    """Yield the lines and sentences that every deal of a log has and this one lacks."""
    if deal.dealer is None:
        yield message("importers.lacks-dealer")
    hands, stated, game = deal.hands or (), deal.stated or Stated(), deal.game or Game("none")
    without = (name for name, hand in zip(table.players, hands or (None,) * 4, strict=True) if not hand)
    yield from (message("importers.lacks-hand", player=name) for name in without)
    if stated.totals is None:
        yield message("importers.lacks-totals")
    amount = stated.steps[-1].amount if stated.steps else 0
    if stated.price is not None and amount != stated.price:
        yield message("importers.lacks-price-sentence", price=stated.price)
    elif not stated.steps and game.contract != "none":
        yield message("importers.lacks-price")
    if game.contract == "none":
        return
    size, tricks = max((len(hand) for hand in hands if hand), default=0), deal.tricks or ()
    lost_tout = "tout" in game.words and stated.won is False  # over at the first lost trick
    if not lost_tout and sum(len(trick.cards) for trick in tricks) < 4 * size:
        yield message("importers.lacks-tricks", n=size)
    if stated.result is None:
        yield message("importers.lacks-verdict")
    elif game.contract == "ramsch":
        counts = [step.count for step in stated.steps or () if step.kind == "virgins"] or [0]
        names = len(stated.virgins) if isinstance(stated.virgins, tuple) else 0
        if stated.points is None and counts[0] != 2:  # omitted only for two virgins opposite each other
            yield message("importers.lacks-points-of-loser")
        if stated.points is not None and stated.steps and names != counts[0]:
            yield message("importers.lacks-virgins")
    elif stated.points_against is None and "tout" not in game.words:
        yield message("importers.lacks-points-against")


def _at(source: Source, line: Line) -> Source:
    return replace(source, line=line.no, end_line=None)


def _unknown_player(key: str, name: str, players: tuple[str, ...], where: Source) -> Finding:
    return finding("unknown-player", where, key=key, entry=name, players=", ".join(players))
