"""The price that the phone reckons by itself is the server's: for every game, end and number of knocks of every ruleset
that the six questions can make."""

import json
from itertools import product
from typing import Any

import pytest
from support.paths import ROOT
from support.rulesets import load_rules
from support.thorough import examples
from support.web_site import OpenPage

from archive.judge.judge_deal import initial_state, rules_of
from archive.judge.next_deal import contradictions
from archive.judge.types import Judgement
from archive.notation.tapped_deal import taps_of_deal
from archive.record import Session
from archive.rules.guide import guide, guided_rules
from archive.store.live_evenings import LiveEvening
from archive.web.evening.offers import offers_of
from archive.web.evening.page import amount_words, judge_taps, price_lines, price_sum
from archive.web.evening.prices import price_data
from archive.web.texts import TEXTS

NAMES = ("Anna", "Ben", "Cem", "Dora")
FIVE = (*NAMES, "Emil")  # who deals and sits out
GERMAN = {**TEXTS["de"], "chosen": "", "faces": "german", "lang": "de"}
SCRIPT = ROOT / "templates" / "static" / "evening-prices.js"
QUESTIONS = {each.id: tuple(each.answers) for each in guide()}
APART = ("bock", "games")  # answers that change what is offered, and what a game sets off, not what it costs

RECKON = """async ([source, asked]) => {
  const script = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return asked.map(([table, deals, names, out]) => deals.map(([taps, end]) => {
    const found = script.reckon(table, taps)?.[end];
    if (!found) return null;
    const drawn = script.drawPrice(table, '', found, '', names);
    const lines = Array.from(drawn.querySelectorAll('li'), li => Array.from(li.children, each => each.textContent));
    const sum = drawn.querySelector('summary span')?.textContent ?? '';
    const paid = script.paid(table, taps, end, names.length, out)?.amounts;
    return { price: script.money(table, found.price, false), lines, sum, paid };
  }));
}"""


def evening_by(rules: str, house: dict[str, Any] | None = None, names: tuple[str, ...] = NAMES) -> LiveEvening:
    head = Session(players=names, rules=rules, house=house, date="2026-11-28")
    ruleset = rules_of(head)[0]
    assert ruleset is not None
    return LiveEvening(
        id=1, source=1, path="", session=None, text=b"", head=head, ruleset=ruleset, state=initial_state(head),
        deals=0, last=None, counted=0, next=1, usual_rounds=None, opened_at="", opened_by="", closed_at=None,
        closed_by=None, pen=None, pen_by=None, pen_at=None,
    )  # fmt: skip


def deals_of(evening: LiveEvening) -> list[tuple[dict[str, Any], str]]:
    """Every game that is offered, with each end and each number of knocks; runners and doublings in turn, and what can
    be announced without knocks."""
    offers = offers_of(evening.ruleset, evening.state.table, GERMAN)
    found = []
    for game in {each.contract: each for each in offers.games}.values():
        for words, knocks, end in product(
            ((), *((word,) for word in game.words)), offers.knocks or (0,), game.outcomes
        ):
            if words and knocks:
                continue
            at = knocks + len(end)
            runners = (0, *game.runners)[at % (1 + min(3, len(game.runners)))]
            taps = {"who": "0", "game": game.value, "words": words, "knocks": str(knocks), "runners": str(runners)}
            taps |= {"doubles": str(offers.doubles[at % len(offers.doubles)])} if offers.doubles else {}
            found.append((taps | ({"with": "1"} if game.partner else {}), end))
    return found


def of_server(evening: LiveEvening, taps: dict[str, Any], end: str) -> dict[str, Any] | None:
    """The price, its lines and who is paid what; None where such a deal has no price, or contradicts itself."""
    last = str(len(evening.state.players) - 1)
    told = {**taps, "words": " ".join(taps["words"]), "key": "x", "dealer": last, "outcome": end}
    judged = judge_taps(evening, told)
    settled = judged.settlement if isinstance(judged, Judgement) else None
    if not isinstance(judged, Judgement) or settled is None or settled.price is None or contradictions(judged):
        return None
    said = price_sum(judged, GERMAN)
    return {
        "price": amount_words(settled.price, "ct", GERMAN).removeprefix("+"),
        "lines": [[*each.values()] for each in price_lines(judged, "ct", GERMAN)],
        "sum": said and f"{said} =",
        "paid": list(settled.payments or ()),
    }


