"""How the cards were dealt, by file, dealer and recorder, read from the facts of `questions.fairness`."""

import sqlite3
from collections import Counter
from collections.abc import Collection

from msgspec import Struct

from archive.cards import CODES, PACKS, codes
from archive.stats.fairness import LEAST, Group
from archive.stats.questions.fairness import SUMS

MOST = {"archive": 400, "source": 400, "dealer": 100, "recorder": 100}  # groups with most hands; bounds the time

PERSON = "(SELECT coalesce(alias_of, id) FROM players WHERE id = f.player)"
# For each kind: the facts, and the number and the place of a group.
KINDS = {
    "source": ("source_card_facts", "source", "place"),
    "dealer": ("dealer_card_facts", PERSON, "0"),
    "recorder": ("recorder_card_facts", PERSON, "0"),
}


class Groups(Struct, frozen=True):
    """The groups that are tested, how many have too few hands, and how many are beyond the limit; `besides` is how many
    other groups a reader could have picked."""

    tested: tuple[Group, ...]
    few: int
    more: int
    besides: int = 0


def load_groups(conn: sqlite3.Connection, source: int | None = None) -> Groups:
    """Return the groups of all files, or of one."""
    parts = {kind: _load_kind(conn, kind, source) for kind in KINDS}
    if source is None and len({group.key for group in parts["source"]}) > 1:
        parts = {"archive": _over_all_files(parts["source"])} | parts
    chosen = [_largest(kind, rows) for kind, rows in parts.items()]
    tested = tuple(group for part in chosen for group in part.tested)
    besides = 0 if source is None else max(_count_all(conn) - len(tested), 0)
    return Groups(tested, sum(part.few for part in chosen), sum(part.more for part in chosen), besides)


def files_with_hands(conn: sqlite3.Connection) -> dict[int, str]:
    """Return the files with hands that count, by number, those with most hands first."""
    sql = """SELECT f.source, s.path FROM source_card_facts f JOIN sources s ON s.id = f.source
        GROUP BY f.source, s.path ORDER BY sum(f.hands) DESC, f.source"""
    return {row[0]: row[1] for row in conn.execute(sql)}


def player_names(conn: sqlite3.Connection, keys: Collection[int]) -> dict[int, str]:
    """Return the names of players by their numbers."""
    rows = conn.execute(f"SELECT id, name FROM players WHERE id IN ({', '.join('?' * len(keys))})", tuple(keys))
    return {row[0]: row[1] for row in rows}


def _load_kind(conn: sqlite3.Connection, kind: str, source: int | None) -> list[Group]:
    """Return every group of a kind, however small."""
    facts, key, place = KINDS[kind]
    where, given = ("", ()) if source is None else ("WHERE source = ?", (source,))
    sql = f"""SELECT {key}, {place}, pack, cards, {", ".join(f"sum({name})" for name in SUMS)}
        FROM {facts} f {where} GROUP BY 1, 2, 3, 4"""
    return [_group(kind, tuple(row)) for row in conn.execute(sql, given)]


def _group(kind: str, row: tuple[int, ...]) -> Group:
    key, place, pack, cards, hands, matadors, free_suits, *seen = row
    counts = dict(zip(CODES, seen, strict=True))
    return Group(kind=kind, key=key, place=place, pack=pack, cards=cards, hands=hands, matadors=matadors,
                 free_suits=free_suits, seen=tuple(counts[code] for code in codes(PACKS[pack])))  # fmt: skip


def _over_all_files(groups: list[Group]) -> list[Group]:
    """Return the groups of all files added up, one for each place at the table."""
    alike: dict[tuple[int, int, int], list[Group]] = {}
    for group in groups:
        alike.setdefault((group.place, group.pack, group.cards), []).append(group)
    return [
        Group(
            kind="archive", place=place, pack=pack, cards=cards,
            hands=sum(part.hands for part in parts),
            matadors=sum(part.matadors for part in parts),
            free_suits=sum(part.free_suits for part in parts),
            seen=tuple(map(sum, zip(*(part.seen for part in parts), strict=True))),
        )
        for (place, pack, cards), parts in alike.items()
    ]  # fmt: skip


def _largest(kind: str, groups: list[Group]) -> Groups:
    """Return the groups with most hands, in the order of their hands; places of one file stand together."""
    enough = [group for group in groups if group.hands >= LEAST]
    most = Counter[tuple[int, int, int]]()
    for group in enough:
        of = (group.key, group.pack, group.cards)
        most[of] = max(most[of], group.hands)
    enough.sort(key=lambda each: (-most[each.key, each.pack, each.cards], each.key, each.pack, each.cards, each.place))
    kept = enough[: MOST[kind]]
    return Groups(tuple(kept), len(groups) - len(enough), len(enough) - len(kept))


def _count_all(conn: sqlite3.Connection) -> int:
    """Return how many groups there are to test, of all files and of each."""
    count = 0
    for facts, key, place in KINDS.values():
        columns = [column for column in (key, place) if column != "0"]
        by_file = ", ".join(("source", *(column for column in columns if column != "source"), "pack", "cards"))
        of_all = ", ".join((*(column for column in columns if column != "source"), "pack", "cards"))
        for by in (by_file, of_all):
            sql = f"SELECT count(*) FROM (SELECT 1 FROM {facts} f GROUP BY {by} HAVING sum(hands) >= {LEAST})"
            count += conn.execute(sql).fetchone()[0]
    return count
