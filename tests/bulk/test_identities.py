"""Two records are one deal by the keys of bulk work exactly where they are by the hashes of `archive.notation`."""

import json
import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.thorough import examples

from archive.bulk import judge_blocks
from archive.bulk.repeated_deals import COLUMNS, deal_keys
from archive.cards import CODES
from archive.engine import columns as c
from archive.generate import deals, session
from archive.notation import identity, play_identity, read_lines, write_line
from archive.notation.identities import repeat_identity
from archive.record import Deal, Session, Source
from archive.rules import bundled
from archive.store.bulk.build_rows import play_hash, plays_of
from archive.store.writer import PLAY_HASH

WHERE = Source("lines.jsonl")
Line = dict[str, Any]
Change = Callable[[Line, Random], Line]


@cache
def lines(rules: str, seed: int) -> list[Line]:
    head = session(rules, date="2026-03-01")
    return [json.loads(write_line(head, each)) for each in deals(Random(seed), head, 3, ("payments", "totals"))]


# --- changes ---------------------------------------------------------------------------------------------------------


def other_seats(line: Line, rng: Random) -> Line:
    """The same table, written down from another seat on."""
    count = len(line["players"])
    by = rng.randrange(count)

    def turned(value: Any) -> Any:
        alike = isinstance(value, list) and len(value) == count
        return value[by:] + value[:by] if alike else value

    stated = {key: turned(value) for key, value in line.get("stated", {}).items()}
    return line | {key: turned(line[key]) for key in ("players", "hands") if key in line} | {"stated": stated}


def other_date(line: Line, rng: Random) -> Line:
    return line | {"date": f"2026-03-{rng.randrange(1, 4):02}"}


def other_players(line: Line, rng: Random) -> Line:
    name = rng.choice(line["players"])
    return json.loads(re.sub(rf"\b{name}\b", "Xaver", json.dumps(line)))


def other_cards(line: Line, rng: Random) -> Line:
    """Two cards change places, wherever they are."""
    cards = json.dumps({key: line[key] for key in ("hands", "tricks") if key in line})
    one, two = rng.sample([code for code in CODES if code in cards] or CODES, 2)
    swapped: Line = json.loads(re.sub(rf"\b({one}|{two})\b", lambda found: two if found[0] == one else one, cards))
    return line | swapped


def other_order(line: Line, rng: Random) -> Line:
    """Hands as somebody else sorts them."""
    return line | {"hands": [each and " ".join(reversed(each.split(" "))) for each in line.get("hands", [])]}


def other_number(line: Line, rng: Random) -> Line:
    return line | {"no": rng.randrange(1, 4)}


def fewer_tricks(line: Line, rng: Random) -> Line:
    return line | {"tricks": line.get("tricks", [])[: rng.randrange(9)]}


def unknown_card(line: Line, rng: Random) -> Line:
    hands = list(line.get("hands", []))
    at = rng.randrange(max(1, len(hands)))
    if hands and hands[at]:
        hands[at] = "?" + hands[at][2:]
    return line | {"hands": hands}


def other_dealer(line: Line, rng: Random) -> Line:
    return line | {"dealer": rng.choice(line["players"])}


CHANGES: tuple[Change, ...] = (
    other_seats, other_date, other_players, other_cards, other_order, other_number, fewer_tricks, unknown_card,
    other_dealer,
)  # fmt: skip


# --- the law ---------------------------------------------------------------------------------------------------------


def as_read(line: Line) -> tuple[bytes, Session, Deal, int] | None:
    """A line with its record and number; None where it cannot be read."""
    raw = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
    items = list(read_lines(raw, WHERE))
    if len(items) != 2 or not isinstance(items[0], Session) or not isinstance(items[1], Deal):
        return None
    return raw, items[0], items[1], 1 if items[1].no is None else items[1].no


changes = st.lists(st.sampled_from(CHANGES), max_size=2)


@settings(max_examples=examples(10, 400), deadline=None)
@given(st.sampled_from(sorted(bundled())), st.integers(0, 2), st.integers(0, 2), changes, changes, st.randoms())
def test_two_records_are_one_deal_by_either_form(
    rules: str, seed: int, at: int, first: list[Change], second: list[Change], rng: Random
) -> None:
    hashes, keys = [], []
    for change in (first, second):
        line = lines(rules, seed)[at]
        for each in change:
            line = each(line, rng)
        record = as_read(line)
        if record is None:
            return
        raw, head, deal, number = record
        hashes.append(repeat_identity(head, deal, number))
        keys.append(deal_keys(head, deal, number, head.players)[0])
        holds_for_a_line(raw, head, deal, number, keys[-1])
    assert (hashes[0] == hashes[1]) == (keys[0] == keys[1])


def holds_for_a_line(raw: bytes, head: Session, deal: Deal, number: int, key: int) -> None:
    """Whoever judges a line gives it the same key; of a clean one the hashes made of its columns are its hashes."""
    (batch,) = judge_blocks([raw + b"\n"], WHERE, None, False)
    assert list(batch.keys[::COLUMNS]) == [key]
    if batch.code[0] == 0:
        assert batch.digest(0).hex() == identity(head, deal, number)
        quick = batch.quick[0]
        assert quick
        of_cards = play_identity(head, deal)
        play = play_hash(quick, plays_of(quick), batch.column(c.LEADER)[0], batch.heads[batch.head[0]])
        assert play == (bytes.fromhex(of_cards)[:PLAY_HASH] if of_cards else None)
