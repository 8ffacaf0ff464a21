"""The scalar replay: plays a recorded deal again, judges every card, and goes on as recorded whatever it finds.

Two passes. `walk` gives every card its seat and every trick its winner, which needs no hands; `judge` holds every card
against the hand it came from. So a record with tricks alone still has leaders, winners and points.
"""

from msgspec import Struct

from archive.cards import BIT, CODES, NUMBER, PACKS, SUIT_NAMES, codes, is_known, mask, show
from archive.play.doubles import check_doubles
from archive.play.duties import Spot, narrow
from archive.play.parties import PARTIES, Sides, check_hold, sides
from archive.play.passing import Hands, check_passing, passing
from archive.play.types import Cards, Replay, Step
from archive.record import Deal, Finding, finding
from archive.rules import Contract, Ruleset, Tables, tables


class Laid(Struct, frozen=True):
    """A card on the table, with its seat: what the first pass knows."""

    trick: int
    place: int
    seat: int
    card: str
    winner: int | None


class Walk(Struct, frozen=True):
    """What the first pass finds; entries per trick."""

    laid: tuple[Laid, ...] = ()
    leaders: tuple[int | None, ...] = ()
    winners: tuple[int | None, ...] = ()
    points: tuple[int | None, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()


NOT_PLAYED = ("none", "misdeal")  # words for a game that no contract row stands for: thrown in, dealt again


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
    dealt, held, more, lost = hands(deal, players, ruleset, active, walked)
    findings += [*walked.findings, *more]
    missing += [*walked.missing, *lost]
    declarer, partner = game.declarer if game else None, None
    steps: tuple[Step, ...] = ()
    side: Sides = (None,) * len(players)
    complete = game is not None and contract is None
    if contract and compiled:
        partner, disputed = PARTIES[contract.parties](deal, compiled, dealt)
        side = sides(contract, declarer, partner, active, len(players))
        steps, broken = judge(deal, players, walked, held, compiled, contract.duties)
        findings += [*disputed, *broken, *check_hold(contract, deal, compiled, dealt, players)]
        complete = is_complete(deal, contract, walked, ruleset, side)
        if contract.parties == "called" and partner is None and declarer is not None:
            missing.append("the partner: no hand shows the called card")
        if not complete and deal.tricks is not None and not missing:
            missing.append("the rest of the play")
    if (round_ := passing(deal, ruleset)) and contract and deal.exchange is None:
        findings += check_passing(deal, players, active, dealt, held, round_.aside)
    findings += check_doubles(deal, players, ruleset.house, active, side)
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
        points=tally(walked.winners, active, len(players), walked.points),
        tricks_won=tally(walked.winners, active, len(players), (1,) * len(walked.winners)),
        complete=complete,
        findings=tuple(sorted(findings, key=moment)),
        missing=tuple(dict.fromkeys(missing)),
    )


def moment(found: Finding) -> tuple[int, int]:
    """Where a finding stands in the play; what belongs to no card comes first."""
    trick, _, place = (found.at or "0").partition(".")
    return int(trick), int(place or 0)


def seated(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None, contract: Contract | None
) -> tuple[tuple[int, ...], list[Finding]]:
    """The seats in play, forehand first. Where no dealer is known, the leader of the first trick tells forehand."""
    seats = [seat for seat in range(len(players)) if seat not in (deal.sits_out or ())]
    if len(seats) != ruleset.house.seats:
        return (), [finding("wrong-seats", deal.source, seats=len(seats), wanted=ruleset.house.seats)]
    first = dealer
    if first is None and deal.tricks and contract and contract.leads == "forehand":
        leader = deal.tricks[0].leader
        first = None if leader is None else leader - 1
    if first is None:
        return (), []
    return (*(seat for seat in seats if seat > first), *(seat for seat in seats if seat <= first)), []


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


def walk(deal: Deal, active: tuple[int, ...], players: tuple[str, ...], contract: Contract, compiled: Tables) -> Walk:
    """First pass: who played which card, who took each trick, and what it was worth."""
    laid: list[Laid] = []
    leaders: list[int | None] = []
    winners: list[int | None] = []
    points: list[int | None] = []
    findings: list[Finding] = []
    seen: set[str] = set()
    game, size = deal.game, len(active)
    tricks = deal.tricks or ()
    expected: int | None = game.declarer if game and contract.leads == "declarer" else active[0]
    for number, trick in enumerate(tricks, 1):
        leader = trick.leader if trick.leader is not None else expected
        at = str(number)
        if leader not in active:
            return Walk(
                tuple(laid), tuple(leaders), tuple(winners), tuple(points), tuple(findings),
                (f"who leads trick {number}",),
            )  # fmt: skip
        if expected is not None and leader != expected:
            facts = {"trick": number, "player": players[leader], "expected": players[expected]}
            findings.append(finding("wrong-leader", deal.source, at, **facts))
        if len(trick.cards) > size or (len(trick.cards) < size and number < len(tricks)):
            facts = {"trick": number, "cards": len(trick.cards), "wanted": size}
            findings.append(finding("trick-size", deal.source, at, **facts))
        best: str | None = None
        holder: int | None = None
        lying: int | None = 0
        start = active.index(leader)
        for place, card in enumerate(trick.cards, 1):
            seat = active[(start + place - 1) % size]
            findings += strange(deal, card, seen, compiled, f"{number}.{place}")
            seen.add(card)
            if not is_known(card):
                best = holder = lying = None
            elif place == 1 or (best is not None and compiled.beats[NUMBER[best]] & BIT[card]):
                best, holder = card, seat
            if lying is not None:
                lying += compiled.points[NUMBER[card]]
            laid.append(Laid(number, place, seat, card, holder))
        whole = len(trick.cards) >= size and all(map(is_known, trick.cards))
        leaders.append(leader)
        winners.append(holder if whole else None)
        points.append(lying if whole else None)
        expected = winners[-1]
    missing = tuple(f"a card of trick {n}" for n, trick in enumerate(tricks, 1) if not all(map(is_known, trick.cards)))
    return Walk(tuple(laid), tuple(leaders), tuple(winners), tuple(points), tuple(findings), missing)


