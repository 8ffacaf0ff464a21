"""Words of a deal that is told in a line: who goes along, who plays alone, euros, slips of the pen, words of an own
ruleset; and every word that the documents of the rules use."""

from pathlib import Path

import pytest

from archive.notation.game_words import contract_words, read_call, read_doubling, read_game
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.notation.tariff import usual_tariff
from archive.record import Finding, message_of
from archive.say import say
from importers import typed_lines

PLAYERS = ("Hans", "Toni", "Sepp", "Maria")
OWN = """
id = "ours"
title = "Ours"
extends = "pub"

[[rule]]
cite = "our table"
house.contracts = ["rufspiel", "neuner", "wenz", "solo"]
[rule.contract.neuner]
title = "Neuner"
names = ["Neunerwenz"]
rank = 75
lords = "9"
trump = ""
order = "AZKOU876"
parties = "alone"
price = "solo"
"""


def told(text: str, players: tuple[str, ...] | None = PLAYERS) -> SpokenDeal:
    spoken = read_spoken_deal(text, contract_words(), players)
    assert isinstance(spoken, SpokenDeal), spoken
    return spoken


def asked(text: str, players: tuple[str, ...] | None = PLAYERS) -> Finding:
    """The question that a line leads to."""
    finding = read_spoken_deal(text, contract_words(), players)
    assert isinstance(finding, Finding), finding
    return finding


def question(text: str, players: tuple[str, ...] | None = PLAYERS) -> str:
    return say(message_of(asked(text, players)), "en")


@pytest.mark.parametrize("players", [PLAYERS, None])
@pytest.mark.parametrize(
    "text",
    [
        "Sepp Sauspiel auf die Alte, Toni geht mit, gewonnen",
        "Sepp Sauspiel auf die Alte mit Toni gewonnen",
        "Sepp Sauspiel auf die Alte, Toni dabei, gewonnen",
        "Toni dabei, Sepp Sauspiel auf die Alte, gewonnen",
        "Sepp called the ace of acorns, Toni joins, won",
    ],
)
def test_who_goes_along_is_the_partner(text: str, players: tuple[str, ...] | None) -> None:
    deal = told(text, players)
    assert (deal.declarer, deal.partner, deal.game.suit, deal.stated["won"]) == ("Sepp", "Toni", "E", True)


@pytest.mark.parametrize(
    ("called", "suit"), [("calls the blue ace", "G"), ("calls the old ace", "E"), ("ruft die grüne Sau", "G")]
)
def test_the_colour_of_an_ace_is_its_suit_and_no_partner(called: str, suit: str) -> None:
    deal = told(f"Sepp {called}, won", None)
    assert (deal.game.suit, deal.partner) == (suit, None)
    assert told(f"Sepp {called} with Toni, won", None).partner == "Toni"


def test_against_all_is_alone() -> None:
    assert told("Hans Herz-Solo gegen alle gewonnen").declarer == "Hans"
    assert told("Hans won a Wenz alone").declarer == "Hans"
    for text in ("Hans Sauspiel auf die Alte gegen alle", "Hans Wenz mit Toni, allein"):
        assert asked(text)


@pytest.mark.parametrize(
    ("text", "price", "payments"),
    [
        ("Hans Wenz gewonnen, 0,50 €", 50, None),
        ("Hans Wenz gewonnen, 2 Euro", 200, None),
        ("Hans Wenz gewonnen, 50 ct", 50, None),
        ("Hans Wenz gewonnen, 1,50 -0,50 -0,50 -0,50", None, (150, -50, -50, -50)),
        ("Hans Wenz gewonnen, +1,50 € -0,50 € -0,50 € -0,50 €", None, (150, -50, -50, -50)),
        ("Hans Wenz gewonnen: Hans 1,50 Toni -,50", None, None),
        ("Hans Wenz gewonnen, Toni -0,5", None, {"Toni": -50}),
        ("Hans Wenz gewonnen, Hans +150 Toni -50", None, {"Hans": 150, "Toni": -50}),
    ],
)
def test_amounts_may_be_euros(text: str, price: int | None, payments: object) -> None:
    if price is None and payments is None:
        assert asked(text)
    else:
        assert (told(text).stated.get("price"), told(text).payments) == (price, payments)


