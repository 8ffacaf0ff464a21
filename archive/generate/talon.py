"""Play with a talon: the card that a player chooses, cards drawn after each trick, and the players' acts at their turn
besides playing cards."""

from random import Random
from typing import NamedTuple

from msgspec import Struct, field

from archive.cards import CODES, NUMBER, SUITS, mask, numbers
from archive.engine.duties import Spot, allowed_cards, terms_of
from archive.engine.tricks import add_to_trick
from archive.generate.plan import Hands, Plan
from archive.play.other.sixty_six import lowest_trump, marriage_worth
from archive.record import Event, Trick
from archive.rules import Tables
from archive.rules.types import ActName

SENSIBLE = 0.8  # the share of cards that are chosen sensibly; the others are any that are allowed


def choose_card(rng: Random, compiled: Tables, allowed: int, spot: Spot, friendly: bool, avoids: bool) -> int:
    """Return one of the allowed cards, mostly a sensible one. `friendly`: the own side has the trick; `avoids`: the
    player wants none."""
    cards = list(numbers(allowed))
    if rng.random() > SENSIBLE or not spot.led:
        return rng.choice(cards)
    worth = compiled.points
    taking = [card for card in cards if spot.over >> card & 1]
    ducking = [card for card in cards if card not in taking]
    if avoids:
        return max(ducking or taking, key=lambda card: (compiled.beats[card].bit_count() == 0, worth[card]))
    if friendly:
        return max(ducking or taking, key=worth.__getitem__)
    if taking:
        return max(taking, key=lambda card: compiled.beats[card].bit_count())
    return min(ducking, key=worth.__getitem__)


OFTEN: dict[ActName, float] = {"marriage": 0.85, "takes-trump": 0.8, "closes": 0.03, "calls": 0.85}  # probabilities
BOLD = 0.006  # the probability of a call with too few points


class Table(Struct):
    """The table during play. Mutable, and used only for the deal being made. Cards of `left` are masks."""

    left: dict[int, int]
    pool: list[int]  # the talon in the order of drawing
    points: dict[int, int]
    tricks: dict[int, int]
    events: list[Event] = field(default_factory=list)
    closer: int | None = None
    called: bool = False


class Turn(NamedTuple):
    """A turn to play: the trick, the place in it, and the seat."""

    trick: int
    place: int
    seat: int

    def event(self, verb: ActName, arg: str | None = None) -> Event:
        return Event(self.seat, verb, f"{self.trick}.{self.place}", arg)


def play_with_talon(
    rng: Random, plan: Plan, compiled: Tables, hands: Hands, talon: tuple[str, ...]
) -> tuple[tuple[Trick, ...], tuple[Event, ...]]:
    """Return the tricks, until somebody calls or all cards are played, and the events between them."""
    row, terms, active = plan.row, terms_of(compiled), plan.active
    table = Table(
        {seat: mask(hand) for seat, hand in hands.items()},
        [NUMBER[code] for code in talon],
        dict.fromkeys(active, 0),
        dict.fromkeys(active, 0),
    )
    tricks: list[Trick] = []
    leader = active[0]
    while not table.called:
        led = over = 0
        cards: list[int] = []
        winner, start = leader, active.index(leader)
        for place, seat in enumerate(active[start:] + active[:start], 1):
            turn = Turn(len(tricks) + 1, place, seat)
            shown = take_turn(rng, plan, compiled, table, turn)
            if table.called or not table.left[seat]:
                break
            duties = row.late if row.late and (table.closer is not None or not table.pool) else row.duties
            spot = Spot(terms, table.left[seat], led, over, 0)
            allowed = allowed_cards(duties, spot) & (shown or -1)
            card = choose_card(rng, compiled, allowed, spot, False, False)
            suit = compiled.groups[compiled.group[card]]
            led, over, best = add_to_trick(place - 1, card, suit, compiled.beats[card], led, over)
            winner = seat if best else winner
            table.left[seat] &= ~(1 << card)
            cards.append(card)
        if cards:
            tricks.append(Trick(tuple(CODES[card] for card in cards), leader))
        if table.called or len(cards) < len(active):
            break
        if table.closer in (None, winner):
            table.points[winner] += sum(compiled.points[card] for card in cards)
            table.tricks[winner] += 1
        if table.closer is None and table.pool:
            start = active.index(winner)
            for seat in active[start:] + active[:start]:
                table.left[seat] |= 1 << table.pool.pop(0)
        leader = winner
    return tuple(tricks), tuple(table.events)


def take_turn(rng: Random, plan: Plan, compiled: Tables, table: Table, turn: Turn) -> int:
    """Add what a player does before a card; return the cards of a marriage, one of which must be led, else 0."""
    house, row, hand, shown = plan.ruleset.house, plan.row, table.left[turn.seat], 0
    talon, match = house.talon, house.match
    if talon is None or match is None or not hand:
        return 0
    open_talon = table.closer is None and len(table.pool) >= talon.least
    low = lowest_trump(compiled, talon)
    if "takes-trump" in row.acts and open_talon and hand >> low & 1 and rng.random() < OFTEN["takes-trump"]:
        table.events.append(turn.event("takes-trump", CODES[table.pool[-1]]))
        table.left[turn.seat] = hand & ~(1 << low) | 1 << table.pool[-1]
        table.pool[-1] = low
    hand = table.left[turn.seat]
    if "marriage" in row.acts and turn.place == 1 and row.marriage and rng.random() < OFTEN["marriage"]:
        pairs = (mask(suit + rank for rank in row.marriage.ranks) for suit in SUITS)
        shown = next((pair for pair in pairs if pair & ~hand == 0), 0)
    if shown and row.marriage:
        suit = CODES[shown.bit_length() - 1][0]
        table.events.append(turn.event("marriage", suit))
        is_trumps, tricks = shown & compiled.groups[-1] > 0, table.tricks[turn.seat]
        table.points[turn.seat] += marriage_worth(row.marriage, is_trumps, turn.seat, tricks, table.closer)
    ahead = table.points[turn.seat] >= match.half
    if "closes" in row.acts and open_talon and rng.random() < OFTEN["closes"] * (5 if ahead else 1):
        table.events.append(turn.event("closes"))
        table.closer = turn.seat
    enough = table.points[turn.seat] >= match.reach  # a call is mostly true
    if "calls" in row.acts and rng.random() < (OFTEN["calls"] if enough else BOLD if turn.trick > 1 else 0):
        table.events.append(turn.event("calls", str(match.reach)))
        table.called = True
    return shown
