"""The talon at the table: what players draw from it, what lies in it, and which of the cards in hand everybody
knows."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from archive.cards import is_known
from archive.judge.types import Judgement
from archive.play.types import Act, TalonPlay
from archive.text.wording import Texts, card_name
from archive.web.deal.model import HandCard, Move

FROM_START = "start"


class Coming(NamedTuple):
    """A card that comes to a hand during play, or leaves it without being played, with its move."""

    card: str
    at: str
    goes: bool = False


def acts_by_move(talon: TalonPlay) -> dict[str, Act]:
    """Return the acts of players beside the cards, by the move that shows each."""
    return {f"v{act.number}": act for act in talon.acts}


def draw_move(judgement: Judgement, talon: TalonPlay, trick: int, part: str, t: Texts) -> Iterator[Move]:
    """Yield the move with which all draw a card after a trick. Each sees the own card alone, the last card is seen by
    all."""
    names, draws = judgement.session.players, [draw for draw in talon.draws if draw.trick == trick]
    if not draws:
        return
    is_last = sum(draw.trick <= trick for draw in talon.draws) >= len(judgement.deal.talon or ())
    seen, heard = list[str](), list[str]()
    for draw in draws:
        face_up = is_last and draw is draws[-1]
        facts = {"name": names[draw.seat], "card": card_name(draw.card, t)}
        open_text = t["s_draw_open" if face_up else "s_draw_known" if is_known(draw.card) else "s_draw_covered"]
        seen.append(open_text.format(**facts))
        heard.append((open_text if face_up else t["s_draw_covered"]).format(**facts))
    yield Move(f"p{trick}", part, f"{'; '.join(seen)}.", heard=f"{'; '.join(heard)}.")


def cards_coming(talon: TalonPlay, seat: int) -> Iterator[Coming]:
    """Yield the cards that a player draws, takes and gives during play, in order."""
    came = [(draw.trick + 1, 0, Coming(draw.card, f"p{draw.trick}")) for draw in talon.draws if draw.seat == seat]
    for act in talon.acts:
        if act.verb == "takes-trump" and act.seat == seat:
            (given, card), at = act.cards, f"v{act.number}"
            came += [(act.trick, act.place, Coming(given, at, goes=True)), (act.trick, act.place, Coming(card, at))]
    yield from (each for _, _, each in sorted(came, key=lambda one: one[:2]))


def moves_that_show(talon: TalonPlay, codes: Sequence[str], seat: int) -> dict[tuple[str, str | None], str]:
    """Return the moves from which everybody knows a card in a hand, by the card and the move with which it came (None:
    from the start): a trump that was taken, the last card of the talon (its `codes`), a marriage that is shown."""
    came = {each.card: each.at for each in cards_coming(talon, seat) if not each.goes}
    shown: dict[tuple[str, str | None], str] = {}
    for act in talon.acts:
        if act.seat == seat and act.verb == "marriage":
            shown |= {(card, came.get(card)): f"v{act.number}" for card in act.cards}
        elif act.seat == seat and act.verb == "takes-trump":
            shown[act.cards[1], f"v{act.number}"] = f"v{act.number}"
    last = talon.draws[-1] if len(talon.draws) == len(codes) > 0 else None
    if last is not None and last.seat == seat:
        shown[last.card, f"p{last.trick}"] = f"p{last.trick}"
    return shown


def talon_cards(talon: TalonPlay, codes: Sequence[str], t: Texts) -> tuple[HandCard, ...]:
    """Return the cards of the talon in the order of drawing; the last lies face up below the others from the start, or
    from the move that put another there."""
    if not codes:
        return ()
    drawn = [f"p{draw.trick}" for draw in talon.draws]
    until = [*drawn, *[None] * (len(codes) - len(drawn))]
    cards = [HandCard(code, card_name(code, t), None, at) for code, at in zip(codes[:-1], until[:-1], strict=True)]
    bottom, since = codes[-1], None
    for act in talon.acts:
        if act.verb == "takes-trump":
            at = f"v{act.number}"
            cards.append(HandCard(bottom, card_name(bottom, t), since, at, opened=since or FROM_START))
            bottom, since = act.cards[0], at
    return (*cards, HandCard(bottom, card_name(bottom, t), since, until[-1], opened=since or FROM_START))


def closing_move(talon: TalonPlay) -> str:
    """Return the move that closes the talon; empty if there is none."""
    return next((at for at, act in acts_by_move(talon).items() if act.verb == "closes"), "")
