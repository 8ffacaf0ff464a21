"""The scalar replay: it plays a recorded deal again, judges every card, and goes on as recorded whatever it finds.

Two passes. `walk_tricks` gives every card its seat and every trick its winner, which needs no hands; `explain_cards`
holds every card against the hand it came from. So a record with tricks alone still has leaders, winners and points.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from archive.cards import mask, show
from archive.play.announcements import ACCEPTS, check_announced, check_tout, surrender_answer, surrender_outcome
from archive.play.auction.legality import check_auction
from archive.play.cut import check_cut
from archive.play.doubles import check_doubles
from archive.play.exchange import cards_aside, check_exchange, counts_blind, phase, piles_aside, table_cards, with_aside
from archive.play.game_words import check_words, is_tout
from archive.play.hand_requirements import check_hold
from archive.play.hands import hand_masks, hands
from archive.play.irregularities import EventOutcome, irregularities
from archive.play.messages import Facts, either
from archive.play.other import PLAYS, check_kind
from archive.play.other.sixty_six import check_acts
from archive.play.parties import PARTIES, WITH_PARTNER, check_draw, check_parties, sides, with_drawn_partners
from archive.play.seating import seats_in_play, seats_with_cards
from archive.play.second_pass import explain_cards
from archive.play.tricks import deal_tables, tally, turned_suit, walk_tricks
from archive.play.types import NO_CARDS, NOT_PLAYED, THROWN_IN, Hand, Hands, Replay, Scene, Turned, Walk, read_hand
from archive.record import Deal, Finding, finding
from archive.rules import Contract, Ruleset, hand_size
from archive.rules.tables import as_dealt, most_tricks
from archive.rules.titles import contract_title
from archive.say import Message, message


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


def _doubles(at: Scene) -> Iterable[Finding]:
    house, leaders = at.ruleset.house, at.walked.leaders
    return check_doubles(at.deal, at.players, house, at.active, at.sides, at.contract, leaders)


def check_end(scene: Scene) -> Iterable[Finding]:
    """Yield findings for tricks after the one that lost a game whose play ends there, and for tricks of a hand that
    wins as dealt. 000 The Play; 004 Contracts: Solo Du; 001 Sie. If no document says so, playing a lost Tout to its end
    is no mistake."""
    contract, house, winners = scene.contract, scene.ruleset.house, scene.walked.winners
    ends = contract is not None and (contract.ends == "first-trick-lost" or (house.du and is_tout(scene.deal)))
    taken = [None if winner is None else scene.sides[winner] for winner in winners] if ends else []
    if "defence" in taken[:-1]:
        lost = taken.index("defence") + 1
        yield finding("play-went-on", scene.deal.source, str(lost + 1), trick=lost + 1, lost=lost)
    if contract is not None and contract.ends == "not-played" and scene.deal.tricks:
        yield finding("nothing-to-play", scene.deal.source, "1", contract=contract.title)


# What surrounds the play, once it is known who played what with whom: each check with the keys of the record it reads,
# at least one of which must be there; without keys it looks at every deal.
CHECKS: tuple[tuple[Callable[[Scene], Iterable[Finding]], tuple[str, ...]], ...] = (
    (check_exchange, ()),
    (check_rounds, ("round",)),
    (check_words, ()),
    (check_auction, ()),
    (_doubles, ("knocks", "doubles")),
    (check_announced, ("events",)),
    (check_tout, ("events",)),
    (check_draw, ("draw",)),
    (check_cut, ("cut", "packets", "packet")),
    (check_end, ()),
    (check_kind, ()),
    (check_acts, ("events",)),
)


def replay(deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None) -> Replay:
    """Replay a deal. `dealer` is the seat that must deal if the record does not say who dealt."""
    scene = with_play(with_cards(at_the_table(deal, players, ruleset, dealer)))
    happened, findings = EventOutcome(), [*scene.findings]
    if deal.events:  # an irregularity ends a deal before a surrender does
        first, second = irregularities(scene), surrender_outcome(scene)
        happened = EventOutcome(
            ending=first.ending or second.ending,
            answered=first.answered | second.answered,
            findings=(*first.findings, *second.findings),
            missing=(*first.missing, *second.missing),
        )
        places = [(each.rule, each.at or "", each.facts.get("player")) for each in findings]
        findings = [each for each, place in zip(findings, places, strict=True) if place not in happened.answered]
        findings += happened.findings
    for check, keys in CHECKS:
        if not keys or any(getattr(deal, key) is not None for key in keys):
            findings += check(scene)
    return make_replay(scene, happened, findings)


def at_the_table(deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None) -> Scene:
    """Return the scene before any card: the game, who sits where, what comes before play."""
    game, nobody = deal.game, (None,) * len(players)
    contract = None if game is None or game.contract in NOT_PLAYED else ruleset.contracts[game.contract]
    compiled = deal_tables(ruleset, deal, contract) if contract and game else None
    dealer = deal.dealer if deal.dealer is not None else dealer
    deal = with_drawn_partners(deal, contract) if deal.draw else deal
    game, declarer = deal.game, deal.game.declarer if deal.game else None
    active, findings = seats_in_play(deal, players, ruleset, dealer, contract)
    if declarer is None and contract is not None and contract.declarer and len(active) == 1:
        declarer = active[0]  # nobody else can be
    return Scene(
        deal=deal,
        players=players,
        ruleset=ruleset,
        dealer=dealer,
        contract=contract,
        compiled=compiled,
        declarer=declarer,
        active=active,
        playing=seats_with_cards(active, contract, declarer),
        size=hand_size(ruleset.house),
        most_tricks=most_tricks(ruleset.house),
        phase=phase(deal, ruleset, contract, compiled, active),
        dealt=nobody,
        held=nobody,
        sides=nobody,
        findings=tuple(findings),
        missing=tuple(missing_before_play(deal, ruleset, contract, active, findings)),
    )


def with_cards(scene: Scene) -> Scene:
    """Return the scene with the cards played and, from them or the record, the hands and the blind."""
    walked = Walk()
    if scene.contract and scene.compiled and scene.deal.tricks and scene.active and not scene.missing:
        walked = walk_tricks(
            scene.deal, scene.playing, scene.players, scene.contract, scene.compiled, scene.most_tricks
        )
    dealt, held, findings, missing = hands(scene, walked)
    blind, laid = table_cards(scene, dealt, held) if scene.phase.blind else (NO_CARDS, NO_CARDS)
    scene = replace(
        scene,
        walked=walked,
        dealt=dealt,
        held=held,
        blind=blind,
        laid=laid,
        piles=piles_aside(scene, held) if scene.ruleset.house.pile else (),
        findings=(*scene.findings, *walked.findings, *findings),
        missing=(*scene.missing, *walked.missing, *missing),
        compiled=scene.compiled and as_dealt(scene.compiled, scene.ruleset.house, hand_masks(held)),
    )
    if scene.ruleset.house.play not in PLAYS or not scene.contract:
        return scene
    turned = Turned() if scene.deal.turns is None else PLAYS[scene.ruleset.house.play](scene)  # a play without tricks
    return replace(scene, turned=turned, findings=(*scene.findings, *turned.findings))


def with_play(scene: Scene) -> Scene:
    """Return the scene with the parties, every card held against its hand, and the game against the declarer's hand."""
    contract, compiled = scene.contract, scene.compiled
    if contract is None or compiled is None:
        return scene
    partner, disputed = PARTIES[contract.parties](scene)
    steps, broken, talon = explain_cards(scene, compiled, contract.duties)
    scene = replace(
        scene,
        partner=partner,
        sides=sides(contract, scene.declarer, partner, scene.active, len(scene.players)),
        steps=steps,
        talon=talon,
        findings=(*scene.findings, *disputed, *broken),
    )
    more = (*check_hold(scene), *check_parties(scene))
    return replace(scene, findings=(*scene.findings, *more)) if more else scene


