"""The states of one file: which deal of a later state is which deal of an earlier one.

A deal is what it records, not where it stands. It is looked for by its words first, then by its cards, its own id, and
what was played and paid, each in the order of the file. Its place between deals that are matched counts only if nothing
else fits, and only if the two deals are not quite different. All of this takes time in proportion to the deals, however
often equal ones are repeated.
"""

import re
import sqlite3
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from itertools import compress
from operator import itemgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.notation import differences, identity, is_whole, play_identity, write_line
from archive.record import Deal, Session, Source
from archive.store.compression import unpack_record
from archive.store.privacy import SEES_ALL, Hidden, is_file_hidden
from archive.store.record_lines import read_record
from archive.store.records import NOBODYS, current_sources, name_of_file

NUMBER = re.compile(rb',"no":\d+', re.ASCII)
SOURCES_WITH = """SELECT id, path FROM sources WHERE id <> ?1 AND NOT withdrawn
    AND (path = ?2 OR path LIKE ?3 ESCAPE '\\') ORDER BY id"""
TOLD_BY = """SELECT r.id, r.session_id, r.number, r.line, r.number, r.record, s.head, r.record, s.head,
        d.id IS NOT NULL
    FROM records r JOIN sessions s ON s.id = r.session_id LEFT JOIN deals d ON d.id = r.id WHERE r.source_id = ?1
    UNION ALL SELECT r.id, r.session_id, r.number, c.line, c.number, coalesce(c.record, r.record),
        CASE WHEN c.record IS NULL THEN s.head ELSE c.head END, r.record, s.head, d.id IS NOT NULL
    FROM copies c JOIN records r ON r.id = c.deal_id JOIN sessions s ON s.id = r.session_id
    LEFT JOIN deals d ON d.id = r.id WHERE c.source_id = ?1 ORDER BY 4, 5, 1"""
Pair = tuple[Session, Deal]
Placed = tuple[int, Deal, int | None]  # the position of a deal, and its number
Key = Callable[[Placed], Hashable]


class EarlierDeal:
    """A deal of an earlier state of a file, as the newest of these states has it. `first`: its first record, packed."""

    def __init__(self, row: Sequence[Any]) -> None:
        self.deal, self.session, self.first_number, _, self.number = row[:5]
        self.packed, self.head, self.first, self.first_head, self.there = row[5:]

    @cached_property
    def line(self) -> bytes:
        return unpack_record(self.packed, self.head)

    @cached_property
    def first_line(self) -> bytes:
        same = self.packed == self.first and self.head == self.first_head
        return self.line if same else unpack_record(self.first, self.first_head)

    @cached_property
    def pair(self) -> Pair:
        return read_record(self.line, Source(""), self.deal)


class Counterpart(Struct, frozen=True):
    """The deal of the archive that matches a deal of a file: whether its first record has the same words, and whether
    the newest state of the file has it otherwise; `moved`: its number differs."""

    deal: int
    session: int
    equal: bool
    changed: bool
    moved: bool


class FileStates(Struct):
    """The earlier states of a file: their sources, all their deals, which deals of the file these are, by position, and
    the session of the deals under each head. `replaced`: the file stands for all these states, so that a deal it does
    not have is gone."""

    sources: tuple[int, ...]
    deals: frozenset[int]
    counterparts: dict[int, Counterpart]
    sessions: dict[int, int]
    replaced: bool


def earlier_states(
    conn: sqlite3.Connection, source: int, path: str, hidden: Hidden = SEES_ALL
) -> tuple[tuple[int, ...], bool]:
    """Return the sources that may be earlier states of a file, except those with anything `hidden`, and whether they
    have its very name rather than that of another download of it."""
    if path in NOBODYS:
        return (), True
    bare = name_of_file(path)
    stem, dot, _ = bare.rpartition(".")
    like = re.sub(r"([\\%_])", r"\\\1", stem if dot else bare) + "%"
    rows = [(key, at) for key, at in conn.execute(SOURCES_WITH, (source, path, like)) if at not in NOBODYS]
    rows = [row for row in rows if not is_file_hidden(conn, row[0], hidden)]
    same = tuple(key for key, at in rows if at == path)
    return (same, True) if same else (tuple(key for key, at in rows if name_of_file(at) == bare), False)


