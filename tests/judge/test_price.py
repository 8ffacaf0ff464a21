"""A deal that is told in words has the price that its cards would give; what is not understood is said."""

from pathlib import Path
from typing import Any

import pytest
from support.rulesets import load_rules

from archive.judge import Judgement
from archive.judge.price import price_of
from archive.record import Finding
from archive.rules import bundled, load

HOUSE = {"tariff": "10/20/50"}


def judged(text: str, rules: str = "pub", house: dict[str, Any] = HOUSE) -> Judgement:
    found = price_of(text, rules, house, "en")
    assert isinstance(found, Judgement), found
    return found


def asked(text: str, rules: str = "pub") -> Finding:
    """The first finding of what is not understood."""
    found = price_of(text, rules, HOUSE)
    assert not isinstance(found, Judgement)
    return found[0]


SEPP = ("Sepp", "Toni", "Opponent 1", "Opponent 2")
ALONE = ("Sepp", "Opponent 1", "Opponent 2", "Opponent 3")


@pytest.mark.parametrize(
    ("text", "players", "payments"),
    [
        ("Sepp Sauspiel auf die Alte mit Toni, verloren, 3 Laufende", SEPP, (-50, -50, 50, 50)),
        ("Sepp lost a call game on the ace of acorns with Toni, 3 runners", SEPP, (-50, -50, 50, 50)),
        ("Sauspiel Eichel Sepp mit Toni verliert ohne 3", SEPP, (-50, -50, 50, 50)),
        ("Sepp und Toni, Eichel-Sau, gewonnen mit 91:29, Schneider, 1 Klopfer", SEPP, (60, 60, -60, -60)),
        ("Sepp Herzsolo, gewonnen mit 91, Schneider, Kontra, Re", ALONE, (720, -240, -240, -240)),
        ("Sepp Herz-Solo Tout gewonnen", ALONE, (300, -100, -100, -100)),
        ("Sepp Solo gewonnen", ALONE, (150, -50, -50, -50)),
        ("Sepp plays Wenz with 2, won with 80 points, knocked twice", ALONE, (840, -280, -280, -280)),
        ("Wenz mit 2, Sepp gewinnt, 80 Augen, zweimal geklopft", ALONE, (840, -280, -280, -280)),
        ("Sepp verliert Ramsch", ALONE, (-60, 20, 20, 20)),
        ("Sepp Wenz gewonnen mit 2", ALONE, (210, -70, -70, -70)),
        ("Sepp Tout Herz Solo gewonnen", ALONE, (300, -100, -100, -100)),
        ("Sepp Sie", ALONE, (600, -200, -200, -200)),
        ("Sepp Sie alone, won", ALONE, (600, -200, -200, -200)),
        ("Sepp Ace of Bells with Toni, won 75", SEPP, (20, 20, -20, -20)),
        ("Sepp Wenz won, all runners", ALONE, (270, -90, -90, -90)),
        ("Sepp Wenz gewonnen mit allen Laufenden", ALONE, (270, -90, -90, -90)),
        ("Ramsch verloren von Sepp mit Jungfrau", ALONE, (-120, 40, 40, 40)),
        ("Ramsch verloren von Sepp ohne Jungfrau", ALONE, (-60, 20, 20, 20)),
    ],
)
def test_words_of_either_language_in_any_order_have_a_price(
    text: str, players: tuple[str, ...], payments: tuple[int, ...]
) -> None:
    found = judged(text)
    assert (found.session.players, found.settlement.payments) == (players, payments)


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("Sauspiel mit dreien gewonnen", 50),
        ("Ruf gewonnen L3", 50),
        ("Wenz m2 gewonnen", 70),
        ("Wenz mit 2 Kontra Re gewonnen", 280),
        ("Wenz mit 2 gespritzt gewonnen", 140),
        ("Eichelsolo o. 3 verl. Kontra", 160),
        ("Eichelsolo o3 verl. Kontra", 160),
        ("Sauspiel mit Laufenden 3, verloren mit 45", 50),
        ("Sauspiel, Laufende: 3, verloren", 50),
        ("Gras-Solo, im Schneider verloren", 60),
        ("Gras-Solo verloren, aus'm Schneider", 50),
        ("Gras-Solo verloren, aus dem Schneider", 50),
        ("won call ace game with three runners and schneider", 60),
        ("Rufspiel gewonnen, Sepp klopft", 40),
        ("A Rufspiel mit B gewonnen", 20),
        ("Gegner haben gewonnen, Rufspiel, 90 Augen", 30),
        ("Wenz, Gegner 30 Augen", 50),
        ("Rufspiel gewonnen mit fünfundneunzig, Schneider", 30),
        ("Rufspiel gewonnen gegen die Gegner, Sepp legt", 40),
        ("Wenz gegen die anderen gewonnen", 50),
        ("Rufspiel, gestoßen und zurückgestoßen, verloren", 80),
    ],
)
def test_short_forms_count_as_they_are_said(text: str, price: int) -> None:
    assert judged(text).settlement.price == price


