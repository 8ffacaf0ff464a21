"""A deal tapped on a page as a few choices, and the entries of its record.

The choices are texts by name, players by their seat from 0:

    key         the id of the deal              game     `rufspiel E`, `wenz`, `none`, `misdeal`
    who, with   who played, or lost a Ramsch    outcome  won, lost, each perhaps -schneider or -schwarz; lost-level, at
                                                         60 : 60; level: neither; points; loser; cards: only
                                                         what they show
    runners, knocks, doubles, virgins, points, bid       numbers
    virgin      their seats, blanks between them, at a table that pays each of them by itself
    words       tout hand …, blanks between them         round    the special round, or `no`; asked if unknown
    dealer      if not the player whose turn it is       hand0 … hand6, tricks   cards, a trick a line
    talon, turned  cards in the order of drawing, and the one that lies face up below them
    players     the names at the table as the page shows them, a line each, if it says so
    events      what was done at a turn of a game with a talon, a line each: `@3.1 Seat2 closes`

What a choice says stands in the record, even that there was none: nothing is left to be assumed not to have happened.
What the house does not play, or a contract cannot have, is left out if it was not asked.
"""

from collections.abc import Mapping
from typing import Any

from archive.notation.game_words import NO_GAME
from archive.notation.problem import refuse_entry
from archive.record import TOUTS, Deal, Stated
from archive.rules import Contract, House, Ruleset, hand_size
from archive.rules.tables import are_pairs_fixed
from archive.say import message

Taps = Mapping[str, str]
SIDES = {"won": True, "lost": False}
BY_CARDS = "cards"
LEVEL, HALF = "level", 60  # card points of either side
NO_ROUND = "no"
UNKNOWN_CARD = "??"
LEVELS = ("schneider", "schwarz")
MOST = 200  # of whatever is counted


def tapped_entries(taps: Taps, ruleset: Ruleset, players: int) -> dict[str, Any]:
    """Return the entries of the record that these taps tell. Raise Problem for a choice that does not exist."""
    contract = taps.get("game", "").partition(" ")[0]
    entries: dict[str, Any] = {"id": taps.get("key", "")}
    if names := _lines(taps, "players"):
        entries, players = entries | {"players": names}, len(names)
    if dealer := _seat(taps, "dealer", players):
        entries["dealer"] = dealer
    if special := taps.get("round", ""):
        entries["round"] = [] if special == NO_ROUND else special.split()
    if contract in NO_GAME:
        return entries | {"game": contract}
    row = ruleset.contracts.get(contract)
    if row is None:
        refuse_entry("game", taps.get("game", ""), message("notation.tapped-game"))
    entries |= _cards(taps, players) | _talon(taps, ruleset.house) | _doublings(taps, ruleset)
    who, partner = _seat(taps, "who", players), _seat(taps, "with", players)
    spoken = [who if row.declarer else None, taps["game"], *taps.get("words", "").split(), taps.get("bid")]
    entries["game"] = " ".join(filter(None, spoken))
    if partner and row.declarer:
        entries["with"] = partner
    return entries | {"stated": stated} if (stated := _result(taps, row, who, players)) else entries


def taps_of_deal(deal: Deal, ruleset: Ruleset) -> dict[str, str]:
    """Return the choices that tell a deal, as far as choices can."""
    game, stated = deal.game, deal.stated or Stated()
    if game is None:
        return {}
    row = ruleset.contracts.get(game.contract)
    special = {} if deal.round is None else {"round": " ".join(deal.round) or NO_ROUND}
    lists = {"knocks": deal.knocks, "doubles": deal.doubles}
    numbers: dict[str, int | None] = {
        "dealer": deal.dealer,
        "who": game.declarer if row is None or row.declarer else stated.loser,
        "with": deal.partner,
        "bid": game.bid,
        "runners": stated.runner_count if stated.runners is None else stated.runners,
        "virgins": stated.virgins if isinstance(stated.virgins, int) else None,
        "points": stated.points if isinstance(stated.points, int) else None,
        **{key: len(each) if isinstance(each, tuple) else each for key, each in lists.items()},
    }
    hands = {f"hand{seat}": " ".join(cards) for seat, cards in enumerate(deal.hands or ()) if cards}
    taps = {
        "game": " ".join(filter(None, (game.contract, game.suit))),
        "words": " ".join(game.words),
        "virgin": " ".join(map(str, stated.virgins)) if isinstance(stated.virgins, tuple) else "",
        **hands,
        **special,
    }
    taps |= _taps_of_talon(deal, row)
    taps["tricks"] = "\n".join(" ".join(trick.cards) for trick in deal.tricks or ())
    taps["outcome"] = _outcome(stated, row) or (BY_CARDS if deal.tricks else "")
    taps |= {key: str(number) for key, number in numbers.items() if number is not None}
    return {key: text for key, text in taps.items() if text}


