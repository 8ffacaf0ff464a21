"""Notes, chats and mails with what programs and people put around and into a line: struck-out words, ticks and crosses,
days between the deals, quotes. Each has the right value."""

import json

import pytest
from support.typed_notes import HEAD, NAMES, chat, read, told


@pytest.mark.parametrize(
    "struck",
    [
        "~~Toni Wenz gewonnen~~",
        "- ~~Toni Wenz gewonnen~~",
        "3. ~~Toni Wenz gewonnen~~",
        "~Toni Wenz gewonnen~",
        "".join(f"{sign}\u0336" for sign in "Toni Wenz gewonnen"),
    ],
)
def test_a_line_that_is_struck_out_is_no_deal(struck: str) -> None:
    assert told(f"{HEAD}\n{struck}\nSepp Wenz verloren") == [("wenz", 3, False)]
    assert told(chat(struck, "Sepp Wenz verloren")) == [("wenz", 3, False)]


@pytest.mark.parametrize("struck", ["~~verloren~~", "~verloren~", "→ ~~verloren~~"])
def test_what_is_struck_out_in_a_line_does_not_count(struck: str) -> None:
    assert told(f"{HEAD}\nToni Wenz {struck} gewonnen") == [("wenz", 0, True)]
    assert told(chat(f"Toni Wenz {struck} gewonnen")) == [("wenz", 0, True)]


def test_what_telegram_marks_as_struck_out_does_not_count() -> None:
    struck = {"type": "strikethrough", "text": "verloren"}
    texts = [f"Spieler: {NAMES}", ["Toni Wenz ", struck, " gewonnen"], [{**struck, "text": "Sepp Wenz verloren"}]]
    messages = [{"id": at, "date": f"2026-11-14T20:0{at}:00", "text": text} for at, text in enumerate(texts)]
    assert told(json.dumps({"name": "Kartler", "messages": messages})) == [("wenz", 0, True)]


@pytest.mark.parametrize(
    ("line", "won"),
    [
        ("Toni Wenz ✅", True),
        ("Toni Wenz ✔️ 74", True),
        ("Toni Wenz ❌ 55", False),
        ("Toni Wenz (+)", True),
        ("3. Toni Wenz (-) Schneider", False),
        ("Toni Wenz [–]", False),
        ("✅ Toni Wenz verloren", False),
        ("Toni Wenz verloren ✅", False),
        ("✅ Toni Wenz", None),
    ],
)
def test_a_tick_or_a_cross_behind_a_game_says_who_won(line: str, won: bool | None) -> None:
    assert told(f"{HEAD}\n{line}") == [("wenz", 0, won)]
    assert told(chat(line)) == [("wenz", 0, won)]


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("21.11.2026", "2026-11-21"),
        ("21.11.2026 (bei Sepp daheim)", "2026-11-21"),
        ("## Samstag, 21.11.2026", "2026-11-21"),
        ("# 21.11.26, beim Wirt", "2026-11-21"),
        ("**21. November 2026**", "2026-11-21"),
        ("Schafkopf am 21.11.26 ab 20 Uhr", "2026-11-21"),
        ("2026-11-21", "2026-11-21"),
        ("Sa 21.11.", "2026-11-21"),
        ("21.11.", "2026-11-21"),
        ("Fr. 1. Januar", "2027-01-01"),
    ],
)
def test_a_day_between_deals_begins_another_evening(line: str, day: str) -> None:
    sessions, deals, findings = read(f"{HEAD}\n14.11.2026\nToni Wenz gewonnen\n\n{line}\nSepp Wenz verloren")
    assert ([each.date for each in sessions], len(deals), findings) == (["2026-11-14", day], 2, [])
    assert sessions[1].house == {"tariff": "10/20/50"}


@pytest.mark.parametrize("line", ["So 21.11.", "31.11.2026"])
def test_a_day_that_is_none_is_asked_about_and_is_not_the_day_before(line: str) -> None:
    sessions, _, findings = read(f"{HEAD}\n14.11.2026\nToni Wenz gewonnen\n{line}\nSepp Wenz verloren")
    assert [each.date for each in sessions] == ["2026-11-14", None]
    assert [each.facts["key"] for each in findings] == ["date"]


