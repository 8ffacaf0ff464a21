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

# What stood there, as a pattern of a whole text, and what stands there; empty where other words carry it.
ENGLISH = [
    ("Agree with their record", "Match the score sheet"),
    ("[Nn]eeds a look", "Needs review"),
    ("undecidable", "incomplete"),
    ("unplayable", "illegal play"),
    ("Findings", "Issues"),
    ("Dispute file", "Case file"),
    (".* in Datasette", "Open in SQL"),
    ("Recorded, by whom is not told", "Recorded (scorer unknown)"),
    ("as it stood then", "view this version"),
    (r"\{name\} is paid", "{name}:"),
    (r"\{name\} in total", "{name}, running total"),
    (r"\{points\} in \{tricks\}", "{points} points, {tricks} tricks"),
    (r"\{at\} safe", "{at} avoids Schneider"),
    (r"\{count\} of \{total\} out", "{count} of {total} still out"),
    (r"books break at deal \{number\}", "totals stop adding up at deal {number}"),
    ("What would explain it", "Likely explanation"),
    ("cannot be told from the first", "fits equally well"),
    ("each for himself", "everyone alone"),
    (r"hand \{place\}|place \{place\}", "second to play"),
    ("Was declarer", "Declared"),
    ("few", "small sample"),
    ("Words of a note", "Text in notes"),
    ("As", "Role"),
    ("anyone at the table", "any"),
    (r"Hit \{number\}", "Result {number}"),
    ("Which two play well together[?]", "Which pairs do well?"),
    ("Do runners tell who wins[?]", "Do runners decide the game?"),
    (".*searched, found and stabbed.*", "How often is the called ace led to, drawn and trumped?"),
    ("Ran away", "Underplayed the called suit (davongelaufen)"),
    (".*farthest card.*", "The most extreme card"),
    ("Drawn is what has most cases.*", "The {shown} largest rows are shown, of {count}."),
    (r".*\b[Tt]he Alte\b.*", ""),
    ("This page failed", "The server is busy"),
    ("To the newest deals", "Back to the deals"),
    ("Two sources tell of this deal.*", ""),
    ("as the browser", "automatic"),
]  # fmt: skip
GERMAN = [
    (".*gepasst.*|passt", "weiter"),
    ("möchte spielen", "spielt"),
    (".*trumpft mit.*", "{name} ist {suit}-frei und sticht mit {card}."),
    (r"\{name\} ist ohne .*", "{name} ist {suit}-frei und schmiert {card}."),
    (".*Befund.*", "Auffälligkeiten"),
    (".*(Anschrieb|[Aa]ngeschrieben).*", "Aufschrieb"),
    ("Aufgeschrieben, von wem ist nicht gesagt", "Aufgeschrieben, Schreiber unbekannt"),
    (".*Sitzung.*", "Abend"),
    (".*[Nn]icht spielbar.*|Unspielbar", "regelwidrig"),
    (".*[Nn]icht entscheidbar.*|Unentscheidbar", "offen"),
    (r".*\bSpruch\b.*", "Entscheid {amount}"),
    (r"\{name\} bekommt", "{name}:"),
    (r"\{at\} frei", "schneiderfrei ab {at}"),
    ("Anzusehen|anzusehen", "Zum Nachschauen"),
    ("irgendwer am Tisch", "egal"),
    ("Wörter der .*", "Text: Abend, Ort"),
    (".*Spielart.*", "Spiel"),
    ("Streitakte", "Streitfall"),
    (r"\{count\} Pack zu \{size\}", "{count} × {size}"),
    ("[Nn]eu gegeben", "vergeben"),
    ("wie der Browser", "automatisch"),
    (".*nobody heißt.*", ""),
]


def sentences(language: str) -> set[str]:
    """Every text of the program in a language: of pages, of reasons and findings, of questions."""
    questions = all_texts()
    titles: Iterator[str] = (
        text for each in questions.questions.values() for text in (each.title.of(language), each.read.of(language))
    )
    columns = (each.of(language) for each in questions.columns.values())
    return {*rows(language).values(), *TEXTS[language].values(), *titles, *columns}


@pytest.mark.parametrize(("language", "table"), [("en", ENGLISH), ("de", GERMAN)])
def test_what_no_card_player_says_is_gone_and_what_they_say_is_there(
    language: str, table: list[tuple[str, str]]
) -> None:
    texts = sentences(language)
    left = {old: found for old, _ in table if (found := [text for text in texts if re.fullmatch(old, text)])}
    assert left == {}
    assert [new for _, new in table if new and new not in texts] == []


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
    own = (*book.house, *book.idle, *chain(*(each.values for each in book.games), *(rows for _, rows in book.rounds)))
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


def test_the_proof_of_a_game_says_at_which_points_it_was_won(tmp_path: Path) -> None:
    client: FlaskClient = create_app(make_archive(tmp_path / "archive.db")).test_client()
    first = LexborHTMLParser(client.get("/deals/1").text).css_first(".lines tbody tr")
    assert "62 with Gras-Ober, trick 6" in first.text()