@pytest.mark.parametrize(
    ("rules", "bids", "points"),
    [
        ("bauernstoss", tuple(range(2, 9)), 120),  # 000 Making Trumps: from 2 to 8
        ("three-player-blind", (61, *range(65, 121, 5)), 120),  # 002 06.3: an unspoken 61, then 65, 70, …
        ("bodensee-jass", tuple(range(5, 156, 5)), 157),  # 002 06.4: in fives, of 157 points
        ("pub", (), 120),
    ],
)
def test_the_bids_on_offer_are_those_that_may_be_bid(rules: str, bids: tuple[int, ...], points: int) -> None:
    offers = offers_of(load_rules(rules), evening_by("pub").state.table, GERMAN)
    assert (offers.bids, offers.points) == (bids, points)


@pytest.mark.parametrize(
    ("end", "payments"),
    [
        ("lost", (-10, 10, -10, 10)),
        ("lost-schneider", (-20, 20, -20, 20)),
        ("lost-schwarz", (-30, 30, -30, 30)),
        ("level", (0, 0, 0, 0)),
    ],
)
@pytest.mark.parametrize("who", ["0", "2"])
def test_001_bierkopf_is_tapped_by_a_player_of_the_pair_that_lost(
    end: str, payments: tuple[int, ...], who: str
) -> None:
    evening = evening_by("bierkopf")
    offers = offers_of(evening.ruleset, evening.state.table, GERMAN)
    assert (offers.outcomes, offers.points) == (("lost", "lost-schneider", "lost-schwarz", "level"), False)
    taps = {"key": "x", "dealer": "3", "game": "bierkopf", "who": who, "outcome": end}
    judged = judge_taps(evening, taps)
    assert isinstance(judged, Judgement)
    assert (judged.findings, judged.settlement and judged.settlement.payments) == ((), payments)
    again = taps_of_deal(judged.deal, evening.ruleset)
    assert again["outcome"] == end
    assert end == "level" or again["who"] == who


@pytest.mark.parametrize(("names", "reckons"), [(NAMES, True), (FIVE, False)])
def test_where_who_sits_out_pays_too_the_phone_asks_the_server(names: tuple[str, ...], reckons: bool) -> None:
    evening = evening_by("pub", {"sitter_pays": True}, names)
    offers = offers_of(evening.ruleset, evening.state.table, GERMAN)
    assert (price_data(evening, offers, GERMAN) is not None) == reckons


@pytest.mark.browser
@pytest.mark.one_in(18)
@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize(("pack", "tariff"), list(product(QUESTIONS["pack"], QUESTIONS["tariff"])))
def test_the_phone_reckons_as_the_server_does(open_page: OpenPage, pack: str, tariff: str, players: int) -> None:
    others = [key for key in QUESTIONS if key not in ("pack", "tariff")]
    asked, told, server = [], [], dict[str, dict[str, Any] | None]()
    for chosen in list(product(*(QUESTIONS[key] for key in others)))[:: examples(17, 1)]:  # 17 meets every answer
        answers = {"pack": pack, "tariff": tariff} | dict(zip(others, chosen, strict=True))
        evening = evening_by(*guided_rules(answers), FIVE[:players])
        table = price_data(evening, offers_of(evening.ruleset, evening.state.table, GERMAN), GERMAN)
        assert table is not None
        deals = deals_of(evening)
        asked.append((table, deals, FIVE[:players], list(range(4, players))))
        for taps, end in deals:
            same = json.dumps([{key: each for key, each in answers.items() if key not in APART}, taps, end])
            if same not in server:
                server[same] = of_server(evening, taps, end)
            told.append((answers, taps, end, server[same]))
    page = open_page()
    found = [each for answer in page.evaluate(RECKON, [SCRIPT.read_text(), asked]) for each in answer]
    wrong = [(told, phone) for (*told, right), phone in zip(told, found, strict=True) if right and phone != right]
    assert wrong == []
    assert sum(each is not None for *_, each in told) > len(told) * 0.9