@pytest.mark.parametrize("line", ["14.11.2026", "bezahlt am 16.11.2026", "nächstes Mal 28.11.2026"])
def test_another_day_in_talk_is_no_evening(line: str) -> None:
    sessions, deals, _ = read(f"{HEAD}\n14.11.2026\nToni Wenz gewonnen\n{line}\nSepp Wenz verloren")
    assert ([each.date for each in sessions], len(deals)) == (["2026-11-14"], 2)


@pytest.mark.parametrize(
    "tariff", ["Tarif 10/20/50", "10/20/50", "Tarif: 10/20/50", "- Tarif: 10/20/50", "Einsatz 10/20/50"]
)
def test_a_tariff_in_a_message_or_in_a_list_is_one(tariff: str) -> None:
    for text in (chat("guad", tariff, "Toni Wenz gewonnen"), f"☑ Spieler: {NAMES}\n☑ {tariff}\n☐ Toni Wenz gewonnen"):
        (session,), deals, _ = read(text)
        assert (session.house, len(deals)) == ({"tariff": "10/20/50"}, 1)


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("Regeln langendorf", "langendorf"),
        ("Regeln: Langendorf", "langendorf"),
        ("- Rules Pub", "pub"),
        ("Regeln wie immer", "pub"),
    ],
)
def test_rules_are_named_with_or_without_a_colon_in_any_letters(line: str, rules: str) -> None:
    (session,), deals, _ = read(f"{HEAD}\n{line}\nToni Wenz gewonnen")
    assert (session.rules, len(deals)) == (rules, 1)


@pytest.mark.parametrize(
    "line", ["Toni Wenz gewonnen (bearbeitet)", "[[Toni]] Wenz gewonnen", "- [x] [[p/Toni|Toni]] Wenz gewonnen"]
)
def test_marks_of_a_program_are_no_words(line: str) -> None:
    assert told(f"{HEAD}\n{line}") == [("wenz", 0, True)]


def test_a_list_among_the_properties_of_a_note_names_the_players() -> None:
    (session,), deals, _ = read(f"---\ndate: 2026-11-14\nplayers: [{NAMES}]\n---\n- [ ] Toni Wenz gewonnen")
    assert (session.players, session.date, len(deals)) == (("Toni", "Lois", "Vroni", "Sepp"), "2026-11-14", 1)


@pytest.mark.parametrize(
    "line",
    [
        "alle weiter, neu gegeben",
        "Alle weiter (nochmal geben)",
        "everyone passed, redeal",
        "Nobody bids, passed out",
        "kanner spielt, nei gebn",
    ],
)
def test_a_deal_that_nobody_played_counts_whatever_came_next(line: str) -> None:
    assert told(f"{HEAD}\n{line}") == [("none", None, None)]
    assert told(chat("Toni Wenz gewonnen", line))[1:] == [("none", None, None)]


@pytest.mark.parametrize(
    "line", ["Alle weiter, jeder 10 in den Stock", "alle weiter, jeder 10 ct", "alle weiter (Ramsch)"]
)
def test_what_else_stands_behind_it_is_asked_about(line: str) -> None:
    for text in (f"{HEAD}\n{line}", chat("Toni Wenz gewonnen", line)):
        assert read(text)[2][0].source.line == text.count("\n") + 1  # type: ignore[union-attr]


@pytest.mark.parametrize("row", ["50 50 -100", "-2O 20 -20 20", "50 50 -l50 50", "50 50 -150 50 50", "7 50 50 -150 50"])
def test_a_row_that_has_not_an_amount_for_each_is_asked_about(row: str) -> None:
    _, deals, findings = read(f"{HEAD}\n-20 20 -20 20\n{row}\nSepp Wenz gewonnen")
    assert (len(deals), [each.rule for each in findings]) == (2, ["bad-entry"])


@pytest.mark.parametrize(
    ("tariff", "cents"), [("-.10/-.20/-.50 Fr.", "10/20/50"), (",10/,20/,50 €", "10/20/50"), ("1/2/5 Punkte", "1/2/5")]
)
def test_a_tariff_in_francs_and_in_points(tariff: str, cents: str) -> None:
    (session,), _, _ = read(f"Spieler: {NAMES}\nTarif: {tariff}\nToni Wenz gewonnen")
    assert session.house == {"tariff": cents}