@pytest.mark.parametrize(
    ("text", "word"),
    [("Rufspiel gewonnen {}", word) for word in "Verdoppelt Hirsch Supra Unentschieden S SS X3 Hoch Zorn Mord".split()]
    + [("{} Rufspiel gewonnen", word) for word in ("Verdoppelt", "Hausbock", "Durchmarsch", "Durchbruch", "R", "X3")]
    + [
        ("Rufspiel gewonnen, {}", "Pflichtspiel"),
        ("Rufspiel gewonnen, Kontra {} nicht", "gilt"),
        ("Rufspiel gewonnen und {}", "gekontert"),
        ("Rufspiel mit {} gewonnen", "vierfach"),
        ("Solo gewonnen {}", "H"),
        ("Solo gewonnen {} 2 Klopfer", "Laufende"),
    ],
)
def test_a_word_that_may_change_the_price_is_no_players_name(text: str, word: str) -> None:
    found = asked(text.format(word))
    assert (found.rule, word in str(found.facts["expected"])) == ("bad-entry", True)


@pytest.mark.parametrize(("rules", "text"), [("patience", "Rufspiel gewonnen"), ("vicars", "Ramsch Sepp 2 Jungfrauen")])
def test_a_game_for_more_players_than_the_table_has_is_a_finding(rules: str, text: str) -> None:
    found = judged(text, rules, {})
    assert "contract-not-played" in [each.rule for each in found.findings]


