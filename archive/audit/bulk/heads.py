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
from archive.play.types import Phase, Scene
from archive.record import Call, Deal, Finding, Game, Session, Source
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
        self.auctions: dict[tuple[Any, ...], bool] = {}
        self.doublings: dict[tuple[Any, ...], bool] = {}
        self.knocks: dict[tuple[Any, ...], bool] = {}

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


class Head(Struct, frozen=True):
    """A session: as recorded, as judged, and what its strings mean (None: not as the canonical form has it)."""

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
    games: Read[Said | None]
    calls: Read[int]  # seat * CALLS + the number of the call, -1
    doubles: Read[Any]


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

    def game(text: str) -> Said | None:
        declarer, rest = _led(labels, text)
        return None if ruleset is None else (declarer, plans().named(ruleset, rest, declarer >= 0, names))

    def call(text: str) -> int:
        seat, rest = _led(labels, text)
        number = plans().call(rest, names) if seat >= 0 else -1
        return -1 if number < 0 else seat * CALLS + number

    def double(text: str) -> Any:
        return _canonical(lambda: decode.double(names, "doubles", text), lambda each: encode.double(to, each), text)

    return Head(
        session=session, bare=bare, under=under, prefix=prefix, players=session.players, labels=to.labels,
        ruleset=ruleset, findings=wrong, begun=begun(under),
        seats={name: seat for seat, name in enumerate(session.players)},
        games=Read(game), calls=Read(call), doubles=Read(double),
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
    if ruleset is None or -1 in calls:
        return False
    by_hand = ruleset.house.auction != "ranks"
    key = (ruleset.digest, dealer, said, calls)
    if not by_hand and key in every.auctions:
        return every.auctions[key]
    told = tuple(Call(call // CALLS, every.texts[call % CALLS]) for call in calls)
    dealt = tuple(tuple(hand.split()) for hand in hands) if by_hand and hands else None
    if dealt and not all(card in NUMBER for hand in dealt for card in hand):
        return False
    every.auctions[key] = not check_auction(_scene(ruleset, dealer, said, told, dealt))
    return every.auctions[key]


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
    head: Head, dealer: int, said: Said, partner: int | None, knocks: tuple[int, ...], doubles: tuple[Any, ...]
) -> bool:
    """Whether the house allows these knocks and doublings; where it depends on a later trick, never."""
    ruleset, every = head.ruleset, plans()
    if ruleset is None or None in doubles or any(each.trick is not None and each.trick > 1 for each in doubles):
        return False
    key = (ruleset.digest, dealer, said, partner, knocks, doubles)
    if key not in every.doublings:
        plan, seats = every.every[said[1]], ruleset.house.seats
        declarer, around = said[0] if said[0] >= 0 else None, active(dealer, seats)
        game = replace(plan.game, declarer=declarer)
        leads = declarer if plan.contract and plan.contract.leads == "declarer" else around[0]
        both = sides(plan.contract, declarer, partner, around, seats) if plan.contract else (None,) * seats
        deal = Deal(game=game, knocks=knocks or None, doubles=doubles or None)
        names = tuple(map(str, range(seats)))
        every.doublings[key] = not check_doubles(
            deal, names, ruleset.house, around, both, plan.contract, (leads,) if plan.contract else ()
        )
    return every.doublings[key]
