"""Palatinate games are written down with the letters of a French pack, or of an English one; what the archive writes
has German letters throughout. A sentence shows the faces of the table's pack."""

import json
import re
from collections.abc import Iterable

import pytest
from msgspec.structs import replace
from support.samples import VALID, samples
from support.tables import judge_text, rules_of

from archive.cards import CODES
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_lines, read_toml, write_line, write_toml
from archive.record import Deal, Finding, Session, Source, say_finding
from archive.rules import bundled, load

PACKS = {
    "french": (dict(zip("EGHS", "KPHC", strict=True)), {"O": "D", "U": "B", "Z": "10"}),
    "english": (dict(zip("EGHS", "CSHD", strict=True)), {"O": "Q", "U": "J", "Z": "T"}),
    "signs": (dict(zip("EGHS", "♣♠♥♦", strict=True)), {"O": "D", "U": "B"}),
}
ALONE = ("game", "auction")  # where a suit may stand as a letter of its own


def with_french_faces() -> list[str]:
    rulesets = [load(name)[0] for name in bundled()]
    return [each.id for each in rulesets if each is not None and each.house.faces == "french"]


def relettered(text: str, pack: tuple[dict[str, str], dict[str, str]]) -> str:
    """A record in German letters, written with those of another pack."""
    suits, ranks = pack

    def card(found: re.Match[str]) -> str:
        return suits.get(found[1], found[1]) + ranks.get(found[2], found[2])

    def rank(found: re.Match[str]) -> str:
        return found[1] + ranks.get(found[2], found[2])

    lines, key = [], ""
    for line in text.split("\n"):
        key = line.split(" ")[0] if re.match(r"[a-z_.]+ =", line) else key
        changed = re.sub(r"(?<!\w)([EGHS?])([AZKOU9876?])(?!\w)", card, line)
        changed = re.sub(r"(\blowest )(\w)", rank, changed)
        if key in ALONE:
            changed = re.sub(r"(?<= )([EGHS])(?=[ \"])", lambda found: suits[found[1]], changed)
        lines.append(line if key in ("note", "players", "event") else changed)
    return "\n".join(lines)


def read(text: str) -> list[Session | Deal]:
    """What a text says, without its place."""
    things = list(read_toml(text.encode(), Source("evening.toml")))
    assert not [each for each in things if isinstance(each, Finding)], things
    return [replace(each, source=None) for each in things if not isinstance(each, Finding)]


def german(things: Iterable[Session | Deal]) -> str:
    session, *deals = things
    assert isinstance(session, Session)
    return write_toml(session, [each for each in deals if isinstance(each, Deal)])


def evening(rules: str, cards: str, body: str) -> str:
    head = ('format = "schafkopf-record/1"', 'players = ["Anna", "Ben", "Cem", "Dora"]', f'rules = "{rules}"')
    return "\n".join((*head, f'cards = "{"french" if cards == "signs" else cards}"', body))


HANDS_DEALT = [list(CODES[start : start + 10]) for start in (0, 10, 20)]
# Not a deal that could be played: every card once in a hand, some in tricks, and what a declarer may name.
EVERY_CARD = f"""
[[deal]]
dealer = "Dora"
sits_out = ["Dora"]
hands = ["Anna: {" ".join(CODES[:10])}", "Ben: {" ".join(CODES[10:20])}", "Cem: {" ".join(CODES[20:30])}"]
blind = ["SO", "SU"]
auction = ["Anna solo H", "Ben pass", "Cem solo E", "Anna lowest O"]
game = "Cem solo S"
exchange = ["blind > Cem: E? ??"]
tricks = ["Anna: EO GU SZ", "HU ?A G7"]
events = ["@1.1 Ben exposes GO HZ"]
"""


def test_all_palatinate_rulesets_show_french_faces() -> None:
    assert set(with_french_faces()) >= {"palatinate", "asserufen", "bauernstoss", "alter-schoofkopp"}


@pytest.mark.parametrize("rules", with_french_faces())
@pytest.mark.parametrize("cards", PACKS)
def test_every_card_is_read_in_either_alphabet_and_written_in_german_letters(rules: str, cards: str) -> None:
    things = read(evening(rules, "german", EVERY_CARD))
    other = relettered(EVERY_CARD, PACKS[cards])
    assert other != EVERY_CARD
    assert read(evening(rules, cards, other)) == things
    text = german(things)
    assert "cards =" not in text
    assert read(text) == things