def test_every_line_of_the_price_has_its_source() -> None:
    found = price_of("Sepp Sauspiel auf die Alte, verloren, 3 Laufende", "pub", HOUSE, "de")
    assert found.session.players == ("Sepp", "Mitspieler", "Gegner 1", "Gegner 2")
    assert [line.amount for line in found.settlement.lines] == [20, 30]
    assert all(line.cite for line in found.settlement.lines)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("Sepp Sauspeil auf die Alte, verloren", "did you mean sauspiel?"),
        ("Wenz verlorren", "did you mean verloren?"),
        ("Wenz, gewonnen mit 12", "what 12 counts"),
        ("Wenz, gewonnen, verloren", "won once"),
        ("Solo mit Toni, gewonnen", "no partner"),
        ("gewonnen mit 74", "'gewonnen mit 74' names no known contract"),
        ("Solo gewonnen, 30 Laufende", "at most 14"),
        ("Wenz verloren mit 2", "what 2 counts"),
        ("Herzsolo gewonnen, 75", "75 points or 75 ct"),
        ("Herzsolo gewonnen, 121", "at most 120 card points, not 121"),
        ("Herzsolo gewonnen mit 121", "at most 120 card points, not 121"),
        ("Sauspiel gewonnen, alle Laufenden", "how many runners, as 3 runners"),
        ("Ramsch verloren von Anna mit Jungfrauen", "as 2 virgins"),
        ("Wenz gewonnen mit", "name behind mit"),
        ("Wenz ohne Sepp gewonnen", "Sepp is none of them"),
        ("Wer hat den Wenz gewonnen", "Wer is none of them"),
        ("Sepp Wenz, Kontra gewinnt", "whose result gewinnt is"),
        ("Alle weiter allein", "without a player"),
        ("Ramsch: Sepp 70, Toni 40", "70 counts"),
        ("Wenz, Gegner verlieren, Spieler 80 Augen", "whose card points 80 are"),
        ("Wenz gewonnen, jeder hat geklopft", "how many knocked"),
        ("Alle haben gelegt, Wenz gewonnen", "how many knocked"),  # and not somebody called Alle
        ("Solo gewonnen, gelegt von beiden", "beiden is none of them"),
        ("Doppelbock, Sauspiel gewonnen", "Doppelbock is none of them"),
        ("Solo mit 2 Kontra gewonnen", "how often it was doubled"),  # or two runners and Kontra
        ("Solo mit 3 Stößen verloren", "how often it was doubled"),
        ("Solo mit 3 Stöße verloren", "how often it was doubled"),
    ],
)
def test_what_is_not_understood_is_said_and_has_no_price(text: str, piece: str) -> None:
    message = asked(text).message
    assert piece in message
    assert not message.startswith("game:")


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("Wenz won", ["schneider", "schwarz", "runners", "doublings"]),
        ("Wenz won, Kontra", ["schneider", "schwarz", "runners", "knocks"]),
        ("Wenz won, no runners, 2 knocks", ["schneider", "schwarz", "kontra"]),
        ("Wenz gewonnen, ohne Laufende, ohne Schneider, kein Schwarz, keine Klopfer, kein Kontra", []),
        ("Ramsch Sepp verliert, keine Klopfer", ["virgins"]),
        ("Ramsch Sepp 65, Toni 33, Lois 22, Vroni 0, keine Klopfer", ["trick-without-points"]),  # Vroni is a virgin
    ],
)
def test_what_is_said_is_not_among_what_nobody_wrote(text: str, silent: list[str]) -> None:
    found = price_of(text, "pub", HOUSE)
    assert [each.id for each in found.unwritten] == [f"missing.{each}" for each in silent]