def match_states(
    conn: sqlite3.Connection, sources: tuple[int, ...], same_name: bool, pairs: Sequence[Pair]
) -> FileStates | None:
    """Return the deals of a file matched with those of its earlier states; None if it has none of them, and so is
    another file of the same name. A file with the name of another download stands for that one only if none of its
    deals is missing."""
    old = deals_told(conn, sources)
    found = match_deals(old, pairs)
    if not same_name and any(each.there and at not in set(found.values()) for at, each in enumerate(old)):
        found = {new: at for new, at in found.items() if old[at].there}
        replaced = False
        if 2 * len(found) < sum(each.there for each in old):
            return None
    else:
        replaced = True
    heads: list[int] = []  # the number of each deal's: another object is another session
    for at, (head, _) in enumerate(pairs):
        heads.append(0 if not at else heads[-1] + (head is not pairs[at - 1][0]))
    sessions = sessions_under_heads(old, found, pairs, heads)
    if not sessions:
        return None
    own = {row[0] for each in sources for row in conn.execute("SELECT id FROM sessions WHERE source_id = ?", (each,))}
    own |= set(sessions.values())
    counterparts = {
        new: counterpart(old[at], pairs[new], new - heads.index(heads[new]) + 1)
        for new, at in found.items()
        if old[at].session not in own or old[at].session == sessions.get(heads[new])
    }
    return FileStates(sources, frozenset(each.deal for each in old), counterparts, sessions, replaced)


def deals_told(conn: sqlite3.Connection, sources: tuple[int, ...]) -> list[EarlierDeal]:
    """Return the deals of the states of a file, each once, in the order of the newest state that has it."""
    current = current_sources(conn)
    order = sorted(sources, key=lambda key: (current is None or key in current, key))
    deals: dict[int, EarlierDeal] = {}
    for source in order:
        rows = [EarlierDeal(row) for row in conn.execute(TOLD_BY, (source,))]
        for each in rows:
            deals.pop(each.deal, None)
        deals |= {each.deal: each for each in reversed(rows)}
        for each in rows:  # in the order of the file, each where it stands first
            deals[each.deal] = deals.pop(each.deal)
    return list(deals.values())


def sessions_under_heads(
    old: Sequence[EarlierDeal], found: dict[int, int], pairs: Sequence[Pair], heads: Sequence[int]
) -> dict[int, int]:
    """Return the session of the archive that has most deals under each head; for a file with no deal left, the one with
    the same players on the same day. No session has two heads."""
    votes = Counter((heads[new], old[at].session) for new, at in found.items())
    likely = [vote for vote, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))]
    if not found:
        there = {table_of(*each.pair): each.session for each in old if each.there and each.pair[0].date}
        tables = ((head, there.get(table_of(*pair))) for head, pair in zip(heads, pairs, strict=True))
        likely = [(head, session) for head, session in tables if session is not None]
    sessions: dict[int, int] = {}
    for head, session in likely:
        if head not in sessions and session not in sessions.values():
            sessions[head] = session
    return sessions


def counterpart(told: EarlierDeal, pair: Pair, position: int) -> Counterpart:
    head, deal = pair
    line = write_line(head, deal)
    number = deal.no or position
    changed = without_number(told.line) != without_number(line) and bool(differences(told.pair, pair))
    return Counterpart(told.deal, told.session, told.first_line == line, changed, number != told.number)


# --- matching -------------------------------------------------------------------------------------------------------


def match_deals(old: Sequence[EarlierDeal], pairs: Sequence[Pair]) -> dict[int, int]:
    """Return which deal of a file is which earlier one, both by position."""
    found: dict[int, int] = {}
    there = [at for at, each in enumerate(old) if each.there]
    for among in (there, range(len(old))):
        match_by(found, among, lambda at: without_number(old[at].line), pairs, wording)
        for key in (cards_of, lambda _, deal: deal.id, facts_of):
            if len(found) < len(pairs):
                match_by(found, among, lambda at, key=key: key(*old[at].pair), pairs, key)
        if among is there and len(found) < len(pairs):
            match_by_place(found, there, old, pairs)
    return found


