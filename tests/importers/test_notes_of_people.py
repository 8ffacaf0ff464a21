"""Lines of a note that set right, add to or count what another line told, and rows of amounts in many ways: read, or
asked about, and never passed over."""

import pytest
from support.typed_notes import HEAD, chat, read, told

from archive.record import Double


@pytest.mark.parametrize(
    "line",
    [
        "Spiel 1 zählt nicht", "Spiel 1 war doch verloren", "zu Spiel 1: Schneider vergessen", "1. Spiel falsch",
        "Nachtrag: Sepp hatte Kontra gegeben", "dito", "Gleiches Spiel nochmal!",
        # amounts in a way that is not read
        "Toni: 0,50- Lois: 1,50+ Vroni: 0,50- Sepp: 0,50-", "Toni (50) Lois 150 Vroni (50) Sepp (50)",
        "T -50 L +150 V -50 S -50",
    ],
)  # fmt: skip
def test_a_line_about_a_deal_before_or_in_a_way_that_is_not_read_is_asked_about(line: str) -> None:
    _, deals, findings = read(f"{HEAD}\nToni Wenz gewonnen\n{line}")
    assert (len(deals), [(each.rule, each.source.line) for each in findings]) == (1, [("bad-entry", 4)])


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        *((text, f"Spiel 2: {text}") for text in ("Sepp Wnez verloren", "Hwrz Solo Sepp verloren")),
        *((f"{who} Wenz verloren", who) for who in ("Maria", "Resi")),
    ],
)
def test_a_slip_in_a_numbered_deal_is_none_of_a_correction_and_who_is_not_at_the_table_is_named(
    line: str, entry: str
) -> None:
    (asked, *_) = read(f"{HEAD}\nToni Wenz gewonnen\nSpiel 2: {line}")[2]
    rule, hint = ("bad-entry", None) if entry.startswith("Spiel") else ("unknown-player", "")
    assert (asked.rule, asked.facts["entry"], asked.facts.get("hint"), asked.source.deal) == (rule, entry, hint, 2)


def test_details_on_lines_below_a_deal_belong_to_it() -> None:
    text = "Toni Wenz\n  Ergebnis: verloren\n  Augen: 45\nSepp Solo\n  Farbe: Gras\n  - gewonnen\n  a) 3 Laufende"
    _, (first, second), findings = read(f"{HEAD}\n{text}")
    assert (first.stated.won, first.stated.points, findings) == (False, 45, [])
    assert (second.game.suit, second.stated.won, second.stated.runner_count) == ("G", True, 3)


def test_a_tariff_between_deals_is_no_day() -> None:
    (session,), deals, _ = read(f"{HEAD}\n14.11.2026\nToni Wenz gewonnen\n10/20/50\nSepp Wenz verloren")
    assert (session.date, len(deals)) == ("2026-11-14", 2)


def test_pictures_before_the_head_of_a_note() -> None:
    (session,), deals, _ = read("🃏 Schafkopf\n👥 Toni, Lois, Vroni, Sepp\n💰 10/20/50\n📅 14.11.2026\n1️⃣ Toni Wenz ✅")
    assert (session.players, session.house, session.date) == (
        ("Toni", "Lois", "Vroni", "Sepp"),
        {"tariff": "10/20/50"},
        "2026-11-14",
    )
    assert len(deals) == 1


TABLE = """
| Nr | Spieler | Spiel | Partner | Ergebnis | Augen | Laufende |
|---:|---|---|---|:---:|---|---|
| 1 | **Toni** | Sauspiel Eichel | Lois | + | 67 | 0 |
| 2 | | alle weiter | | | | |
| 3 | Sepp | Herzsolo | - | v | 45:75 | 3 |
"""


