"""The head of a session for bulk work: its canonical bytes, and what its strings mean, each read once."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from archive.audit.judge import Under, begun, rules_of
from archive.cards import NUMBER
from archive.notation import decode, encode, write_line
from archive.notation.lines import read_session_of
from archive.notation.names import Table as Names
from archive.notation.problem import Problem
from archive.notation.words import contract_text, read_call, read_game
from archive.play.auction import check_auction
from archive.play.doubles import check_doubles
from archive.play.parties import sides
from archive.play.types import Phase, Scene, Sides
from archive.record import Call, Deal, Double, Finding, Game, Session, Source
from archive.rules import Ruleset, hand_size
from archive.settle.columns import PLAN_WIDTH
from archive.settle.plans import Plan, plan_of

T = TypeVar("T")
Said = tuple[int, int]  # the declarer (-1: none) and the number of the plan


class Read(dict[str, T], Generic[T]):
    """What the strings of a head mean, each read when it is first seen."""

    def __init__(self, read: Callable[[str], T]) -> None:
        self.read = read

    def __missing__(self, text: str) -> T:
        self[text] = found = self.read(text)
        return found


Memory = dict[tuple[Any, ...], bool]


class Plans:
    """The plans of all games seen, and what was said in auctions, for every session of the same rules."""

    def __init__(self) -> None:
        nothing = Plan(Game(""), None, None, (0,) * PLAN_WIDTH)
        self.every: list[Plan] = [nothing]  # number 0 is that of a line that the core is not given
        self.rows: list[tuple[int, ...]] = [(0,) * PLAN_WIDTH]
        self.numbers: dict[tuple[str, Game], int] = {}
        self.words: dict[tuple[str, str, bool], int] = {}
        self.calls: dict[str, int] = {}
        self.texts: list[str] = []
        self.double_numbers: dict[Double, int] = {}
        self.doubles: list[Double] = []
        self.auctions: dict[str, Memory] = {}  # by the digest of the rules
        self.doublings: dict[str, Memory] = {}

    def number(self, ruleset: Ruleset, game: Game) -> int:
        """The number of the plan of a game without its declarer, -1 where the core does not cover it."""
        key = (ruleset.digest, game)
        if key not in self.numbers:
            plan = plan_of(ruleset, game)
            self.numbers[key] = len(self.rows) if plan.row else -1
            if plan.row:
                self.every.append(plan)
                self.rows.append(plan.row)
        return self.numbers[key]

    def named(self, ruleset: Ruleset, text: str, declared: bool, names: Names) -> int:
        """The number of the plan of a game in words, -1 where the words are not canonical, or not such as stand after a
        declarer (`declared`) or without one."""
        key = (ruleset.digest, text, declared)
        if key not in self.words:
            game = _canonical(lambda: read_game("game", text, None, names.alphabet, names.spoken), contract_text, text)
            row = ruleset.contracts.get(game.contract) if game else None
            fits = game is not None and declared == (row is not None and row.declarer)
            self.words[key] = self.number(ruleset, game) if game and fits else -1
        return self.words[key]

    def call(self, text: str, names: Names) -> int:
        """The number of a call, -1 where it is not canonical."""
        if text not in self.calls:
            told = _canonical(lambda: read_call("auction", text, names.alphabet, names.spoken), str, text)
            self.calls[text] = -1 if told is None else len(self.texts)
            if told is not None:
                self.texts.append(told)
        return self.calls[text]

    def double(self, told: Double | None) -> int:
        """The number of a doubling, -1 for none that can be read, or that depends on who led a later trick."""
        if told is None or (told.trick is not None and told.trick > 1):
            return -1
        if told not in self.double_numbers:
            self.double_numbers[told] = len(self.doubles)
            self.doubles.append(told)
        return self.double_numbers[told]


class Head(Struct, frozen=True):
    """A session: as recorded, as judged, and what its strings mean (-1: not as the canonical form has it)."""

    session: Session
    bare: Session  # without its place
    under: Session
    prefix: bytes  # what each of its lines begins with
    players: tuple[str, ...]
    labels: tuple[str, ...]
    ruleset: Ruleset | None
    findings: tuple[Finding, ...]  # what is wrong with its rules
    begun: Under
    seats: dict[str, int]
    games: Read[Said]
    calls: Read[int]  # seat * CALLS + the number of the call, -1
    doubles: Read[int]
    auctions: Memory  # whether what was said leads to the game
    doublings: Memory  # whether knocks and doublings are allowed
    usable: bool  # whether there are as many players as play


CALLS = 1 << 20


@cache
def plans() -> Plans:
    """Those of this process."""
    return Plans()


def head_of(raw: bytes, source: Source, rules: str | None) -> Head | None:
    """The head of a line, None where it is not canonical or its rules cannot be used."""
    found = read_session_of(raw, Path(source.path).parent)
    if found is None:
        return None
    session, names = found
    prefix = write_line(session, Deal())[:-1]
    if not raw.startswith(prefix + b","):
        return None
    bare, session = session, replace(session, source=source)
    under = session if rules is None else replace(session, rules=rules)
    ruleset, wrong = rules_of(under)
    to = encode.names(session, None, nulls=True)

    labels = {label.partition(" ")[0]: (seat, f"{label} ") for seat, label in enumerate(to.labels)}

    def game(text: str) -> Said:
        declarer, rest = _led(labels, text)
        return declarer, -1 if ruleset is None else plans().named(ruleset, rest, declarer >= 0, names)

    def call(text: str) -> int:
        seat, rest = _led(labels, text)
        number = plans().call(rest, names) if seat >= 0 else -1
        return -1 if number < 0 else seat * CALLS + number

    def double(text: str) -> int:
        told = _canonical(lambda: decode.double(names, "doubles", text), lambda each: encode.double(to, each), text)
        return plans().double(told)

    digest = ruleset.digest if ruleset else ""

    return Head(
        session=session, bare=bare, under=under, prefix=prefix, players=session.players, labels=to.labels,
        ruleset=ruleset, findings=wrong, begun=begun(under),
        seats={name: seat for seat, name in enumerate(session.players)},
        games=Read(game), calls=Read(call), doubles=Read(double),
        auctions=plans().auctions.setdefault(digest, {}), doublings=plans().doublings.setdefault(digest, {}),
        usable=ruleset is not None and ruleset.house.seats == len(session.players),
    )  # fmt: skip


def moved_to(head: Head, source: Source) -> Head:
    """The head of a session that begins in another line."""
    session, under = replace(head.session, source=source), replace(head.under, source=source)
    return replace(head, session=session, under=under, findings=tuple(replace(f, source=source) for f in head.findings))


def _led(labels: dict[str, tuple[int, str]], text: str) -> tuple[int, str]:
    """The seat with whose label a string begins, and the rest; -1 and all of it where there is none. The first word of
    a label begins no other, and nothing that begins without a player."""
    found = labels.get(text.partition(" ")[0])
    if found is None or not text.startswith(found[1]):
        return -1, text
    return found[0], text[len(found[1]) :]


def _canonical(read: Callable[[], T], write: Callable[[T], str], text: str) -> T | None:
    """What a string says, None where it is wrong or not written as it would be written again."""
    try:
        found = read()
    except Problem:
        return None
    return found if write(found) == text else None


# --- what was said before play --------------------------------------------------------------------------------------


def active(dealer: int, seats: int) -> tuple[int, ...]:
    return tuple((dealer + place) % seats for place in range(1, seats + 1))


def fits_auction(head: Head, dealer: int, said: Said, calls: tuple[int, ...], hands: list[str] | None) -> bool:
    """Whether the calls lead to the game, as the scalar check has it. What was said is remembered, but where the
    auction is one in which hands are asked for."""
    ruleset, every = head.ruleset, plans()
    assert ruleset
    by_hand = ruleset.house.auction != "ranks"
    dealt = tuple(tuple(hand.split()) for hand in hands) if by_hand and hands else None
    if -1 in calls or (dealt and not all(card in NUMBER for hand in dealt for card in hand)):
        return False
    told = tuple(Call(call // CALLS, every.texts[call % CALLS]) for call in calls)
    fits = not check_auction(_scene(ruleset, dealer, said, told, dealt))
    if not by_hand:
        head.auctions[dealer, said, calls] = fits
    return fits


def _scene(
    ruleset: Ruleset, dealer: int, said: Said, calls: tuple[Call, ...], dealt: tuple[tuple[str, ...], ...] | None
) -> Scene:
    plan = plans().every[said[1]]
    declarer = said[0] if said[0] >= 0 else None
    nobody = (None,) * ruleset.house.seats
    around = active(dealer, len(nobody))
    return Scene(
        deal=Deal(game=replace(plan.game, declarer=declarer), auction=calls, dealer=dealer),
        players=tuple(map(str, range(len(nobody)))), ruleset=ruleset, dealer=dealer, contract=plan.contract,
        compiled=plan.tables, declarer=declarer, active=around, playing=around, size=hand_size(ruleset.house),
        phase=Phase(), dealt=dealt or nobody, held=dealt or nobody, sides=nobody,
    )  # fmt: skip


def fits_doubling(
    head: Head, dealer: int, said: Said, partner: int | None, knocks: tuple[int, ...], doubles: tuple[int, ...]
) -> bool:
    """Whether the house allows these knocks and doublings."""
    ruleset, every = head.ruleset, plans()
    assert ruleset
    if -1 in knocks or -1 in doubles:
        return False
    plan, seats = every.every[said[1]], ruleset.house.seats
    declarer, around = said[0] if said[0] >= 0 else None, active(dealer, seats)
    told = tuple(every.doubles[each] for each in doubles)
    deal = Deal(game=replace(plan.game, declarer=declarer), knocks=knocks or None, doubles=told or None)
    names = tuple(map(str, range(seats)))
    both: Sides = (None,) * seats
    leaders: tuple[int | None, ...] = ()
    if plan.contract:
        both = sides(plan.contract, declarer, partner, around, seats)
        leaders = (declarer if plan.contract.leads == "declarer" else around[0],)
    fits = not check_doubles(deal, names, ruleset.house, around, both, plan.contract, leaders)
    head.doublings[dealer, said, partner, knocks, doubles] = fits
    return fits