@pytest.mark.parametrize("word", ["ohne", "without", "kein", "mit", "und", "Geber", "Partner", "Kontra"])
def test_a_line_may_end_in_a_word_that_wants_another(word: str) -> None:
    for players in (PLAYERS, None):
        spoken = read_spoken_deal(f"Hans Wenz gewonnen {word}", contract_words(), players)
        assert not isinstance(spoken, Finding) or word in say(message_of(spoken), "en")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Hans Jauspiel auf die Alte", "sauspiel"), ("Hans Zolo Herz", "solo"), ("Hans Bramsch", "ramsch"),
        ("Kreuzrunde Hans", "Kreuzrunde: Kreuz NAME"), ("Hans Solo grän", "grün"), ("Hans wens", "wenz"),
        ("Hans Wens", "wenz"),
    ],
)  # fmt: skip
def test_the_nearest_word_may_begin_with_another_letter(text: str, meant: str) -> None:
    for players in (PLAYERS, None):
        assert f"did you mean {meant}?" in question(f"{text} gewonnen", players)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Toni HS gewonnen", "herz solo?"),
        ("EA", "eichel sau?"),
        ("Toni W", "wenz?"),
        ("Anna gewonnen", "contract"),
        ("Anna ruft Toni an, verloren", "contract"),
    ],
)
def test_letters_have_a_hint_at_their_game_and_a_player_has_none(text: str, hint: str) -> None:
    assert question(text, ("Anna", "Toni", "Sepp", "Maria")).endswith(hint)


@pytest.mark.parametrize("how", ["Jungfrau", "ist Jungfrau", "keinen Stich", "hat keinen Stich", "ohne Stich"])
def test_who_has_no_trick_in_a_ramsch_is_a_virgin(how: str) -> None:
    for players in (PLAYERS, None):
        virgins = told(f"Ramsch Hans verliert, Toni {how}", players).stated
        assert virgins == {"loser": "Hans", "virgins": ("Toni",)}
    assert told(f"Ramsch Hans verliert, Toni und Sepp {how}").stated["virgins"] == ("Toni", "Sepp")


@pytest.mark.parametrize(
    ("text", "tariff"),
    [("10/20/50", "10/20/50"), ("0,10/0,20/0,50", "10/20/50"), ("0.10/0.50 €", "10/50"), ("10/20/50 ct", "10/20/50"),
     ("0,1 / 0,2 / 0,5 Euro", "10/20/50"), ("1/2/5 €", "100/200/500"), ("ask Hans", "ask Hans")],
)  # fmt: skip
def test_a_tariff_may_be_in_euros(text: str, tariff: str) -> None:
    assert usual_tariff(text) == tariff


