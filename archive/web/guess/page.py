"""From an analysis to its questions: the decisions of a seat and the score, on the felt: the player in question sits at
its foot and taps a card there; then the rest of the play, card by card. The puzzles of a day: positions in which one
card alone wins; an answer plays the rest out."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from flask import request, url_for
from msgspec import Struct

from archive.analysis import Analysis, Decision, open_game
from archive.analysis.lines import Line, line_of
from archive.judge import Judgement, judge_session
from archive.judge.types import case_of
from archive.notation import read_toml
from archive.record import Deal, Session, Source
from archive.resources import samples_dir
from archive.store import load_judgement
from archive.text.dates import format_day
from archive.text.wording import Texts, card_name, game_title, texts_of
from archive.web.analysis.page import CardView, card_views, place_text
from archive.web.analysis.solvers import BusyError, analysis_of, solvers
from archive.web.deal.page import with_isolated_names
from archive.web.deal.queries import deal_from
from archive.web.deal.seats import places_at_table
from archive.web.queries import Facts
from archive.web.request import connection, request_texts


class FeltCard(Struct, frozen=True):
    """A card: `to` leads on if it may be played, `key` is its number on a keyboard."""

    code: str
    name: str
    to: str = ""
    key: int = 0


def felt_of(
    judgement: Judgement,
    asked: Line,
    foot: int,
    t: Texts,
    to: Mapping[str, str],
    line: Line | None = None,
    step: int = 0,
) -> Facts:
    """Return the position that is `asked` about, or `step` cards of a `line` further on: its `seats`, that at its foot
    first, and the `rest`, each card as its seat and code. `to` has the addresses of cards that may be played at the
    foot."""
    held, line, before = dict(asked.moment.hands), line or asked, len(asked.played)
    order = [*held]
    order = order[order.index(foot) :] + order[: order.index(foot)]
    places = places_at_table(judgement, len(order))
    rest, done = line.played[before:], line.played[: before + step]
    gone = {card for _, card in rest[:step]}
    size = len(done) % len(order) or (len(order) if step else 0)  # a whole trick lies there until the next card
    lying = done[len(done) - size :] if size else ()
    seats = []
    for place, seat in zip(places, order, strict=True):
        cards = [card for card in held[seat] if card not in gone][::-1]
        numbers = {card: n for n, card in enumerate([card for card in cards if card in to], 1)}
        seats.append({
            "seat": seat,
            "place": place,
            "name": judgement.session.players[seat],
            "cards": [FeltCard(card, card_name(card, t), to.get(card, "") if seat == foot else "",
                               numbers.get(card, 0)) for card in cards],
            "lay": next((FeltCard(card, card_name(card, t)) for who, card in lying if who == seat), None),
            "leads": bool(lying) and lying[0][0] == seat,
        })  # fmt: skip
    return {"seats": seats, "rest": rest}


LEAST_CARDS = 3  # that may be played in a puzzle with one that wins


class Score(Struct, frozen=True):
    """The number of decisions asked, and in how many of them the reader, and the player, lost nothing."""

    reader: int = 0
    player: int = 0
    asked: int = 0

    def after(self, decision: Decision, card: str) -> "Score":
        """Return the score after an answer."""
        best = decision.best_cards
        return Score(self.reader + (card in best), self.player + (decision.card in best), self.asked + 1)

    @property
    def address(self) -> str | None:
        """Return the score as an address has it."""
        return f"{self.reader}-{self.player}-{self.asked}" if self.asked else None


def score_from(text: str) -> Score:
    """Return the score of an address; none if it is not one."""
    parts = text.split("-")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        return Score()
    reader, player, asked = map(int, parts)
    return Score(reader, player, asked) if max(reader, player) <= asked else Score()


def questions_of(analysis: Analysis, seat: int) -> list[int]:
    """Return the places of the decisions of a seat in which something could be lost."""
    return [place for place, each in enumerate(analysis.decisions) if each.seat == seat and each.stake]


def in_hand(position: Facts) -> list[CardView]:
    """Return the cards that may be played, in the order of the hand."""
    hand_codes = [card.code for _, is_next, hand in position["hands"] if is_next for card in hand]
    return sorted(position["cards"], key=lambda card: hand_codes.index(card.code))


def is_puzzle(analysis: Analysis, decision: Decision, sides: Sequence[str | None]) -> bool:
    """Return whether exactly one of several cards wins the game for the player whose turn it is."""
    wants = sides[decision.seat] == "declarer"
    wins = [analysis.level(level).settlement.won is wants for level in decision.values.values()]
    return len(wins) >= LEAST_CARDS and sum(wins) == 1


MOST_TRIES = 40  # deals in which a puzzle is searched
MOST_PLAIN = 2  # of them while the search is not compiled
MOST_OF_DAY = 5
FEW, SOME = 3, 5  # cards in the hand, up to which a puzzle has one star, and two
WHOLE, DECLARER, DEFENCE = 120, 61, 60  # card points, and how many of them win by the usual rules
SAMPLES = "club"  # the folder of sample games that have puzzles
MOST_TRIED = 8
GREEN, RED = "\U0001f7e9", "\U0001f7e5"


def puzzle_shown(day: str, n: int, has_deals: bool) -> dict[str, Any]:
    """Return everything that the template of a puzzle of a day shows: from the archive, or from the sample games if no
    deal has cards. If none of the deals looked at has a puzzle, only the day. Raises BusyError."""
    own = has_deals and deal_from(connection(), 0) is not None
    key = day if n == 1 else f"{day}/{n}"
    for tried, (number, judgement) in enumerate(_deals_of_day(key, own)):
        if tried >= MOST_PLAIN and solvers().fast is None:
            solvers().prepare()
            raise BusyError(later=True)
        case = case_of(judgement)
        game = open_game(case) if case else ""
        if case is None or isinstance(game, str):
            continue
        analysis = analysis_of(case, *game)
        found = [each for each in analysis.decisions if is_puzzle(analysis, each, case.replay.sides)]
        if found:
            shown = Puzzle(day, n, number, with_isolated_names(judgement), analysis, found[0])
            return shown.page_values() | {"of_samples": not own}
    return {"of_samples": not own, "n": n}


def _deals_of_day(key: str, own: bool) -> Iterator[tuple[int | None, Judgement]]:
    """Yield deals of the archive by their numbers if it has its `own`, else sample deals."""
    samples, random = () if own else sample_deals(), Random(key)
    for share in [random.random() for _ in range(MOST_TRIES)]:
        if samples:
            yield None, samples[int(share * len(samples))]
        elif own and (number := deal_from(connection(), share)) and (judgement := load_judgement(connection(), number)):
            yield number, judgement


@lru_cache(1)
def sample_deals() -> tuple[Judgement, ...]:
    """Return the sample deals that have cards and agree."""
    judged: list[Judgement] = []
    for path in sorted((samples_dir() / SAMPLES).glob("*.toml")):
        head, *deals = read_toml(path.read_bytes(), Source(path.name))
        if isinstance(head, Session):
            judged += judge_session(head, [each for each in deals if isinstance(each, Deal)])
    return tuple(each for each in judged if each.verdict == "agrees" and each.deal.tricks)


class Puzzle:
    """A puzzle, and the answers so far, which its address holds."""

    def __init__(
        self, day: str, n: int, number: int | None, judgement: Judgement, analysis: Analysis, decision: Decision
    ) -> None:
        self.day, self.n, self.number, self.judgement = day, n, number, judgement  # without a number: a sample
        self.analysis, self.decision = analysis, decision
        self.before = [each.card for each in analysis.decisions[: analysis.decisions.index(decision)]]
        self.t = texts_of(judgement.ruleset, request_texts())
        sides = judgement.replay.sides if judgement.replay else ()
        self.declares = sides[decision.seat] == "declarer"
        self.declarers = [
            name for name, side in zip(judgement.session.players, sides, strict=False) if side == "declarer"
        ]
        self.right = next(card for card in decision.values if self.wins(card))
        text = request.args.get("tried", "").upper()
        self.tried = [card for card in text.split("-")[:MOST_TRIED] if card in decision.values and card != self.right]

    def wins(self, card: str) -> bool:
        return self.analysis.level(self.decision.values[card]).settlement.won is self.declares

    def address(self, **more: Any) -> str:
        n = self.n if self.n > 1 else None
        tried = more.pop("tried", self.tried)
        return url_for("puzzle", day=self.day, n=n, tried="-".join(tried) or None, **more)

    def line(self, card: str = "") -> Line:
        """Return the play up to the question; with a card also that card, and the rest with the best play of all."""
        deal, levels = self.analysis.deal, self.analysis.levels
        with solvers().lend() as solver:
            if card:
                found = line_of(deal, levels, [*self.before, card], solver, best=True)
            else:
                found = line_of(deal, levels, self.before, solver, known=self.decision.values)
        assert found
        return found

    def points(self, line: Line) -> int:
        """Return the card points of the player's side at the end."""
        return line.moment.points if self.declares else WHOLE - line.moment.points

    def says(self, card: str, own: int) -> str:
        """Return the outcome of an answer in a sentence: card points, if these decide."""
        need, t = DECLARER if self.declares else DEFENCE, self.t
        name = card_name(card, t)
        if not self.analysis.levels.counts_points or (own >= need) != self.wins(card):
            return t["pz_won"].format(card=name) if self.wins(card) else t["pz_lost"].format(card=name)
        if self.wins(card):
            return t["pz_takes"].format(card=name, points=own)
        lacks = need - own
        return t["pz_lacks"].format(card=name, n=lacks)

    def page_values(self) -> dict[str, Any]:
        """Return everything that the template shows."""
        t, decision, seat = self.t, self.decision, self.decision.seat
        asked = self.line()
        chosen = card_views(self.judgement, self.analysis, seat, decision.values, decision.card, t, lambda _: "")
        card = request.args.get("card", "").upper()
        card = self.right if "solution" in request.args else card if card in decision.values else ""
        cards_left = len(asked.moment.hands[seat])
        told = {
            "day_of": self.day, "n": self.n, "t": t, "faces": t["faces"], "cards": chosen,
            "stars": 1 if cards_left <= FEW else 2 if cards_left <= SOME else 3,
            "game": game_title(self.judgement.deal.game, self.judgement.ruleset, t),
            "player": self.judgement.session.players[seat], "declares": self.declares, "declarers": self.declarers,
            "points": asked.moment.points if self.analysis.levels.counts_points else None,
            "analysis": self.number and url_for("analysis", number=self.number, at=place_text(decision)),
            "answer": card, "tried": self.tried, "solved": False,
        }  # fmt: skip
        if not card:
            to = {each: self.address(card=each) for each in decision.values if each not in self.tried}
            return told | {"felt": felt_of(self.judgement, asked, seat, t, to)}
        return told | self.values_of_answer(card, asked)

    def values_of_answer(self, card: str, asked: Line) -> dict[str, Any]:
        """Return the parts that an answer adds: the play to its end, its outcome, the ways on from here."""
        line, wins = self.line(card), self.wins(card)
        given = "solution" in request.args
        last = len(line.played) - len(self.before)
        step = min(max(0, request.args.get("step", 0, int)), last)
        where = {"solution": 1} if given else {"card": card}
        return {
            "felt": felt_of(self.judgement, asked, self.decision.seat, self.t, {}, line, step),
            "step": step, "last": last, "on": self.address(**where, step=min(last, step + 1)),
            "back": self.address(**where, step=max(0, step - 1)),
            "says": self.says(card, self.points(line)), "right": wins, "given": given,
            "solved": wins and not given,
            "again": None if wins else self.address(tried=[*self.tried, card]),
            "solution": None if wins else self.address(tried=[*self.tried, card], solution=1),
            "line": self.result() if wins and not given else "",
        }  # fmt: skip

    def result(self) -> str:
        """Return the result as a line for a group, without the answer."""
        t, tries = self.t, len(self.tried)
        marks = RED * tries + GREEN
        how = t["pz_at_first"] if not tries else t["pz_at_nth"].format(n=tries + 1)
        number = "" if self.n == 1 else f" {self.n}"
        game = game_title(self.judgement.deal.game, self.judgement.ruleset, t)
        return t["pz_line"].format(day=format_day(self.day, t), number=number, game=game, marks=marks, how=how)
