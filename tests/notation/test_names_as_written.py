"""Names as people write them are accepted wherever a name can stand, and are read the same everywhere."""

import json
import unicodedata
from collections.abc import Callable, Iterable

import pytest

from archive.cli.inputs import open_file
from archive.cli.unpack import Raw
from archive.notation.game_words import contract_words
from archive.notation.names import Reader
from archive.notation.read_values import read_event
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.record import Deal, Finding, Session
from archive.record.names import is_like_name, name_key, near_keys, one_form, split_names
from importers import typed_lines

NAMES = (
    "Hans M.", "Resi H.", "Sepp (2)", "Toni jun.", "Hans-P.", "Dr. Xaver", "Anna-Lena", "Huber Franz", "O’Brien",
    "Karl-Heinz d. Ä.", "Xaver v. d. Au", "Toni 2", "Łukasz", "José María", "李", "Jörg", "Jo\u0308rg", "Hans\u00a0M.",
    "Hans  M.",
)  # fmt: skip
LINE = "{} Sauspiel auf die Eichel mit Ben, gewonnen, 91:29"
SHORT = LINE.format("Hans")
Items = Iterable[Session | Deal | Finding]


def read(name: str, text: str) -> Items:
    return open_file(Raw(name, text.encode()), None).items()


def toml(name: str) -> Items:
    players = json.dumps([name, "Ben", "Cem", "Dora"], ensure_ascii=False)
    deal = f'[[deal]]\ngame = "{name}: Sauspiel Eichel"\nwith = "Ben"\n'
    return read("a.toml", f'format = "schafkopf-record/1"\nrules = "pub"\nplayers = {players}\n{deal}')


def json_lines(name: str) -> Items:
    line = {"format": "schafkopf-record/1", "rules": "pub", "players": [name, "Ben", "Cem", "Dora"]}
    return read("a.jsonl", json.dumps(line | {"game": f"{name} Sauspiel Eichel", "with": "Ben"}) + "\n")


def typed(name: str) -> Items:
    return read("a.txt", f"Spieler: {name}, Ben, Cem, Dora\n{LINE.format(name)}\n")


def bare(name: str) -> Items:
    return read("a.txt", f"{name}, Ben, Cem, Dora\n{LINE.format(name)}\n")


def chat(name: str) -> Items:
    head = "27.11.26, 20:1{} - Eva: "
    return read("a.txt", f"{head.format(5)}Spieler: {name}, Ben, Cem und Dora\n{head.format(6)}{LINE.format(name)}\n")


def beside(name: str) -> Items:
    data = LINE.format(name).encode()
    source = next(iter(typed(name))).source
    assert source
    return typed_lines.read(data, source, split_names(f"{name}, Ben, Cem, Dora"))


def sheet(name: str) -> Items:
    row = f"Sauspiel Eichel;{name};Ben;20;20;-20;-20\n"
    return read("a.csv", f"Spiel;Spieler;Partner;{name};Ben;Cem;Dora\n{row}")


PLACES = (toml, json_lines, typed, bare, chat, beside, sheet)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_is_the_same_player_wherever_it_is_written(name: str, place: Callable[[str], Items]) -> None:
    items = list(place(name))
    session = next(each for each in items if isinstance(each, Session))
    (deal,) = (each for each in items if isinstance(each, Deal))
    assert session.players == (one_form(name), "Ben", "Cem", "Dora")
    assert (deal.game.declarer, deal.partner) == (0, 1), items


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_is_read_in_words_at_a_table_that_is_known(name: str) -> None:
    spoken = read_spoken_deal(LINE.format(name), contract_words(), (name, "Ben", "Cem", "Dora"))
    assert (spoken.declarer, spoken.partner) == (one_form(name), "Ben")


@pytest.mark.parametrize("name", NAMES[:7] + NAMES[9:10] + NAMES[14:], ids=ascii)
def test_a_name_is_read_in_words_where_nobody_knows_the_table(name: str) -> None:
    spoken = read_spoken_deal(LINE.format(name), contract_words())
    assert (spoken.declarer, spoken.partner) == (one_form(name), "Ben")


@pytest.mark.parametrize("words", ["Huber Franz", "Sepp Toni"])
def test_two_words_that_may_be_two_players_are_refused_where_nobody_knows_the_table(words: str) -> None:
    assert isinstance(read_spoken_deal(LINE.format(words), contract_words()), Finding)


@pytest.mark.parametrize("name", ["Hans M.", "Sepp (2)", "Toni jun.", "Toni 2", "Dr. Xaver"])
def test_amounts_alone_stand_behind_names_of_every_kind(name: str) -> None:
    line = f"{name} +20 Ben +20 Cem -20 Dora -20\n"
    session = next(each for each in read("a.txt", line * 3) if isinstance(each, Session))
    assert session.players == (name, "Ben", "Cem", "Dora")