def test_a_text_has_the_words_of_the_ruleset_that_lies_beside_it_and_its_euros_are_cents(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(OWN, "utf-8")
    head = "Spieler: Hans, Toni, Sepp, Maria\nRegeln: ours.toml\nTarif: 0,10/0,20/0,50 €\n"
    lines = "Hans Neunerwenz gewonnen, 1,50 -0,50 -0,50 -0,50\nToni Neuner verloren\n"
    items = list(typed_lines.read((head + lines).encode(), typed_lines.Source(str(tmp_path / "a.txt"))))
    session, first, second = items
    assert (session.rules, session.house, session.unit) == ("ours.toml", {"tariff": "10/20/50"}, "ct")
    assert first.game == typed_lines.replace(second.game, declarer=0) if second.game else False
    assert first.stated.payments == (150, -50, -50, -50)


def test_whole_amounts_are_euros_where_the_head_says_so() -> None:
    text = "Spieler: Hans, Toni, Sepp, Maria\nEinheit: €\nHans Wenz gewonnen, +3 -1 -1 -1\n"
    session, deal = typed_lines.read(text.encode(), typed_lines.Source("a.txt"))
    assert (session.unit, deal.stated.payments) == ("ct", (300, -100, -100, -100))


@pytest.mark.parametrize("players", [PLAYERS, None])
@pytest.mark.parametrize(
    ("text", "declarer", "partner", "against"),
    [
        ("Sepp Sauspiel auf die Alte gegen Hans und Maria, verloren", "Sepp", None, ("Hans", "Maria")),
        ("Sepp mit Toni gegen Hans und Maria, Sauspiel Schellen", "Sepp", "Toni", ("Hans", "Maria")),
        ("Sepp Herz-Solo gegen Hans, Toni und Maria, verloren", "Sepp", None, ("Hans", "Toni", "Maria")),
        ("Sepp/Toni Sauspiel auf die Blaue", "Sepp", "Toni", ()),
        ("Sepp ruft Toni auf Eichel, gewonnen", "Sepp", "Toni", ()),
        ("Sepp ruft Toni, gewonnen", "Sepp", "Toni", ()),
        ("Sepp's heart solo, won", "Sepp", None, ()),
    ],
)
def test_both_sides_may_be_named(
    text: str, declarer: str, partner: str | None, against: tuple[str, ...], players: tuple[str, ...] | None
) -> None:
    deal = told(text, players)
    expected = "Toni" if players and partner is None and len(against) == 2 else partner  # nobody else is left
    assert (deal.declarer, deal.partner, deal.against) == (declarer, expected, against)


def test_nobody_is_on_both_sides() -> None:
    assert "each player once" in question("Sepp mit Toni gegen Toni und Maria, Sauspiel auf die Alte")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("gewonnenes Herz-Solo mit drei", {"won": True, "runners": 3}),
        ("was kostet ein verlorener Wenz mit drei Laufenden?", {"won": False, "runners": 3}),
        ("what does a lost Wenz cost", {"won": False}),
        ("how much is a lost heart solo with 3?", {"won": False, "runners": 3}),
        ("price of a Wenz with 2 runners", {"runners": 2}),
        ("Sauspiel gewonnen 61 zu 59", {"won": True, "points": 61, "points_against": 59}),
        ("leaves solo won with 61 points to 59", {"won": True, "points": 61, "points_against": 59}),
        ("Sauspiel verloren, Schneider frei", {"won": False, "schneider": False}),
        ("was kost a Wenz mit drei gspuit", {"runners": 3}),
        ("Wenz, Gegner Schneider", {"won": True, "schneider": True}),
        ("alle weiter, Ramsch, Hans verliert", {"loser": "Hans"}),
    ],
)
def test_it_is_told_as_people_say_it(text: str, stated: dict[str, object]) -> None:
    deal = told(text, None)
    assert (deal.stated, deal.declarer) == (stated, None)


def test_a_suit_that_is_called_is_a_game_and_one_alone_is_none() -> None:
    assert told("Sepp spielt auf Gras, verloren").game.suit == "G"
    assert told("Anna called acorns with Ben and lost", None).game.called == "EA"
    for text in ("Sepp spielt Gras, gewonnen", "Sepp Herz Tout gewonnen"):
        assert question(text).endswith("a suit or a Tout alone is no game")


@pytest.mark.parametrize("text", ["Sepp muss Eichel", "Sepp Mussspiel Eichel", "Sepp Muss-Spiel auf die Alte"])
def test_001_who_has_to_play_calls_an_ace(text: str) -> None:
    for players in (PLAYERS, None):
        deal = told(f"{text}, verloren", players)
        assert (deal.declarer, deal.game.contract) == ("Sepp", "rufspiel")
        assert (deal.game.called, deal.game.words) == ("EA", ("muss",))


def test_a_special_round_is_no_name() -> None:
    for text in ("Doppelrunde Rufspiel gewonnen", "Bockrunde, Wenz gewonnen", "Sepp Wenz gewonnen, Bock"):
        assert told(text, None).round == ("bock",)
    assert told("Hans Wenz gewonnen, Schuss", None).doubles == (("kontra", None),)


