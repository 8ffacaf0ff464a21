"""The cards of a deal that is tapped: whose turn it is, which cards may be played, the tricks so far, what is wrong."""

from msgspec import Struct

from archive.cards import PACKS, SUITS, codes, spoken_name
from archive.judge import Judgement
from archive.judge.next_deal import contradictions
from archive.notation.tapped_deal import Taps
from archive.play.next_card import next_card
from archive.rules import House, hand_size
from archive.store.live_evenings import LiveEvening
from archive.text.wording import Texts
from archive.web.evening.page import judge_taps, words_of


class CardFace(Struct, frozen=True):
    """A card that can be tapped: its code, its name as it is said."""

    code: str
    name: str


class CardTable(Struct, frozen=True):
    """The pack as it is laid out to be tapped, how many cards a hand and a trick have; `has_hands`: all cards lie in
    hands, so that these can be tapped too."""

    cards: tuple[CardFace, ...]
    columns: int
    hand: int
    trick: int
    has_hands: bool


class TrickView(Struct, frozen=True):
    """A trick: its number, cards with who played them, who took it and with how many points; None: not known yet."""

    number: int
    cards: tuple[tuple[str, str], ...]
    winner: str | None
    points: int | None


class CardsState(Struct, frozen=True):
    """The play as far as it is tapped: whose turn it is and which cards may be played (None: not known), how many play
    a trick, the tricks, what is wrong in sentences; `whole`: the cards tell the result."""

    turn: int | None
    playable: tuple[str, ...] | None
    size: int
    tricks: tuple[TrickView, ...]
    said: tuple[str, ...]
    whole: bool


def card_table(house: House, faces: str) -> CardTable:
    """The pack of a house."""
    pack, size = codes(PACKS[house.deck]), hand_size(house)
    return CardTable(
        cards=tuple(CardFace(code, spoken_name(code, faces)) for code in pack),
        columns=len(pack) // len(SUITS),
        hand=size,
        trick=house.seats,
        has_hands=size * house.seats == house.deck and not house.stacks,
    )


def cards_state(evening: LiveEvening, taps: Taps, t: Texts) -> CardsState:
    """The play of a deal that is tapped."""
    judged = judge_taps(evening, {**taps, "outcome": "cards"})
    if not isinstance(judged, Judgement):
        return CardsState(None, None, evening.ruleset.house.seats, (), words_of(judged, t), False)
    played, settled = judged.replay, judged.settlement
    following = next_card(judged.deal, evening.head.players, evening.ruleset, evening.state.table.dealer)
    return CardsState(
        turn=following.seat if following else None,
        playable=following.playable if following else None,
        size=len(played.playing) if played and played.playing else evening.ruleset.house.seats,
        tricks=tricks_of(judged),
        said=words_of(contradictions(judged), t),
        whole=bool(played and played.complete and (contradictions(judged) or (settled and settled.lines))),
    )


def tricks_of(judged: Judgement) -> tuple[TrickView, ...]:
    """The tricks of a play."""
    played, names = judged.replay, judged.session.players
    if played is None:
        return ()
    tricks = []
    for at, (winner, points) in enumerate(zip(played.winners, played.trick_points, strict=True), 1):
        cards = tuple((step.card, names[step.seat]) for step in played.steps if step.trick == at)
        tricks.append(TrickView(at, cards, None if winner is None else names[winner], points))
    return tuple(tricks)
