"""The words of games that come with the archive are written down: no ruleset is read for them."""

import msgspec

from archive.rules.load import bundled_files
from archive.rules.vocabulary import WRITTEN, Vocabulary, of_bundled, with_words_of

NO_WORDS = Vocabulary({}, {}, {}, {}, {}, {}, {}, {})


def test_the_written_words_are_those_of_the_rulesets(update: bool) -> None:
    words = with_words_of(NO_WORDS, bundled_files().values())
    if update:
        WRITTEN.write_bytes(msgspec.json.format(msgspec.json.encode(words), indent=1) + b"\n")
        of_bundled.cache_clear()
    assert [list(getattr(of_bundled(), field).items()) for field in Vocabulary.__struct_fields__] == [
        list(getattr(words, field).items()) for field in Vocabulary.__struct_fields__
    ]


def test_a_ruleset_adds_its_words_to_the_written_ones() -> None:
    """Taken one after another, rulesets give the same words as all at once, in the same order."""
    first, *others = bundled_files().values()
    together = with_words_of(NO_WORDS, [first, *others])
    one_by_one = with_words_of(NO_WORDS, [first])
    for path in others:
        one_by_one = with_words_of(one_by_one, [path])
    assert one_by_one == together
    assert list(one_by_one.names) == list(together.names)
