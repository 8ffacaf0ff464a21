"""The head of a session for bulk work: its canonical bytes, and the meaning of its strings, each read once."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from archive.bulk.plans import Plan, plan_of
from archive.engine.columns import PLAN_WIDTH
from archive.judge.judge_deal import SessionState, initial_state, rules_of, under_rules
from archive.notation import key_table, read_values, write_line, write_values
from archive.notation.game_words import contract_text, read_call, read_game
from archive.notation.jsonl import read_session
from archive.notation.names import Reader as Names
from archive.notation.problem import Problem
from archive.play.auction.legality import check_auction
from archive.play.doubles import check_doubles
from archive.play.parties import sides
from archive.play.types import Hand, Phase, Scene, Sides, read_hand
from archive.record import Call, Deal, Double, Finding, Game, Session, Source
from archive.rules import Ruleset, hand_size

T = TypeVar("T")
HEAD_DECODER = msgspec.json.Decoder(key_table.HeadOnly)
NumberedGame = tuple[int, int]  # the declarer (-1: none) and the number of the plan


class RulesCache(Struct):
    """The strings and calls that were read before, for every session of one set of rules."""

    games: dict[tuple[str, bool], int] = {}  # plans, by their words and whether they have a declarer
    calls: dict[str, int] = {}
    doubles: dict[tuple[str, int, str], int] = {}  # by the place in the play, the seat and the words
    auctions: dict[tuple[Any, ...], bool] = {}  # whether the calls lead to the game
    doublings: dict[tuple[Any, ...], bool] = {}  # whether knocks and doublings are allowed


MOST_RULES = 128  # rulesets whose plans are kept at a time, and by which lines of a batch are judged; then others begin


class PlanRegistry:
    """The plans of all games seen; calls and doublings by numbers."""

    def __init__(self) -> None:
        nothing = Plan(Game(""), None, None, (0,) * PLAN_WIDTH)
        self.every: list[Plan] = [nothing]  # number 0 stands for a line that the core does not get
        self.rows: list[tuple[int, ...]] = [(0,) * PLAN_WIDTH]
        self.numbers: dict[tuple[str, Game], int] = {}
        self.texts: list[str] = []
        self.calls: dict[int, Call] = {}  # by seat times CALLS and the number of the text
        self.text_numbers: dict[str, int] = {}
        self.doubles: list[Double] = []
        self.double_numbers: dict[Double, int] = {}
        self.memories: defaultdict[str, RulesCache] = defaultdict(RulesCache)  # by the digest of the rules
        self.games: dict[tuple[int, int], Game] = {}  # by the number of the plan and the declarer

    def number(self, ruleset: Ruleset, game: Game) -> int:
        """Return the number of the plan of a game without its declarer, -1 if the core does not cover it."""
        key = (ruleset.digest, game)
        if key not in self.numbers:
            plan = plan_of(ruleset, game)
            self.numbers[key] = len(self.rows) if plan.row else -1
            if plan.row:
                self.every.append(plan)
                self.rows.append(plan.row)
        return self.numbers[key]

    def text(self, call: str) -> int:
        """Return the number of a call."""
        return _number_of(call, self.texts, self.text_numbers)

    def double(self, doubling: Double | None) -> int:
        """Return the number of a doubling; -1 if it cannot be read, or depends on who led a later trick."""
        if doubling is None or (doubling.trick is not None and doubling.trick > 1):
            return -1
        return _number_of(doubling, self.doubles, self.double_numbers)


def _number_of(thing: T, things: list[T], numbers: dict[T, int]) -> int:
    if thing not in numbers:
        numbers[thing] = len(things)
        things.append(thing)
    return numbers[thing]


class SessionHead(Struct, frozen=True):
    """A session: as recorded, as judged, and what its strings mean."""

    session: Session
    bare: Session  # without its place
    judged_as: Session
    prefix: bytes  # what each of its lines begins with
    players: tuple[str, ...]
    names: Names  # by which its strings are read
    to: write_values.Writer
    ruleset: Ruleset | None
    findings: tuple[Finding, ...]  # what is wrong with its rules
    begun: SessionState
    seats: dict[str, int]
    leaders: dict[str, int]  # as they stand before the cards of a trick
    labels: dict[str, tuple[int, str]]  # the seat and what a string begins with, by its first word
    games: dict[str, NumberedGame]  # strings that were read, each by its function below
    calls: dict[str, int]
    doubles: dict[str, int]
    memory: RulesCache
    plans: PlanRegistry
    usable: bool  # whether there are as many players as play


CALLS = 1 << 20


_plans = [PlanRegistry()]


def current_plans() -> PlanRegistry:
    """Return the plans of this process; new ones if there were too many."""
    if len(_plans[0].memories) >= MOST_RULES:
        _plans[0] = PlanRegistry()
    return _plans[0]


def read_head(
    raw: bytes, source: Source, rules: str | None, plans: PlanRegistry, before: SessionHead | None = None
) -> SessionHead | None:
    """Return the head of a line, None if it is not canonical or its rules cannot be used; `before` is another one of
    the same file."""
    try:
        line = HEAD_DECODER.decode(raw)
    except (ValueError, RecursionError):
        return None
    session, names, wrong_keys = read_session(line, Path(source.path).parent)
    if wrong_keys or session is None or names is None:
        return None
    prefix = write_line(session, Deal())[:-1]
    if not raw.startswith(prefix + b","):
        return None
    bare, session = session, replace(session, source=source)
    judged_as = under_rules(session, rules)
    if before is not None and same_rules(judged_as, before):
        ruleset, wrong = before.ruleset, before.findings
    else:
        ruleset, wrong = rules_of(judged_as)
    to = write_values.writer_for(session.players, nulls=True)
    return SessionHead(
        session=session, bare=bare, judged_as=judged_as, prefix=prefix, players=session.players, names=names, to=to,
        ruleset=ruleset, findings=wrong, begun=initial_state(judged_as),
        seats=dict(zip(session.players, range(len(session.players)), strict=True)),
        leaders={f"{label}: ": seat for seat, label in enumerate(to.labels)},
        labels={label.partition(" ")[0]: (seat, f"{label} ") for seat, label in enumerate(to.labels)},
        games={}, calls={}, doubles={}, memory=plans.memories[ruleset.digest if ruleset else ""], plans=plans,
        usable=ruleset is not None and ruleset.house.seats == len(session.players),
    )  # fmt: skip


def same_rules(session: Session, before: SessionHead) -> bool:
    """Return whether a session has the rules of one before it, and nothing is wrong with them."""
    known = before.judged_as
    same = (session.rules, session.house, len(session.players)) == (known.rules, known.house, len(known.players))
    return same and not before.findings


# --- strings, each read once ------------------------------------------------------------------------------------------


def split_label(head: SessionHead, text: str) -> tuple[int, str]:
    """Return the seat whose label a string begins with, and the rest; -1 and the whole string if there is none. The
    first word of a label begins no other label, and no string without a player."""
    label = head.labels.get(text.partition(" ")[0])
    if label is None or not text.startswith(label[1]):
        return -1, text
    return label[0], text[len(label[1]) :]


def number_game(head: SessionHead, text: str) -> NumberedGame:
    """Return the declarer of a game (-1: none) and the number of its plan; -1 if the words are not canonical, or do not
    fit with or without a declarer."""
    declarer, rest = split_label(head, text)
    number, names, ruleset = head.memory.games.get((rest, declarer >= 0)), head.names, head.ruleset
    if number is None:
        number = -1
        game = _canonical(lambda: read_game("game", rest, None, names.alphabet, names.spoken), contract_text, rest)
        if ruleset is not None and game is not None:
            row = ruleset.contracts.get(game.contract)
            fits = (declarer >= 0) == (row is not None and row.declarer)
            number = head.plans.number(ruleset, game) if fits else -1
        head.memory.games[rest, declarer >= 0] = number
    head.games[text] = declarer, number
    return declarer, number


def number_call(head: SessionHead, text: str) -> int:
    """Return seat times CALLS plus the number of the call; -1 if it is not canonical."""
    seat, rest = split_label(head, text)
    number, names = head.memory.calls.get(rest), head.names
    if number is None:
        call = _canonical(lambda: read_call("auction", rest, names.alphabet, names.spoken), str, rest)
        head.memory.calls[rest] = number = -1 if call is None else head.plans.text(call)
    head.calls[text] = code = -1 if seat < 0 or number < 0 else seat * CALLS + number
    if code >= 0:
        head.plans.calls[code] = Call(seat, head.plans.texts[number])
    return code


def number_double(head: SessionHead, text: str) -> int:
    """Return the number of a doubling, -1 if it is not canonical."""
    place, _, said = text.partition(" ") if text.startswith("@") else ("", "", text)
    seat, words = split_label(head, said)
    number = head.memory.doubles.get((place, seat, words)) if seat >= 0 else None
    if number is None:
        read = partial(read_values.read_double, head.names, "doubles", text)
        number = head.plans.double(_canonical(read, partial(write_values.write_double, head.to), text))
        if seat >= 0:
            head.memory.doubles[place, seat, words] = number
    head.doubles[text] = number
    return number


def _canonical(read: Callable[[], T], write: Callable[[T], str], text: str) -> T | None:
    """Return the meaning of a string; None if it is wrong or not written in the canonical way."""
    try:
        value = read()
    except Problem:
        return None
    return value if write(value) == text else None


# --- what was said before play --------------------------------------------------------------------------------------


@cache
def active(dealer: int, seats: int) -> tuple[int, ...]:
    """Return the seats of a table, forehand first."""
    return tuple((dealer + place) % seats for place in range(1, seats + 1))


def fits_auction(
    head: SessionHead, dealer: int, game: NumberedGame, calls: tuple[int, ...], hands: list[str] | None
) -> bool:
    """Return whether the calls lead to the game, as the scalar check decides. The answer is remembered, except in an
    auction in which hands are asked for."""
    ruleset, every = head.ruleset, head.plans
    assert ruleset
    by_hand = ruleset.house.auction != "ranks"
    dealt = tuple(read_hand(tuple(hand.split())) for hand in hands) if by_hand and hands else None
    if -1 in calls or (dealt and not all(hand.whole for hand in dealt)):
        return False
    auction = tuple(map(every.calls.__getitem__, calls))
    fits = not check_auction(_scene(ruleset, every.every[game[1]], dealer, game, auction, dealt))
    if not by_hand:
        head.memory.auctions[dealer, game, calls] = fits
    return fits


def _scene(
    ruleset: Ruleset,
    plan: Plan,
    dealer: int,
    game: NumberedGame,
    calls: tuple[Call, ...],
    dealt: tuple[Hand, ...] | None,
) -> Scene:
    declarer = game[0] if game[0] >= 0 else None
    nobody = (None,) * ruleset.house.seats
    around = active(dealer, len(nobody))
    return Scene(
        deal=Deal(game=replace(plan.game, declarer=declarer), auction=calls, dealer=dealer),
        players=tuple(map(str, range(len(nobody)))), ruleset=ruleset, dealer=dealer, contract=plan.contract,
        compiled=plan.tables, declarer=declarer, active=around, playing=around, size=hand_size(ruleset.house),
        most_tricks=hand_size(ruleset.house),
        phase=Phase(), dealt=dealt or nobody, held=dealt or nobody, sides=nobody,
    )  # fmt: skip


def fits_doubling(
    head: SessionHead,
    dealer: int,
    game: NumberedGame,
    partner: int | None,
    knocks: tuple[int, ...],
    doubles: tuple[int, ...],
) -> bool:
    """Return whether the house allows these knocks and doublings."""
    ruleset, every = head.ruleset, head.plans
    assert ruleset
    if -1 in knocks or -1 in doubles:
        return False
    plan, seats = every.every[game[1]], ruleset.house.seats
    declarer, around = game[0] if game[0] >= 0 else None, active(dealer, seats)
    chain = tuple(every.doubles[double] for double in doubles)
    deal = Deal(game=replace(plan.game, declarer=declarer), knocks=knocks or None, doubles=chain or None)
    names = tuple(map(str, range(seats)))
    both: Sides = (None,) * seats
    leaders: tuple[int | None, ...] = ()
    if plan.contract:
        both = sides(plan.contract, declarer, partner, around, seats)
        leaders = (declarer if plan.contract.leads == "declarer" else around[0],)
    fits = not check_doubles(deal, names, ruleset.house, around, both, plan.contract, leaders)
    head.memory.doublings[dealer, game, partner, knocks, doubles] = fits
    return fits
