"""Floor 1: what was written down, where, and what is wrong with it: what a source states about a session and its deals,
nothing derived and nothing repaired.

Everywhere None means *not recorded*, an empty tuple means *none*, and a number where a tuple could stand means *only
the count is known*. A seat is a place in `Session.players`, counted from 0. Cards are codes of `archive.cards`, among
them `??`, `E?` and `?A` for cards that are not or half known. See `docs/record-format.md` for the keys of the files.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from archive.resources import read_texts
from archive.say import Message, say

Severity = Literal["error", "warning", "note"]

NOWHERE = Path("<pasted>")  # the folder of a text that comes from no file: no other file is looked for there


class Source(Struct, frozen=True):
    """A place in a file that was read: lines and deals of a session count from 1, the hash is of the whole file."""

    path: str
    line: int = 1
    end_line: int | None = None
    sha256: str = ""
    deal: int | None = None  # its number once it is judged; in reading its position, unreadable ones counted too


class Finding(Struct, frozen=True):
    """Something wrong or worth knowing. `at` is the moment in the deal, `T` or `T.C`; `facts` fill the text of the
    rule; `faces` are those of the table's pack."""

    rule: str
    severity: Severity
    source: Source | None = None
    at: str | None = None
    facts: dict[str, Any] = {}
    faces: str = "german"
    text: str = ""  # as kept by an archive made before facts were stored

    @property
    def message(self) -> str:
        """The text, without a capital at its beginning or a full stop at its end."""
        return self.text or say_finding(self)


@cache
def severities() -> Mapping[str, Severity]:
    """Return every rule that a finding can have, with how severe it is."""
    return read_texts(Path(__file__).with_name("findings.toml"))


def finding(rule: str, source: Source | None = None, at: str | None = None, **facts: Any) -> Finding:
    """Return a finding of `rule` with its facts. Raise KeyError if there is no such rule."""
    return Finding(rule, severities()[rule], source, at, facts)


def message_of(finding: Finding) -> Message:
    """Return the message of a finding, to be a fact of another."""
    return Message(f"findings.{finding.rule}", finding.facts)


def say_finding(finding: Finding, language: str = "en") -> str:
    """Return the text of a finding, without a capital at its beginning or a full stop at its end: in English if an
    archive keeps nothing else."""
    return finding.text or say(message_of(finding), language, finding.faces)


def kind_of(rule: str, language: str = "en") -> str:
    """Return what findings of `rule` are called in a list, in a few words; the id itself if there is no such rule."""
    return say(Message(f"kinds.{rule}"), language) if rule in severities() else rule


def remedy(rule: str, language: str = "en") -> str:
    """Return the advice on a finding of `rule`, in one or more sentences."""
    return say(Message(f"remedies.{rule}"), language)


Evidence = str | Message  # a text `KEY: evidence` as it stands in a record, or a message with `key` among its facts


def evidence_text(entry: Evidence, language: str = "en") -> str:
    """Return an entry of `inferred` as `KEY: evidence`; one that came as a text stays as it was written."""
    return say(entry, language)


def evidence_key(entry: Evidence) -> str:
    """Return the key of the record that an entry of `inferred` is about: `house.tariff`."""
    return str(entry.facts["key"]) if isinstance(entry, Message) else entry.split(":")[0]


Cards = tuple[str, ...]


class Call(Struct, frozen=True):
    """One call of the auction: `pass`, `play`, a contract id, `have-solo`, a number as text, …"""

    seat: int
    call: str


TOUTS = frozenset({"tout", "du"})  # all tricks are announced: a Tout, or by its Palatinate name a Du


class Game(Struct, frozen=True):
    """The game that is played. `contract` is an id, `none` (thrown in, the next deals) or `misdeal` (dealt again)."""

    contract: str
    declarer: int | None = None
    suit: str | None = None  # the trump named, or the suit of the called card
    called: str | None = None  # the called card
    words: tuple[str, ...] = ()  # tout du hand open muss void
    bid: int | None = None


class Exchange(Struct, frozen=True):
    """Cards passed on before play; None stands for the blind."""

    giver: int | None
    taker: int | None
    cards: Cards
    is_open: bool = False  # face up, before all


class Double(Struct, frozen=True):
    """A Kontra, Re or further doubling, said before card `card` of trick `trick` (both from 1) if that is known."""

    seat: int
    word: str  # kontra re double
    trick: int | None = None
    card: int | None = None


class Draw(Struct, frozen=True):
    """A card that a player was dealt face up, to find who plays together."""

    seat: int
    card: str


class Trick(Struct, frozen=True):
    """The cards in the order played; the leader if the record names one."""

    cards: Cards
    leader: int | None = None


class Turn(Struct, frozen=True):
    """A turn of a game without tricks: what goes from `source` to `target`, each cards or a place on the table; or a
    word (`pass`, `knocks`, …) with what follows it. `seat` is None if no player is named."""

    seat: int | None
    source: str
    target: str = ""
    cards: Cards = ()  # after a word: those that are dealt, or places


class Event(Struct, frozen=True):
    """Something said or done outside play. `moment` is `T.C`, `cut`, `deal`, `end` or `next`, or None if unknown."""

    seat: int
    verb: str
    moment: str | None = None
    arg: str | None = None
    by: int | None = None


class PriceStep(Struct, frozen=True):
    """One step of a stated price, cumulative: after `kind` (and its count) the price is `amount`.

    Kinds: base schneider schwarz runners knocks doubles tout virgins. `text` is the sentence of the source.
    """

    kind: str
    amount: int
    count: int | None = None
    text: str | None = None


