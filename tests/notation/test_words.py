"""Words as people write them: games, calls, doublings and cards are read by usual words, and the record has its own."""

import pytest

from archive.notation import read_toml, write_toml
from archive.record import Deal, Finding, Game, Session, Source, message_of
from archive.say import LANGUAGES, say

HEAD = 'format = "schafkopf-record/1"\nrules = "bavarian"\nplayers = ["Hans", "Ben", "Cem", "Dora"]\n[[deal]]\n'


def read(text: str) -> tuple[Session, Deal]:
    session, deal = read_toml((HEAD + text).encode(), Source("x"))
    assert isinstance(session, Session)
    assert isinstance(deal, Deal), deal
    return session, deal


def said(text: str, language: str = "en") -> str:
    findings = [each for each in read_toml((HEAD + text).encode(), Source("x")) if isinstance(each, Finding)]
    return say(message_of(findings[0]), language)


def written(text: str) -> str:
    session, deal = read(text)
    return write_toml(session, [deal]).partition("[[deal]]\n")[2].strip()


GAMES = {
    "Hans solo H": ("Hans Herzsolo", "Herz-Solo Hans", "Hans Solo in Herz", "Hans Solo in Red"),
    "Hans solo H tout": ("Hans, Solo, Herz, Tout",),
    "Hans rufspiel E": (
        "Hans Sau auf Eichel", "Hans mit der Alten", "Hans Eichel-Sau", "Hans Kreuz-Ass", "Hans Acorn Sow",
        "Hans Ace Game Acorns",
    ),
    "Hans rufspiel G": ("Hans mit der Blauen", "Hans Grass Ass"),
    "Hans rufspiel S": ("Hans Ace of Bells", "Hans Pig of Bells", "Hans Hundsgefickte"),
    "Hans wenz tout": ("Hans Jacks Tout", "Hans Jacks Schwarz"),
    "Hans solo tout": ("Hans Solo Schwarz",),
    "Hans solo G": ("Hans Solo Green",),
    "ramsch": ("Mord", "Junk"),
    "schnauz": ("Knock-Knock", "Scat"),
    "none": ("Weiter", "Zamgschmissn"),
}  # fmt: skip
CALLS = {
    "pass": ("weiter", "no, I pass"),
    "play": ("ich spiele", "Ich spiele auch", "I would play"),
    "hold": ("ich spiele selbst",),
    "good": ("ist recht", "Spiel zu!", "ok, it's yours"),
    "have-solo": ("ich hätte ein Solo", "I have a solo"),
    "have-tout": ("ich hätte ein Tout",),
    "not-wenz": ("aber keinen Wenz",),
    "solo H": ("ich spiele ein Herzsolo",),
    "wenz": ("I would also play, a Wenz",),
    "65": ("would you play 65?",),
}


@pytest.mark.parametrize(("text", "game"), [(text, game) for game, texts in GAMES.items() for text in texts])
def test_a_game_in_usual_words_is_written_by_its_id(text: str, game: str) -> None:
    assert written(f'game = "{text}"') == f'game = "{game}"'


@pytest.mark.parametrize(("text", "call"), [(text, call) for call, texts in CALLS.items() for text in texts])
def test_a_call_in_usual_words_is_written_by_its_id(text: str, call: str) -> None:
    assert written(f'auction = ["Hans {text}"]') == f'auction = ["Hans {call}"]'


@pytest.mark.parametrize("text", ["Stoss", "Stoß", "Spritzn", "contra", "Kontra"])
@pytest.mark.parametrize("answer", ["Retour", "recontra", "Rekontra", "gegenspritzen", "re"])
def test_doublings_are_read_by_every_usual_word(text: str, answer: str) -> None:
    assert written(f'doubles = ["Hans {text}", "Ben {answer}"]') == 'doubles = ["Hans kontra", "Ben re"]'


def test_cards_are_read_by_their_names() -> None:
    _, deal = read('hands = ["Hans: Eichel-Ober, Herz 10 ♥9 Schellen-Sau Gras König"]')
    assert deal.hands[0] == ("EO", "HZ", "H9", "SA", "GK")
    assert "'♥D' is written in french letters" in said('blind = "♥D"')


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ('game = "Hans Sauspeil auf die Alte"', "did you mean sauspiel?"),
        ('game = "Hans Solo Tuot"', "did you mean tout?"),
        ('auction = ["Hans wieter"]', "did you mean weiter?"),
        ('doubles = ["Hans Kontar"]', "did you mean kontra?"),
        ('game = "Bruno Solo Herz"', "does not begin with the name of a player (Hans, Ben, Cem, Dora)"),
        ('dealer = "Hans', "a quote is missing"),
        ("dealer = Hans", "text stands in quotes"),
        ("house.tariff = 10/20/50", "text stands in quotes"),
        ("stated.price = 0.20 €", "amounts are whole numbers"),
        ("dealer = “Hans”", "straight on both sides"),
        ("stated.price = 0.20", "without decimals"),
        ("stated.price = 0,20", "whole numbers of their unit"),
    ],
)
def test_what_is_not_understood_is_explained(text: str, piece: str) -> None:
    assert piece in said(text)
    assert all(said(text, language) for language in LANGUAGES)


def test_a_player_may_be_called_by_a_word_that_people_use_for_a_game() -> None:
    head = HEAD.replace("Hans", "Mord")
    session, deal = read_toml(f'{head}game = "Mord Solo Herz"'.encode(), Source("x"))
    assert isinstance(session, Session)
    assert list(read_toml(write_toml(session, [deal]).encode(), Source("x")))[1].game == deal.game  # type: ignore[union-attr]


def test_a_player_may_be_called_as_a_word_that_means_nothing_in_a_game() -> None:
    head = HEAD.replace('"Hans"', '"A"').encode()
    deals = [each for each in read_toml(head + b'game = "A solo G"\n', Source("x")) if isinstance(each, Deal)]
    assert deals[0].game == Game("solo", 0, suit="G")


@pytest.mark.parametrize("name", ["Bock", "Jass", "Gais", "Officers", "Adler"])
def test_a_person_may_bear_the_name_of_a_contract_that_other_tables_play(name: str) -> None:
    head = HEAD.replace("Hans", name)
    session, deal = read_toml((head + f'game = "{name} solo H"').encode(), Source("x"))
    assert isinstance(session, Session)
    assert isinstance(deal, Deal), deal
    assert deal.game == Game("solo", 0, "H")
