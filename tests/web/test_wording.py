"""The words that readers see: what card players say stands there, what they never said does not, in both languages."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from selectolax.lexbor import LexborHTMLParser
from support.running import run
from support.web_archive import make_archive

from archive.rules import Ruleset, bundled, load, values
from archive.say import title_in
from archive.say.catalogue import rows
from archive.stats.texts import all_texts
from archive.text.wording import incomplete_words
from archive.web.app import create_app
from archive.web.rulesets.page import rulebook
from archive.web.texts import LANGUAGES, TEXTS

# What once stood there, each a pattern of a whole text.
GONE = {
    "en": (
        r"Agree with their record|[Nn]eeds a look|undecidable|unplayable|Findings|Dispute file|.* in Datasette|"
        r"Recorded, by whom is not told|as it stood then|\{name\} is paid|\{name\} in total|\{points\} in \{tricks\}|"
        r"\{at\} safe|\{count\} of \{total\} out|books break at deal \{number\}|What would explain it|"
        r"cannot be told from the first|each for himself|hand \{place\}|place \{place\}|Was declarer|few|"
        r"Words of a note|As|anyone at the table|Hit \{number\}|Which two play well together[?]|"
        r"Do runners tell who wins[?]|.*searched, found and stabbed.*|Ran away|.*farthest card.*|"
        r"Drawn is what has most cases.*|.*\b[Tt]he Alte\b.*|This page failed|To the newest deals|"
        r"Two sources tell of this deal.*|as the browser"
    ),
    "de": (
        r".*gepasst.*|passt|möchte spielen|.*trumpft mit.*|\{name\} ist ohne .*|.*Befund.*|"
        r".*(Anschrieb|[Aa]ngeschrieben).*|Aufgeschrieben, von wem ist nicht gesagt|.*Sitzung.*|"
        r".*[Nn]icht spielbar.*|Unspielbar|.*[Nn]icht entscheidbar.*|Unentscheidbar|.*\bSpruch\b.*|\{name\} bekommt|"
        r"\{at\} frei|Anzusehen|anzusehen|irgendwer am Tisch|Wörter der .*|.*Spielart.*|Streitakte|"
        r"\{count\} Pack zu \{size\}|[Nn]eu gegeben|wie der Browser|.*nobody heißt.*"
    ),
}


def sentences(language: str) -> set[str]:
    """Every text of the program in a language: of pages, of reasons and findings, of questions."""
    questions = all_texts()
    titles: Iterator[str] = (
        text for each in questions.questions.values() for text in (each.title.of(language), each.read.of(language))
    )
    columns = (each.of(language) for each in questions.columns.values())
    return {*rows(language).values(), *TEXTS[language].values(), *titles, *columns}


@pytest.mark.parametrize("language", GONE)
def test_what_no_card_player_says_is_gone(language: str) -> None:
    assert [text for text in sentences(language) if re.fullmatch(GONE[language], text)] == []


def ruleset(name: str) -> Ruleset:
    rules, _ = load(name)
    assert rules
    return rules


@pytest.mark.parametrize("name", bundled())
def test_every_ruleset_has_a_title_in_every_language(name: str) -> None:
    rules = ruleset(name)
    assert title_in("rules", name, rules.title, "en") == rules.title
    assert f"titles.rules-{name}" in rows("de")
    assert title_in("rules", name, "Our own", "de") == "Our own", "what a table called its rules stays"
    assert (incomplete_words(rules.incomplete, "de") == rules.incomplete) == (not rules.incomplete)
    assert incomplete_words("The page is torn.", "de") == "The page is torn."


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_titles_of_rulesets_are_shown_in_the_language_of_the_reader(language: str, tmp_path: Path) -> None:
    titles = [title_in("rules", name, ruleset(name).title, language) for name in bundled()]
    lines = run("rules", "--lang", language, columns=200).output.splitlines()[2:]
    assert [re.split("  +", line)[1].partition(" (")[0] for line in lines if line[0] != " "] == titles
    page = create_app(tmp_path / "none.db").test_client().get(f"/rulesets?lang={language}").text
    assert [escape(title) for title in titles if escape(title) not in page] == []


TITLES = ("title", "names")  # words as they are


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", bundled())
def test_no_value_of_a_ruleset_is_shown_as_it_is_set_where_that_is_no_word(name: str, language: str) -> None:
    rules, t = ruleset(name), TEXTS[language]
    book = rulebook(rules, t)
    own = (
        *book["house"],
        *book["idle"],
        *chain(*(each["values"] for each in book["games"]), *(rows for _, rows in book["rounds"])),
    )
    shown = {
        f"{row.key} = {row.value}"
        for row in own
        if re.search(r"[a-z]-[a-z]|^[a-z]+$", row.raw) and row.raw == row.value and row.key not in TITLES
    }
    words = {text for key, text in t.items() if key.startswith("rv_")} | {"ct", "units", "tallies", "lives"}
    assert {each for each in shown if each.partition(" = ")[2] not in words} == set()
    assert len(own) == sum(key in rules.cites for key in values(rules))


def test_a_citation_is_a_link_to_its_document_with_its_title(tmp_path: Path) -> None:
    client: FlaskClient = create_app(make_archive(tmp_path / "archive.db")).test_client()
    for page in (client.get("/rulesets/pub").text, client.get("/deals/1").text):
        link = LexborHTMLParser(page).css_first("a.cite")
        assert link.text()
        assert link.attributes["title"]
        path, _, source = str(link.attributes["href"]).partition("#")
        assert LexborHTMLParser(client.get(path or "/rulesets/pub").text).css_first(f"#{source}")