@pytest.mark.parametrize(
    ("rules", "text", "payments"),
    [
        ("three-player-blind", "Herzsolo, Gebot 70, 69 Augen", (-80, 40, 40)),  # 002 06.3
        ("three-player-blind", "Herzsolo, gereizt bis 70, mit 70", (80, -40, -40)),
        ("three-player-blind", "Herzsolo, bis 70 gereizt, mit 70", (80, -40, -40)),
        ("three-player-blind", "Herzsolo, Gebot: 70, mit 70", (80, -40, -40)),
        ("three-player-blind", "Wenz, 75 geboten, verloren mit 74", (-80, 40, 40)),
        ("three-player-blind", "Hearts solo hand, bid 70, won with 70 points", (160, -80, -80)),
        ("bierkopf", "Bierkopf 91:29", (20, -20, 20, -20)),  # 001: told of the first player's side
        ("bierkopf", "Bierkopf 90:30", (10, -10, 10, -10)),
        ("bierkopf", "Bierkopf gewonnen", (10, -10, 10, -10)),
        ("bierkopf", "Bierkopf 60:60", (0, 0, 0, 0)),
        ("bierkopf", "Bierkopf 29:91", (-20, 20, -20, 20)),
        ("bierkopf", "Bierkopf verloren 29:91", (-20, 20, -20, 20)),
        ("bierkopf", "Sepp Bierkopf verloren, Schneider", (-20, 20, -20, 20)),
        ("pub", "Ben Wenz gewonnen, Cem und Dora klopfen", (600, -200, -200, -200)),  # 001 Legen
        ("expats", "Ramsch: Ben 70, Cem 50, Dora 0, Ewa 0, Ewa und Dora Jungfrau", (-50, 10, 20, 20)),
        ("bavarian", "Herzsolo verloren, 8 Laufende", (-390, 130, 130, 130)),  # 001 Runners: of either side
        ("langendorf", "offener Bettel gewonnen", (90, -30, -30, -30)),  # 001: double
        ("langendorf", "Sepp aufgelegter Bettel verloren", (-90, 30, 30, 30)),
        ("palatinate", "Herz-Solo Du verloren, 6 mal hoch", (-44, 22, 22)),  # 004: the worked examples
        ("asserufen", "Assrufer gewonnen mit 94, 4 hoch", (6, 6, -6, -6)),
        ("expats", "Ramsch: Matze 51, Lukas 27, Robert 24, Hans 18", (-30, 10, 10, 10)),  # 002 04
        ("expats", "Ramsch Hans 0, Jürgen 60, Brian 30, Christian 30", (20, -40, 10, 10)),  # 002 01.4
        ("expats", "Ramsch: Sepp 70, Toni 50", (-50, 10, 20, 20)),  # 002 01.4: who has no points is a virgin
        ("bavarian-tournament", "Muss-Spiel gewonnen mit 90", (2, 2, -2, -2)),  # 001: a Rufer
        ("bavarian-tournament", "Muss auf den Eichel-König, verloren mit 29", (-2, -2, 2, 2)),  # with all Aces and Tens
        ("bavarian-tournament", "Sepp muss Schellen-Zehn mit Ben, verloren", (-1, -1, 1, 1)),
        ("asserufen", "Anna calls the ten of bells with Ben, lost", (-1, -1, 1, 1)),  # 004: with the three Aces
        ("sheepshead-basic", "Jacks Schwarz won", (300, -100, -100, -100)),  # 003 1.3: a Tout
        ("sheepshead-basic", "Jacks Solo, schwarz, won", (210, -70, -70, -70)),
        ("palatinate", "Einfaches Spiel Kreuz gewonnen", (2, -1, -1)),
        ("expats", "the defence wins a heart solo with 68 points", (-120, 40, 40, 40)),  # 002 03.2
    ],
)
def test_what_the_documents_tell_has_their_price_in_words(rules: str, text: str, payments: tuple[int, ...]) -> None:
    found = judged(text, rules, {})
    assert (found.settlement.payments, found.findings) == (payments, ())


@pytest.mark.parametrize(
    ("text", "rules", "payments"),
    [
        ("Kreuzrunde: Sepp Kreuz mit Toni, verloren, Schneider", "bavarian", (-20, -20, 20, 20)),
        ("Kreuzrunde: Kreuz 61:59, 1 Klopfer", "langendorf", (10, -10, 10, -10)),
    ],
)
def test_001_kreuz_in_a_kreuz_round_is_the_game_and_no_suit(text: str, rules: str, payments: tuple[int, ...]) -> None:
    found = judged(text, rules, {})
    assert (found.deal.game.contract, found.settlement.payments, found.findings) == ("kreuz", payments, ())
    assert ("missing.kontra" in [each.id for each in found.unwritten]) == (rules == "bavarian"), "nobody to double"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Wenz gewonnen, Retour", "it answers a Kontra"),
        ("Sepp Wenz gewonnen, Hans Re", "it answers a Kontra"),
        ("Wenz gewonnen, Kontra, Kontra", "how often it was doubled"),
    ],
)
def test_001_doubling_a_retour_alone_and_a_stoss_twice_are_asked_about(text: str, question: str) -> None:
    assert question in asked(text, "bavarian").message
    both = judged("Wenz gewonnen, Stoss, Retour", "bavarian", {})
    assert both.settlement.payments == (600, -200, -200, -200)