def match_by(found: dict[int, int], among: Sequence[int], of_old: Any, pairs: Sequence[Pair], of_new: Any) -> None:
    """Add the deals that have the same key, in order. If a key occurs more often on one side, those between the same
    matched deals come first."""
    taken = set(found.values())
    before, after = defaultdict(list), defaultdict(list)
    for at in among:
        if at not in taken and (key := of_old(at)) is not None:
            before[key].append(at)
    for new, pair in enumerate(pairs):
        if before and new not in found and (key := of_new(*pair)) in before:
            after[key].append(new)
    uneven = []
    for key, places in after.items():
        if len(before[key]) == len(places):
            found.update(zip(places, before[key], strict=True))
        else:
            uneven.append(key)
    anchors = anchors_of(found) if uneven else Anchors((), ())
    for key in uneven:
        match_between(found, before[key], after[key], anchors)


class Anchors(Struct):
    """Matched deals that stand in the same order on both sides: their positions."""

    new: Sequence[int]
    old: Sequence[int]


def anchors_of(found: dict[int, int]) -> Anchors:
    """Return the longest series of deals that are matched in the same order on both sides."""
    ends: list[int] = []  # of a run of each length, the smallest old position that it can end with
    last: list[int] = []
    before: dict[int, int | None] = {}
    for new in sorted(found):
        at = bisect_left(ends, found[new])
        before[new] = last[at - 1] if at else None
        ends[at : at + 1], last[at : at + 1] = [found[new]], [new]
    run: list[int] = []
    step = last[-1] if last else None
    while step is not None:
        run.append(step)
        step = before[step]
    run.reverse()
    return Anchors(run, [found[new] for new in run])


def match_between(found: dict[int, int], old: list[int], new: list[int], anchors: Anchors) -> None:
    """Add deals with one key that occurs more often on one side: between the same anchors first, then in order."""
    gaps: dict[int, list[int]] = defaultdict(list)
    for at in old:
        gaps[bisect_left(anchors.old, at)].append(at)
    for each in new:
        gap = gaps[bisect_left(anchors.new, each)]
        if gap:
            found[each] = gap.pop(0)
    taken = set(found.values())
    left = (at for at in old if at not in taken)
    found.update(zip((each for each in new if each not in found), left, strict=False))


def match_by_place(
    found: dict[int, int], there: Sequence[int], old: Sequence[EarlierDeal], pairs: Sequence[Pair]
) -> None:
    """Add deals that fit nothing else and stand between the same deals, with the same players and day: first if the
    game is the same, then if the number is, then if as many are left on both sides."""
    for add in (add_same_games, add_same_numbers, add_rest):
        for before, after in gaps_left(found, there, old, pairs):
            add(found, [(at, old[at].pair[1], old[at].number) for at in before],
                [(new, pairs[new][1], pairs[new][1].no) for new in after])  # fmt: skip


def gaps_left(
    found: dict[int, int], there: Sequence[int], old: Sequence[EarlierDeal], pairs: Sequence[Pair]
) -> list[tuple[list[int], list[int]]]:
    """Return the deals of both sides that are not matched and stand between the same matched ones."""
    anchors, taken = anchors_of(found), set(found.values())
    before, after = defaultdict(list), defaultdict(list)
    for at in there:
        if at not in taken:
            before[bisect_left(anchors.old, at), table_of(*old[at].pair)].append(at)
    for new, pair in enumerate(pairs):
        if new not in found:
            after[bisect_left(anchors.new, new), table_of(*pair)].append(new)
    return [(before[gap], after[gap]) for gap in after if gap in before]