def test_all_players_knock_where_the_table_is_known() -> None:
    for text in ("alle geklopft", "jeder hat geklopft", "each knocked", "everyone knocked"):
        assert told(f"Sepp Wenz gewonnen, {text}").knocks == 4
    assert told("Wenz gewonnen, alle vier geklopft", None).knocks == 4
    assert asked("Wenz gewonnen, alle geklopft", None)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Sepp Sauspiel auf die Alte mit Tony, verloren", "; did you mean Toni?"),
        ("Hanz Sauspiel auf die Alte", "; did you mean Hans?"),
        ("Fritz Wenz gewonnen", ""),
        ("Sepp Wenz gewonnen, Klopfer Fritz", ""),
        ("Sepp Wenz gewonnen, Fritz dabei", ""),
    ],
)
def test_who_is_not_at_the_table_is_told_as_such(text: str, hint: str) -> None:
    assert asked(text).rule == "unknown-player"
    assert question(text).endswith(f"the name of a player (Hans, Toni, Sepp, Maria){hint}")


@pytest.mark.parametrize("word", "Sauspil Saupsiel Wentz Sollo Ramsh Schnieder Schwartz Laufnde Gewonen Hertz".split())
def test_a_slip_of_the_pen_is_no_name(word: str) -> None:
    for text in (f"{word} Wenz gewonnen", f"Xari Wenz gewonnen mit {word}", f"Wenz gewonnen, {word}"):
        assert asked(text, None)


@pytest.mark.parametrize(
    "name", "Maria Konrad Laura Martin Marianne Werner Bauer Erich Lois Anna Klara Siegi Lockner".split()
)
def test_a_name_near_a_word_of_ours_is_a_name(name: str) -> None:
    assert told(f"{name} Wenz gewonnen", None).declarer == name
    assert told(f"Xari Sauspiel auf die Alte mit {name} verloren", None).partner == name


# --- the words of the documents ---------------------------------------------------------------------------------------

DOUBLINGS = {
    "kontra": ("kontra", "contra", "stoss", "Stoß", "spritz", "spritzn", "spritzen", "doppler"),
    "re": ("re", "retour", "recontra", "rekontra", "gegenspritzen"),
}
CALLS = {
    "pass": ("weiter", "weg"),
    "play": (
        *("ich spiele", "spiel", "ich spiele auch", "ich würde auch spielen", "I'll play too"),
        *("I also want to play", "I would play", "I would also play"),
    ),
    "hold": ("ich spiele selbst", "I’ll play myself"),
    "good": ("ist recht", "spiel zu", "gut", "ok, it's yours"),
    "have-solo": ("ich hätte ein Solo", "ich haette ein Solo"),
    "have-tout": ("ich hätte ein Tout", "ich haette ein Tout"),
    "not-wenz": ("aber keinen Wenz", "but not a Wenz"),
    "wenz": ("I would also play, a Wenz",),
    "65": ("would you play 65?", "yes, I would play 65"),
    "75": ("can you do 75?", "how about 75?"),
    "offer": ("wer spielt mit mir Hochzeit?", "who’s playing a Wedding with me?"),
    "accept": ("ich nehme an", "mit mir", "ich bin dabei", "ich hab’ Interesse", "I’ll take it", "I’m with you"),
    "no": ("ohne mich", "nicht mit mir", "not with me"),
    "hang": ("ich hänge an", "ich haenge an"),
    "may-i": ("darf man?",),
}
GAMES = {
    "rufspiel E": (
        *("mit der Alten", "auf die Alte", "Eichel-Sau", "Eichel Ass"),
        *("Ace of Acorns", "Acorn Sow", "Sau auf Eichel"),
    ),
    "rufspiel G": ("mit der Blauen", "auf die Blaue", "Gras-Sau", "Gras-Ass", "Ace of Leaves"),
    "rufspiel S": ("mit der Bumbs", "Schellen-Sau", "Ace of Bells", "Bell Sow"),
    "wenz tout": ("Jacks Tout", "Jacks Schwarz"),
    "solo tout": ("Solo Tout", "Solo Schwarz"),
    "ramsch": ("Ramsch", "Mord"),
    "kaiser": ("Kaiser", "Koenig", "König"),
}  # fmt: skip
BIRDS = ("Kaiser", "Keni", "Krone", "Hühnergeier", "Huehnergeier", "Koenig", "König", "Habicht", "Adler", "Bart")


@pytest.mark.parametrize(("meant", "word"), [(meant, word) for meant, words in DOUBLINGS.items() for word in words])
def test_a_doubling_is_read(meant: str, word: str) -> None:
    assert read_doubling(word) == meant
    if word == "doppler":
        return  # in a line it may be a knock too
    assert told(f"Hans Wenz verloren, {word if meant == 'kontra' else f'Kontra, {word}'}").doubles


