"""Parties: who plays with whom. Partners may be drawn: cards are dealt face up, one by one, until two players have one
of a rank. 000 The Deal; 001 Special Rounds: Kreuz."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from archive.cards import CODES, SUITS, mask
from archive.play.messages import either
from archive.play.seating import opposite
from archive.play.types import Cards, Scene, Side, Sides
from archive.record import Deal, Draw, Finding, finding
from archive.rules import Contract
from archive.rules.titles import contract_title
from archive.say import message

Parties = tuple[int | None, tuple[Finding, ...]]  # the partner, and what the record has otherwise


def holder(hands: Iterable[Cards | None], card: int) -> int | None:
    """Return the seat whose hand, of codes, has a card (a mask of one), or None."""
    return next((seat for seat, hand in enumerate(hands) if hand is not None and mask(hand) & card), None)


def chosen_partner(deal: Deal) -> int | None:
    """Return the partner the record names, else the player who took the declarer's card, or alone accepted it."""
    if deal.partner is not None or deal.game is None or deal.game.declarer is None:
        return deal.partner
    taker = next((each.taker for each in deal.exchange or () if each.giver == deal.game.declarer), None)
    accepted = {call.seat for call in deal.auction or () if call.call == "accept"} - {deal.game.declarer}
    return next(iter(accepted)) if taker is None and len(accepted) == 1 else taker


def _by_called_card(scene: Scene) -> Parties:
    """Return as partner the seat dealt the called card; if nothing shows it, the one the record names."""
    deal, called = scene.deal, scene.compiled.called if scene.compiled else 0
    dealt = (seat for seat, hand in enumerate(scene.dealt) if hand is not None and hand.cards & called)
    played = (laid.seat for laid in scene.walked.cards_laid if laid.card >= 0 and 1 << laid.card == called)
    seat = next(chain(dealt, played), None)
    if seat is None:
        return deal.partner, ()
    if deal.partner not in (None, seat):
        named = finding("wrong-partner", deal.source, card=CODES[called.bit_length() - 1], seat=seat + 1)
        return seat, (named,)
    return seat, ()


def _opposite(scene: Scene) -> Parties:
    """Return the player opposite the declarer, or no partner if there is no declarer."""
    declarer = scene.deal.game.declarer if scene.deal.game else None
    return (None if declarer is None or declarer not in scene.active else opposite(declarer, scene.active)), ()


PARTIES: dict[str, Callable[[Scene], Parties]] = {
    "called": _by_called_card,
    "alone": lambda scene: (None, ()),
    "each": lambda scene: (None, ()),
    "named": lambda scene: (chosen_partner(scene.deal), ()),
    "opposite": _opposite,
}


ALONE = ("alone", "each")  # parties without a partner, whoever sits at the table

# What a record lacks if no partner is known.
WITH_PARTNER = {"called": message("missing.called-partner"), "named": message("missing.partner")}


def sides(contract: Contract, declarer: int | None, partner: int | None, active: tuple[int, ...], seats: int) -> Sides:
    """Return the side of every seat: `declarer`, `defence`, `alone` (all play alone), None (not in play, not known)."""
    known: list[Side | None] = [None] * seats
    for seat in active:
        if contract.parties == "each":
            known[seat] = "alone"
        elif contract.parties == "opposite":
            first = declarer if contract.declarer else active[0]
            if first in active:
                known[seat] = "declarer" if seat in (first, opposite(first, active)) else "defence"
        elif seat == declarer or (partner is not None and seat == partner):
            known[seat] = "declarer"
        elif declarer is not None and (partner is not None or contract.parties == "alone"):
            known[seat] = "defence"
    return tuple(known)