def make_replay(scene: Scene, happened: EventOutcome, findings: list[Finding]) -> Replay:
    """Return the replay of a scene: how far the play counts, the points of each seat, and what is missing for them."""
    walked, active, seats = scene.walked, scene.active, len(scene.players)
    ending, played_out = happened.ending, is_complete(scene)
    complete = (played_out or (ending is not None and ending.to is not None)) and not happened.missing
    taken = 0 if complete and not played_out else None
    taken = ending.taken if ending and ending.taken is not None else taken
    winners = walked.winners[:taken]
    points, tricks_won = tally(winners, active, seats, walked.points[:taken])
    aside = cards_aside(scene)
    hidden = bool(aside) and aside_hidden(scene, happened, aside)
    if ending and ending.taken == 0 and counts_blind(scene):  # the rest is everything but what lies on the table
        points = tuple(0 if seat in active else None for seat in range(seats))
    return Replay(
        active=active,
        playing=scene.playing,
        dealer=scene.dealer,
        dealt=hand_codes(scene.dealt),
        held=hand_codes(scene.held),
        laid=None if scene.laid is None else scene.laid.codes,
        piles=hand_codes(scene.piles),
        steps=scene.steps,
        turned=scene.turned,
        leaders=walked.leaders,
        winners=walked.winners,
        trick_points=walked.points,
        declarer=scene.declarer,
        partner=scene.partner,
        sides=scene.sides,
        points=scene.talon.points if scene.talon else with_aside(scene, points, aside) if aside else points,
        tricks_won=tricks_won,
        complete=complete and not hidden,
        findings=tuple(sorted(findings, key=moment)),
        missing=missing_facts(scene, happened, complete, hidden),
        ending=ending,
        talon=scene.talon,
    )