def add_same_games(found: dict[int, int], old: Sequence[Placed], new: Sequence[Placed]) -> None:
    """Match as many deals of both sides by their order first, or else by their number."""
    if len(old) == len(new):
        pairs = list(zip(old, new, strict=True))
        same = [game_of(one) == game_of(other) and not is_another(one[1], other[1]) for one, other in pairs]
        found.update((other[0], one[0]) for one, other in compress(pairs, same))
        old, new = ([each for each, is_same in zip(side, same, strict=True) if not is_same] for side in (old, new))
    else:
        old, new = pair_in_order(found, old, new, lambda each: (each[2], game_of(each)))
    pair_in_order(found, old, new, game_of)


def add_same_numbers(found: dict[int, int], old: Sequence[Placed], new: Sequence[Placed]) -> None:
    if len(old) != len(new):
        pair_in_order(found, old, new, itemgetter(2))


def add_rest(found: dict[int, int], old: Sequence[Placed], new: Sequence[Placed]) -> None:
    if len(old) == len(new):
        each = zip(old, new, strict=True)
        found.update((after[0], before[0]) for before, after in each if not is_another(before[1], after[1]))


def pair_in_order(
    found: dict[int, int], old: Sequence[Placed], new: Sequence[Placed], key: Key
) -> tuple[list[Placed], list[Placed]]:
    """Match those of a gap that have the same key, in order; return what is left on each side."""
    waiting, left = defaultdict(list), []
    for each in reversed(old):
        waiting[key(each)].append(each)
    for each in new:
        first = waiting.get(key(each))
        if first and not is_another(first[-1][1], each[1]):
            found[each[0]] = first.pop()[0]
        else:
            left.append(each)
    return sorted((each for rest in waiting.values() for each in rest), key=lambda each: each[0]), left


# --- what is quite another deal -------------------------------------------------------------------------------------


def is_another(one: Deal, other: Deal) -> bool:
    """Return whether two deals in the same place are quite different, so that one is gone and the other new, and
    neither is corrected. If both have cards, no hand and no trick is the same. Otherwise nothing is the same of the
    contract, the declarer and the amounts, as far as both record them."""
    if (one.tricks or one.hands) and (other.tricks or other.hands):
        return cards_told(one).isdisjoint(cards_told(other))
    both = [(mine, theirs) for mine, theirs in zip(facts_told(one), facts_told(other), strict=True)
            if mine is not None and theirs is not None]  # fmt: skip
    return bool(both) and all(mine != theirs for mine, theirs in both)


def cards_told(deal: Deal) -> set[tuple[str, Hashable]]:
    """Return the hands and tricks of a deal, the hands without their order."""
    hands = {("hand", frozenset(hand)) for hand in deal.hands or () if hand}
    return hands | {("trick", trick.cards) for trick in deal.tricks or ()}


def facts_told(deal: Deal) -> tuple[Hashable, ...]:
    game, stated = deal.game, deal.stated
    amounts = (stated.payments, stated.price) if stated else (None, None)
    return (game.contract, game.declarer, *amounts) if game else (None, None, *amounts)


# --- keys -----------------------------------------------------------------------------------------------------------


def wording(head: Session, deal: Deal) -> bytes:
    return without_number(write_line(head, deal))


def without_number(line: bytes) -> bytes:
    """Return the canonical line of a record without the number of the deal."""
    return NUMBER.sub(b"", line, count=1)


def cards_of(head: Session, deal: Deal) -> Hashable | None:
    return play_identity(head, deal) if is_whole(deal) else None


def facts_of(head: Session, deal: Deal) -> Hashable | None:
    """Return the game, the amounts, the players and the time of a record; None if it records none of them."""
    stated = deal.stated
    bare = Deal(
        game=deal.game, partner=deal.partner, players=deal.players or head.players, time=deal.time, tricks=deal.tricks,
        hands=deal.hands, stated=stated and replace(stated, totals=None, result=None, stock=None),
    )  # fmt: skip
    if bare.game is None and stated is None:
        return None
    return identity(Session(players=head.players, rules=""), bare, 1)


def table_of(head: Session, deal: Deal) -> tuple[Hashable, ...]:
    return head.date, deal.players or head.players


def game_of(placed: Placed) -> Hashable:
    return str(placed[1].game), placed[1].time