def test_a_table_with_strokes_between_its_cells_has_a_deal_in_each_row() -> None:
    _, deals, findings = read(f"{HEAD}\n{TABLE}")
    assert [each.rule for each in findings] == ["lines-without-deal"]
    assert told(f"{HEAD}\n{TABLE}") == [("rufspiel", 0, True), ("none", None, None), ("solo", 3, False)]
    assert [deal.partner for deal in deals] == [1, None, None]
    stated = [deal.stated and (deal.stated.points, deal.stated.runner_count) for deal in deals]
    assert stated == [(67, 0), None, (45, 3)]


def test_a_row_of_such_a_table_that_is_not_understood_is_asked_about() -> None:
    _, deals, findings = read(f"{HEAD}\n{TABLE}| 4 | Toni | Wnez | | gewonnen | | |\n| 5 | Toni | Brotzeit | | | | |")
    assert (len(deals), [each.severity for each in findings]) == (3, ["error", "error", "note"])


def test_parts_below_a_game_and_who_plays_it_belong_to_it() -> None:
    _, (first, second), _ = read(f"{HEAD}\nSauspiel: Toni\nPartner: Lois\nErgebnis: gewonnen\nPreis: 20 ct\nWenz: Sepp")
    assert (first.partner, first.stated.won, first.stated.price, second.game.declarer) == (1, True, 20, 3)


@pytest.mark.parametrize("number", ["Spiel {}", "### Spiel {}", "{}. Spiel:"])
def test_a_block_of_parts_below_the_number_of_a_deal_is_one(number: str) -> None:
    first = f"{number.format(1)}\nSpieler: Toni\nPartner: Lois\nSpiel: Sauspiel Eichel\nErgebnis: gewonnen"
    second = f"{number.format(2)}\n- Ansager: Sepp\n- Spiel: Solo\n- Farbe: Herz\n- Augen: 45\n- Ergebnis: verloren"
    sessions, deals, findings = read(f"{HEAD}\n{first}\n\n{second}")
    assert (len(sessions), findings) == (1, [])
    assert told(f"{HEAD}\n{first}\n\n{second}") == [("rufspiel", 0, True), ("solo", 3, False)]
    assert [deal.stated and deal.stated.points for deal in deals] == [None, 45]


# --- what a message says of the deal before ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Des war doch verloren", "Nein, der Sepp!", "Äh Lois nicht Toni", "falsch, 70 ct", "*verloren", "*Geier",
        "Sepp*", "Kontra vergessen", "Moment, der Sepp hat Kontra gegeben", "Das war verloren", "1 Klopfer", "70 ct",
        "ungültig", "Zählt nicht!", "Geier, nicht Wenz", "Tippfehler: Lois", "Lois war's", "ach ne, verloren",
        "2 Punkte für Toni", "Wenz gewonnen", "Ramsch Sepp 52", "Toni Oachesolo gwunna", "Jetzt Bockrunde!",
        "ich meinte Sepp", "I hob an Wenz gwunna", "ich mit Lois auf die Blaue verloren",
        "hab Herz-Solo gewonnen mit 3",
    ],
)  # fmt: skip
def test_a_message_that_sets_a_deal_right_or_adds_to_it_is_asked_about(text: str) -> None:
    _, deals, findings = read(chat("Toni Wenz gewonnen", text))
    assert (len(deals), [(each.rule, each.source.line) for each in findings]) == (1, [("bad-entry", 3)])


@pytest.mark.parametrize(
    "text",
    [
        "Toni statt zu reden", "Sorry Toni", "Nein, der Sepp kommt nicht", "knapp gewonnen", "Toni hat a Sau",
        "Kein Bock", "Schlüssel vergessen", "Sepp fehlt", "*kommt", "Der Toni gibt", "Bayern hat verloren",
        "Hat Toni den Wenz gewonnen", "Weiter, wer gibt?", "Kein Spiel, bin krank", "Weiter geht's!",
        "Spiel 1 war der Wahnsinn", "Toni und Lois +1", "Runde 2 geht auf Lois", "na verloren ist verloren",
        "nein ich hab gewonnen", "Toni sein Wenz ist berüchtigt", "Bier für Toni", "Schönes Spiel für Lois",
        "Jetzt wird es eng für Lois", "ich spiel heut Wenz", "Resi kommt dazu", "ich hab noch nie an Wenz gewonnen",
        "Das Essen kommt, Schnitzel für Lois", "Toni übernimmt die Zeche",
    ],
)  # fmt: skip
def test_talk_behind_a_deal_is_talk(text: str) -> None:
    _, deals, findings = read(chat("Toni Wenz gewonnen", text))
    assert (len(deals), [each.rule for each in findings]) == (1, ["lines-without-deal"])