class Stated(Struct, frozen=True):
    """The result as the source states it. Points are of the declarer's side, or one entry per seat."""

    points: int | tuple[int | None, ...] | None = None
    points_against: int | None = None
    tricks: int | tuple[int | None, ...] | None = None  # won by the declarer's side, or by each seat
    winners: tuple[int, ...] | None = None  # the seat that took each trick
    won: bool | None = None  # the declarer's side
    partner: int | None = None
    loser: int | None = None
    virgins: tuple[int, ...] | int | None = None
    schneider: bool | None = None
    schwarz: bool | None = None
    runners: int | None = None  # negative: without
    steps: tuple[PriceStep, ...] | None = None
    price: int | None = None
    payments: tuple[int | None, ...] | None = None
    totals: tuple[int | None, ...] | None = None  # after this deal
    stock: int | None = None
    marks: tuple[int | None, ...] | None = None
    result: str | None = None  # the words of the source
    runner_count: int | None = None  # if nobody wrote whether with or without
    of_list: bool | None = None  # the amounts are sums over the deals of a list, which are not recorded one by one
    deals: int | None = None  # of that list
    wins: tuple[int | None, ...] | None = None  # deals of it that each won; below: alone; as a Tout
    solos: tuple[int | None, ...] | None = None
    touts: tuple[int | None, ...] | None = None


class Carry(Struct, frozen=True):
    """State of the ledger brought in or restated."""

    stock: int | None = None
    pots: dict[str, int] | None = None
    totals: tuple[int | None, ...] | None = None
    chalk: int | None = None
    marks: tuple[int | None, ...] | None = None
    hausbock: int | None = None
    bock: int | None = None
    queue: tuple[str, ...] | None = None
    stake: int | None = None


class Correction(Struct, frozen=True):
    by: str
    when: str
    why: str
    set: dict[str, Any]


class Ruling(Struct, frozen=True):
    """The decision of a person. `payments` are what the players pay each other in the end; by `kind`: nothing, since
    the deal is annulled (`annul`) or played again (`again`); what each is given or loses besides all payments
    (`penalty`); the running totals after the deal (`total`)."""

    by: str
    when: str
    why: str
    payments: tuple[int | None, ...]
    cite: str | None = None
    kind: str | None = None


class Deal(Struct, frozen=True, kw_only=True):
    """One deal as recorded: the keys of docs/record-format.md, `partner` for `with`. Players are seats from 0, cards
    have German letters (`EO`), None is not recorded. `source` says where; it is not part of the record or of its
    hash."""

    source: Source | None = None
    no: int | None = None
    id: str | None = None
    # what holds from here on, if the deal changes it
    rules: str | None = None
    house: dict[str, Any] | None = None
    players: tuple[str, ...] | None = None
    inferred: tuple[Evidence, ...] | None = None
    carry: Carry | None = None
    # the deal itself
    dealer: int | None = None
    sits_out: tuple[int, ...] | None = None
    round: tuple[str, ...] | None = None
    draw: tuple[Draw, ...] | None = None
    cut: str | None = None
    hands: tuple[Cards | None, ...] | None = None  # as dealt, one entry a player
    held: tuple[Cards | None, ...] | None = None  # as played, if that is all a source knows
    piles: tuple[Cards | None, ...] | None = None  # as `hands`: not to be played, they count for their owner
    packet: int | None = None
    packets: str | None = None  # `4 4`: in which the cards were dealt
    blind: Cards | None = None
    talon: Cards | None = None  # drawn from, in that order; if all draw after each trick, the last lies face up
    knocks: tuple[int, ...] | int | None = None
    auction: tuple[Call, ...] | None = None
    game: Game | None = None
    partner: int | None = None  # the key `with`
    exchange: tuple[Exchange, ...] | None = None
    doubles: tuple[Double, ...] | int | None = None
    tricks: tuple[Trick, ...] | None = None
    turns: tuple[Turn, ...] | None = None  # of a game without tricks
    events: tuple[Event, ...] | None = None
    stated: Stated | None = None
    correction: tuple[Correction, ...] | None = None
    ruling: tuple[Ruling, ...] | None = None
    # free
    table: str | None = None
    list: str | None = None
    url: str | None = None
    time: str | None = None
    licence: str | None = None
    origin: str | None = None
    note: str | None = None
    x: dict[str, Any] | None = None


class Session(Struct, frozen=True, kw_only=True):
    """The head of an evening: who sat where, under which house rules. Its deals follow it in a stream."""

    source: Source | None = None
    players: tuple[str, ...]
    rules: str
    event: str | None = None
    date: str | None = None  # ISO
    place: str | None = None
    recorder: str | None = None
    unit: str | None = None
    house: dict[str, Any] | None = None
    inferred: tuple[Evidence, ...] | None = None  # `KEY: evidence`
    carry: Carry | None = None
    table: str | None = None
    list: str | None = None
    url: str | None = None
    time: str | None = None
    licence: str | None = None
    origin: str | None = None
    note: str | None = None
    x: dict[str, Any] | None = None


class ColumnView(Struct, frozen=True):
    """A column of a score sheet: its letter, its head, the role it was taken for (`contract`, `payments Anna`,
    `totals Anna`, `skip`, "" if unknown), and its first values."""

    letter: str
    head: str
    role: str
    samples: tuple[str, ...]


class SheetView(Struct, frozen=True):
    """A sheet or worksheet: its title, the line of its head, its columns from left to right."""

    title: str | None
    line: int
    columns: tuple[ColumnView, ...]