def check_parties(scene: Scene) -> tuple[Finding, ...]:
    """Return a finding if the record names a declarer or partner where there is none, who sits out, or who is both."""
    contract, declarer, active, players = scene.contract, scene.declarer, scene.active, scene.players
    if contract is None:
        return ()
    partner, why = scene.deal.partner, None
    if declarer is not None and not contract.declarer:
        why = message("play.no-declarer-but", player=players[declarer])
    elif partner not in (None, scene.partner) and (
        contract.parties in ALONE or (active and contract.parties not in WITH_PARTNER)
    ):
        why = message("play.no-partner-but", player=players[partner])
    elif partner is not None and partner == declarer:
        why = message("play.declarer-and-partner", player=players[partner])
    elif partner is not None and (without := _without_rank(scene, contract.partners_hold)):
        aces = either([letter + contract.partners_hold for letter in SUITS])
        why = message("play.partner-without", player=players[without[0]], cards=aces)
    elif out := [seat for seat in (declarer, partner) if seat is not None and sits_out(scene, seat)]:
        why = message("play.player-sits-out", player=players[out[0]])
    if why:
        return (finding("wrong-parties", scene.deal.source, contract=contract_title(contract), why=why),)
    if contract.declares == "forehand" and active and declarer not in (None, active[0]) and declarer is not None:
        player, forehand, title = players[declarer], players[active[0]], contract_title(contract)
        return (finding("wrong-declarer", scene.deal.source, player=player, contract=title, forehand=forehand),)
    return ()


def sits_out(scene: Scene, seat: int) -> bool:
    """Return whether a player is not in play; where nobody says who dealt, whether the record says so."""
    return seat not in scene.active if scene.active else seat in (scene.deal.sits_out or ())


def _without_rank(scene: Scene, rank: str) -> list[int]:
    """Return the partners whose whole hand has no card of a rank that both of them must hold."""
    if not rank or scene.contract is None or scene.contract.parties != "named":
        return []
    hands = ((seat, scene.dealt[seat]) for seat in (scene.declarer, scene.partner) if seat is not None)
    return [seat for seat, hand in hands if hand and hand.whole and not any(code[1] == rank for code in hand.codes)]


def drawn_pair(draw: tuple[Draw, ...], rank: str) -> tuple[int, int] | None:
    """Return the first two seats dealt a card of this rank, or None if fewer than two were."""
    seats = tuple(dict.fromkeys(each.seat for each in draw if each.card[1] == rank))
    return (seats[0], seats[1]) if len(seats) > 1 else None


def with_drawn_partners(deal: Deal, contract: Contract | None) -> Deal:
    """Return the deal with the partners that it draws, as far as the record leaves them open: the first seat drawn as
    declarer, the other as partner."""
    pair, game = drawn_pair(deal.draw, contract.draws) if contract and contract.draws and deal.draw else None, deal.game
    if pair is None or game is None:
        return deal
    first = pair[0] if game.declarer is None else game.declarer
    if deal.partner is None and first in pair:
        deal = replace(deal, partner=pair[1 - pair.index(first)])
    return replace(deal, game=replace(game, declarer=first))


def check_draw(scene: Scene) -> list[Finding]:
    """Return findings for a draw that makes no partners, or other partners than the record has."""
    draw, contract = scene.deal.draw, scene.contract
    rank = (contract.draws if contract else "") or scene.ruleset.house.draws
    if not draw or (contract is None and not rank):
        return []
    return [*_wrong_draw(scene, draw, rank), *_wrong_partners(scene, draw, rank)]


def _wrong_draw(scene: Scene, draw: tuple[Draw, ...], rank: str) -> Iterator[Finding]:
    """Yield why a draw makes no partners: not played, no two drawn, it went on, or had a card twice."""
    pair, cards = drawn_pair(draw, rank), [each.card for each in draw]
    why = None
    if not rank:
        why = message("play.nobody-draws")
    elif pair is None:
        why = message("play.no-two-drawn", rank=rank)
    elif drawn_pair(draw[:-1], rank):
        why = message("play.drawn-on", rank=rank)
    elif twice := next((card for card in cards if cards.count(card) > 1), None):
        why = message("play.drawn-twice", card=twice)
    if why:
        yield finding("draw-not-allowed", scene.deal.source, why=why)


def _wrong_partners(scene: Scene, draw: tuple[Draw, ...], rank: str) -> Iterator[Finding]:
    """Yield a finding if the record has other partners, or they do not sit as partners do."""
    contract, pair = scene.contract, drawn_pair(draw, rank) if rank else None
    if pair is None or contract is None:
        return
    drawn = tuple(scene.players[seat] for seat in pair)
    if contract.draws:
        named = [seat for seat in (scene.declarer, scene.partner) if seat is not None]
        wrong = not {*named} <= {*pair}
    else:
        wrong = pair[0] in scene.active and opposite(pair[0], scene.active) != pair[1]
    if wrong:
        why = message("play.drawn-otherwise" if contract.draws else "play.drawn-not-opposite", players=drawn)
        yield finding("wrong-parties", scene.deal.source, contract=contract_title(contract), why=why)
