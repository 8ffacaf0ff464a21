"""Any auction: those that players make by the rules are accepted, and no others break the judge."""

from collections.abc import Callable
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.strategies import tampered_calls

from archive import generate
from archive.generate import ruleset_of, session
from archive.judge import LedgerState, judge
from archive.record import Call, Deal, Game, Session, severities
from archive.rules import Ruleset

FOUR, THREE = ("Anna", "Ben", "Cem", "Dora"), ("Anna", "Ben", "Cem")
Hand = tuple[int, Game]  # what a player means to play, and its rank
AtTable = tuple[Session, Callable[[Random, Ruleset], Deal]]


def found(evening: Session, deal: Deal) -> list[str]:
    judgement = judge(evening, deal, 1, LedgerState(totals=(0,) * len(evening.players)))
    return [each.rule for each in judgement.findings if each.rule.startswith(("auction", "word"))]


def wishes(rng: Random, ruleset: Ruleset) -> list[Hand]:
    """All that can be played alone or with a called card, each with its rank."""
    rows = [ruleset.contracts[name] for name in ruleset.house.contracts]
    rows = [row for row in rows if row.declarer and row.rank and row.exchange != "wedding"]
    hands = [(row.rank, Game(row.id)) for row in rows]
    hands += [(row.tout_rank, Game(row.id, words=("tout",))) for row in rows if row.tout_rank]
    hands += [(row.open_rank, Game(row.id, words=("open",))) for row in rows if row.open_rank]
    return [(rank, replace(game, suit="E" if ruleset.contracts[game.contract].takes != "none" else None))
            for rank, game in rng.sample(hands, len(hands))]  # fmt: skip


def named(rng: Random, game: Game) -> str:
    return rng.choice((" ".join((game.contract, *game.words)), *([] if game.words else [f"have-{game.contract}"])))


def auction(rng: Random, ruleset: Ruleset) -> Deal:
    """One bidder after the other against who holds the bid, as 001 Auction tells it: the earlier of two may hold with
    what is equal, the later must have more, and a call says no more than it must, or names the contract."""
    hands = wishes(rng, ruleset)
    ranks = sorted({rank for rank, _ in hands})
    own: list[Hand | None] = [rng.choice(hands) if rng.random() < 0.6 else None for _ in range(4)]
    calls: list[Call] = []
    holder, bound = -1, 0  # what the holder is known to have at least

    def speaks(seat: int, needed: int | None, vague: str) -> int | None:
        """Says so where the player has what is needed, and gives way where not."""
        hand = own[seat]
        if needed is None or hand is None or hand[0] < needed:
            calls.append(Call(seat, rng.choice(("pass", "good", "timeout"))))
            return None
        names = rng.random() < 0.4 or (ruleset.house.outbid != "may-pass" and holder >= 0)  # 002: who outbids names it
        calls.append(Call(seat, named(rng, hand[1]) if names else vague))
        return hand[0] if names else needed

    for seat in range(4):
        above = next((rank for rank in ranks if rank > bound), None)
        said = speaks(seat, above if holder >= 0 else ranks[0], "play")
        while said is not None and holder >= 0:
            bound, answer = said, speaks(holder, said, "hold")
            if answer is None:
                break
            bound = answer
            said = speaks(seat, next((rank for rank in ranks if rank > bound), None), "hold")
        if said is not None:
            holder, bound = seat, max(bound, said)
    if holder < 0:
        word = {"thrown-in": "none", "ramsch": "ramsch"}[ruleset.house.all_pass]
        return Deal(dealer=3, auction=tuple(calls), game=Game(word))
    hand = own[holder]
    return Deal(dealer=3, auction=tuple(calls), game=replace(hand[1], declarer=holder))


def wedding(rng: Random, ruleset: Ruleset) -> Deal:
    """A Hochzeit that nobody overcalls, and where nobody wants it, the round after it."""
    offerer = rng.randrange(4)
    others = [seat for seat in range(4) if seat != offerer]
    answers = [Call(seat, rng.choice(("no", "no", "accept"))) for seat in others]
    calls, taker = (
        [Call(offerer, "offer"), *answers],
        next((each.seat for each in answers if each.call == "accept"), None),
    )
    if taker is not None:
        return Deal(dealer=3, auction=tuple(calls), game=Game("hochzeit", offerer), partner=taker)
    if ruleset.house.hochzeit.refused == "thrown-in":
        return Deal(dealer=3, auction=tuple(calls), game=Game("none"))
    player = rng.choice((None, *range(4)))
    calls += [Call(seat, "play" if seat == player else "pass") for seat in range(4)]
    return Deal(dealer=3, auction=tuple(calls), game=Game("none") if player is None else Game("rufspiel", player, "E"))