@pytest.mark.parametrize(
    "line",
    [
        *("To W verl", "L RS mit V gew", "Toni Durchmarsch", "Ramsch Durchmarsch Toni", "nein, doch 30"),
        *("Pflichtspiel Toni verloren", "Kurz Toni gewonnen", "Toni W+"),
    ],
)
def test_a_line_that_can_be_no_talk_is_asked_about(line: str) -> None:
    _, deals, findings = read(f"{HEAD}\nToni Wenz gewonnen, 50 ct\n{line}")
    assert (len(deals), len(findings), findings[0].severity) == (1, 1, "error")


MAIL = """
Von: Lois <lois@example.org>
Datum: Sonntag, 15. November 2026 um 10:14
Betreff: Re: gestern

Am 15.11.2026 um 09:02 schrieb Toni:
"""


def test_the_day_of_a_mail_is_not_that_of_its_evening() -> None:
    (session,), deals, _ = read(f"{MAIL}> Spieler: {NAMES}\n> Tarif: 10/20/50\n> 1. Toni Wenz gewonnen")
    assert (session.date, session.house, len(deals)) == (None, {"tariff": "10/20/50"}, 1)


def test_a_list_that_a_mail_quotes_below_itself_counts_once() -> None:
    deals = "1. Toni Wenz gewonnen\n2. Sepp Wenz verloren"
    quote = "\n".join(f"> {line}" for line in f"{HEAD}\n{deals}".splitlines())
    assert told(f"{HEAD}\n{deals}\n{MAIL}{quote}") == [("wenz", 0, True), ("wenz", 3, False)]


def test_a_deal_that_the_quote_tells_otherwise_is_asked_about() -> None:
    quote = f"> Spieler: {NAMES}\n> 1. Toni Wenz gewonnen\n> 2. Sepp Wenz gewonnen"
    text = f"Spieler: {NAMES}\n1. Toni Wenz gewonnen\n2. Sepp Wenz verloren\nServus\n{MAIL}{quote}"
    assert told(text) == [("wenz", 0, True), ("wenz", 3, False)]
    assert read(text)[2][0].source.line == len(text.splitlines())  # type: ignore[union-attr]


def test_deals_of_an_answer_count_beside_those_that_it_quotes() -> None:
    text = f"Servus\n> Spieler: {NAMES}\n> 1. Toni Wenz gewonnen\n> Servus\n2. Sepp Wenz verloren"
    assert told(text) == [("wenz", 0, True), ("wenz", 3, False)]


@pytest.mark.parametrize(
    "line", ["Ramsch Toni 20, Lois 35, Vroni 50, Sepp 16", "Ramsch Toni 20, Lois 35", "Ramsch Toni 70"]
)
def test_other_numbers_in_a_ramsch_are_asked_about(line: str) -> None:
    _, deals, findings = read(f"{HEAD}\n{line}")
    assert (deals, findings[0].rule) == ([], "bad-entry")


@pytest.mark.parametrize(
    ("line", "out", "declarer"),
    [
        ("Sepp Wenz verloren (ohne Toni)", 0, 3),
        ("(Toni Pause) Sepp Wenz verloren", 0, 3),
        ("Toni raus: Sepp Wenz verloren", 0, 3),
        ("Toni draußen: Sepp Wenz gewonnen", 0, 3),
        *((f"{out} Sepp Wenz verloren", 0, 3) for out in ("Aussetzer Toni:", "Pause: Toni,")),
        ("Sepp Wenz verloren, Toni hat ausgesetzt", 0, 3),
        ("Resi Wenz verloren (Lois sitzt aus)", 1, 4),
        ("Spiel 1 (ohne Resi): Toni Wenz gewonnen", 4, 0),
        ("Ramsch (ohne Resi): Toni 30, Lois 40, Vroni 35, Sepp 15", 4, None),
    ],
)
def test_who_sits_out_of_five(line: str, out: int, declarer: int | None) -> None:
    _, (deal,), findings = read(f"Spieler: {NAMES}, Resi\n{line}")
    assert (deal.sits_out, deal.game and deal.game.declarer, findings) == ((out,), declarer, [])
    assert read(f"{HEAD}\n{line}")[2]  # at a table of four everybody plays


