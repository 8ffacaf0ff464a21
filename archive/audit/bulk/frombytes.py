"""What the core is given of canonical lines, read compiled, from their bytes (`archive.audit.bulk.scan`)."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from msgspec import inspect

from archive.audit.bulk import scan
from archive.audit.bulk.asking import STATED, depends, words_of
from archive.audit.bulk.engine import Fast
from archive.audit.bulk.heads import Head
from archive.audit.bulk.quick import Quick, QuickStated, decoded
from archive.audit.bulk.reading import Given, body_of, one_of
from archive.cards import RANKS, SUITS
from archive.settle import columns as c

MOST_TEXTS, TEXTS = 1 << 15, 1 << 13  # that are remembered, and for how many there is room in the beginning
MORE = 64  # bytes beyond a text that may be looked at
SAID = {
    "dealer": scan.NAME, "packet": scan.NAME, "knocks": scan.NAME, "auction": scan.SPEAKER, "game": scan.SPEAKER,
    "with": scan.NAME, "doubles": scan.SPEAKER,
}  # fmt: skip
AFTER = ('"', " ", ": ")  # a name that is written alone, before words, before cards
KINDS = {inspect.BoolType: scan.FLAG, inspect.StrType: scan.TEXT, inspect.StructType: scan.TABLE}


class Keys(NamedTuple):
    """The keys of a line after its head, in their order; what is stated has `stated.` before it."""

    names: list[str]
    text: bytes
    places: list[int]
    kinds: list[int]
    inner: int
    outer: int


@cache
def keys() -> Keys:
    """Those of the structs."""
    own, stated = inspect.type_info(Quick), inspect.type_info(QuickStated)
    assert isinstance(own, inspect.StructType)
    assert isinstance(stated, inspect.StructType)
    inner = next(place for place, each in enumerate(own.fields, 1) if each.name == "stated")
    found = [(each.encode_name, each) for each in own.fields]
    found[inner:inner] = [(f"stated.{each.encode_name}", each) for each in stated.fields]
    kinds = [kind_of(each.type) for _, each in found]
    words = [f'"{each.encode_name}":' + "{" * (kinds[n] == scan.TABLE) for n, (_, each) in enumerate(found)]
    places = [sum(map(len, words[:number])) for number in range(len(words) + 1)]
    return Keys([name for name, _ in found], "".join(words).encode(), places, kinds, inner, inner + len(stated.fields))


def kind_of(kind: inspect.Type) -> int:
    """As what values of a type are read."""
    if isinstance(kind, inspect.UnionType):
        some = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
        return kind_of(some[0]) if len(some) == 1 else scan.OTHER
    if isinstance(kind, inspect.IntType):
        return scan.COUNT if kind.ge == 0 else scan.NUMBER
    if isinstance(kind, inspect.ListType):
        return scan.TEXTS if isinstance(kind.item_type, inspect.StrType) else scan.NUMBERS
    return KINDS[type(kind)]


class Rows(NamedTuple):
    """Lines under way: their bytes, where their values stand, which are taken so far; players as they are written."""

    raw: Sequence[bytes]
    heads: Sequence[Head]
    head: Any
    text: Any
    spans: Any
    taken: Any
    tables: Any  # of each head its seats and the number of its rules
    people: Any
    places: Any


class FromBytes:
    """Reads lines, and remembers what was said in them; what it does not take is read as structs."""

    def __init__(self, using: Fast) -> None:
        self.using, self.np, self.functions, every = using, using.np, using.functions, keys()
        self.suits, self.ranks = self._numbers(SUITS), self._numbers(RANKS)
        self.field = {name: place for place, name in enumerate(every.names)}
        stated = [STATED.get(name.removeprefix("stated."), -1) for name in every.names]
        self.keys, self.key_at = self._bytes(every.text), using.row(every.places)
        self.kinds, self.columns, self.inside = using.row(every.kinds), using.row(stated), (every.inner, every.outer)
        self.said, self.ways = using.row([self.field[name] for name in SAID]), using.row([*SAID.values()])
        self._forget()

    def _bytes(self, text: bytes | bytearray) -> Any:
        return self.np.frombuffer(bytearray(text), self.np.uint8)

    def _numbers(self, letters: str) -> Any:
        found = self.np.full(256, -1, self.np.int64)
        for place, letter in enumerate(letters):
            found[ord(letter)] = place
        return found

    def read(self, raw: Sequence[bytes], heads: Sequence[Head], head: Sequence[int]) -> Given:
        """What `read_words` gives, in arrays."""
        np, run = self.np, self.functions
        lines, starts = self.rows(raw, heads, head)
        taken, read = lines.taken, (lines.head, lines.tables, lines.people, lines.places, lines.taken)
        others = np.flatnonzero((starts >= 0) & (taken == 0)).tolist()
        asked, numbers = np.full((len(raw), c.ASKED_WIDTH), c.NONE, np.int64), np.full(len(raw), c.NONE, np.int64)
        hands, counts = (np.zeros((len(raw), c.MOST_SEATS), np.int64) for _ in range(2))
        cards = np.zeros((len(raw), c.MOST_CARDS), np.int64)
        leaders = np.full((len(raw), c.MOST_TRICKS), -1, np.int64)
        run["numbers_of"](lines.text, lines.spans, self.field["no"], taken, numbers)
        run["read_cards"](
            lines.text, self.suits, self.ranks, lines.spans, self.field["hands"], self.field["tricks"], *read, asked,
            hands, counts, cards, leaders,
        )  # fmt: skip
        said, unsure = self._heard(lines), np.zeros(len(raw), np.int64)
        run["ask"](
            lines.text, lines.spans, self.kinds, self.columns, *self.inside, said, self.depends, self.allowed,
            self.using.plans(), hands, *read, asked, unsure,
        )  # fmt: skip
        for row in np.flatnonzero(unsure).tolist():
            words = self._words(lines, row, int(said[row]), int(unsure[row]) - 1)
            asked[row, : c.A_HANDS], taken[row] = words, words[0] > 0
        ids = self._ids(lines)
        numbers[taken == 0] = c.NONE
        bodies = [body_of(raw[row], heads[head[row]]) for row in others]
        for row, deal in zip(others, decoded(bodies) if bodies else (), strict=True):
            found = one_of(deal, heads[head[row]]) if deal else None
            if deal and found:
                asked[row], (hands[row], counts[row], played, led) = found
                cards[row, : len(played)], leaders[row, : len(led)] = played, led
                taken[row], numbers[row] = 1, c.NONE if deal.no is None else deal.no
                ids |= {} if deal.id is None else {row: deal.id}
        return Given(asked, hands, counts, cards, leaders, taken.tolist(), numbers.tolist(), ids, [])

    def rows(self, raw: Sequence[bytes], heads: Sequence[Head], head: Sequence[int]) -> tuple[Rows, Any]:
        """The lines, and where each begins after its head; -1 where no game of its head is covered."""
        np, joined = self.np, bytearray(b"\n").join([*raw, bytes(MORE)])
        tables, people, places = self._tables(heads)
        text, of = np.frombuffer(joined, np.uint8), np.array(head, np.int64)
        ends = np.cumsum(np.fromiter(map(len, raw), np.int64, len(raw)) + 1) - 1
        cuts = np.array([len(each.prefix) + 1 for each in heads] or [0], np.int64)
        starts = np.where((of >= 0) & (tables[of, 0] > 0), np.append(0, ends + 1)[:-1] + cuts[of], -1)
        spans, taken = np.zeros((len(raw), len(self.kinds), 2), np.int64), np.zeros(len(raw), np.int64)
        self.functions["find_fields"](
            text, starts, ends, self.keys, self.key_at, self.kinds, *self.inside, spans, taken
        )  # fmt: skip
        if not joined.isascii():
            for row in np.flatnonzero(taken).tolist():
                taken[row] = is_text(raw[row])
        return Rows(raw, heads, of, text, spans, taken, tables, people, places), starts

    def _tables(self, heads: Sequence[Head]) -> tuple[Any, Any, Any]:
        """Seats and rules of each head, and its players as they are written."""
        tables, people, places = [[0, 0]], bytearray(), [[[0] * (c.MOST_SEATS + 1)] * len(AFTER)]
        if heads:
            tables, places = [], []
        for head in heads:
            seats = len(head.players) if head.usable and len(head.players) <= c.MOST_SEATS else 0
            tables.append([seats, head.rules])
            places.append([])
            for after, names in zip(AFTER, (head.players, head.labels, head.labels), strict=True):
                at = [len(people)]
                for name in names[:seats]:
                    people += f"{name}{after}".encode()
                    at.append(len(people))
                places[-1].append(at + at[-1:] * (c.MOST_SEATS - seats))
        return self.np.array(tables, self.np.int64), self._bytes(people + b"\0"), self.np.array(places, self.np.int64)

    def _ids(self, lines: Rows) -> dict[int, str]:
        found = {}
        for row in self.np.flatnonzero(lines.taken * lines.spans[:, self.field["id"], 1]).tolist():
            first, last = lines.spans[row, self.field["id"]].tolist()
            found[row] = lines.text[first + 1 : last - 1].tobytes().decode(errors="replace")
        return found

    # --- what was said ------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        np = self.np
        self.count, self.kept, self.kept_at = 0, np.zeros(1 << 16, np.uint8), np.zeros(TEXTS, np.int64)
        self.slots, self.depends = np.zeros(2 * TEXTS, np.int64), np.zeros((TEXTS, 2), np.int64)
        self.allowed = np.full((TEXTS, c.MOST_SEATS + 1, c.A_HANDS), -1, np.int64)

    def _room_for(self, rows: int, size: int) -> None:
        """Makes room for so many texts of so many bytes together."""
        np = self.np
        if self.count > MOST_TEXTS:
            self._forget()
        used = int(self.kept_at[self.count])
        if used + size > len(self.kept):
            self.kept = np.append(self.kept[:used], np.zeros(used + size, np.uint8))
        while self.count + rows >= len(self.kept_at):
            self.kept_at, self.depends = (np.append(each, each * 0, 0) for each in (self.kept_at, self.depends))
            self.allowed = np.append(self.allowed, np.full_like(self.allowed, -1), 0)
            self.slots = np.zeros(len(self.slots) * 2, np.int64)
            self.functions["place_again"](self.kept, self.kept_at, self.count, self.slots)

    def _heard(self, lines: Rows) -> Any:
        """The number of what is said in each row."""
        np, rows = self.np, len(lines.raw)
        longest = max(map(len, lines.raw), default=0) + MORE
        self._room_for(rows, len(lines.text) + rows * MORE)
        said, fresh, before = np.zeros(rows, np.int64), np.zeros(rows, np.int64), self.count
        self.count = self.functions["hear"](
            lines.text, lines.spans, self.said, self.ways, lines.head, lines.tables, lines.people, lines.places,
            lines.taken, np.zeros(longest, np.uint8), self.kept, self.kept_at, self.slots, before, said, fresh,
        )  # fmt: skip
        for number, row in enumerate(fresh[: self.count - before].tolist(), before):
            deal, head = self._deal(lines, row)
            self.depends[number] = depends(deal, head) if deal else (0, scan.FITS_ALWAYS)
        return said

    def _deal(self, lines: Rows, row: int) -> tuple[Quick | None, Head]:
        head = lines.heads[lines.head[row]]
        return decoded([body_of(lines.raw[row], head)])[0], head

    def _words(self, lines: Rows, row: int, said: int, partner: int) -> Any:
        """What is said in a row, with this partner; 0 where the house does not allow it."""
        if self.allowed[said, partner, 0] < 0:
            deal, head = self._deal(lines, row)
            words = (deal and words_of(deal, head)) or (0,) * c.A_HANDS
            if self.depends[said, 1] == scan.FITS_WITH_HANDS:
                return words
            self.allowed[said, partner] = words
        return self.allowed[said, partner].tolist()


def is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