@pytest.mark.parametrize(("meant", "phrase"), [(meant, word) for meant, words in CALLS.items() for word in words])
def test_a_call_is_read(meant: str, phrase: str) -> None:
    assert read_call("auction", phrase, "german", contract_words()) == meant


@pytest.mark.parametrize(("meant", "phrase"), [(meant, word) for meant, words in GAMES.items() for word in words])
def test_a_game_is_read(meant: str, phrase: str) -> None:
    game = read_game("game", phrase, None, "german", contract_words())
    assert (game.contract, *filter(None, (game.suit,)), *game.words) == tuple(meant.split())


@pytest.mark.parametrize("word", BIRDS)
def test_every_name_of_an_additional_contract_is_read(word: str) -> None:
    assert read_game("game", word, None, "german", contract_words()).contract
    assert told(f"Hans {word} gewonnen").declarer == "Hans"


@pytest.mark.parametrize(
    ("text", "partner", "knocks", "stated"),
    [
        ("Sepp Sauspiel auf d'Alte mit der Maria gwonna, zwoa Laufadn", "Maria", None, {"runner_count": 2}),
        ("Sepp Sauspiel auf die Alte mit Toni gewonnen mit den 3 Laufenden, 1x gelegt", "Toni", 1, {"runners": 3}),
        ("Sepp Sauspiel auf die Alte mit Toni gewonnen, 3 Lfd, 2*gelegt", "Toni", 2, {"runner_count": 3}),
        ("Sepp Sauspiel auf die Alte mit Toni gewonnen, zwei legen", "Toni", 2, {}),
        ("Sepp Sauspiel auf die Alte mit da Maria gwonna, oamoi glegt", "Maria", 1, {}),
    ],
)
def test_dialect_and_short_forms_are_read(text: str, partner: str, knocks: int | None, stated: dict[str, int]) -> None:
    deal = told(text)
    assert (deal.partner, deal.knocks, deal.stated) == (partner, knocks, {"won": True} | stated)
    assert told(text, None).partner == partner


@pytest.mark.parametrize("text", ["alle passen", "alle gepasst", "keiner spielt", "alle weiter", "all passed"])
def test_a_deal_that_nobody_played_is_read_without_a_table(text: str) -> None:
    """Its first word is no player, though a player stands first where a game is told."""
    deal = told(text, None)
    assert (deal.game.contract, deal.declarer) == ("none", None)


@pytest.mark.parametrize(
    ("words", "id"),
    [
        *((words, "what-doubled") for words in ("2 Doppler", "Doppler Toni", "Toni Doppler", "doppelt")),
        *((words, "which-lords") for words in ("drei Herrn", "mit 3 Herren")),
        *((words, "times-of-what") for words in ("2x", "3 mal")),
        *((words, "what-march") for words in ("Mord", "Durchbruch")),
    ],
)
def test_a_word_that_may_mean_several_things_is_asked_about(words: str, id: str) -> None:
    for players in (PLAYERS, None):
        assert asked(f"Sepp Herz-Solo, gewonnen, {words}", players).facts["expected"].id == f"notation.{id}"


def test_solo_and_sie_together_are_a_sie() -> None:
    assert [told(f"Sepp {game} gewonnen").game.contract for game in ("Solo Sie", "Sie Solo", "Solo-Sie")] == ["sie"] * 3


def test_the_loser_of_a_ramsch_may_have_his_points_behind_his_name() -> None:
    for players in (PLAYERS, None):
        deal = told("Ramsch: Sepp 45 Augen", players)
        assert (deal.declarer, deal.stated) == (None, {"loser": "Sepp", "points": 45})
        assert told("Ramsch Sepp verloren 65", players).stated == {"loser": "Sepp", "points": 65}


def test_blau_is_the_suit_of_leaves() -> None:
    games = ("Sau Blau mit Toni", "Blau-Solo", "Solo Blau", "Schippe-Solo", "Schippen Ass mit Toni")
    assert [told(f"Hans {game}").game.suit for game in games] == ["G"] * 5