@pytest.mark.parametrize(
    ("line", "declarer", "partner", "won"),
    [
        ("Rufspiel Toni & Vroni gegen Lois & Sepp 68:52", 0, 2, None),
        ("Rufspiel Toni + Vroni gegen Lois + Sepp, gewonnen", 0, 2, True),
        ("Toni spielt aff die Alt mid der Lois, gwunna", 0, 1, True),
        ("Toni rufft die Alt, Lois debei, gwunne", 0, 1, True),
        ("Toni d Oide mitm Lois, gwunna", 0, 1, True),
        ("Vroni hodd gspilld aff die Blau, midn Sepp, verlorn", 2, 3, False),
    ],
)
def test_both_sides_and_words_of_franconia(line: str, declarer: int, partner: int, won: bool | None) -> None:
    (deal,) = read(f"{HEAD}\n{line}")[1]
    assert (deal.game and deal.game.declarer, deal.partner, deal.stated and deal.stated.won) == (declarer, partner, won)


@pytest.mark.parametrize(
    "text",
    [
        "Toni Wenz gewonnen  Stand: 150 -50 -50 -50\nSepp Wenz verloren (Stand: 200 0 0 -200)",
        "Toni Wenz gewonnen\nStand: 150/-50/-50/-50\nSepp Wenz verloren\n=> Gesamt: Toni +200 Lois 0 Vroni 0 Sepp -200",
        "Toni Wenz gewonnen\nSaldo: 150 -50 -50 -50\nSepp Wenz verloren\nMacht zusammen: 200 0 0 -200",
        "Toni Wenz gewonnen\n= 150 -50 -50 -50\nSepp Wenz verloren\nHeute: Toni +200 Lois 0 Vroni 0 Sepp -200",
        "Toni Wenz gewonnen\nStand nach 1 Spiel: 150 -50 -50 -50\nSepp Wenz verloren\nΣ 200 0 0 -200",
        "Toni Wenz gewonnen\nStand nach 1 Spiel 150 -50 -50 -50\nSepp Wenz verloren\nΣ 200 0 0 -200",
        "Toni Wenz gewonnen\nStand nach Spiel 1: 150 -50 -50 -50\nSepp Wenz verloren\nStand bisher: 200 0 0 -200",
        f"Toni Wenz gewonnen{' dann' * 40}, Stand: 150 -50 -50 -50\nSepp Wenz verloren (Stand: 200 0 0 -200)",
        "Toni Wenz gewonnen, Zwischenstand Sepp -50 Lois -50 Vroni -50 Toni 150\n"
        "Sepp Wenz verloren | Summe | 200 | 0 | 0 | -200",
    ],
)
def test_what_each_has_won_so_far_belongs_to_the_deal_before(text: str) -> None:
    _, deals, findings = read(f"{HEAD}\n{text}")
    assert [deal.stated and (deal.stated.won, deal.stated.totals) for deal in deals] == [
        (True, (150, -50, -50, -50)),
        (False, (200, 0, 0, -200)),
    ]
    assert not findings


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("1. Sepp 2. Toni 3. Lois 4. Vroni", ["lines-without-deal"]),
        ("Sepp 1., Toni 2., Lois 3., Vroni 4.", ["lines-without-deal"]),
        ("1. Platz: Sepp\n2. Platz: Toni +50\n3. Rang Lois", ["lines-without-deal"]),
        ("Platz 1: Sepp\nPlatz 2: Toni\nPlatz 3: Lois\nPlatz 4: Vroni", ["lines-without-deal"]),
        ("Sepp 1, Toni 2, Lois 3, Vroni 5", ["bad-entry"]),
        ("Toni 2, Lois 3, Vroni 4", ["bad-entry"]),
        ("Wenz: Sepp 1, Toni 2, Lois 3, Vroni 4", ["bad-entry"]),
        ("1. Platz Toni Wenz verloren", ["unknown-player"]),
    ],
)
def test_who_came_first_is_no_deal(text: str, rules: list[str]) -> None:
    _, deals, findings = read(f"{HEAD}\nToni Wenz gewonnen\n{text}")
    assert (len(deals), [each.rule for each in findings]) == (1, rules)
    assert read("Platz 1: Sepp\nPlatz 2: Toni\nPlatz 3: Lois\nToni Wenz gewonnen")[0][0].players == (
        "Sepp",
        "Toni",
        "Lois",
    )
    assert len(read("Spieler: Rang, Toni, Lois, Sepp\nRang +60 Toni -20 Lois -20 Sepp -20")[1]) == 1