def _taps_of_talon(deal: Deal, row: Contract | None) -> dict[str, str]:
    """Return the choices that tell a talon, and what was done at a turn."""
    talon, acts = deal.talon or ("",), row.acts if row else ()
    known = [card for card in talon[:-1] if card != UNKNOWN_CARD]
    whole = talon[:-1][: len(known)] == tuple(known)  # what is not known is drawn last
    done = (each for each in deal.events or () if each.verb in acts)
    lines = [" ".join(filter(None, (f"@{each.moment}", f"Seat{each.seat + 1}", each.verb, each.arg))) for each in done]
    return {
        "talon": " ".join(known if whole else talon[:-1]),
        "turned": talon[-1].replace(UNKNOWN_CARD, ""),
        "events": "\n".join(lines),
    }


def _outcome(stated: Stated, row: Contract | None) -> str:
    if stated.won is not None:
        level = LEVELS[1] if stated.schwarz else LEVELS[0] if stated.schneider else ""
        level = LEVEL if stated.points == HALF else level
        return "-".join(filter(None, (next(key for key, won in SIDES.items() if won == stated.won), level)))
    if row is not None and are_pairs_fixed(row):
        if stated.points == HALF:
            return LEVEL
        if stated.loser is not None:
            return f"lost-{LEVELS[bool(stated.schwarz)]}" if stated.schneider else "lost"
    return "points" if stated.points is not None else "loser" if stated.loser is not None else ""


def _result(taps: Taps, row: Contract, who: str | None, players: int) -> dict[str, Any]:
    side, _, level = taps.get("outcome", "").partition("-")
    stated: dict[str, Any] = {}
    if side == BY_CARDS:
        return stated
    if side == LEVEL:
        return {"points": HALF}
    if not row.declarer:
        stated |= {"loser": who} if who else {}
        stated |= {"schneider": level in LEVELS, "schwarz": level == LEVELS[1]} if side in SIDES else {}
        named = [_seat({"virgin": seat}, "virgin", players) for seat in taps.get("virgin", "").split()]
        virgins = named or _number(taps, "virgins")
        return stated | ({} if virgins is None else {"virgins": virgins})
    if side in SIDES:
        stated["won"] = SIDES[side]
        if level == LEVEL:
            stated["points"] = HALF
        takes_all = side == "won" and not level and not TOUTS.isdisjoint(taps.get("words", "").split())
        if has_levels(row) and not takes_all:  # with every trick it is Schwarz, as the rules say by themselves
            stated |= {"schneider": level in LEVELS, "schwarz": level == LEVELS[1]}
    elif side == "points":
        if (points := _number(taps, "points")) is None:
            refuse_entry("points", "", message("notation.tapped-number", n=MOST))
        stated["points"] = points
    elif side:
        refuse_entry("outcome", taps["outcome"], message("notation.tapped-outcome"))
    runners = _number(taps, "runners") if counts_runners(row) else None
    return stated | ({} if runners is None else {"runner_count": runners})


def counts_runners(row: Contract) -> bool:
    """Return whether the runners of a contract have to be counted; who must hold the top trumps has them all."""
    return "top-trumps" not in row.holds


def has_levels(row: Contract) -> bool:
    """Return whether a contract can be won or lost with Schneider and Schwarz."""
    return row.bonuses and row.goal == "points"


def _doublings(taps: Taps, ruleset: Ruleset) -> dict[str, Any]:
    counted = {"knocks": ruleset.house.knock != "no", "doubles": ruleset.house.stoss.until != "no"}
    numbers = {key: _number(taps, key) for key, played in counted.items() if played}
    return {key: number or [] for key, number in numbers.items() if number is not None}


def _cards(taps: Taps, players: int) -> dict[str, Any]:
    hands = [f"Seat{seat + 1}: {cards}" for seat in range(players) if (cards := taps.get(f"hand{seat}", "").strip())]
    return {key: lines for key, lines in (("hands", hands), ("tricks", _lines(taps, "tricks"))) if lines}


def _talon(taps: Taps, house: House) -> dict[str, Any]:
    """Return the talon as far as it is known, and what was done at a turn, even if that was nothing."""
    if house.talon is None:
        return {}
    drawn, turned = taps.get("talon", "").split(), taps.get("turned", "").strip()
    events = _lines(taps, "events")
    entries: dict[str, Any] = {"events": events} if events or _lines(taps, "tricks") else {}
    if drawn or turned:
        covered = house.deck - house.seats * hand_size(house) - 1
        entries["talon"] = " ".join([*drawn, *[UNKNOWN_CARD] * (covered - len(drawn)), turned or UNKNOWN_CARD])
    return entries


def _lines(taps: Taps, key: str) -> list[str]:
    return [line.strip() for line in taps.get(key, "").splitlines() if line.strip()]


def _seat(taps: Taps, key: str, players: int) -> str | None:
    """Return the name of a seat, or None if none was tapped. Raise Problem if there is no such seat."""
    text = taps.get(key, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 3 and int(text) < players):
        refuse_entry(key, text, message("notation.tapped-seat", n=players))
    return f"Seat{int(text) + 1}"


def _number(taps: Taps, key: str) -> int | None:
    text = taps.get(key, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and int(text) <= MOST):
        refuse_entry(key, text, message("notation.tapped-number", n=MOST))
    return int(text)