def test_a_player_is_called_by_a_word_that_is_of_nobody_else_and_it_is_said() -> None:
    items = list(read("a.txt", f"Spieler: Hans M., Resi H., Ben, Dr. Xaver\n{SHORT}\nXaver Wenz, verloren\n"))
    first, second = (each for each in items if isinstance(each, Deal))
    assert (first.game and first.game.declarer, second.game and second.game.declarer) == (0, 3)
    assert first.inferred == ("players: Hans is Hans M., the only one so called",)


@pytest.mark.parametrize("name", ["vroni_7", "Ex-Spieler #115", "Hans M.", "Mausi ❤"])
def test_a_whole_name_is_noted_as_no_part_of_one(name: str) -> None:
    spoken = read_spoken_deal(LINE.format(name), contract_words(), (name, "Ben", "Cem", "Dora"))
    assert (spoken.declarer, spoken.short) == (name, ())


def test_a_word_that_two_players_share_calls_neither() -> None:
    items = list(read("a.txt", f"Spieler: Hans M., Hans S., Ben, Xaver\n{SHORT}\nXaver Wenz, verloren\n"))
    assert [each.rule for each in items if isinstance(each, Finding)] == ["unknown-player"]
    assert sum(isinstance(each, Deal) for each in items) == 1


@pytest.mark.parametrize(
    ("players", "line", "declarer"),
    [
        (("Alte Resi", "Ben", "Cem", "Max König"), "Ben Sauspiel auf die Alte mit Cem, gewonnen", "Ben"),
        (("Sepp", "Sepp (2)", "Cem", "Dora"), "Sepp Wenz, 2 Laufende, gewonnen", "Sepp"),
        (("Hans", "Hans S.", "Cem", "Dora"), "Hans S. Herz Solo gewonnen", "Hans S."),
    ],
)
def test_a_word_of_the_game_calls_nobody(players: tuple[str, ...], line: str, declarer: str) -> None:
    spoken = read_spoken_deal(line, contract_words(), players)
    assert isinstance(spoken, SpokenDeal), spoken
    assert spoken.declarer == declarer


def test_composed_and_decomposed_are_one_name_in_one_record() -> None:
    apart = unicodedata.normalize("NFD", "Jörg")
    head = 'format = "schafkopf-record/1"\nrules = "pub"\nplayers = ["Jörg", "Ben", "Cem", "Dora"]\n'
    rest = f'[[deal]]\ngame = "{apart} Sauspiel Eichel"\nknocks = ["{apart}"]\nstated.payments = {{ "{apart}" = 20 }}\n'
    (deal,) = (each for each in read("a.toml", head + rest) if isinstance(each, Deal))
    assert (deal.game.declarer, deal.knocks) == (0, (0,))
    twice = head.replace('"Ben"', f'"{apart}"') + rest
    assert "bad-players" in [each.rule for each in read("a.toml", twice) if isinstance(each, Finding)]


@pytest.mark.parametrize("text", ["Das war heute schön", "wir haben gespielt", "Sepp, Toni", "91:29", ""])
def test_a_sentence_has_not_the_shape_of_a_name(text: str) -> None:
    assert not is_like_name(text)


def test_a_list_of_names_is_split_alike_everywhere() -> None:
    assert split_names("Hans M., Resi H.; Sepp (2) und Toni jun. & Max") == (
        "Hans M.", "Resi H.", "Sepp (2)", "Toni jun.", "Max",
    )  # fmt: skip


NEAR = (
    ("Resi", "resi"), ("Jörg", "Joerg"), ("Jörg", "Jorg"), ("Sepp", "Sepp "), ("Dammerl", "Damerl"),
    ("Hans M", "hans m."), ("Philipp", "Phillip"), ("Sebastian", "Sebatsian"), ("Groß", "Gross"),
    ("Franz Huber", "Huber Franz"), ("Karl-Heinz", "Karlheinz"),
)  # fmt: skip
APART = (
    ("Hans M.", "Hans S."), ("Hans M.", "Hans"), ("Hans S.", "Hans"), ("Sepp", "Sepp (2)"), ("Gast 1", "Gast 11"),
    ("Toni jun.", "Toni sen."), ("Anna", "Hanna"), ("Maria", "Marie"), ("Andreas", "Andrea"), ("Ben", "Bene"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "near"), [(*each, True) for each in NEAR] + [(*each, False) for each in APART]
)
def test_names_are_near_equal_that_a_slip_parts_and_no_others(one: str, other: str, near: bool) -> None:
    assert bool(near_keys(one) & near_keys(other)) is near


def test_the_key_of_a_name_is_without_capitals_and_signs() -> None:
    assert name_key("HANS  M.") == name_key("Hans M") == "hans m"


def test_the_free_text_of_an_event_stays_as_it_is_written() -> None:
    """In a session file as in lines: only the name before it is brought to one form."""
    text = unicodedata.normalize("NFD", "für ≠ Ober")
    names = ("Jörg", "Ben", "Cem", "Dora")
    for written in (names[0], unicodedata.normalize("NFD", names[0])):
        table = Reader(names, "german", contract_words())
        event = read_event(table, "events", f"{written} remarks {text}")
        assert (event.seat, event.verb, event.arg) == (0, "remarks", text)