def test_a_sum_behind_other_lines_is_no_deal() -> None:
    _, deals, findings = read(
        f"{HEAD}\nToni Wenz gewonnen\nWer spielt mit\nStand: 150 -50 -50 -50\nStand der Dinge: gut"
    )
    assert ([deal.stated and deal.stated.totals for deal in deals], len(findings)) == ([None], 1)


@pytest.mark.parametrize(
    "text",
    [
        "Spieler Doppelpunkt Toni Komma Lois Komma Vroni Komma Sepp neue Zeile Toni Wenz gewonnen mit 74 Punkt neue "
        "Zeile Sepp Solo Herz verloren Komma Schneider Punkt",
        "Heute spielen Toni, Lois, Vroni und Sepp. Toni spielt einen Wenz und gewinnt mit 74. Sepp verliert Solo Herz.",
        f"{HEAD}\nToni Wenz gew. mit 74; Sepp Solo Herz verl. Schn.",
        f"{HEAD}\nToni Wenz gew. 74. Sepp Solo Herz verl.",
        f"{HEAD}\nToni spielt Wenz Komma gewinnt mit 74 Augen Punkt Sepp verliert Solo Herz Punkt",
        f"{HEAD}\nToni Wenz won comma 74 points full stop Sepp lost solo hearts",
    ],
)
def test_several_deals_in_one_line(text: str) -> None:
    assert told(text) == [("wenz", 0, True), ("solo", 3, False)]
    assert [deal.stated and deal.stated.points for deal in read(text)[1]] == [74, None]


def test_a_sentence_that_belongs_to_the_deal_before_is_no_line() -> None:
    (deal,) = read(f"{HEAD}\nToni Wenz gew. Kontra Sepp. Schneider.")[1]
    assert (deal.doubles is not None, deal.stated and deal.stated.schneider) == (True, True)


LEGEND = "Legende: RS = Rufspiel, W = Wenz, + gewonnen, - = verloren; Sn = Schneider"


@pytest.mark.parametrize(
    ("line", "deal"),
    [
        ("T RS mit L +", ("rufspiel", 0, True)),
        ("Se W -", ("wenz", 3, False)),
        ("3. Sepp W - Sn", ("wenz", 3, False)),
        ("T/L RS -, Sn", ("rufspiel", 0, False)),
    ],
)
def test_abbreviations_that_a_note_explains(line: str, deal: tuple[str, int, bool]) -> None:
    assert told(f"{LEGEND}\n{HEAD}\nT = Toni, L = Lois, Se = Sepp\n{line}") == [deal]


@pytest.mark.parametrize(
    "legend", ["T = Toni, T = Tout", "Toni = Geber, Lois = Vorhand", "Legende: T = Schmarrn mit Ei"]
)
def test_an_abbreviation_explained_in_two_ways_or_not_at_all_stays(legend: str) -> None:
    assert told(f"{HEAD}\n{legend}\nToni Wenz gewonnen\nT Wenz gewonnen")[0] == ("wenz", 0, True)
    assert read(f"{HEAD}\n{legend}\nToni Wenz gewonnen\nT RS gewonnen")[2][0].severity == "error"


def test_players_in_small_letters_without_signs_between_them() -> None:
    (session,), deals, _ = read("spieler toni lois vroni sepp\ntarif 10 20 50\ntoni wenz gwonnen")
    assert (session.players, session.house) == (("toni", "lois", "vroni", "sepp"), {"tariff": "10/20/50"})
    assert len(deals) == 1
    assert read("spieler kemma heid spaeter\nToni Wenz gewonnen")[2][0].rule == "no-players"


@pytest.mark.parametrize("line", ["Abend 2 – 21.11.2026", "2. Abend, 21.11.2026", "Abend 2: 21.11.26"])
def test_a_numbered_evening_has_its_day(line: str) -> None:
    sessions, deals, _ = read(f"Abend 1 – 14.11.2026\n{HEAD}\nToni Wenz gewonnen\n{line}\nSepp Wenz verloren")
    assert ([each.date for each in sessions], len(deals)) == (["2026-11-14", "2026-11-21"], 2)


def test_a_mention_is_a_name_and_a_correction_in_a_chat_is_asked_about() -> None:
    text = chat("@Toni Wenz gewonnen", "Korrektur: der Wenz war verloren")
    assert told(text) == [("wenz", 0, True)]
    assert [each.facts["key"] for each in read(text)[2]] == ["deal"]