def points(rng: Random, ruleset: Ruleset) -> Deal:
    """Forehand against middlehand, who is left against rearhand; each goes as far as it dares."""
    start, step = ruleset.house.bids.start, ruleset.house.bids.step
    limits = [rng.choice((0, 61, *range(start, 121, step))) for _ in range(3)]
    calls: list[Call] = []
    holder, last = -1, 0
    for seat in range(3):
        if holder < 0:
            opens = limits[seat] > 0
            calls.append(Call(seat, "play" if opens else "pass"))
            holder, last = (seat, 61) if opens else (-1, 0)
            continue
        while True:
            asked = start if last < start else last + step * rng.choice((1, 1, 2))
            if limits[seat] < asked:
                calls.append(Call(seat, "pass"))
                break
            calls.append(Call(seat, str(asked)))
            last = asked
            if limits[holder] < asked:
                calls.append(Call(holder, "pass"))
                holder = seat
                break
            calls.append(Call(holder, rng.choice(("hold", str(asked)))))
    game = Game("wenz", holder, bid=last if last > 61 else None) if holder >= 0 else Game("ramsch")
    return Deal(dealer=2, auction=tuple(calls), game=game)


def asking(rng: Random, ruleset: Ruleset) -> Deal:
    """004 Asserufen: each in turn passes, hangs on where nobody has bid, asks where one has hung on and nobody else has
    bid, or says a higher Solo; then who was asked answers, unless a Solo was said."""
    solos = ("solo", "solo H", "solo du", "solo H du")
    calls: list[Call] = []
    hanger = asker = None
    highest, soloist = -1, None
    for seat in range(4):
        wish = rng.choice(("pass", "pass", "low", "low", "solo"))
        better = [place for place in range(4) if place > highest]
        if wish == "low" and soloist is None and hanger is None:
            hanger, said = seat, "hang"
        elif wish == "low" and soloist is None and asker is None:
            asker, said = seat, "may-i"
        elif wish == "solo" and better:
            highest, soloist = rng.choice(better), seat
            said = solos[highest]
        else:
            said = "pass"
        calls.append(Call(seat, said))
    if soloist is not None:
        _, *words = solos[highest].split()
        suit = "H" if "H" in words else rng.choice("EGS")
        return Deal(
            dealer=3, auction=tuple(calls), game=Game("solo", soloist, suit, words=("du",) if "du" in words else ())
        )
    if hanger is None:
        return Deal(dealer=3, auction=tuple(calls), game=Game("none"))
    if asker is not None:
        answer = rng.choice(("accept", "refuse"))
        calls.append(Call(hanger, answer))
        hanger = asker if answer == "accept" else hanger
    return Deal(dealer=3, auction=tuple(calls), game=Game("rufspiel", hanger, "E", "EA"))


def generated(rng: Random, ruleset: Ruleset) -> Deal:
    return generate.deal(rng, session(ruleset.id))


BEFORE = {"hochzeit": {"when": "before"}, "contracts": ["rufspiel", "hochzeit", "wenz", "solo"]}
TABLES: list[AtTable] = [
    (session(name, players=FOUR), auction)
    for name in ("bavarian", "pub", "expats", "short", "schierling", "langendorf")
]
TABLES += [(session("schierling", players=FOUR), wedding), (session("bavarian", BEFORE, players=FOUR), wedding)]
TABLES += [(session("three-player-blind", players=THREE), points), (session("asserufen"), asking)]
BY_LENGTH: list[AtTable] = [
    (session(name), generated) for name in ("bauernstoss", "alter-schoofkopp", "deutscher-schafkopf")
]


@given(st.sampled_from(TABLES), st.integers(0, 2**32))
def test_an_auction_made_by_the_rules_is_accepted(table: AtTable, seed: int) -> None:
    evening, made_by = table
    deal = made_by(Random(seed), ruleset_of(evening))
    assert found(evening, deal) == []


@given(st.sampled_from(TABLES + BY_LENGTH), st.integers(0, 2**32), st.data())
def test_an_auction_that_was_tampered_with_is_judged(table: AtTable, seed: int, data: st.DataObject) -> None:
    evening, made_by = table
    deal = made_by(Random(seed), ruleset_of(evening))
    said = ("wenz", "hochzeit", "solo tout", "have-tout", "not-wenz", "bettel open", "70", "0", "x y")
    said += ("4", "99", "lowest 7", "lowest 9", "lowest U", "lowest 6", "big-solo H", "small-solo")
    calls = tampered_calls(data, deal.auction or (), len(evening.players), said)
    assert set(found(evening, replace(deal, auction=tuple(calls)))) <= set(severities())


@given(st.sampled_from(TABLES), st.integers(0, 2**32), st.integers(1, 3))
def test_nobody_plays_but_who_has_won_the_auction(table: AtTable, seed: int, step: int) -> None:
    evening, made_by = table
    deal = made_by(Random(seed), ruleset_of(evening))
    if deal.game and deal.game.declarer is not None and step < len(evening.players):
        another = replace(deal.game, declarer=(deal.game.declarer + step) % len(evening.players))
        assert found(evening, replace(deal, game=another)) == ["auction-result"]
