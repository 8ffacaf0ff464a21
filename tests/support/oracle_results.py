"""Plain answers to the questions of `archive.stats.questions.results`."""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from archive.cards import NUMBER
from archive.play.cut import cut_of
from archive.rules import Contract, tables
from archive.settle.rounds import in_force
from support.question_oracle import Told, bases, declarer_paid, mean, played, told, wilson, won

Rows = list[tuple[Any, ...]]
Groups = dict[tuple[Any, ...], list[Told]]


def grouped(*keys: str, fits: Callable[[Told], bool] = lambda each: True) -> Groups:
    groups: Groups = defaultdict(list)
    for each in filter(fits, played()):
        groups[tuple(each.get(key) for key in keys)].append(each)
    return groups


def outcome(deals: list[Told]) -> tuple[Any, ...]:
    """Return how many have a known outcome, how many are won, and the rate with its interval."""
    known = [won(each) for each in deals if won(each) is not None]
    return len(known), sum(map(bool, known)), *wilson(sum(map(bool, known)), len(known))


def paid(deals: list[Told]) -> float | None:
    return mean([amount for each in deals if (amount := declarer_paid(each)) is not None])


def shared(count: int, sample: int) -> tuple[Any, ...]:
    return count, sample, *wilson(count, sample)


def contract_of(each: Told) -> Contract:
    ruleset = each.judgement.ruleset
    return ruleset.contracts[each.get("contract")]


def results_by_contract() -> Rows:
    groups = grouped("rules", "unit", "contract")
    return [(*key, len(deals), *outcome(deals), paid(deals), *bases(deals)) for key, deals in groups.items()]


def results_by_trump_suit() -> Rows:
    """Return, for games with a named trump suit, the deals whose suit is known."""
    groups = grouped("rules", "unit", "contract", "suit",
                     fits=lambda each: contract_of(each).trump == "named" and each.get("suit") is not None)  # fmt: skip
    return [(*key, len(deals), *outcome(deals), paid(deals), *bases(deals)) for key, deals in groups.items()]


def schneider_and_schwarz() -> Rows:
    rows = []
    for key, deals in grouped("rules", "contract").items():
        told = {word: [each.get(word) for each in deals if each.get(word) is not None]
                for word in ("schneider", "schwarz")}  # fmt: skip
        cases, hits = ({word: of(told[word]) for word in told} for of in (len, sum))
        if cases["schneider"]:
            rates = (wilson(hits[word], cases[word]) for word in told)
            rows.append((*key, cases["schneider"], hits["schneider"], hits["schwarz"], *sum(rates, ())))
    return rows


def points_histogram() -> Rows:
    groups: Groups = defaultdict(list)
    totals: Counter[tuple[Any, ...]] = Counter()
    for each in played():
        row = contract_of(each)
        if row.goal in ("points", "most-loses") and not each.get("tout") and each.get("side_points") is not None:
            kind = row.parties if row.parties in ("alone", "each") else "partners"
            totals[each.get("rules"), kind] += 1
            groups[each.get("rules"), kind, each.get("side_points")].append(each)
    return [
        (rules, kind, points, ("0-30", "31-60", "61-90", "91-120")[(points > 30) + (points > 60) + (points > 90)],
         *shared(len(deals), totals[rules, kind]), *outcome(deals)[:2])
        for (rules, kind, points), deals in groups.items()
    ]  # fmt: skip


def touts() -> Rows:
    rows = []
    for key, deals in grouped("rules", "unit", "contract").items():
        if those := [each for each in deals if each.get("tout")]:
            share = wilson(len(those), len(deals))
            rows.append((*key, len(deals), len(those), *share, *outcome(those), paid(those)))
    return rows


def solo_success() -> Rows:
    groups: Groups = defaultdict(list)
    for each in played():
        found, row = each.judgement, contract_of(each)
        game, replay = found.deal.game, found.replay
        if row.goal in ("no-trick", "dealt"):
            continue
        if row.parties == "alone" and game and game.declarer is not None and replay and found.ruleset:
            ranked, hand = tables(found.ruleset, game.contract, game.suit), replay.held[game.declarer]
            if hand is not None and ranked.trumps:
                trumps = [card for card in hand if NUMBER[card] in ranked.trumps]
                lords = [card for card in trumps if card[1] in row.lords]
                groups[each.get("rules"), each.get("contract"), len(trumps), len(lords)].append(each)
    return [(*key, len(deals), *outcome(deals)) for key, deals in groups.items()]


def results_by_multiplier() -> Rows:
    groups = grouped("rules", "unit", "contract", "multiplier", fits=lambda each: each.get("multiplier") is not None)
    totals: Counter[tuple[Any, ...]] = Counter()
    for key, deals in groups.items():
        totals[key[:3]] += len(deals)
    return [(*key, *shared(len(deals), totals[key[:3]]), *outcome(deals), paid(deals)) for key, deals in groups.items()]


def rounds_of(each: Told) -> str | None:
    rounds = in_force(each.judgement.deal, each.judgement.before)
    rounds = each.judgement.deal.round if rounds is None else rounds
    return " ".join(rounds) if rounds else None


def of_kind(kind: Callable[[Told], Any], fits: Callable[[Told], bool]) -> Rows:
    groups: Groups = defaultdict(list)
    for each in filter(fits, played()):
        groups[each.get("rules"), each.get("unit"), each.get("contract"), kind(each)].append(each)
    return [(*key, len(deals), *outcome(deals), paid(deals)) for key, deals in groups.items()]


def results_by_round() -> Rows:
    return of_kind(rounds_of, lambda each: bool(rounds_of(each)))


def bid_of(each: Told) -> int | None:
    game = each.judgement.deal.game
    return game.bid if game else None


def results_by_bid() -> Rows:
    return of_kind(bid_of, lambda each: bid_of(each) is not None)


def is_muss(each: Told) -> bool:
    game = each.judgement.deal.game
    return game is not None and "muss" in game.words


def results_of_muss() -> Rows:
    forced = {(each.get("rules"), each.get("contract")) for each in played() if is_muss(each)}
    return of_kind(is_muss, lambda each: (each.get("rules"), each.get("contract")) in forced)


def hochzeit_of(each: Told) -> str | None:
    deal, ruleset = each.judgement.deal, each.judgement.ruleset
    assert ruleset
    if deal.game and ruleset.contracts[deal.game.contract].exchange == "wedding":
        return "played"
    return "offered" if any(call.call == "offer" for call in deal.auction or ()) else None


def results_of_hochzeit() -> Rows:
    return of_kind(hochzeit_of, lambda each: hochzeit_of(each) is not None)


def cutter_knocks(each: Told) -> bool:
    cut = cut_of(each.judgement.deal, each.judgement.session.players)
    return cut is not None and cut.knocks


def results_by_cut() -> Rows:
    return of_kind(cutter_knocks, lambda each: each.judgement.deal.cut is not None)


def thrown_in() -> Rows:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in told():
        if each.get("contract"):
            counts[each.get("rules")][each.get("contract")] += 1
    return [
        (rules, total := sum(of.values()), of["none"], *wilson(of["none"], total), of["misdeal"],
         *wilson(of["misdeal"], total))
        for rules, of in counts.items()
    ]  # fmt: skip


ORACLES: dict[str, Callable[[], Rows]] = {
    each.__name__: each
    for each in (results_by_contract, results_by_trump_suit, schneider_and_schwarz, points_histogram, touts,
                 solo_success, results_by_multiplier, results_by_round, results_by_bid, results_of_muss,
                 results_of_hochzeit, results_by_cut, thrown_in)
}  # fmt: skip
