"""The next card of a play that is written down card by card: whose turn it is, and which cards may be played.

No duty stands here: each card is laid and the deal replayed, so that whatever a contract asks for counts. If the hand
is not known, a card that its player would have had to play before cannot be in it.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import SUITS, codes, is_known
from archive.engine.duties import BROKEN
from archive.play.other.sixty_six import with_drawn
from archive.play.replay import replay
from archive.play.tricks import deal_tables
from archive.play.types import NOT_PLAYED, Replay
from archive.record import Deal, Event, Trick
from archive.rules import Contract, Ruleset

DUTY_FINDINGS = frozenset(rule for rules in BROKEN.values() for rule in rules)


class NextCard(Struct, frozen=True):
    """A seat's turn: the cards that it may play, and all that nobody has played yet, as codes."""

    seat: int
    playable: tuple[str, ...]
    unplayed: tuple[str, ...]


def next_card(deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None) -> NextCard | None:
    """Return whose turn it is in a deal, and which cards may be played; None if the play is over or it is not known."""
    game = deal.game
    if game is None or game.contract in NOT_PLAYED or game.contract not in ruleset.contracts:
        return None
    pack = deal_tables(ruleset, deal, ruleset.contracts[game.contract]).pack
    so_far = replay(replace(deal, tricks=deal.tricks or ()), players, ruleset, dealer)
    if so_far.complete or not so_far.playing:
        return None
    played = {step.card for step in so_far.steps}
    unplayed = tuple(code for code in codes(pack) if code not in played)
    first = unplayed and replay(with_card(deal, unplayed[0], len(so_far.playing)), players, ruleset, dealer)
    if not first or len(first.steps) != len(so_far.steps) + 1:
        return None
    seat, errors = first.steps[-1].seat, set(error_places(so_far))
    hand = hand_of(deal, so_far, seat)
    elsewhere = {code for at in range(len(players)) if at != seat for code in hand_of(deal, so_far, at) or ()}
    whole = hand if hand is not None and all(map(is_known, hand)) else None  # no card was drawn that nobody knows
    playable = []
    for code in unplayed:
        if code in elsewhere or (whole is not None and code not in whole):
            continue
        longer = with_card(deal, code, len(so_far.playing))
        if hand is None:
            own = tuple(step.card for step in so_far.steps if step.seat == seat)
            hands = list(longer.hands or (None,) * len(players))
            hands[seat] = (*own, code)
            longer = replace(longer, hands=tuple(hands))
        again = replay(longer, players, ruleset, dealer)
        if errors.issuperset(duties_of_followers(again) if hand is None else error_places(again)):
            playable.append(code)
    return NextCard(seat, tuple(playable), unplayed)


def next_acts(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None, following: NextCard
) -> tuple[Event, ...]:
    """Return what the player whose turn it is may do before the next card, in a game with a talon."""
    row = ruleset.contracts[deal.game.contract] if deal.game else None
    if row is None or not row.acts:
        return ()
    deal = replace(deal, tricks=deal.tricks or (), events=deal.events or ())
    so_far = replay(deal, players, ruleset, dealer)
    errors, moment = set(error_places(so_far)), next_moment(deal, len(so_far.playing))
    others = {code for at in range(len(players)) if at != following.seat for code in hand_of(deal, so_far, at) or ()}
    held = set(following.unplayed) - others
    acts = []
    for verb in row.acts:
        for arg in act_arguments(verb, deal, so_far, ruleset, row, held):
            act = Event(following.seat, verb, moment, arg)
            again = replay(replace(deal, events=(*(deal.events or ()), act)), players, ruleset, dealer)
            if errors.issuperset(error_places(again)):
                acts.append(act)
    return tuple(acts)


def next_moment(deal: Deal, size: int) -> str:
    """Return the place of the next card: `2.1`; a trick has `size` cards."""
    tricks = deal.tricks or ()
    last = len(tricks[-1].cards) if tricks else size
    return f"{len(tricks)}.{last + 1}" if last < size else f"{len(tricks) + 1}.1"


def act_arguments(
    verb: str, deal: Deal, so_far: Replay, ruleset: Ruleset, row: Contract, held: set[str]
) -> list[str | None]:
    """Return the words that can follow an act: the suits of a marriage, the turned card, the number called.
    `held` are the cards that the player may have."""
    if verb == "marriage":
        ranks = row.marriage.ranks if row.marriage else ""
        return [suit for suit in SUITS if all(suit + rank in held for rank in ranks)]
    if verb == "takes-trump":
        taken = any(act.verb == verb for act in so_far.talon.acts) if so_far.talon else False
        return [] if taken or not deal.talon else [deal.talon[-1]]
    match = ruleset.house.match
    return [str(match.reach) if match else None] if verb == "calls" else [None]


def with_card(deal: Deal, code: str, size: int) -> Deal:
    """Return the deal with one card more, in the last trick or a new one; a trick has `size` cards."""
    tricks = deal.tricks or ()
    if tricks and len(tricks[-1].cards) < size:
        return replace(deal, tricks=(*tricks[:-1], replace(tricks[-1], cards=(*tricks[-1].cards, code))))
    return replace(deal, tricks=(*tricks, Trick((code,))))


def hand_of(deal: Deal, played: Replay, seat: int) -> tuple[str, ...] | None:
    """Return a seat's hand when play began and all it drew, after exchanges or else as recorded; None if unknown."""
    for hands in (played.held, deal.held, deal.hands):
        hand = hands[seat] if hands is not None and seat < len(hands) else None
        if hand is not None:
            return with_drawn(hand, played.talon, seat)
    return None


def error_places(played: Replay) -> Iterator[tuple[str, str | None]]:
    """Yield the rule and place of each error of a replay."""
    return ((each.rule, each.at) for each in played.findings if each.severity == "error")


def duties_of_followers(played: Replay) -> Iterator[tuple[str, str | None]]:
    """Yield rule and place of each duty that followers broke. A leader may have been free, by cards not seen yet."""
    return (
        (each.rule, each.at)
        for each in played.findings
        if each.rule in DUTY_FINDINGS and not (each.at or "").endswith(".1")
    )
