"""The scalar replay: plays a recorded deal again, judges every card, and goes on as recorded whatever it finds.

Two passes. `walk` gives every card its seat and every trick its winner, which needs no hands; `judge` holds every card
against the hand it came from. So a record with tricks alone still has leaders, winners and points.
"""

from archive.cards import BIT, CODES, NUMBER, SUIT_NAMES, codes, is_known, mask, show
from archive.play.announcing import check_announced
from archive.play.auction import check_auction
from archive.play.cutting import check_cut
from archive.play.doubles import check_doubles
from archive.play.duties import Spot, narrow
from archive.play.exchange import (
    Hands,
    check_exchange,
    hand_size,
    hands_named_with,
    phase,
    table_cards,
    with_blind,
)
from archive.play.hands import hands
from archive.play.holds import check_hold
from archive.play.irregular import Scene, irregularities, unanswered
from archive.play.parties import PARTIES, WITH_PARTNER, Sides, check_parties, sides
from archive.play.rounds import check_rounds
from archive.play.seating import seated
from archive.play.types import NOT_PLAYED, Replay, Step
from archive.play.walk import Walk, tally, walk
from archive.play.words import check_words
from archive.record import Deal, Finding, finding
from archive.rules import Contract, Ruleset, Tables, tables


def replay(deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None) -> Replay:
    """Replays a deal. `dealer` is who must deal, where the record does not say."""
    game = deal.game
    contract = None if game is None or game.contract in NOT_PLAYED else ruleset.contracts[game.contract]
    compiled = tables(ruleset, contract.id, game.suit, game.called) if contract and game else None
    dealer = deal.dealer if deal.dealer is not None else dealer
    active, findings = seated(deal, players, ruleset, dealer, contract)
    missing = lacking(deal, contract, active, findings)
    walked = Walk()
    if contract and compiled and deal.tricks and active and not missing:
        walked = walk(deal, active, players, contract, compiled)
    before = phase(deal, ruleset, contract, compiled, active)
    dealt, held, more, lost = hands(deal, players, ruleset, active, walked, before)
    blind, laid = table_cards(deal, ruleset, before, active, dealt, held)
    findings += [*walked.findings, *more]
    missing += [*walked.missing, *lost]
    declarer, partner = game.declarer if game else None, None
    steps: tuple[Step, ...] = ()
    side: Sides = (None,) * len(players)
    complete = game is not None and contract is None
    if contract and compiled:
        partner, disputed = PARTIES[contract.parties](deal, compiled, dealt)
        side = sides(contract, declarer, partner, active, len(players))
        named_with = hands_named_with(before, dealt, held)
        steps, broken = judge(deal, players, walked, held, compiled, contract.duties)
        findings += [*disputed, *broken, *check_hold(contract, deal, compiled, named_with, players, ruleset)]
        findings += check_parties(contract, deal, declarer, active, players)
        complete = is_complete(deal, contract, walked, ruleset, side)
    told = irregularities(
        Scene(
            deal=deal,
            players=players,
            ruleset=ruleset,
            dealer=dealer,
            active=active,
            contract=contract,
            compiled=compiled,
            walked=walked,
            held=held,
            steps=steps,
            sides=side,
            size=hand_size(ruleset.house),
            findings=tuple(findings),
        )
    )
    ending, played_out = told.ending, complete
    complete = (complete or (ending is not None and ending.to is not None)) and not told.missing
    findings = [*unanswered(findings, told), *told.findings]
    missing += told.missing
    if contract:
        if contract.parties in WITH_PARTNER and partner is None and declarer is not None:
            missing.append(WITH_PARTNER[contract.parties])
        if not complete and deal.tricks is not None and not missing and ending is None:
            missing.append("the rest of the play")
    findings += check_exchange(deal, players, ruleset, before, active, dealt, held, blind)
    findings += check_rounds(deal, players, ruleset, contract, active, dealt)
    findings += check_words(deal, ruleset)
    findings += check_auction(deal, players, ruleset, active)
    findings += check_doubles(deal, players, ruleset.house, active, side, contract, walked.leaders)
    findings += check_announced(deal, players, ruleset.house, active, contract, walked.leaders)
    findings += check_cut(deal, players, ruleset.house, dealer)
    taken = 0 if complete and not played_out else None
    taken = ending.taken if ending and ending.taken is not None else taken
    points = tally(walked.winners[:taken], active, len(players), walked.points[:taken])
    if compiled:
        points = with_blind(points, before, laid, declarer, compiled)
    if laid is None and before.kind == "blind" and declarer is not None and walked.winners:
        missing.append("the cards of the blind")
        complete = False
    return Replay(
        active=active,
        dealer=dealer,
        dealt=dealt,
        held=held,
        steps=steps,
        leaders=walked.leaders,
        winners=walked.winners,
        trick_points=walked.points,
        declarer=declarer,
        partner=partner,
        sides=side,
        points=points,
        tricks_won=tally(walked.winners[:taken], active, len(players), (1,) * len(walked.winners[:taken])),
        complete=complete,
        findings=tuple(sorted(findings, key=moment)),
        missing=tuple(dict.fromkeys(missing)),
        ending=ending,
    )