def strange(deal: Deal, card: str, seen: set[str], compiled: Tables, at: str) -> list[Finding]:
    """What is wrong with a card whoever plays it: it is not in the pack, or was played before."""
    trick, place = at.split(".")
    if not is_known(card):
        return []
    if not compiled.pack & BIT[card]:
        return [finding("not-in-pack", deal.source, at, card=card, where=f"trick {trick} card {place}")]
    if card in seen:
        return [finding("card-twice", deal.source, at, card=card, where=f"trick {trick} card {place}")]
    return []


def hands(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, active: tuple[int, ...], walked: Walk
) -> tuple[Hands, Hands, list[Finding], list[str]]:
    """The hands as dealt and as held when play began. What is not recorded is taken from the tricks where every card
    of a seat is known; where cards were passed on unrecorded, the hands held are those that were played."""
    size = ruleset.house.deck // ruleset.house.seats
    played = {seat: tuple(laid.card for laid in walked.laid if laid.seat == seat) for seat in active}
    whole = {seat for seat in active if len(played[seat]) == size and all(map(is_known, played[seat]))}
    dealt: list[Cards | None] = list(deal.hands or ())
    dealt += [None] * (len(players) - len(dealt))
    findings = misdealt(deal, players, dealt, size, PACKS[ruleset.house.deck])
    missing: list[str] = []
    round_ = passing(deal, ruleset)
    hidden = round_ is not None and deal.exchange is None
    held: list[Cards | None] = []
    for seat, hand in enumerate(dealt):
        recorded = deal.held[seat] if deal.held else None
        if hand is not None and all(map(is_known, hand)) and not hidden:
            held.append(recorded or after_exchange(hand, seat, deal))
            continue
        held.append(recorded or (played[seat] if seat in whole else None))
        now = held[-1]
        if now is not None and not hidden and deal.exchange is None:
            dealt[seat] = now
            findings += differs(deal, players[seat], hand, now)
        elif hand is not None and not all(map(is_known, hand)):
            missing.append(f"{sum(not is_known(card) for card in hand)} cards of the hand of {players[seat]}")
    if hidden and round_:
        missing.append(f"the cards passed on in the {round_.title}")
    return tuple(dealt), tuple(held), findings, missing


def misdealt(deal: Deal, players: tuple[str, ...], dealt: list[Cards | None], size: int, pack: int) -> list[Finding]:
    """What is wrong with the hands as recorded: their size, a card twice, a card of no such pack."""
    findings: list[Finding] = []
    seen: set[str] = set()
    for player, hand in zip(players, dealt, strict=True):
        if hand is not None and len(hand) != size:
            findings.append(finding("hand-size", deal.source, player=player, cards=len(hand), wanted=size))
        for card in filter(is_known, hand or ()):
            rule = "not-in-pack" if not pack & BIT[card] else "card-twice" if card in seen else None
            if rule:
                findings.append(finding(rule, deal.source, card=card, where=f"the hand of {player}"))
            seen.add(card)
    return findings


def differs(deal: Deal, player: str, hand: Cards | None, played: Cards) -> list[Finding]:
    """Known cards of a half-known hand that were not among those its seat played."""
    return [
        finding("not-played", deal.source, card=card, player=player)
        for card in hand or ()
        if is_known(card) and card not in played
    ]


def after_exchange(hand: Cards, seat: int, deal: Deal) -> Cards:
    """A hand after every recorded exchange."""
    for exchange in deal.exchange or ():
        if exchange.giver == seat:
            hand = tuple(card for card in hand if card not in exchange.cards)
        if exchange.taker == seat:
            hand += exchange.cards
    return hand


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
    size = ruleset.house.deck // ruleset.house.seats
    return len(walked.winners) == size and None not in walked.winners


def tally(
    winners: tuple[int | None, ...], active: tuple[int, ...], seats: int, worth: tuple[int | None, ...]
) -> tuple[int | None, ...]:
    """Sums a worth per trick for each seat in play; None where a winner is unknown or nothing was played. A last
    trick that was broken off counts for nobody."""
    if not winners or None in winners[:-1]:
        return (None,) * seats
    won: list[int | None] = [0 if seat in active else None for seat in range(seats)]
    for winner, points in zip(winners, worth, strict=True):
        if winner is not None:
            won[winner] = (won[winner] or 0) + (points or 0)
    return tuple(won)
