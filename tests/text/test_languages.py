"""A deal as text is in one language: its labels, headings and short words, not only its sentences."""

import re
from collections.abc import Iterator

import pytest
from support.samples import valid_deals
from support.thorough import examples

from archive.record import Session, evidence_text
from archive.say import LANGUAGES, Message
from archive.say.catalogue import rows
from archive.text.protocol import protocol

LABEL = re.compile(r"^(\w+(?: \w+)?): |^(\w+) {2,}(?=\S)", re.MULTILINE)  # `Auction: …`, `Players    …`
HEADING = re.compile(r"^(.+)\n-{3,}[- ]*$", re.MULTILINE)  # above the rule of a table


def words_of(language: str) -> set[str]:
    texts = (text for key, text in rows(language).items() if key.startswith("page."))
    return {word.lower() for text in texts for word in re.findall(r"[^\W\d_]{3,}", re.sub(r"\{[^}]*\}", "", text))}


def labels(text: str) -> Iterator[str]:
    """The words of labels and headings."""
    for found in [*LABEL.finditer(text), *HEADING.finditer(text)]:
        yield from re.findall(r"[^\W\d_]{3,}", found[0])


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_labels_of_a_protocol_are_in_its_language(language: str) -> None:
    own, seen = words_of(language), 0
    english = words_of("en") - own
    for judgement in valid_deals()[:: examples(8, 1)]:
        people = {part for name in judgement.session.players for part in name.split()}
        text = "".join(protocol([(judgement.session, judgement)], language))
        words = [word for word in labels(text) if word not in people]
        assert [word for word in words if word.lower() in english] == [], text
        seen += sum(word.lower() in own for word in words)
    assert seen > examples(100, 1000)


def test_an_entry_that_was_worked_out_is_said_in_the_language_of_the_reader() -> None:
    facts = {"key": "house.tariff", "value": "'10/50'", "fits": 3, "count": 4, "line": 7}
    texts = {language: evidence_text(Message("judge.inferred", facts), language) for language in LANGUAGES}
    assert len(set(texts.values())) == len(LANGUAGES)
    assert all(text.startswith("house.tariff: '10/50', ") for text in texts.values())


def test_an_entry_that_came_as_a_text_stays_as_it_was_written() -> None:
    head = Session(players=("A", "B", "C", "D"), rules="bavarian", inferred=("house.tariff: seen on a photograph",))
    assert [evidence_text(each, "de") for each in head.inferred or ()] == ["house.tariff: seen on a photograph"]