def test_a_message_that_only_adds_a_fact_belongs_to_the_deal_before() -> None:
    texts = ("Toni Wenz", "Sepp gibt Kontra", "er hat gewonnen", "+ Schneider", "D'Vroni Geier", "Der hat verloren 🙈")
    _, (first, second), findings = read(chat(*texts))
    assert (first.doubles, first.stated.won, first.stated.schneider) == ((Double(3, "kontra"),), True, True)
    assert ([second.game and second.game.declarer, second.stated.won], findings) == ([2, False], [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Geber Sepp, Toni Wenz gewonnen", ("wenz", 0, True)),
        ("Bockrunde Toni Wenz gewonnen", ("wenz", 0, True)),
        ("Gewonnen: Toni, Wenz", ("wenz", 0, True)),
        ("@\u2068Toni\u2069 Wenz gewonnen", ("wenz", 0, True)),
        ("D'Vroni hod an Wenz gwunna", ("wenz", 2, True)),
        *((text, ("solo", 2, True)) for text in ("Vroni's Herz-Solo gewonnen", "Vronis Herz-Solo gewonnen")),
        ("zamgschmissn 😂", ("none", None, None)),
    ],
)
def test_a_message_that_begins_otherwise_is_a_deal(text: str, expected: tuple[str, int | None, bool | None]) -> None:
    assert told(chat(text)) == [expected]


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("ab jetzt Bock", "notation.round-alone"),
        ("Doppelrunde:", "notation.round-alone"),
        ("Toni Wenz, Kontra gewinnt", "notation.whose-result"),
        ("Toni Wenz, Lois Kontra und gewonnen", "notation.whose-result"),
        ("Lois hat gegen Toni Wenz verloren", "notation.two-in-one-role"),
        ("Sepp hat sie", "notation.deal-word"),
        ("Toni hat letztes Mal den Wenz verloren", "notation.deal-word"),
        ("Toni Wenz gewonnen 21.30", "notation.deal-word"),
        ("14.11. Toni Wenz gewonnen", "notation.deal-word"),
        ("Toni Wenz gewonnen ohne 2 Klopfer", "notation.deal-word"),
        ("Toni Wenz gewonnen fuchzig", "notation.points-or-cents"),
        ("Ramsch → Lois", "notation.name-behind"),
        ("Kreuz, Toni und Lois gewinnen", "notation.round-or-suit"),
        ("Toni Wenz verloren 50\nSauspiel Lois mit Toni gewonnen 20", "notation.points-or-cents"),
        ("Toni Wenz ❌ 50\nSauspiel Lois mit Toni ✅ 20", "notation.points-or-cents"),
        ("Toni Wenz gewonnen, Lois gibt kein Kontra", "notation.deal-word"),
        ("Toni Wenz verloren 50\nSauspiel Lois mit Toni, gewonnen, 20", "notation.points-or-cents"),
        ("Toni Wenz verloren 50\nSauspiel Lois mit Toni gewonnen Schneider 30", "notation.points-or-cents"),
        ("Toni Wenz gewonnen 70\nLois Solo verloren 90", "notation.points-or-cents"),
        ("Toni Wenz gewonnen, dann ist wieder eine Bockrunde", "notation.round-alone"),
        ("Toni Wenz, Gegner Schneider gewonnen", "notation.whose-result"),
        ("Toni Wenz, Gegner haben Schneider", "notation.deal-word"),
        ("Toni+Lois: 20, Vroni+Sepp: -20", "notation.amount-for-each"),
        ("Sepp: 150, Rest: -50", "notation.amount-for-each"),
        ("Ruf Lois/Vroni 20 (G)", "notation.amount-for-each"),
        ("Toni Wenz geschenkt", "notation.who-gave-up"),
        ("Toni Wenz vergeben", "notation.game-alone"),
        ("Koana hod wos ghabt, zamgschmissn", "notation.deal-word"),
        ("Ab jetzt Gerd für Lois", "importers.stand-in-line"),
        ("Gerd statt Lois", "importers.stand-in-line"),
        ("Lois muss heim, Gerd übernimmt", "importers.stand-in-line"),
        ("Wechsel: Gerd für Lois", "importers.stand-in-line"),
        ("from now on Gerd for Lois", "importers.stand-in-line"),
        ("Toni Solo mit 2 Kontra gewonnen", "notation.kontra-twice"),
        ("Letztes Spiel mit Kontra", "importers.correction"),
        ("Resi kommt dazu", "importers.stand-in-line"),
        ("Lois geht heim, Resi steigt ein", "importers.stand-in-line"),
        ("Spielerwechsel Resi für Lois", "importers.stand-in-line"),
        ("Toni mit Lois auf die Alte 1:0", "notation.points-or-clock"),
        ("Toni Wenz gewonnen mit Klopfern", "notation.how-many-knocks"),
        ("Toni u Lois +20", "notation.amount-for-each"),
        ("Toni verliert Wenz mit 12", "notation.number-of-what"),
        ("❌ Toni Wenz", "notation.deal-word"),
        ("Toni Wenz gewonnen ❌", "notation.both-ways"),
        ("Wenz: Lois zahlt 50 Cent", "notation.deal-word"),
        *((text, "notation.amount-for-each") for text in ("Jetzt 20 -20 20 -20", "20 -20 20 -20 zusammen")),
        ("Toni Sauspiel auf die Blaue, Resi ist dabei, gewonnen", "notation.deal-word"),
        *((text, "importers.stand-in-line") for text in ("Ab jetzt mit Resi statt Lois", "Resi for Lois from 9 pm on")),
    ],
)
def test_what_was_misread_in_silence_is_asked_about(line: str, id: str) -> None:
    _, deals, (asked, *_) = read(f"{HEAD}\nToni Wenz gewonnen\n{line}")
    assert (len(deals), asked.facts["expected"].id, asked.source.line) == (1, id, 4)


