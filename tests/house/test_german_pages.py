"""A German page says what the English one says: the same commands and options, the same keys in code, the same numbers,
the same headings, tables and blocks, links to the same places; and each leads to the other.

German are the words: those of prose, those that people type in quotes, those that the program prints (of both only the
numbers are compared), and how a command is made to speak German. A piece of code is words if it begins with a capital
letter or a digit and has only letters, digits and the signs of a sentence, as a button or a line of a score sheet."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT

from archive.web.texts import TEXTS

GERMAN = sorted((ROOT / "docs").rglob("*.de.md"))
BLOCK = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`]+)`")
BUTTON = re.compile(r"[`*]([^`*]+)[`*]")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
TABLE = re.compile(r"^\|[-|]+\|$", re.MULTILINE)
COMMENT = re.compile(r"(?:^|\s+)# .*", re.MULTILINE)
IN_QUOTES = re.compile(r'"[^"]*"|\[[^\W\d][^\W\d]*,? [^\W\d][\w ,]*\]')
WORDS = re.compile(r"[A-ZÄÖÜ\d][\w ,:;()…]*[a-zäöüß][\w ,:;()…]*")
SPEAKS_GERMAN = re.compile(r" ?--lang de|SCHAFKOPF_LANG=de")
THOUSANDS = {"en": re.compile(r"(?<=\d),(?=\d{3}\b)"), "de": re.compile(r"(?<=\d)\.(?=\d{3}\b)")}
DIGITS = re.compile(r"(?<![A-Za-z])\d+(?:[.,]\d+)*")
VALUES = "2 3 4 5 6 7 8 9 10 11 12 20 30 50 100 1000 1000000".split()
NUMBER_WORDS = {
    "en": "two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand million",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig fünfzig hundert tausend million",
}
# hundreds, and no six of Sixty-six; Tausende, Herz-Siebener
IN_WORDS = {"en": r"(?<!-)\b(?:{})+s?\b", "de": r"\b(?:{})+(?:en?|er)?\b"}
TOGETHER = {"zu zweit": "zwei", "zu dritt": "drei", "zu viert": "vier", "zu fünft": "fünf"}


def english_of(page: Path) -> Path:
    """The English page or picture of a German one, beside it; the README is at the root."""
    beside = page.with_name(page.name.replace(".de.", "."))
    return beside if beside.exists() else ROOT / beside.name


def numbers(text: str, language: str) -> list[str]:
    """The numbers of prose, in digits and in words, with a decimal point: of `zweihundert` 2 and 100."""
    values = dict(zip(NUMBER_WORDS[language].split(), VALUES, strict=True))
    one = "|".join(sorted(values, key=len, reverse=True))
    text = text.lower()
    for words, number in TOGETHER.items():
        text = text.replace(words, number)
    compounds = re.findall(IN_WORDS[language].format(one), text)
    in_words = [values[each] for compound in compounds for each in re.findall(one, compound)]
    return in_words + in_digits(text, language)


def in_digits(text: str, language: str) -> list[str]:
    return [each.replace(",", ".") for each in DIGITS.findall(THOUSANDS[language].sub("", text))]


def in_code(text: str) -> str:
    """A piece of code, without what is German on purpose."""
    text = " ".join(SPEAKS_GERMAN.sub("", text).split())
    plain = "…" if WORDS.fullmatch(text) else IN_QUOTES.sub('"…"', text)
    return plain if plain == text else " ".join([plain, *DIGITS.findall(text)])


def in_block(kind: str, text: str, language: str) -> Any:
    """What a block has in it that is no words: of TOML and CSV all, of what is printed the numbers."""
    if kind == "toml":
        return tomllib.loads(text)
    if kind == "text":
        return Counter(in_digits(text, language))
    return [in_code(line) for line in COMMENT.sub("", text).splitlines()] if kind != "csv" else text


def place(target: str, page: Path) -> Path | str:
    """Where a link of a page leads: a page, in English, or a file, or an address; of a place in a page the page."""
    if ":" in target:
        return target
    path = (page.parent / target.partition("#")[0] if target[0] != "#" else page).resolve()
    return english_of(path) if ".de." in path.name else path


def facts(text: str, page: Path) -> dict[str, Any]:
    """What a page has in common with the one in the other language."""
    language = "de" if page in GERMAN else "en"
    blocks, rest = BLOCK.findall(text), BLOCK.sub("", text)
    prose = LINK.sub("]", CODE.sub(" ", rest))
    return {
        "headings": HEADING.findall(rest),
        "tables": len(TABLE.findall(rest)),
        "blocks": [(kind, title) for kind, title, _ in blocks],
        "in blocks": [in_block(kind, inside, language) for kind, _, inside in blocks],
        "code": Counter(code for code in map(in_code, CODE.findall(rest)) if code),
        "numbers": Counter(numbers(prose, language)),
        "links": Counter(place(target, page) for target in LINK.findall(rest)),
    }


@pytest.mark.parametrize("page", GERMAN, ids=lambda page: page.stem)
def test_a_german_page_says_what_the_english_one_says(page: Path) -> None:
    english = english_of(page)
    expected, found = facts(english.read_text("utf-8"), english), facts(page.read_text("utf-8"), page)
    for what in expected:
        assert found[what] == expected[what], what


@pytest.mark.parametrize("page", GERMAN, ids=lambda page: page.stem)
def test_a_page_begins_with_a_link_to_itself_in_the_other_language(page: Path) -> None:
    english = english_of(page)
    for here, there in ((page, english), (english, page)):
        beginning = here.read_text("utf-8").split("\n\n")[:4]
        assert there in {(here.parent / target).resolve() for target in LINK.findall("\n\n".join(beginning))}, here


@pytest.mark.parametrize("page", GERMAN, ids=lambda page: page.stem)
def test_a_german_page_leads_to_german_ones_where_there_are_any(page: Path) -> None:
    targets = {(page.parent / target.partition("#")[0]).resolve() for target in LINK.findall(page.read_text("utf-8"))}
    assert targets.isdisjoint({english_of(each) for each in GERMAN if each != page})


def named(page: Path) -> set[str]:
    """What a page has in code or set off: buttons among them."""
    return {" ".join(text.split()) for text in BUTTON.findall(BLOCK.sub("", page.read_text("utf-8")))}


@pytest.mark.parametrize("page", GERMAN, ids=lambda page: page.stem)
def test_a_button_has_in_german_the_words_that_stand_on_it(page: Path) -> None:
    buttons: dict[str, set[str]] = {}
    for key, text in TEXTS["en"].items():
        buttons.setdefault(text, set()).add(TEXTS["de"][key])
    here, there = named(page), named(english_of(page))
    assert {text for text in there - here if text in buttons and not buttons[text] & here} == set()


@pytest.mark.parametrize(
    ("there", "otherwise", "what"),
    [
        ("zehn Minuten", "elf Minuten", "numbers"),
        ("Bis 6 Uhr", "Bis 7 Uhr", "numbers"),
        ("`--go-on`", "`--go-off`", "code"),
        ("`stated.payments`", "`stated.payment`", "code"),
        ("--tariff 10/20/50", "--tariff 5/20/50", "in blocks"),
        ("[30, -30, -30, 30]", "[30, -30, 30, -30]", "in blocks"),
        ("`3 Spiele", "`4 Spiele", "code"),
        ("\n## Am Telefon", "\n### Am Telefon", "headings"),
        ("(record-format.md)", "(schema.md)", "links"),
    ],
)
def test_what_is_otherwise_in_german_is_noticed(there: str, otherwise: str, what: str) -> None:
    page = ROOT / "docs" / "typing.de.md"
    text = page.read_text("utf-8")
    assert there in text
    before, after = facts(text, page), facts(text.replace(there, otherwise, 1), page)
    assert {key for key in before if before[key] != after[key]} == {what}
