"""Special rounds: what a deal of a round must be, besides the cards that change hands. 001 Special Rounds."""

from archive.cards import mask, show
from archive.play.messages import Facts, either
from archive.play.types import THROWN_IN, Scene, read_hand
from archive.record import Finding, finding
from archive.rules.titles import contract_title
from archive.say import message


def check_rounds(scene: Scene) -> list[Finding]:
    """Return findings for contracts or declarers that a round does not have, and cards not given or laid aside."""
    deal, players, ruleset, contract, active = scene.deal, scene.players, scene.ruleset, scene.contract, scene.active
    findings: list[Finding] = []
    if not deal.round:
        return findings
    forehand = active[0] if active else None
    for round_ in (ruleset.rounds[name] for name in dict.fromkeys(deal.round)):
        if contract and round_.contracts and contract.id not in round_.contracts:
            wanted = either(contract_title(ruleset.contracts[name]) for name in round_.contracts)
            facts: Facts = {"title": round_.title, "contract": contract_title(contract), "wanted": wanted}
            findings.append(finding("round-contract", deal.source, **facts))
        if round_.declarer == "forehand" and forehand is not None and deal.game:
            declarer = deal.game.declarer
            thrown_in = deal.game.contract == THROWN_IN
            if thrown_in or declarer not in (None, forehand):
                who = message("play.nobody") if declarer is None else players[declarer]
                facts = {"title": round_.title, "player": who, "forehand": players[forehand]}
                findings.append(finding("round-declarer", deal.source, **facts))
        hand = None if forehand is None else scene.dealt[forehand]
        blind = None if deal.blind is None else read_hand(deal.blind)
        where = None if forehand is None else message("play.hand-of", player=players[forehand])
        for cards, belonging, place in ((hand, round_.given, where), (blind, round_.aside, message("play.the-blind"))):
            lacking = mask(belonging) & ~cards.cards if cards is not None and cards.whole else 0
            if lacking:
                facts = {"title": round_.title, "where": place, "cards": show(lacking)}
                findings.append(finding("not-given", deal.source, **facts))
    return findings
