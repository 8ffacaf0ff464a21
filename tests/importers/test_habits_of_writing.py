"""Habits of writing at a table that is known: what a line denies, what stands behind a sign, names that are words."""

from typing import Any

import pytest
from support.items import by_kind

from archive.record import Deal, Double, Finding, Source
from importers import find, typed_lines

HEAD = "Spieler: Hans, Toni, Sepp, Maria"


def read(text: str) -> tuple[list[Deal], list[Finding]]:
    return by_kind(typed_lines.read(text.encode(), Source("note.txt")))[1:]


def one(line: str, head: str = HEAD) -> Deal:
    (deal,), findings = read(f"{head}\n{line}")
    assert findings == []
    return deal


def question(line: str, head: str = HEAD) -> str:
    deals, (asked, *_) = read(f"{head}\n{line}")
    assert (deals, asked.rule) == ([], "bad-entry")
    return str(asked.facts["expected"].id)


@pytest.mark.parametrize(
    ("told", "key", "value"),
    [
        ("gewonnen, Schneider: nein", "schneider", False),
        ("gewonnen, Schneider: -", "schneider", False),
        ("gewonnen, Schneider ❌", "schneider", False),
        ("gewonnen, Schneider ✗", "schneider", False),
        ("gewonnen, Schneider: ✖️", "schneider", False),
        ("gewonnen, Schneider: ja", "schneider", True),
        ("gewonnen, Schwarz = nein", "schwarz", False),
        ("gewonnen, Laufende: keine", "runners", 0),
        ("gewonnen: nein", "won", False),
        ("gewonnen: ja", "won", True),
        ("gewonnen: 0,50", "price", 50),
        ("+", "won", True),
    ],
)
def test_what_a_line_denies_was_not_so(told: str, key: str, value: Any) -> None:
    assert getattr(one(f"Hans Wenz {told}").stated, key) == value


@pytest.mark.parametrize("word", ["Klopfer: 0", "Klopfer: -", "Klopfer: keine", "Klopfer = nein"])
def test_no_knock(word: str) -> None:
    assert one(f"Hans Wenz gewonnen, {word}").knocks == 0


def test_no_kontra_and_no_re() -> None:
    assert one("Hans Wenz gewonnen, Kontra: -, Re: -").doubles == ()
    assert one("Hans Wenz gewonnen, Kontra: Toni, Re: nein").doubles == (Double(1, "kontra"),)


@pytest.mark.parametrize("sign", [" / ", "/", " + ", " & ", " | ", ", "])
def test_whoever_knocks_behind_a_sign_is_no_partner(sign: str) -> None:
    deal = one(f"Hans Wenz{sign}gewonnen{sign}Sepp und Maria klopfen")
    assert (deal.partner, deal.knocks) == (None, (2, 3))
    deal = one(f"Hans Wenz{sign}Toni Kontra{sign}gewonnen")
    assert (deal.partner, deal.doubles) == (None, (Double(1, "kontra"),))


@pytest.mark.parametrize(
    "line",
    [
        "Hans / Sauspiel auf Eichel / Toni / gewonnen",
        "Hans | Sauspiel auf Eichel | mit Toni | gewonnen",
        "Hans/Toni vs. Sepp/Maria: Sauspiel auf Eichel gewonnen",
        '"Hans" Sauspiel auf Eichel [mit Toni] gewonnen',
        "+ Hans Sauspiel auf Eichel mit Toni gewonnen",
    ],
)
def test_signs_that_part(line: str) -> None:
    deal = one(line)
    assert (deal.game.declarer, deal.game.suit, deal.partner, deal.stated.won) == (0, "E", 1, True)


@pytest.mark.parametrize(
    "line",
    [
        "Hans Wenz gewonnen: Hans: +150; Toni: -50; Sepp: -50; Maria: -50",
        "Hans Wenz +150, Toni -50, Sepp -50, Maria -50",
        "Toni -50, Hans 150, Sepp -50, Maria -50 (Wenz)",
    ],
)
def test_amounts_behind_names_may_lack_a_plus_or_the_name_of_who_plays(line: str) -> None:
    assert one(line).stated.payments == (150, -50, -50, -50)


def test_a_number_in_a_name_is_no_amount_that_lacks_a_plus() -> None:
    deal = one(
        "Hans #12 Wenz, gewonnen, Hans #12 150, toni_7 -50, Sepp 3 -50, Maria -50",
        "Spieler: Hans #12, toni_7, Sepp 3, Maria",
    )
    assert deal.stated.payments == (150, -50, -50, -50)


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("Hans +150 Wenz gewonnen", "notation.amount-for-each"),
        ("Ramsch verloren Toni und Sepp", "notation.two-in-one-role"),
        ("Hans Wenz gewonnen?", "importers.question"),
        ("Hans Sauspiel auf Eichel (?) mit Toni gewonnen", "importers.question"),
        # a stroke or cross that may say who won
        ("Hans Wenz -", "notation.deal-word"),
        ("Hans Wenz Schneider ❌", "notation.deal-word"),
        ("Hans Wenz Schneider: ✘", "notation.deal-word"),
        ("Sauspiel Eichel Hans/Toni -", "notation.deal-word"),
        ("Hans Wenz, Kontra ❌", "notation.deal-word"),
        # two ways to read it
        ("Hans Wenz Kontra Toni & Sepp gewonnen", "notation.two-in-one-role"),
        ("Hans Sauspiel auf Eichel, Kontra Toni und Sepp, gewonnen", "notation.two-in-one-role"),
        ("Hans Wenz mit 2, ohne 2 gewonnen", "notation.both-ways"),
        ("Hans klopft und gewinnt Wenz", "notation.who-plays"),
        ("Hans gibt und gewinnt Wenz", "notation.who-plays"),
    ],
)
def test_what_nobody_can_know_is_asked(line: str, id: str) -> None:
    assert question(line) == id


def test_a_question_in_a_chat_is_no_deal() -> None:
    deals, _ = read(f"14.11.26, 20:15 - Toni: {HEAD}\n14.11.26, 20:25 - Toni: Hans Wenz gewonnen?")
    assert deals == []


def test_names_that_are_numbers() -> None:
    deal = one("Drei Sauspiel auf Eichel mit Elf gewonnen", "Spieler: Drei, Elf, Sepp, Maria")
    assert (deal.partner, deal.stated.runners) == (1, None)


def test_names_that_are_results() -> None:
    head = "Huber, Schneider, Schwarz, Wenzl"
    note = f"{head}\nSchneider Wenz verloren\nHuber Wenz gewonnen"
    assert [importer.NAME for importer in find("note.txt", note.encode())] == ["typed-lines"]
    assert [deal.game and deal.game.declarer for deal in read(note)[0]] == [1, 0]
    for line in ("Schneider Wenz gewonnen, Schneider", "Huber Ruf Gras mit Schwarz -20", "Huber Wenz, Gegner Schwarz"):
        assert question(line, f"Spieler: {head}") == "notation.name-or-result"
    for name in ("Tout", "Stoss", "Bock", "Klopfer"):
        assert question(f"{name} Solo Herz {name} verloren", f"{name}, Huber, Sepp, Maria") == "notation.name-or-result"


def test_words_for_kontra() -> None:
    assert one("Hans Wenz, Toni schießt, gewonnen").doubles == (Double(1, "kontra"),)


def test_a_knock_before_a_stroke_names_no_partner() -> None:
    deal = one("Sepp klopft / Hans/Toni Eichel gewonnen")
    assert (deal.game.declarer, deal.partner, deal.knocks) == (0, 1, (2,))