@pytest.mark.parametrize("rules", with_french_faces())
@pytest.mark.parametrize("cards", PACKS)
def test_a_line_has_german_letters_whatever_was_read(rules: str, cards: str) -> None:
    session, deal = read(evening(rules, cards, relettered(EVERY_CARD, PACKS[cards])))
    assert isinstance(session, Session)
    assert isinstance(deal, Deal)
    line = write_line(session, deal)
    written = json.loads(line)
    assert written["game"] == "Cem solo S"
    assert "cards" not in written
    assert [hand.split(": ")[-1].split() for hand in written["hands"][:3]] == HANDS_DEALT
    assert [each for each in read_lines(line, Source("evening.jsonl")) if isinstance(each, Finding)] == []


@pytest.mark.parametrize("rules", with_french_faces())
@pytest.mark.parametrize(
    ("cards", "hand"), [("french", "PD EO"), ("english", "SQ GO"), ("german", "GO SQ"), ("french", "KD CQ")]
)
def test_letters_of_two_packs_in_one_record_are_refused(rules: str, cards: str, hand: str) -> None:
    text = evening(rules, cards, f'[[deal]]\nhands = ["Anna: {hand}"]\n')
    found = [each for each in read_toml(text.encode(), Source("evening.toml")) if isinstance(each, Finding)]
    assert [each.rule for each in found] == ["mixed-letters"]


@pytest.mark.parametrize(
    ("cards", "game", "suit"),
    [
        ("french", "Anna Assrufer P", "G"),
        ("french", "Anna Assrufer Kreuz", "E"),
        ("french", "Anna Assrufer C10", "S"),
        ("english", "Anna Assrufer C", "E"),
        ("english", "Anna Assrufer DT", "S"),
        ("german", "Anna Assrufer Pik", "G"),
        ("french", "Anna Kreuz-Solo", "E"),
        ("french", "Anna Solo Karo Du", "S"),
        ("english", "Anna solo hearts du", "H"),
    ],
)
def test_a_suit_is_named_by_its_letter_or_its_word(cards: str, game: str, suit: str) -> None:
    _, deal = read(evening("asserufen", cards, f'[[deal]]\ngame = "{game}"\n'))
    assert deal.game.suit == suit


def of_french_faces() -> list[str]:
    """The valid samples of tables that play with a French pack."""
    heads = {path.name: path.read_text("utf-8") for path in samples(VALID) if path.suffix == ".toml"}
    return [name for name, text in heads.items() if any(f'rules = "{rules}"' in text for rules in with_french_faces())]


def judgements(text: str) -> list[Judgement]:
    return [
        each for each in judge_stream(read_toml(text.encode(), Source("evening.toml"))) if isinstance(each, Judgement)
    ]


@pytest.mark.parametrize("name", of_french_faces())
@pytest.mark.parametrize("cards", PACKS)
def test_an_evening_is_the_same_in_the_letters_of_any_pack(name: str, cards: str) -> None:
    things = read((VALID / name).read_text("utf-8"))
    text = german(things)
    other = relettered(text, PACKS[cards])
    other = other.replace("rules =", f'cards = "{"french" if cards == "signs" else cards}"\nrules =', 1)
    assert read(other) == things
    assert [each.settlement for each in judgements(other)] == [each.settlement for each in judgements(text)]


HANDS = {
    "german": "Anna: EO SK GO SO GU HO SU SA",
    "french": "Anna: KD CK PD CD PB HD CB CA",
    "english": "Anna: CQ DK SQ DQ SJ HQ DJ DA",
}


@pytest.mark.parametrize("cards", HANDS)
def test_a_sentence_shows_the_faces_of_the_table_whatever_letters_were_read(cards: str) -> None:
    game = {"german": "SA", "french": "CA", "english": "DA"}[cards]
    text = evening(
        "asserufen", cards, f'[[deal]]\ndealer = "Dora"\nhands = ["{HANDS[cards]}"]\ngame = "Anna rufspiel {game}"\n'
    )
    (found,) = judgements(text)
    assert rules_of(found) == ["calls-own-card"]
    assert found.findings[0].message == "Anna calls ♦A and holds it: ♣Q ♠Q ♠J ♥Q ♦A ♦K ♦Q ♦J"
    assert "♣D ♠D ♠B ♥D ♦A ♦K ♦D ♦B" in say_finding(found.findings[0], "de")


def test_a_bavarian_table_keeps_its_own_faces_whatever_letters_were_read() -> None:
    (found,) = judge_text('[[deal]]\ndealer = "Dora"\nhands = ["Anna: SA"]\ngame = "Anna rufspiel S"\n', "bavarian")
    assert "♦" not in "".join(each.message for each in found.findings)
