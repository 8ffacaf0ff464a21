"""The prices of the next deal, from which a page computes by itself: the table of `archive.judge.price_table` in
words."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec.json import decode, encode

from archive.judge.judge_deal import rules_of
from archive.judge.price_table import EndPrice, GamePrices, PricedGame, game_prices, thrown_in_price
from archive.record import Session
from archive.rules import Ruleset
from archive.rules.tables import score_of
from archive.say.catalogue import rows as catalogue_rows
from archive.settle.settle import is_priced_by_suit
from archive.settle.types import LedgerState, SettlementLine
from archive.store.live_evenings import LiveEvening
from archive.text.wording import Texts, line_words, texts_of
from archive.web.evening.offers import LOSING_PAIR, Offers
from archive.web.evening.page import CENTS, unit_in_force
from archive.web.sentences import citation_words

KNOWN = 64  # tables that are remembered
KINDS = {"add": 0, "times": 1, "pot": 2}
Prices = Mapping[str, GamePrices]


def price_data(evening: LiveEvening, offers: Offers, t: Texts) -> dict[str, Any] | None:
    """Return the table for a page, of those who play a deal; None if the page has to ask the server: without amounts in
    cents, if who sits out may pay too, and if nobody knows what lies on the table. `lasts`: the number of deals for
    which it holds; None: until one changes it."""
    rules, table, head = evening.ruleset, evening.state.table, evening.head
    playing = evening.state.players[: rules.house.seats]
    sitter_pays = rules.house.sitter_pays and playing != evening.state.players
    if sitter_pays or score_of(rules.house) or unit_in_force(evening) != CENTS:
        return None
    lying = LedgerState(
        stock=table.stock, hausbock=table.hausbock, stake=table.stake, rounds=table.rounds, queue=table.queue
    )
    if None in (lying.stock, lying.hausbock, lying.stake, lying.rounds, lying.queue):
        return None
    rows = Session(players=playing, rules=head.rules, house=head.house, source=head.source)
    found, none = known_prices(encode(rows), encode(lying), tuple(priced_games(offers)))
    written, signs = WrittenTable(rules, t), catalogue_rows(t["lang"])
    money = [signs[f"language.{key}"] for key in ("euros", "decimal", "thousands")]
    lasts = min((left for _, left in table.rounds or ()), default=None)
    return written.of(found) | {"none": written.end(none), "lasts": lasts, "money": money}


@lru_cache(KNOWN)
def known_prices(head: bytes, lying: bytes, games: tuple[PricedGame, ...]) -> tuple[Prices, EndPrice]:
    """Return the prices of games by what is tapped, and of a deal that all pass, with the stakes that lie on the
    table."""
    session, before = decode(head, type=Session), decode(lying, type=LedgerState)
    ruleset = rules_of(session)[0]
    assert ruleset is not None  # the evening has begun with it
    found, by_contract = dict[str, GamePrices | None](), dict[tuple[str, str], GamePrices | None]()
    for game in games:
        contract = game.value.partition(" ")[0]
        own = (game.value if is_priced_by_suit(ruleset, ruleset.contracts[contract]) else contract, game.words)
        if own not in by_contract:
            by_contract[own] = game_prices(session, ruleset, before, game)
        found[f"{game.value} {game.words}".strip()] = by_contract[own]
    return {key: prices for key, prices in found.items() if prices}, thrown_in_price(session, before)


def priced_games(offers: Offers) -> Iterator[PricedGame]:
    """Yield the games on offer, each by itself and with each word that can be announced."""
    reckoned = (each for each in offers.games if each.outcomes[:1] != LOSING_PAIR[:1])  # not whose pair has lost
    for offer in (each for each in reckoned if not (each.virgins and offers.named_virgins)):
        counts = {
            "runners": offer.runners,
            "knocks": offers.knocks[1:],
            "doubles": offers.doubles[1:],
            "virgins": (1, 2) if offer.virgins else (),
        }
        told = tuple((key, numbers) for key, numbers in counts.items() if numbers)
        for words in ("", *offer.words):
            yield PricedGame(offer.value, words, offer.partner, offer.outcomes, told)


class WrittenTable:
    """A table in words: every line once, with numbers for repeated ones."""

    def __init__(self, rules: Ruleset, t: Texts) -> None:
        self.rules, self.own, self.t = rules, texts_of(rules, t), t
        self.lines = dict[tuple[int, int, str, str], int]()

    def of(self, prices: Prices) -> dict[str, Any]:
        kinds = {id(each): each for each in prices.values()}  # suits share one
        at = {key: place for place, key in enumerate(kinds)}
        games = {key: at[id(each)] for key, each in prices.items()}
        kinds_written = [self.game(each) for each in kinds.values()]
        return {"lines": list(self.lines), "prices": kinds_written, "games": games}

    def line(self, line: SettlementLine) -> int:
        cite = citation_words(line.cite, self.rules.sources, self.t)
        written = (KINDS[line.kind], line.amount, line_words(line, self.own), cite)
        return self.lines.setdefault(written, len(self.lines))

    def game(self, prices: GamePrices) -> dict[str, Any]:
        ends = {end: self.end(each) for end, each in prices.ends.items()}
        places = {
            key: {count: [self.line(each) for each in lines] for count, lines in counts.items()}
            for key, counts in prices.places.items()
        }
        return {"ends": ends, **places}

    def end(self, end: EndPrice) -> dict[str, Any]:
        lines = [each if isinstance(each, str) else self.line(each) for each in end.lines]
        extra = {"extra": end.extra} if any(end.extra) else {}
        return {"lines": lines, "share": end.share, **extra, **({"moves": True} if end.moves else {})}