@pytest.mark.parametrize(
    ("text", "rules", "rule"),
    [
        ("Herzsolo, gewonnen mit 45", "pub", "stated-won"),
        ("Bierkopf verloren, 91:29", "bierkopf", "stated-won"),
        ("Wenz Tout, gewonnen mit 100", "bavarian", "stated-won"),  # 001: all tricks have all points, none has none
        ("Wenz, schwarz gewonnen mit 119", "bavarian", "stated-schwarz"),
        ("Bettel, gewonnen mit 20 Augen", "pub", "stated-won"),
        ("Wenz, schwarz gewonnen mit 110, Gebot 70", "three-player-blind", "stated-schwarz"),
        # cards that lie aside count without a trick
        ("Wenz, schwarz gewonnen mit 110", "vicars", ""),  # what lies in the other's pile counts to the other
        ("Big Solo Herz, gewonnen mit 60", "bauernstoss", ""),  # the partner's cards are not played
        ("Wenz Tout, verloren mit 100", "bavarian", ""),
        ("Eichelsolo, schwarz verloren mit 15", "palatinate", ""),  # the skat counts to the declarer
    ],
)
def test_facts_that_contradict_each_other_are_findings(text: str, rules: str, rule: str) -> None:
    found = judged(text, rules, {})
    assert (rule or found.basis, [each.rule for each in found.findings]) == (rule or "facts", [rule] if rule else [])


@pytest.mark.parametrize("text", ["Bock Gebot 75, 140 Augen", "Gais, bid 75, 137:20"])
def test_002_06_4_a_jass_has_157_points_and_a_bock_that_is_bid_is_no_round(text: str) -> None:
    assert price_of(text, "bodensee-jass", {}).settlement.marks == (1, -1)  # the other in the sack


@pytest.mark.parametrize(
    ("rules", "why"), [("palatinate", "prices-prevail"), ("bavarian-tournament", "table-prevails")]
)
def test_a_tariff_that_changes_no_price_is_said_beside_it(rules: str, why: str) -> None:
    found = price_of("Herzsolo gewonnen", rules, {"tariff": "10/20"})
    assert (found.basis, [each.facts["why"].id for each in found.findings]) == ("facts", [f"rules.{why}"])


def test_who_won_is_never_guessed() -> None:
    found = price_of("Herzsolo", "pub", HOUSE)
    assert [each.id for each in found.missing] == ["missing.won"]


# --- every contract of every house ------------------------------------------------------------------------------------

NEEDS_CARDS = {"sixty-six"}  # a call, and what both have, decide
# A game in turns is settled from its turns and the cards that lie open, which no words tell.
HOUSES = {rules: load(rules, None, Path())[0].house for rules in bundled()}  # type: ignore[union-attr]
NAMED = [
    (rules, name)
    for rules, house in HOUSES.items()
    for name in (house.contracts if house.play == "tricks" else ())
    if name != "ramsch" or not house.ramsch.bonus_under  # the points of each decide there
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("rules", "contract"), [pair for pair in NAMED if pair[1] not in NEEDS_CARDS])
def test_every_contract_of_every_ruleset_is_priced_by_each_of_its_names(rules: str, contract: str) -> None:
    ruleset = load_rules(rules, None, Path())
    row = ruleset.contracts[contract]
    suit = {"trump": ("Herz ", "Hearts "), "called": ("Eichel ", "Acorn ")}.get(row.takes, ("", ""))
    for name in (row.title, *row.names):
        ends = [("Anna verliert ", ""), ("Anna loses ", "")]
        if row.declarer:
            ends = [("", " gewonnen"), ("", " won")]
            if ruleset.house.marks is not None:
                ends = [("", ", gewonnen mit 95 Augen"), ("", ", won with 95 points")]
            if row.goal == "reach-bid":
                ends = [("", ", Gebot 80, 79 Augen"), ("", ", bid 80, lost with 79 points")]
        for of, (before, after) in zip(suit, ends, strict=True):
            found = judged(f"{before}{of}{name}{after}", rules, {})
            assert (found.basis, found.deal.game.contract) == ("facts", contract), (name, found.reason, found.missing)
            assert found.settlement.lines
            assert found.settlement.payments or found.settlement.marks
            assert not [each for each in found.findings if each.severity == "error"]