def test_crosses_before_all_lines_are_bullets_and_else_asked_about_as_they_are_written() -> None:
    lines = ("Toni Wenz gewonnen", "Sepp Wenz verloren", "Lois Wenz gewonnen")
    deals = read(f"{HEAD}\n" + "\n".join(f"✖\ufe0f {line}" for line in lines))[1]
    assert [deal.stated and deal.stated.won for deal in deals] == [True, False, True]
    assert len(read(f"{HEAD}\nToni Wenz gewonnen\nToni Wenz verloren\n✖ Toni Wenz")[1]) == 2
    for others in ("✖ Toni Wenz gewonnen\nSepp Wenz verloren", "✖ Toni Wenz gewonnen\n✖ Sepp Wenz gewonnen"):
        assert read(f"{HEAD}\n{others}")[2][0].facts["expected"].id == "notation.both-ways"
    assert read(f"{HEAD}\n✖ Toni Wenz")[2][0].facts["expected"].facts["word"] == "✖"


def test_amounts_behind_the_names_of_a_list_are_asked_about() -> None:
    asked, *_ = read("Spieler: Toni (+20), Lois (-20), Vroni (+20), Sepp (-20)\nToni Wenz gewonnen")[2]
    assert asked.facts["expected"].id == "importers.player-list"


