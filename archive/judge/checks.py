"""Checks of what the record states against what the rules compute. Each check is a function in the tuple `CHECKS`."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from archive.cards import SUITS
from archive.judge.compare_stated import comparisons_of_case, rule_of_stated, same
from archive.judge.derived_hands import hands_derived
from archive.judge.sentences import value_fact
from archive.judge.set_right import Amounts, differences, row_off
from archive.judge.shares import OF_SIDES, is_share_possible
from archive.judge.types import Case, LedgerState
from archive.play.parties import ALONE
from archive.play.seating import by_rule
from archive.play.types import NOT_PLAYED, THROWN_IN
from archive.record import Deal, Event, Finding, PriceStep, Stated, finding
from archive.rules import hand_size, tables
from archive.rules.tables import are_pairs_fixed, score_of
from archive.rules.titles import contract_title
from archive.rules.types import Marks
from archive.say import Fact, Message, has_text, message
from archive.settle.facts import claims_runners, contract_of, runners_due
from archive.settle.ledger import restated_values
from archive.settle.marks_ledger import marks_of_sides, seats_out
from archive.settle.price import factors_of, times_of
from archive.settle.rounds import game_fits_rounds, special_rounds
from archive.settle.rulings import effective_payments, ruled_beside, sheet_totals, stated_payments
from archive.settle.settle import MOST_DOUBLINGS
from archive.settle.types import Settlement, add_per_seat, coalesce, sum_if_known


def stated_values(case: Case, _stated: Stated) -> Iterator[Finding]:
    """Yield a finding for each stated value that differs from the computed one."""
    for pair in comparisons_of_case(case):
        if pair.differs or (pair.key in OF_SIDES and not is_share_possible(case, pair.key, pair.stated)):
            stated, computed = (value_fact(case.players, pair.key, value) for value in (pair.stated, pair.computed))
            computed = message("judge.something-else") if computed is None else computed
            facts = {"stated": stated, "computed": computed}
            if pair.key == "payments":
                facts |= off_facts(case, "payments", pair.stated, pair.computed)
            yield finding(rule_of_stated(pair.key), case.deal.source, **facts)


def off_facts(case: Case, key: Amounts, stated: Any, computed: Any) -> dict[str, Fact]:
    """Return the fact `off` of a finding, who has too little or too much in a row of stated amounts; empty if
    nobody."""
    row = row_off(key, "rules", stated, computed)
    return {"off": message("judge.off", parts=differences(case.players, row))} if row else {}


def rows_of_seats(case: Case, key: Amounts, stated: Any, computed: Any) -> dict[str, Fact]:
    """Return a row of stated amounts and of what is due as facts of a finding."""
    facts = {"stated": value_fact(case.players, key, stated), "computed": value_fact(case.players, key, computed)}
    return facts | off_facts(case, key, stated, computed)


def facts_of_other_games(case: Case, stated: Stated) -> Iterator[Finding]:
    """Yield a finding for each stated fact that no game of this kind has: a loser or virgins if the game has two sides,
    a partner of a lone declarer or the declarer as partner, more runners than there are trumps."""
    row = case.ruleset.contracts.get(contract_of(case.deal))
    if row is None:
        return
    game = case.deal.game
    declarer = game.declarer if game else None
    trumps = len(
        tables(case.ruleset, row.id, (game.suit if game else None) or SUITS[0], game.called if game else None).trumps
    )
    house = case.ruleset.house
    blind = max(0, house.deck - house.seats * hand_size(house))
    most = {"runner_count": trumps, "runners": hand_size(house) + blind if row.parties in ALONE else trumps}
    if stated.partner is not None and (row.parties in ALONE or stated.partner == declarer):
        yield _of_no_game(case, "partner", stated.partner, message("judge.nobody"))
    for key, limit in most.items():
        value = getattr(stated, key)
        if value is not None and not -trumps <= value <= min(limit, trumps):
            yield _of_no_game(case, key, value, message("judge.something-else"))
    foreign = () if row.parties == "each" else ("virgins",) if are_pairs_fixed(row) else ("loser", "virgins")
    for key in foreign:
        value = getattr(stated, key)
        if value is not None and (key == "loser" or value not in ((), 0)):
            yield _of_no_game(case, key, value, message("judge.two-sides"))


def _of_no_game(case: Case, key: str, stated: Any, computed: Message) -> Finding:
    facts = {"stated": value_fact(case.players, key, stated), "computed": computed}
    return finding(rule_of_stated(key), case.deal.source, **facts)


def price_steps(case: Case, steps: tuple[PriceStep, ...]) -> Iterator[Finding]:
    """Yield a finding for each stated step of the price that is off, cumulatively, and for each of our steps left
    out."""
    if not steps or (case.settlement.price is None and case.settlement.base is None):
        return
    price = 0
    for step in steps:
        price = price_after_step(case, step, price)
        if price != step.amount:
            yield finding("stated-steps", case.deal.source, step=step_fact(step), stated=step.amount, computed=price)
            price = step.amount
    named = {step.kind for step in steps}
    for kind, amount in parts_of_price(case).items():
        if amount and kind not in named and kind != "base":
            facts = {"step": Message(f"judge.step-{kind}"), "stated": message("judge.no-such-step")}
            yield finding("stated-steps", case.deal.source, None, **facts, computed=f"+{amount}")


def parts_of_price(case: Case) -> dict[str, int]:
    """Return the parts of a price as its steps name them, before any announcement multiplies them; a Tout multiplies
    the base only if it has its own step."""
    settled, row = case.settlement, case.ruleset.contracts.get(contract_of(case.deal))
    steps = (case.deal.stated.steps if case.deal.stated else None) or ()
    factors = factors_of(case.deal, case.ruleset, row) if row and row.parties != "each" else ()
    twice, over_all = times_of(factors, "base+runners", "all"), times_of(factors, "all")
    own_step = tuple(each for each in factors if each.part == "tout" and any(step.kind == "tout" for step in steps))
    return {
        "base": (settled.base or 0) // twice // times_of(own_step, "base"),
        "schneider": (settled.schneider_amount or 0) // over_all,
        "schwarz": (settled.schwarz_amount or 0) // over_all,
        "runners": (settled.runners_amount or 0) // twice,
    }


def price_after_step(case: Case, step: PriceStep, price: int) -> int:
    """Return the price after a step, as we reckon it."""
    settled = case.settlement
    doubled = price << min(step.count or 1, MOST_DOUBLINGS)
    parts = parts_of_price(case)
    reckoned = {
        "thrown-in": settled.price,
        "base": parts["base"],
        "schneider": price + parts["schneider"],
        "schwarz": price + parts["schwarz"],
        "runners": price + parts["runners"],
        "knocks": doubled,
        "doubles": doubled,
        "virgins": price << len(settled.virgins),
        "tout": price * 2,
    }
    known = reckoned.get(step.kind)
    return step.amount if known is None else known


def step_fact(step: PriceStep) -> Fact:
    """Return the sentence of the source, or the step in our words."""
    if step.text:
        return step.text
    kind = Message(f"judge.step-{step.kind}")
    if step.count is None:
        return message("judge.step-to", step=kind, amount=step.amount)
    if step.kind in ("runners", "knocks", "doubles", "virgins"):
        return Message(f"judge.{step.kind}-of", {"count": step.count, "amount": step.amount})
    return message("judge.step-of", step=kind, count=step.count, amount=step.amount)


def restatements_that_differ(players: tuple[str, ...], before: LedgerState, deal: Deal) -> Iterator[Finding]:
    """Yield a finding for each value restated before a deal that is not what the earlier deals left."""
    for key, stated, left in restated_values(before, deal.carry):
        if stated is not None and left is not None and not same(stated, left):
            facts = {"stated": left_fact(players, key, stated), "computed": left_fact(players, key, left)}
            yield finding("restated-otherwise", deal.source, key=Message(f"record.carry-{key}"), **facts)


def left_fact(players: tuple[str, ...], key: str, value: Any) -> Fact:
    """Return a value of the ledger as a fact of a message."""
    if key == "queue":
        return tuple(map(round_fact, value)) or message("judge.none")
    return value_fact(players, key, value)


def running_totals(case: Case, stated: tuple[int | None, ...]) -> Iterator[Finding]:
    """Yield a finding if the stated totals are not those before the deal, as stated if they were, plus what this deal
    pays, computed or stated; amounts ruled beside the payments may be in them or not."""
    before = coalesce(case.before.stated_totals, case.before.totals)
    paid = effective_payments(case.deal, case.settlement)
    computed = sheet_totals(before, paid, case.deal, len(case.players))
    if computed[0] is not None and not any(each and same(stated, each) for each in computed):
        yield finding("stated-totals", case.deal.source, **rows_of_seats(case, "totals", stated, computed[0]))


def running_marks(case: Case, written: tuple[int | None, ...]) -> Iterator[Finding]:
    """Yield a finding if stated marks are not those before the deal plus its own; partners share them. 000 Scoring."""
    stated = marks_of_sides(written, score_of(case.ruleset.house))
    computed = add_per_seat(coalesce(case.before.stated_marks, case.before.marks), case.settlement.marks)
    if stated is not None and computed is not None and not same(stated, computed):
        yield finding("stated-marks", case.deal.source, **rows_of_seats(case, "marks", stated, computed))


def solo_in_first_deal(case: Case, rule: Marks) -> Iterator[Finding]:
    """Yield a finding if a Solo is played in the first deal of a game. 000 Making Trumps."""
    row = case.ruleset.contracts.get(contract_of(case.deal))
    if row and row.marks and not rule.solo_in_first and case.before.game_deals == 0:
        yield finding("solo-in-first-deal", case.deal.source, contract=contract_title(row))


def stated_stock(case: Case, stated: int) -> Iterator[Finding]:
    """Yield a finding if the stated pot after this deal is not the computed one."""
    if case.before.stock is None or case.settlement.payments is None:
        return
    computed = case.before.stock + case.settlement.pot
    if stated != computed:
        yield finding("stated-stock", case.deal.source, stated=stated, computed=computed)


def zero_sum(case: Case, _settled: Settlement) -> Iterator[Finding]:
    """Yield a finding if the stated or ruled payments and the pot do not sum to zero. Nothing is said if it is unknown
    whether a pot was played for, as when a record writes a pot beside a deal without a price."""
    payments = case.deal.stated.payments if case.deal.stated else None
    if payments is None and case.replay.ending and case.replay.ending.kind == "table":
        payments = case.settlement.payments
    played, won_by = contract_of(case.deal), case.ruleset.house.stock.won_by
    has_pot = bool(case.deal.stated and case.deal.stated.stock is not None)
    hidden = case.settlement.payments is None and (has_pot or (won_by if not played else played in won_by))
    if payments is None or None in payments or hidden:
        return
    rest = sum(amount or 0 for amount in payments) + case.settlement.pot
    if not rest:
        return
    facts: dict[str, Fact] = {"payments": value_fact(case.players, "payments", payments), "rest": rest}
    if case.deal.stated and case.deal.stated.of_list:
        facts |= {"table": case.deal.table or "-", "round": case.deal.list or "-"}
        yield finding("list-sum", case.deal.source, **facts)
        return
    if pot := case.settlement.pot:
        facts["pot"] = message("judge.with-pot" if pot > 0 else "judge.out-of-pot", amount=abs(pot))
    yield finding("stated-sum", case.deal.source, **facts)


def totals_sum(case: Case, _totals: tuple[int | None, ...]) -> Iterator[Finding]:
    """Yield a finding if running totals without payments rise from one deal to the next by amounts that do not sum to
    zero; nothing is said if there may be a pot."""
    stated, before = case.deal.stated, case.before.stated_totals
    if stated is None or before is None or stated.of_list:
        return
    has_pot = stated.stock is not None or case.ruleset.house.stock.won_by
    gained = stated_payments(case.deal, before)
    if has_pot or effective_payments(case.deal, case.settlement) is not None or gained is None:
        return
    if not any(ruled_beside(case.deal, len(before))) and (rest := sum_if_known(gained)):
        facts: dict[str, Fact] = {"payments": value_fact(case.players, "payments", gained), "rest": rest}
        yield finding("totals-sum", case.deal.source, **facts)


def dealer_rotates(case: Case, recorded: int) -> Iterator[Finding]:
    """Yield a finding unless the deal passes on by one seat, after thrown-in deals too. 001 Auction; 003 2.1."""
    expected = case.before.dealer
    if expected is not None and recorded != expected:
        facts = {"dealer": case.players[recorded], "expected": case.players[expected]}
        yield finding("dealer-order", case.deal.source, **facts)


def late_claims(case: Case, events: tuple[Event, ...]) -> Iterator[Finding]:
    """Yield a finding for each claim of runners made only after the next hand has been dealt. 001 Runners."""
    settled, game = case.settlement, case.deal.game
    if game is None or not settled.winners or settled.runners_paid or case.ruleset.house.runners_claim == "no":
        return
    count, row = settled.runners or 0, case.ruleset.contracts[game.contract]
    late = [each for each in events if each.moment == "next" and claims_runners(each)]
    for event in late if runners_due(case.ruleset, row, count) else ():
        yield finding("claim-too-late", case.deal.source, player=case.players[event.seat], runners=abs(count))


def expected_rounds(case: Case, before: LedgerState) -> Iterator[Finding]:
    """Yield a finding if the special rounds of a deal are not those that earlier deals set off, or do not play its
    game. 001 Special Rounds. A round that nothing in this house sets off is played whenever the record says so."""
    running = before.rounds
    if running is None or not (running or case.deal.round or special_rounds(case.ruleset)):
        return
    names = tuple(name for name, _ in running)
    strange = case.deal.round is None and is_game_of_round(case, names)
    if case.deal.round is None and game_fits_rounds(case.deal, case.ruleset, names) and not strange:
        return
    counted = {*special_rounds(case.ruleset), *names}
    recorded = Counter(name for name in case.deal.round or () if name in counted)
    expected = Counter(names)
    if recorded != expected or strange:
        played = case.deal.game.contract if case.deal.game else ""
        has = rounds_fact(recorded) if case.deal.round is not None else case.ruleset.contracts[played].title
        yield finding("round-expected", case.deal.source, has=has, expected=rounds_fact(expected))


def is_game_of_round(case: Case, running: tuple[str, ...]) -> bool:
    """Return whether this table plays the game of a deal only in a special round, and that round is not under way."""
    played = contract_of(case.deal)
    if played in case.ruleset.house.contracts:
        return False
    others = [case.ruleset.rounds[name].contracts for name in special_rounds(case.ruleset) if name not in running]
    return any(played in each for each in others)


def rounds_fact(names: Counter[str]) -> Message:
    """Return special rounds in the order of their names, each as often as it is counted."""
    rounds = tuple(round_fact(name) for name in sorted(names.elements()))
    return message("judge.rounds", rounds=rounds) if rounds else message("judge.no-round")


def round_fact(name: str) -> Fact:
    """Return the name of a special round, or its id if it comes from a custom ruleset."""
    return Message(f"rounds.{name}") if has_text(f"rounds.{name}") else name


def hausbock(case: Case, knocks: tuple[int, ...]) -> Iterator[Finding]:
    """Yield a finding if a deal is played without a knock, or thrown in despite one. 001 Langendorf Schafkopf."""
    if not case.ruleset.house.hausbock or case.deal.game is None:
        return
    thrown_in = case.deal.game.contract == THROWN_IN
    if thrown_in and knocks:
        yield finding("hausbock-not-laid", case.deal.source)
    elif not knocks and case.deal.game.contract not in NOT_PLAYED:
        yield finding("hausbock-not-played", case.deal.source)


def sits_out(case: Case, recorded: tuple[int, ...]) -> Iterator[Finding]:
    """Yield a finding if the wrong players sit out: by rule the dealer, or the dealer and the player who cuts, or those
    out of the game by its score. 002 01.6 Playing with Five or Six; 002 06.2 Schnauz."""
    score = score_of(case.ruleset.house)
    ruled = by_rule(len(case.players), case.ruleset.house, case.replay.dealer)
    is_known = case.before.marks is not None and len(case.players) <= case.ruleset.house.seats
    by_score = score is not None and score.step < 0 and is_known
    if by_score:
        ruled = seats_out(case.before.marks, score)
    if ruled is not None and ((recorded and ruled) or by_score) and set(recorded) != set(ruled):
        facts = {"stated": value_fact(case.players, "winners", recorded)}
        facts |= {"ruled": value_fact(case.players, "winners", ruled)}
        yield finding("sits-out", case.deal.source, **facts)


def list_full(case: Case, deals: int) -> Iterator[Finding]:
    """Yield a finding if a list already has all its deals. 002 01.5."""
    of = case.ruleset.house.list
    if of and deals >= of:
        yield finding("list-full", case.deal.source, number=deals + 1, of=of)


# Each check with the part of a case that it is given, without which it is not asked.
CHECKS: tuple[tuple[Callable[[Case, Any], Iterator[Finding]], str, str], ...] = (
    (stated_values, "deal", "stated"),
    (facts_of_other_games, "deal", "stated"),
    (price_steps, "stated", "steps"),
    (running_totals, "stated", "totals"),
    (running_marks, "stated", "marks"),
    (solo_in_first_deal, "house", "marks"),
    (stated_stock, "stated", "stock"),
    (zero_sum, "case", "settlement"),
    (totals_sum, "stated", "totals"),
    (dealer_rotates, "deal", "dealer"),
    (late_claims, "deal", "events"),
    (expected_rounds, "case", "before"),
    (hausbock, "deal", "knocks"),
    (sits_out, "deal", "sits_out"),
    (list_full, "before", "list_deals"),
    (hands_derived, "replay", "findings"),
)
