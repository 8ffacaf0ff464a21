"""Sentences that many deals have are remembered, each with its own facts."""

import pytest

from archive.judge.sentences import say_quickly
from archive.say import message, say


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_remembered_sentence_is_that_of_its_own_facts(language: str) -> None:
    cards = [message("settle.knocks", n=each) for each in (1, True, "1", 2, 1, True)]
    named = [message("settle.knock", player=each) for each in ("Anna", "Ben", None, "Anna")]
    for each in (*cards, *named, message("judge.program-fault")):
        for faces in ("german", "french"):
            assert say_quickly(each, language, faces) == say(each, language, faces)