def test_words_in_brackets_behind_the_last_name_are_no_name_of_his() -> None:
    _, deals, findings = read("Spieler: Toni, Lois, Vroni, Sepp (Resi kommt später)\nResi Wenz gewonnen")
    assert (deals, {each.rule for each in findings}) == ([], {"unknown-player", "lines-without-deal", "no-deals"})
    assert told("Spieler: Toni, Lois, Vroni, Sepp (der Lange)\nLange Wenz verloren") == [("wenz", 3, False)]


SUITS = {"H": ("Herz", "Solo H", "Solo-H"), "E": ("die Alte",)}
WITH_LETTERS = "Hans (H), Toni (T), Sepp (S), Lois (L)"


@pytest.mark.parametrize(
    ("names", "line"),
    [
        *((WITH_LETTERS, line) for line in ("T Wenz H klopft, gewonnen", "Wenz H gewonnen", "T auf H mit S gewonnen")),
        *((WITH_LETTERS, line) for line in ("T Ruf H gewonnen", "Toni ruft H gewonnen", "T Solo H Kontra")),
        *(("H, T, S, L", line) for line in ("T Ruf H gewonnen", "T ruft H gewonnen", "Solo H gewonnen", "T Wenz H +")),
        *(("Anna, Toni, Sepp, Lois", line) for line in ("A Wenz gewonnen", "Toni Ruf A gewonnen")),
        *(("Hans, Toni, Sepp, Lois", line) for line in ("Ruf S gewonnen", "Solo H mit 3 gewonnen", "Wenz S gewonnen")),
    ],
)
def test_a_letter_that_may_be_a_player_or_a_suit_is_asked_about(names: str, line: str) -> None:
    _, deals, (asked, *_) = read(f"Spieler: {names}\n{line}")
    assert (deals, asked.facts["expected"].id) == ([], "notation.name-or-result")


def test_the_suit_of_a_game_with_a_stroke_is_no_player() -> None:
    assert read(f"{HEAD}\nS-Solo gewonnen")[1] == []


def test_a_letter_behind_a_ramsch_is_a_player_and_who_pays_it_lost_it() -> None:
    (counted,) = read("Spieler: Hans (H), Toni (T), Sepp (S), Lois (L)\nRamsch H 20 T 40 S 30 L 30")[1]
    assert getattr(counted.stated, "points", None) == (20, 40, 30, 30)
    deals = read(f"{HEAD}\nRamsch, Sepp zahlt\nSepp zahlt den Ramsch")[1]
    assert [deal.stated and deal.stated.loser for deal in deals] == [3, 3]


def test_kontra_that_is_lost_is_none_of_the_player_behind_it() -> None:
    (deal,) = read(f"{HEAD}\nKontra verloren: Toni Wenz")[1]
    assert (deal.game and deal.game.declarer, deal.doubles) == (0, 1)


def test_a_number_beside_a_price_counts_points_and_numbers_that_are_asked_about_are_no_amounts_of_players() -> None:
    cents = "Sauspiel Lois mit Toni gewonnen 20"
    _, (told,), asked = read(f"{HEAD}\nToni Wenz verloren 50, 50 ct\n{cents}")
    assert (told.stated.points, told.stated.price, len(asked)) == (50, 50, 1)
    for more in ("gewonnen, 2x Kontra", "gewonnen, 1 Jungfrau", "gewonnen, 3"):
        assert read(f"{HEAD}\nToni Wenz verloren 50\n{cents}\nSepp Wenz {more}")[2][0].source.line == 3
    assert read(f"{HEAD}\nToni Wenz verloren 50\nGegner gewonnen 40, Sepp Wenz")[2][0].source.line == 3
    played = read(f"{HEAD}\nToni Wenz gewonnen 70\nRamsch Sepp gewonnen 20\ngewonnen, 20 Uhr\nSepp Wenz verloren 50")[1]
    assert [deal.stated.points for deal in played] == [70, 50]
    *asked, none = read(f"{HEAD}\nToni Wenz verloren 50\n{cents}\nSepp Wenz verloren 70")[2]
    assert ([each.source.line for each in asked], none.rule) == ([3, 4, 5], "no-deals")