def hand_codes(hands: tuple[Hand | None, ...]) -> Hands:
    return tuple([None if hand is None else hand.codes for hand in hands])


def missing_facts(scene: Scene, happened: EventOutcome, complete: bool, hidden: bool) -> tuple[Message, ...]:
    """Return the facts that the record lacks; `hidden`: points lie aside that nobody knows."""
    contract, talon = scene.contract, scene.talon
    missing = [*scene.missing, *happened.missing, *(talon.missing if talon else ())]
    if contract and contract.parties in WITH_PARTNER and scene.partner is None and scene.declarer is not None:
        missing.append(WITH_PARTNER[contract.parties])
    recorded = scene.deal.tricks if scene.turned is None else scene.deal.turns
    if contract and not complete and recorded is not None and not missing and happened.ending is None:
        missing.append(message("missing.rest-of-play" if scene.turned is None else "missing.rest-of-turns"))
    if hidden:
        missing.append(message("missing.pile-cards" if scene.piles else "missing.blind-cards"))
    return tuple(dict.fromkeys(missing))


def aside_hidden(scene: Scene, happened: EventOutcome, aside: dict[int, Hand | None]) -> bool:
    """Return whether points lie in a blind or a pile that nobody knows; `aside` are the cards there, by seat."""
    claimed = happened.ending is not None and happened.ending.taken is not None
    played = scene.declarer is not None and (claimed or bool(scene.walked.winners))
    return played and any(cards is None or not cards.whole for cards in aside.values())


def moment(issue: Finding) -> tuple[int, int]:
    """Return the trick and card to which a finding belongs; 0, 0 if to no card, which sorts first."""
    trick, _, place = (issue.at or "0").partition(".")
    return int(trick), int(place or 0)


def missing_before_play(
    deal: Deal, ruleset: Ruleset, contract: Contract | None, active: tuple[int, ...], findings: list[Finding]
) -> list[Message]:
    """Return the missing facts without which no trick can be judged."""
    game = deal.game
    if game is None:
        return [message("missing.game")]
    if contract is None:
        return []
    given_up, in_turns = deal.events and surrender_answer(deal, ruleset.house) == ACCEPTS, ruleset.house.play in PLAYS
    is_played = contract.ends != "not-played" and not given_up
    wanted = (
        ("missing.dealer", not active and not findings),
        ("missing.declarer", contract.declarer and game.declarer is None and len(active) != 1),
        ("missing.trump-suit", contract.takes == "trump" and game.suit is None),
        ("missing.trump-suit", contract.trump == "turned" and turned_suit(deal, contract) is None),
        ("missing.tricks", deal.tricks is None and is_played and not in_turns),
        ("missing.turns", deal.turns is None and is_played and in_turns),
        ("missing.talon", deal.talon is None and ruleset.house.building is not None),
    )
    return [message(id) for id, is_lacking in wanted if is_lacking]


def is_complete(scene: Scene) -> bool:
    """Return whether the play reached the end that its contract knows; always so if none is played."""
    game, contract, winners = scene.deal.game, scene.contract, scene.walked.winners
    if game is None or contract is None:
        return game is not None
    if scene.turned is not None:
        return scene.turned.ended
    if scene.talon is not None:
        return scene.talon.complete
    ends = "first-trick-lost" if is_tout(scene.deal) else contract.ends
    if ends == "not-played":
        return True
    if None in winners[:-1]:
        return False
    taken = [scene.sides[winner] for winner in winners if winner is not None]
    if ends == "first-trick-taken" and "declarer" in taken:
        return True
    if ends == "first-trick-lost" and "defence" in taken:
        return True
    return len(winners) == scene.most_tricks and None not in winners
