"""Disputes with a known cause: a deal that agrees, of which one thing is then stated as one cause would have it.

Each cause is a function of a random source and a sound deal, and gives what a source would state, or None where the
cause cannot happen in this deal. None of them uses `archive.explain`: a slip in reckoning is the deal judged with
a call less, or under a house that knows no runners; a slip in writing is done to the numbers.

    rng = random.Random(1)
    for dispute in disputes(rng, 200, sound(rng, evenings(rng, 20))):
        explain(dispute.found, dispute.beside)
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive import generate
from archive.judge import Judgement, judge, judge_session
from archive.notation import merge_settings
from archive.play.game_words import is_tout
from archive.record import Carry, Deal, Session, Stated
from support import real_games

Amounts = tuple[int, ...]
EVENINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pub", {}),
    ("pub", {"tariff": "20/50"}),
    ("pub", {"tariff": "10/20/50"}),
    ("pub", {"tariff": "20/100", "ramsch": {"virgin": "double-own"}}),
    ("pub", {"tout": "all", "runners_from": {"wenz": 3}}),
    ("pub", {"stock": {"amount": 10, "won_by": ["rufspiel"]}, "all_pass": "thrown-in"}),
    ("bavarian", {}),
    ("bavarian", {"tariff": "5/20", "knock": "anyone"}),
    ("short", {}),
    ("langendorf", {}),
    ("schierling", {}),
    ("three-hand", {}),
    ("palatinate", {}),
)
# Nobody makes Schneider but with every card point: no level may lie over the pack.
HARDLY_SCHNEIDER = {"schneider": 120, "schneider_against": 120}
TARIFFS = ("5/10", "5/20", "10/20", "10/50", "20/50", "20/100", "50/100", "5/20/50", "10/20/50")


class Sound(Struct, frozen=True):
    """A deal that agrees, and those that were played around it."""

    found: Judgement
    payments: Amounts
    beside: tuple[Judgement, ...]


class Dispute(Struct, frozen=True):
    """A deal that states what a cause made of it."""

    cause: str
    found: Judgement
    beside: tuple[Judgement, ...]


def evenings(rng: Random, count: int, deals: int = 8) -> Iterator[list[Judgement]]:
    """Judged sessions under the houses in turn."""
    for n in range(count):
        rules, house = EVENINGS[n % len(EVENINGS)]
        evening = generate.session(rules, house)
        yield list(judge_session(evening, list(generate.deals(rng, evening, deals, state=("payments",)))))


def real() -> Iterator[list[Judgement]]:
    """The real games, where their folder is there: those with payments each alone, and the sessions of the logs."""
    if real_games.FOLDER.is_dir():
        yield from (list(judge_session(session, [deal])) for session, deal in real_games.settled())
        yield from ([each for each in log if isinstance(each, Judgement)] for _, log in real_games.logs())


def sound(sessions: Iterable[list[Judgement]]) -> Iterator[Sound]:
    """The deals of sessions that are played, agree and cost something."""
    for found in sessions:
        for n, each in enumerate(found):
            payments = each.settlement.payments if each.settlement else None
            if each.verdict == "agrees" and payments and None not in payments and any(payments):
                near = (*found[max(0, n - 1) : n], *found[n + 1 : n + 2])
                yield Sound(each, tuple(own or 0 for own in payments), near)


def disputes(rng: Random, count: int, pool: Sequence[Sound], causes: Sequence[str] = ()) -> Iterator[Dispute]:
    """So many disputes, each cause in turn, each in a deal drawn from the pool in which it can happen."""
    wanted = list(causes or CAUSES)
    for n in range(count):
        cause = wanted[n % len(wanted)]
        for _ in range(4 * len(pool)):
            made = injected(rng, rng.choice(pool), cause)
            if made is not None:
                yield made
                break


def injected(rng: Random, sound: Sound, cause: str) -> Dispute | None:
    """The dispute that a cause makes of a deal; None where it cannot happen there, or changes nothing."""
    stated = CAUSES[cause](rng, sound)
    if stated is None or stated == sound.payments:
        return None
    found = sound.found
    deal = replace(found.deal, stated=Stated(payments=stated))
    return Dispute(cause, judge(found.session, deal, found.number, found.before), sound.beside)


# --- what the rules would give ----------------------------------------------------------------------------------------


def paid(found: Judgement, house: dict[str, Any] | None = None, **changes: Any) -> Amounts | None:
    """What the deal pays under another house, or with something else in its record."""
    session = replace(found.session, house=merge_settings(found.session.house or {}, house or {}))
    again = judge(session, replace(found.deal, stated=None, **changes), found.number, found.before)
    payments = again.settlement.payments if again.settlement else None
    return None if payments is None or None in payments else tuple(each or 0 for each in payments)


def row(found: Judgement) -> Any:
    """The contract of a deal."""
    assert found.ruleset
    return found.ruleset.contracts.get(found.deal.game.contract) if found.deal.game else None


def rule(found: Judgement) -> Any:
    assert found.ruleset
    return found.ruleset


def settled(found: Judgement) -> Any:
    return found.settlement


def by_tariff(found: Judgement) -> bool:
    return row(found) is not None and not rule(found).house.table and not rule(found).house.marks


def knocks(found: Judgement) -> tuple[int, ...]:
    return found.deal.knocks if isinstance(found.deal.knocks, tuple) else ()


def doubles(found: Judgement) -> tuple[Any, ...]:
    return found.deal.doubles if isinstance(found.deal.doubles, tuple) else ()


# --- settings ---------------------------------------------------------------------------------------------------------


def tariff(rng: Random, sound: Sound) -> Amounts | None:
    return paid(sound.found, {"tariff": rng.choice(TARIFFS)}) if by_tariff(sound.found) else None


def price(rng: Random, sound: Sound) -> Amounts | None:
    found = sound.found
    if not by_tariff(found) or row(found).parties == "each":
        return None
    name = row(found).id if row(found).id in rule(found).prices else row(found).price
    return paid(found, {"price": {name: rule(found).prices[name] * 2}})


def runners_from(rng: Random, sound: Sound) -> Amounts | None:
    found = sound.found
    if row(found) is None or not settled(found).runners:
        return None
    return paid(found, {"runners_from": {row(found).id: rng.randrange(5)}})


def level_schneider(rng: Random, sound: Sound) -> Amounts | None:
    levels = rule(sound.found).house.levels
    other = {90: 91, 91: 90}
    house = {"schneider": other.get(levels.schneider), "schneider_against": other.get(levels.schneider_against)}
    key = rng.choice(list(house))
    return paid(sound.found, {"levels": {key: house[key]}}) if house[key] and row(sound.found) else None


def level_win(rng: Random, sound: Sound) -> Amounts | None:
    return paid(sound.found, {"levels": {"win": rng.choice((60, 62))}}) if row(sound.found) else None


def tout(rng: Random, sound: Sound) -> Amounts | None:
    reading = rng.choice(("base", "base+runners", "all"))
    return paid(sound.found, {"tout": reading}) if is_tout(sound.found.deal) else None


def ramsch_virgin(rng: Random, sound: Sound) -> Amounts | None:
    if not settled(sound.found).virgins:
        return None
    return paid(sound.found, {"ramsch": {"virgin": rng.choice(("no", "double-all", "double-own", "double-own-once"))}})


def stock(rng: Random, sound: Sound) -> Amounts | None:
    return paid(sound.found, {"stock": {"won_by": []}}) if sound.found.before.stock else None


# --- slips in reckoning -----------------------------------------------------------------------------------------------


def knock_missed(rng: Random, sound: Sound) -> Amounts | None:
    said = knocks(sound.found)
    left_out = rng.choice(said) if said else None
    return paid(sound.found, knocks=tuple(each for each in said if each != left_out)) if said else None


def double_missed(rng: Random, sound: Sound) -> Amounts | None:
    said = doubles(sound.found)
    left_out = rng.choice(said) if said else None
    return paid(sound.found, doubles=tuple(each for each in said if each is not left_out)) if said else None


def doublings_missed(rng: Random, sound: Sound) -> Amounts | None:
    found = sound.found
    return paid(found, knocks=(), doubles=()) if len(knocks(found)) + len(doubles(found)) > 1 else None


def doubling_extra(rng: Random, sound: Sound) -> Amounts | None:
    return paid(sound.found, doubles=len(doubles(sound.found)) + 1) if row(sound.found) else None


def doublings_added(rng: Random, sound: Sound) -> Amounts | None:
    """Twice doubled is paid threefold."""
    count = len(knocks(sound.found)) + len(doubles(sound.found))
    bare = paid(sound.found, knocks=(), doubles=()) if count > 1 and not sound.found.before.stock else None
    return None if bare is None else tuple(each * (1 + count) for each in bare)


def doubled_first(rng: Random, sound: Sound) -> Amounts | None:
    """What the game costs without anything beside it, doubled; the rest once."""
    found = sound.found
    if not by_tariff(found) or row(found).parties == "each" or found.before.stock or is_tout(found.deal):
        return None
    plain = {"runners_from": {row(found).id: 0}, "levels": HARDLY_SCHNEIDER}
    if settled(found).schwarz or rule(found).house.cap or not (knocks(found) or doubles(found)):
        return None
    if settled(found).side_points in (0, 120):
        return None
    game, once = paid(found, plain), paid(found, knocks=(), doubles=())
    bare = paid(found, plain, knocks=(), doubles=())
    if game is None or once is None or bare is None:
        return None
    return tuple(a + b - c for a, b, c in zip(game, once, bare, strict=True))


def tout_missed(rng: Random, sound: Sound) -> Amounts | None:
    """Twice the game was taken once: half a price of the game would have given that."""
    found = sound.found
    if not is_tout(found.deal) or not by_tariff(found):
        return None
    if rule(found).house.tout == "all":
        return None if found.before.stock else tuple(each // 2 for each in sound.payments)
    name = row(found).id if row(found).id in rule(found).prices else row(found).price
    once = rule(found).prices[name]
    return paid(found, {"price": {name: once // 2}}) if rule(found).house.tout == "base" and once % 2 == 0 else None


def runners_missed(rng: Random, sound: Sound) -> Amounts | None:
    found = sound.found
    return paid(found, {"runners_from": {row(found).id: 0}}) if row(found) and settled(found).runners_paid else None


def _other_runners(found: Judgement, step: int) -> Amounts | None:
    """So many runners more or less, each at what one is worth in this deal."""
    if row(found) is None or not settled(found).runners_paid or not by_tariff(found) or rule(found).house.cap:
        return None
    count = abs(settled(found).runners)
    least = rule(found).house.runners_from[row(found).id]
    without = paid(found, {"runners_from": {row(found).id: 0}})
    if without is None or count + step < max(1, least):
        return None
    whole = paid(found)
    assert whole
    return tuple(a + (a - b) * step // count for a, b in zip(whole, without, strict=True))


def runner_less(rng: Random, sound: Sound) -> Amounts | None:
    return _other_runners(sound.found, -1)


def runner_more(rng: Random, sound: Sound) -> Amounts | None:
    return _other_runners(sound.found, 1)


def runners_too_few(rng: Random, sound: Sound) -> Amounts | None:
    found = sound.found
    if row(found) is None or not settled(found).runners:
        return None
    count, least = abs(settled(found).runners), rule(found).house.runners_from.get(row(found).id, 0)
    return paid(found, {"runners_from": {row(found).id: count}}) if count < least else None


def schneider_missed(rng: Random, sound: Sound) -> Amounts | None:
    result = settled(sound.found)
    if not result.schneider or result.schwarz:
        return None
    return paid(sound.found, {"levels": HARDLY_SCHNEIDER})


def schneider_counted(rng: Random, sound: Sound) -> Amounts | None:
    """The losers have up to five card points too many for it."""
    result, levels = settled(sound.found), rule(sound.found).house.levels
    if row(sound.found) is None or result.schneider is not False or result.side_points is None:
        return None
    lower = {"schneider": levels.schneider - 5, "schneider_against": levels.schneider_against - 5}
    return paid(sound.found, {"levels": lower})


def schwarz_as_schneider(rng: Random, sound: Sound) -> Amounts | None:
    if not settled(sound.found).schwarz or not by_tariff(sound.found):
        return None
    return paid(sound.found, {"price": {"schwarz": rule(sound.found).prices["schneider"]}})


def wrong_game(rng: Random, sound: Sound) -> Amounts | None:
    found = sound.found
    if not by_tariff(found) or row(found).parties == "each" or row(found).id in rule(found).prices:
        return None
    own = row(found).price
    other = {"rufspiel": "solo", "solo": "rufspiel"}.get(own)
    return paid(found, {"price": {own: rule(found).prices[other]}}) if other else None


def stock_missed(rng: Random, sound: Sound) -> Amounts | None:
    found = sound.found
    return paid(found, carry=Carry(stock=0)) if found.before.stock and row(found) else None


def paid_once(rng: Random, sound: Sound) -> Amounts | None:
    who = sound.found.deal.game.declarer if sound.found.deal.game else None
    if row(sound.found) is None or row(sound.found).parties != "alone" or who is None:
        return None
    other = next(each for seat, each in enumerate(sound.payments) if seat != who and each)
    return tuple(-other if seat == who else each for seat, each in enumerate(sound.payments))


def virgin_missed(rng: Random, sound: Sound) -> Amounts | None:
    if len(settled(sound.found).virgins) != 1:
        return None
    return paid(sound.found, {"ramsch": {"virgin": "no"}})


def misadded(rng: Random, sound: Sound) -> Amounts | None:
    """A few card points near half of them, so that the other side won."""
    found, result = sound.found, settled(sound.found)
    if row(found) is None or result.won is None or row(found).goal != "points" or is_tout(found.deal):
        return None
    made = result.side_points
    if made is None or abs(made - rule(found).house.levels.win) > 6:
        return None
    return paid(found, {"levels": {"win": made + 1 if result.won else made}})


# --- slips in writing -------------------------------------------------------------------------------------------------


def turned(rng: Random, sound: Sound) -> Amounts | None:
    return tuple(-each for each in sound.payments)


def swapped(rng: Random, sound: Sound) -> Amounts | None:
    one, other = rng.sample(range(len(sound.payments)), 2)
    made = list(sound.payments)
    made[one], made[other] = made[other], made[one]
    return tuple(made)


def shifted(rng: Random, sound: Sound) -> Amounts | None:
    return (*sound.payments[-1:], *sound.payments[:-1])


def nothing_written(rng: Random, sound: Sound) -> Amounts | None:
    return (0,) * len(sound.payments)


def neighbour(rng: Random, sound: Sound) -> Amounts | None:
    others = [each.settlement.payments for each in sound.beside if each.settlement]
    told = [each for each in others if each and any(each) and None not in each]
    return rng.choice(told) if told else None  # type: ignore[return-value]


def miswritten(rng: Random, amount: int, how: str) -> int | None:
    """A number with two digits exchanged, one left out, or one written twice."""
    text = str(abs(amount))
    at = rng.randrange(len(text))
    if how == "swapped":
        if at + 1 == len(text):
            return None
        text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    elif how == "missing":
        text = text[:at] + text[at + 1 :]
    else:
        text = text[:at] + text[at] + text[at:]
    if not text or text.startswith("0"):
        return None
    return int(text) if amount > 0 else -int(text)


def all_miswritten(how: str) -> Callable[[Random, Sound], Amounts | None]:
    def slip(rng: Random, sound: Sound) -> Amounts | None:
        one = min(abs(each) for each in sound.payments if each)
        wrong = miswritten(rng, one, how)
        if wrong is None or any(each % one for each in sound.payments):
            return None
        return tuple(each // one * wrong for each in sound.payments)

    return slip


def one_of(change: Callable[[Random, int], int | None]) -> Callable[[Random, Sound], Amounts | None]:
    def slip(rng: Random, sound: Sound) -> Amounts | None:
        seat = rng.choice([seat for seat, each in enumerate(sound.payments) if each])
        wrong = change(rng, sound.payments[seat])
        if wrong is None:
            return None
        return tuple(wrong if n == seat else each for n, each in enumerate(sound.payments))

    return slip


def one_miswritten(how: str) -> Callable[[Random, Sound], Amounts | None]:
    return one_of(lambda rng, amount: miswritten(rng, amount, how))


CAUSES: dict[str, Callable[[Random, Sound], Amounts | None]] = {
    "tariff": tariff,
    "price": price,
    "runners-from": runners_from,
    "level-schneider": level_schneider,
    "level-win": level_win,
    "tout": tout,
    "ramsch-virgin": ramsch_virgin,
    "stock": stock,
    "knock-missed": knock_missed,
    "double-missed": double_missed,
    "doublings-missed": doublings_missed,
    "doubling-extra": doubling_extra,
    "doublings-added": doublings_added,
    "doubled-first": doubled_first,
    "tout-missed": tout_missed,
    "runners-missed": runners_missed,
    "runner-less": runner_less,
    "runner-more": runner_more,
    "runners-too-few": runners_too_few,
    "schneider-missed": schneider_missed,
    "schneider-counted": schneider_counted,
    "schwarz-as-schneider": schwarz_as_schneider,
    "wrong-game": wrong_game,
    "stock-missed": stock_missed,
    "paid-once": paid_once,
    "virgin-missed": virgin_missed,
    "misadded": misadded,
    "turned": turned,
    "swapped": swapped,
    "shifted": shifted,
    "nothing-written": nothing_written,
    "neighbour": neighbour,
    "digits-swapped": all_miswritten("swapped"),
    "digit-missing": all_miswritten("missing"),
    "digit-doubled": all_miswritten("doubled"),
    "one-sign": one_of(lambda rng, amount: -amount),
    "one-digits-swapped": one_miswritten("swapped"),
    "one-digit-missing": one_miswritten("missing"),
    "one-digit-doubled": one_miswritten("doubled"),
    "one-wrong": one_of(lambda rng, amount: rng.choice([n for n in range(-200, 200, 5) if n != amount])),
}
__all__ = ["CAUSES", "Deal", "Dispute", "Session", "disputes", "evenings", "injected", "real", "sound"]