@pytest.mark.parametrize(
    ("names", "line", "expected"),
    [
        ("S1, S2, S3, S4", "3. S3: Herzsolo verloren", ("solo", 2, False)),
        ("S1, S2, S3, S4", "S2: Wenz verloren", ("wenz", 1, False)),
        ("A, B, C, D", "C won a Wenz", ("wenz", 2, True)),
        ("Hans, Toni, Sepp, Lois", "Hans' Wenz verloren", ("wenz", 0, False)),
        ("Herz, König, Ober, Gras", "Herz: Herz Solo verloren", ("solo", 0, False)),
        *(
            ("Hans (H), Toni (T), Sepp (S), Lois (L)", line, told)
            for line, told in {
                "H Wenz verloren": ("wenz", 0, False),
                "T Wenz gewonnen, L3, H gelegt": ("wenz", 1, True),
                "T Solo H verloren": ("solo", 1, False),
                "T Solo-H verloren": ("solo", 1, False),
                "T auf die Alte mit L 3 Laufende, verloren": ("rufspiel", 1, False),
                "Geber H, T Wenz verloren": ("wenz", 1, False),
                "Wenz von H, verloren": ("wenz", 0, False),
                "Herzsolo S gewonnen": ("solo", 2, True),
                "T Ruf Herz mit H gewonnen": ("rufspiel", 1, True),
                "A Wenz von H, verloren": ("wenz", 0, False),
                "der H Wenz verloren": ("wenz", 0, False),
            }.items()
        ),
    ],
)
def test_names_that_are_marks_articles_and_suits(names: str, line: str, expected: tuple[str, int, bool]) -> None:
    assert told(f"Spieler: {names}\n{line}") == [expected]
    assert [deal.game and deal.game.suit for deal in read(f"Spieler: {names}\n{line}")[1]] == [
        next((suit for suit, words in SUITS.items() if any(word in line for word in words)), None)
    ]


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("Toni Wenz gewonnen mit einundneunzig", "points", 91),
        ("Toni Wenz gewonnen, dreißig Cent", "price", 30),
        ("Toni Wenz gewonnen + 3 Laufende", "runner_count", 3),
        ("Lois EA mit Toni gewonnen", "won", True),
        ("Toni Wenz verloren, nicht schneiderfrei", "schneider", True),
        ("Toni +1,50 €, Lois -50 ct, Vroni -50 ct, Sepp -50 ct", "payments", (150, -50, -50, -50)),
        ("Toni +150 ct, Lois -50 ct, Vroni -50 ct, Sepp -50 ct", "payments", (150, -50, -50, -50)),
        # the rest are all who are not named, if it adds up
        ("Toni Wenz gewonnen, Rest -50 ct, Toni +1,50", "payments", (150, -50, -50, -50)),
        ("Toni Wenz gewonnen, Rest -.50, Toni +1.50", "payments", (150, -50, -50, -50)),
        ("Toni +150, Rest -50", "payments", (150, -50, -50, -50)),
        ("Toni Wenz verloren: Toni -1,50, alle anderen +0,50", "payments", (-150, 50, 50, 50)),
        ("Wenz: Toni +150, Lois/Vroni und Sepp -50", "payments", (150, -50, -50, -50)),
        ("Wenz:\nLois/Vroni/Sepp -50\nToni +150", "payments", (150, -50, -50, -50)),
        ("Toni und Lois je +20, Vroni u. Sepp je -20", "payments", (20, 20, -20, -20)),
        ("Toni/Lois 20, Vroni/Sepp -20", "payments", (20, 20, -20, -20)),
        ("Toni u Lois jeder 20, Vroni u Sepp je -20", "payments", (20, 20, -20, -20)),
        ("Toni and Lois each +20, Vroni and Sepp each -20", "payments", (20, 20, -20, -20)),
        ("Spiel: 20 -20 20 -20", "payments", (20, -20, 20, -20)),
        # amounts without noughts, with the number of their deal, with signs between them
        ("Toni -.20 Lois +.20 Vroni -.20 Sepp +.20", "payments", (-20, 20, -20, 20)),
        ("Toni -,20 Lois +,20 Vroni -,20 Sepp +,20", "payments", (-20, 20, -20, 20)),
        ("Toni -1,- Lois 1,- Vroni -1.– Sepp +1.–", "payments", (-100, 100, -100, 100)),
        ("1 -20 20 -20 20", "payments", (-20, 20, -20, 20)),
        ("-50/150/-50/-50", "payments", (-50, 150, -50, -50)),
        ("-50;150;-50;-50", "payments", (-50, 150, -50, -50)),
        ("-50 | 150 | -50 | -50", "payments", (-50, 150, -50, -50)),
        ("-0,50 / 1,50 / -0,50 / -0,50", "payments", (-50, 150, -50, -50)),
        # amounts behind a deal need no plus if there is one for each; a check finds the wrong ones
        *(
            (f"Toni Wenz gewonnen {row}".replace("OWN", own), "payments", (int(own), -50, -50, -50))
            for own in ("150", "140")
            for row in ("OWN -50 -50 -50", "mit 74, OWN −50 −50 −50", "(OWN/-50/-50/-50)")
        ),
        ("Toni Wenz gewonnen | 1,50 | -0,50 | -,50 | -.50", "payments", (150, -50, -50, -50)),
        ("Toni Wenz gewonnen | 1,40 | -0,50 | -,50 | -.50", "payments", (140, -50, -50, -50)),
        # what each pays stands behind the deal
        *(
            (f"Toni Wenz gewonnen {price}", "price", 60)
            for price in ("\n60 ct", "\nje 60 Cent", "-> 0,60", "=> 60 ct", "60c", "jeder 60 Cent", "60 ct pro Nase")
        ),
        # points of both sides, and of each player in a Ramsch
        *(
            (f"Toni Wenz verloren {points}", "points_against", 65)
            for points in ("55-65, 2 Klopfer", "55/65", "(55/65)", "55 / 65", "55-65")
        ),
        ("Toni Wenz verloren 55/65", "points", 55),
        ("Ramsch: Toni 20, Lois 35, Vroni 50, Sepp 15", "points", (20, 35, 50, 15)),
        ("Ramsch Sepp 15 Lois 35 Toni 20 und Vroni 50 Augen", "points", (20, 35, 50, 15)),
        ("Ramsch Toni: 20 / Lois: 35 / Vroni: 50 / Sepp: 15", "points", (20, 35, 50, 15)),
        ("Ramsch Toni: 20 / Lois: 35 / Vroni: 50 / Sepp: 15", "loser", None),
        # what is counted stands before its number
        ("Toni: Solo, Herz; verloren; Augen: 45; Klopfer: 2; Laufende: 3", "points", 45),
        ("Toni: Solo, Herz; verloren; Augen: 45; Klopfer: 2; Laufende: 3", "runner_count", 3),
        ("Toni: Solo, Herz; verloren; Augen: 45; Klopfer: 2; Laufende: 3", "knocks", 2),
        ("Toni Herzsolo verloren Laufende 3 45 Augen Klopfer 2", "points", 45),
        ("Toni Herzsolo verloren Laufende 3 45 Augen Klopfer 2", "runner_count", 3),
        ("Toni Herzsolo verloren Laufende 3 45 Augen Klopfer 2", "knocks", 2),
    ],
)
def test_a_number_in_a_line_is_what_it_counts(line: str, key: str, value: object) -> None:
    _, (deal,), findings = read(f"{HEAD}\n{line}")
    assert (getattr(deal if key == "knocks" else deal.stated, key), findings) == (value, [])


def test_who_stands_in_brackets_behind_kontra_has_said_it() -> None:
    (deal,) = read(f"{HEAD}\nToni Sauspiel Eichel gewonnen, Kontra (Lois)")[1]
    assert (deal.partner, deal.doubles) == (None, (Double(1, "kontra"),))