def moment(found: Finding) -> tuple[int, int]:
    """Where a finding stands in the play; what belongs to no card comes first."""
    trick, _, place = (found.at or "0").partition(".")
    return int(trick), int(place or 0)


def lacking(deal: Deal, contract: Contract | None, active: tuple[int, ...], findings: list[Finding]) -> list[str]:
    """The facts without which no trick can be judged."""
    game = deal.game
    if game is None:
        return ["the game that was played"]
    if contract is None:
        return []
    wanted = (
        ("the dealer", not active and not findings),
        ("the declarer", contract.declarer and game.declarer is None),
        ("the trump suit", contract.takes == "trump" and game.suit is None),
        ("the tricks", deal.tricks is None and contract.ends != "not-played"),
    )
    return [fact for fact, is_lacking in wanted if is_lacking]


def judge(
    deal: Deal, players: tuple[str, ...], walked: Walk, held: Hands, compiled: Tables, duties: tuple[str, ...]
) -> tuple[tuple[Step, ...], list[Finding]]:
    """Second pass: every card against the hand it came from and the duties of the contract."""
    left = [mask(hand) if hand is not None and all(map(is_known, hand)) else None for hand in held]
    steps: list[Step] = []
    findings: list[Finding] = []
    searched, led, over, lying = 0, 0, 0, 0
    for n, laid in enumerate(walked.laid, 1):
        hand, card = left[laid.seat], BIT.get(laid.card, 0)
        if laid.place == 1:
            led = over = lying = 0
        spot = Spot(hand or 0, led, over, compiled.called, compiled.called_suit, compiled.run_away, searched)
        allowed, bound, broken = narrow(duties, spot, card)
        at = f"{laid.trick}.{laid.place}"
        facts = {"trick": laid.trick, "card": laid.place, "player": players[laid.seat], "played": laid.card}
        if hand is not None and card and not hand & card:
            findings.append(finding("not-in-hand", deal.source, at, **facts, hand=show(hand) or "no card"))
            broken = None
        elif hand is not None and card and broken:
            more = {"suit": group_name(led, compiled), "allowed": show(allowed), "hand": show(hand)}
            findings.append(finding(broken, deal.source, at, **facts, **more))
        if card:
            lying += compiled.points[NUMBER[laid.card]]
            if laid.place == 1:
                led = compiled.groups[compiled.group[NUMBER[laid.card]]]
        if laid.winner == laid.seat and card:
            over = compiled.beats[NUMBER[laid.card]]
        steps.append(
            Step(
                n=n,
                trick=laid.trick,
                place=laid.place,
                seat=laid.seat,
                card=laid.card,
                hand=None if hand is None else codes(hand),
                allowed=None if hand is None else codes(allowed),
                duty=bound if hand is not None else None,
                broken=findings[-1].rule if findings and findings[-1].at == at else None,
                winner=laid.winner,
                points=lying,
            )
        )
        if hand is not None:
            left[laid.seat] = hand & ~card
        last = n == len(walked.laid) or walked.laid[n].trick != laid.trick
        if last and led and led == compiled.called_suit:
            searched = 1
    return tuple(steps), findings


def group_name(led: int, compiled: Tables) -> str:
    """How a table calls the group that was led."""
    if led == compiled.groups[-1]:
        return "trump"
    return next((SUIT_NAMES[CODES[n][0]] for n, g in enumerate(compiled.group) if compiled.groups[g] == led), "suit")


def is_complete(deal: Deal, contract: Contract, walked: Walk, ruleset: Ruleset, side: Sides) -> bool:
    """Whether the play reached the end that its contract knows."""
    tout = deal.game is not None and "tout" in deal.game.words
    ends = "first-trick-lost" if tout else contract.ends
    if ends == "not-played":
        return True
    taken = [side[winner] for winner in walked.winners if winner is not None]
    if ends == "first-trick-taken" and "declarer" in taken:
        return True
    if ends == "first-trick-lost" and "defence" in taken:
        return True
    size = hand_size(ruleset.house)
    return len(walked.winners) == size and None not in walked.winners
