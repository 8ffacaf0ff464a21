"""Partners by drawing: cards are dealt face up, one by one, until two players have one of a rank. 000 The Deal; 001
Special Rounds: Kreuz."""

from collections.abc import Iterator

from msgspec.structs import replace

from archive.play.seating import opposite
from archive.play.types import Scene
from archive.record import Deal, Draw, Finding, finding
from archive.rules import Contract
from archive.rules.titles import contract_title
from archive.say import message


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
