"""The catalogue of sentences: every message of the code has a text in every language, and what a record says in it is
carried over as it is."""

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from msgspec.structs import replace
from support import irregular_deals as irregular
from support import mistakes, running
from support.deal_pages import deal_page
from support.floors_examples import MODULES, faults, nodes_of, tree_of
from support.paths import ROOT
from support.samples import BROKEN, ROWS, VALID, imported, sample_of, samples
from support.tables import judge_one, judge_text
from support.thorough import examples

from archive import generate
from archive.cli.check import working
from archive.cli.explain import explanation_lines, session_lines
from archive.cli.inputs import open_files
from archive.cli.language import of_environment
from archive.explain import Explained, explain, explain_session
from archive.judge import Judgement, judge_session
from archive.judge.decisive_facts import decisive_facts
from archive.judge.judge_stream import judge_stream, with_neighbours
from archive.judge.report import KEYS
from archive.judge.sentences import faces_of, say_line, say_missing, say_reason
from archive.judge.set_right import say_set_right
from archive.record import Deal, Finding, finding, kind_of, message_of, remedy, say_finding, severities
from archive.resources import read_texts
from archive.rules import bundled, load
from archive.say import LANGUAGES, Fact, Message, from_plain, message, say, sentence, to_plain
from archive.say.catalogue import rows
from archive.web.deal.model import DealPosition
from archive.web.texts import EN

TRANSLATIONS = [language for language in LANGUAGES if language != "en"]


# --- the catalogue ----------------------------------------------------------------------------------------------------


def fields(text: str) -> set[str]:
    """The facts that a text is filled with."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_has_the_same_messages_with_the_same_facts(language: str) -> None:
    assert set(rows(language)) == set(rows("en"))
    assert [id for id in rows("en") if fields(rows(language)[id]) != fields(rows("en")[id])] == []
    assert all(rows(language).values())


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_settings_files_and_commands_are_the_same_in_every_language(language: str) -> None:
    """What a reader must write is no matter of language; a page is the one in the language, where there is one."""
    literal = re.compile(r"`[^`]+`|\bhouse\.[a-z_.]+[a-z]|\bcarry\.\w+|--\w+|\bdocs/[\w./-]+\w|\?\?")
    for id, text in rows("en").items():
        found = {each.replace(f".{language}.md", ".md") for each in literal.findall(rows(language)[id])}
        assert found == set(literal.findall(text)), id


def texts_in(module: Path) -> Iterator[str]:
    """Every text that a module can be at: constants, and of others a pattern with `.+` where something is filled in."""
    for node in nodes_of(tree_of(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.escape(node.value) + ".+" * node.value.endswith((".", "-"))  # the beginning of ids
        elif isinstance(node, ast.JoinedStr):
            yield "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".+" for part in node.values)


def test_every_message_of_the_catalogue_is_made_somewhere() -> None:
    """By its id, or by one that is put together of its beginning and a key; templates name the texts of pages."""
    rooms = "|".join({id.partition(".")[0] for id in rows("en")})
    made = {text for module in MODULES for text in texts_in(module) if re.match(rf"({rooms})\\?\.", text)}
    pattern = re.compile("|".join(sorted(made)))
    ids = {id.removesuffix("-one") if id.removesuffix("-one") in rows("en") else id for id in rows("en")}
    assert [id for id in ids if not pattern.fullmatch(id) and not id.startswith(("text.", "language."))] == []


def ids_made_in(module: Path) -> Iterator[str]:
    """The ids of messages, and the rules of findings, that a module names."""
    for node in nodes_of(tree_of(module)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            room = {"message": "", "Message": "", "finding": "findings."}.get(node.func.id)
            first = node.args[0]
            several = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
            for each in several if room is not None else ():
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield room + each.value


def test_every_message_that_is_made_stands_in_the_catalogue() -> None:
    assert faults(lambda module: set(ids_made_in(module)) - rows("en").keys()) == {}


def test_a_number_asks_for_its_form_of_a_word() -> None:
    assert [say(message("settle.knocks", n=n)) for n in (0, 1, 2)] == ["0 knocks", "1 knock", "2 knocks"]
    assert [say(message("settle.runners-without", n=n), "de") for n in (1, 2)] == [
        "ohne 1 Laufenden",
        "ohne 2 Laufende",
    ]


def test_facts_are_said_as_the_text_asks_for() -> None:
    names = ("Anna", "Ben", "Cem")
    assert say(message("settle.won-by", game="Kreuz", players=names)) == "Kreuz, won by Anna, Ben and Cem"
    assert say(message("missing.loser", players=names[:2]), "de").startswith("wer verliert, Anna oder Ben: ")
    lacks = message("judge.lacks", missing=(message("missing.dealer"), message("missing.tariff")))
    assert sentence(say(lacks)) == "The record does not say: the dealer; the tariff."
    assert sentence("no such file; did you mean pub?") == "No such file; did you mean pub?"
    assert say(message("missing.dealt", card="EU"), faces="french") == "who was dealt ♣J"
    assert "♣B" in say(message("missing.dealt", card="EU"), "de", faces="french")
    known = finding("stated-won", stated=False, computed=None)
    assert (
        say(message_of(known), "de")
        == "gewonnen von der Spielerpartei: aufgeschrieben ist nein, nach den Regeln ist es unbekannt"
    )
    bad = finding("unknown-player", key="dealer", entry="Leni", players=("Vroni", "Toni"))
    assert say_finding(bad) == "dealer: 'Leni' does not begin with the name of a player (Vroni, Toni)"


def test_one_missing_deal_is_no_range() -> None:
    one, two = (message("findings.deal-gap", first=5, last=last) for last in (5, 6))
    assert say(one, "de").startswith("Spiel 5 fehlt,")
    assert say(two, "de").startswith("die Spiele 5 bis 6 fehlen,")
    assert say(one).startswith("deal 5 is missing,")


def test_a_message_is_kept_as_plain_values_and_read_again() -> None:
    facts: dict[str, Fact] = {"missing": (message("missing.dealt", card="EU"), message("missing.tariff"))}
    for kept in (Message("judge.lacks", facts), message("missing.marks"), message("settle.knocks", n=3)):
        assert from_plain(json.loads(json.dumps(to_plain(kept)))) == kept


def test_every_finding_has_a_name_of_its_own_in_each_language() -> None:
    for language in LANGUAGES:
        names = [kind_of(rule, language) for rule in severities()]
        assert len({*names}) == len(names)
        assert max(map(len, names)) <= 50, "a few words"
    assert kind_of("must-follow") == "Suit not followed"
    assert kind_of("stated-totals", "de") == "Laufende Stände stimmen nicht"
    assert kind_of("of-another-version", "de") == "of-another-version"


# --- nothing that is said lacks a language ----------------------------------------------------------------------------

WORDS = "the|of|has|is|with|cards?|tricks?|played|but|must|and|from|cannot|record|who|whether"
ENGLISH = re.compile(rf"(?<![\w-])({WORDS})(?![\w-])")


def sentences(item: Judgement | Finding, language: str) -> list[str]:
    """All that is said of a deal but the search for an explanation, or of a place that is none."""
    if isinstance(item, Finding):
        return [say_finding(item, language)]
    lines = item.settlement.lines if item.settlement else ()
    return [
        *(say_finding(each, language) for each in item.findings),
        say_reason(item, language),
        *say_missing(item, language),
        *say_set_right(item, language),
        *(say_line(item, line, language) for line in lines),
        *(say(fact, language, faces_of(item)) for fact in decisive_facts(item)),
    ]


def english_in(item: Judgement | Finding) -> list[str]:
    """What is said in German with words in it that are English, and that no record has written."""
    assert all(sentences(item, "en"))
    return [text for text in sentences(item, "de") if ENGLISH.search(text)]


@pytest.mark.parametrize("rule", ["sources-differ", "record-changed"])
def test_what_shows_between_files_is_said_in_german(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rule: str) -> None:
    sample = sample_of(rule)
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    told = imported(monkeypatch, sorted(sample.glob("[0-9]")), tmp_path / "a.db")
    assert remedy(rule, "de") in told.output
    assert "1 Spiel aufgenommen" in told.stderr or "Spiele aufgenommen" in told.stderr


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", bundled())
def test_every_sentence_of_an_evening_and_of_its_mutants_is_said_in_german(rules: str) -> None:
    rng = Random(rules)
    evening = generate.session(rules)
    keys = ("points", "won", "price", "payments", "totals", "marks", "schneider", "runners")
    deals = list(generate.deals(rng, evening, 6, keys))
    mutants = [mutant for deal in deals[:3] for mutant in damaged(deal)]
    found = [*judge_session(evening, deals), *(next(judge_session(evening, [deal])) for deal in mutants)]
    assert {text for each in found for text in english_in(each)} == set()
    assert len({each.verdict for each in found}) > 1


def damaged(deal: Deal) -> Iterator[Deal]:
    """A deal with something left out, or written down wrong."""
    tricks, hands, stated = deal.tricks or (), deal.hands or (), deal.stated
    yield replace(deal, game=None)
    yield replace(deal, tricks=None)
    yield replace(deal, dealer=None, hands=None)
    yield replace(deal, knocks=30, doubles=20)
    yield replace(deal, partner=None, hands=None, stated=None)
    yield replace(deal, knocks=(0, 0), sits_out=(1,))
    if tricks:
        first = tricks[0]
        yield replace(deal, tricks=tricks[:3])
        yield replace(deal, tricks=(replace(first, cards=("??", *first.cards[1:])), *tricks[1:]))
        yield replace(deal, tricks=(replace(first, cards=first.cards[::-1]), *tricks[1:]), hands=None)
        yield replace(deal, tricks=(replace(first, cards=first.cards[:-1]), *tricks[1:]))
        yield replace(deal, tricks=(*tricks[:-2], tricks[-1], tricks[-2]))
    if len(hands) > 1 and hands[0] and hands[1]:
        yield replace(deal, hands=(hands[1], hands[0], *hands[2:]))
        yield replace(deal, hands=((*hands[0][:-1], "??"), *hands[1:]))
    if stated and stated.payments:
        yield replace(deal, stated=replace(stated, payments=stated.payments[::-1], totals=stated.payments))


# --- names, cards, words of the source --------------------------------------------------------------------------------

PLAIN = ("Qaa", "Qbb", "Qcc", "Qdd")
ODD = [
    ("Schneider", "knock", "nobody", "Tout"),
    ("the dealer", "unknown", "Ben and Anna", "no"),
    ("a card of trick 3", "none, unknown", "yes", "trump"),
    ("Anna or Ben", "Anna", "Ben", "Anna, with the chalk: 3 card points, 4 needed"),
]
REVOKED = irregular.deal("@7.1 Cem revoke", tricks=irregular.REVOKED)
SHOWN = [
    irregular.deal(),
    REVOKED,
    irregular.deal("@3.1 Anna shows none"),
    irregular.deal("@2.1 Dora exposes S7"),
    irregular.deal(more='knocks = ["Anna", "Cem"]\ndoubles = ["Anna kontra", "Ben re"]\n'),
    irregular.deal(more='stated.payments = [10, 20, -10, -20]\nauction = ["Anna play", "Ben wenz", "Cem pass"]\n'),
    irregular.deal(more='stated.virgins = ["Anna"]\nstated.winners = ["Anna", "Ben"]\nstated.won = false\n'),
    irregular.deal(more='game = "Ben solo G"\nwith = "Anna"\n'),
    irregular.deal(hands='hands = ["Anna: HA ?? G8 S9 GU G7 E7 SA"]'),
    '[[deal]]\ndealer = "Dora"\ngame = "ramsch"\ntricks = []\n',
]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("text", SHOWN)
def test_a_players_name_is_never_translated(text: str, odd: tuple[str, ...]) -> None:
    """Whatever the players are called, the same is said of them."""
    found = judge_one(text)
    plain, other = (sentences(named(found, names), "de") for names in (PLAIN, odd))
    called = dict(zip(PLAIN, odd, strict=True))
    expected = [re.sub("|".join(PLAIN), lambda name: called[name[0]], each) for each in plain]
    assert [each.casefold() for each in other] == [each.casefold() for each in expected]  # a reason begins with one


def named(found: Judgement, names: tuple[str, ...]) -> Judgement:
    session = replace(found.session, players=names)
    return next(judge_session(session, [found.recorded]))


def test_cards_are_those_of_the_tables_pack_in_german_too() -> None:
    found = judge_one(REVOKED.replace("events", "# events"), house='faces = "french"')
    (text,) = [say_finding(one, "de") for one in found.findings if one.rule == "must-follow"]
    assert text.startswith("Stich 5 Karte 4: Cem spielt ♦8, muss aber Trumpf zugeben: ♥8 von ")
    assert say_reason(found, "de") == f"{text}."


def test_what_a_source_says_stays_as_it_is() -> None:
    for text in ("yes", "the dealer", "1 card", "Der Ober sticht"):
        assert say_finding(finding("line-not-read", text=text), "de") == f"diese Zeile wird nicht verstanden: {text}"


def test_a_finding_in_a_finding_is_said_in_german() -> None:
    why = message_of(finding("unknown-player", key="dealer", entry="Leni", players="Vroni, Toni"))
    assert say_finding(finding("correction-not-applied", by="no", when="2026-02-03", why=why), "de") == (
        "die Berichtigung von no, 2026-02-03, gilt nicht: dealer: 'Leni' beginnt mit keinem der Spieler Vroni, Toni"
    )


# --- reasons ----------------------------------------------------------------------------------------------------------


def test_each_verdict_has_its_reason_in_german() -> None:
    (agrees, unstated, differs, undecidable, unplayable) = (
        say_reason(judge_text(text)[0], "de")
        for text in (
            irregular.deal(more="stated.points = 78\n"),
            irregular.deal(),
            irregular.deal(more="stated.points = 79\n"),
            irregular.deal(tricks=irregular.TRICKS[:3]),
            irregular.deal(tricks=irregular.REVOKED),
        )
    )
    assert agrees == "Was aufgeschrieben ist, stimmt mit den Regeln überein."
    assert unstated == "Regelgerecht gespielt; ein Ergebnis steht nicht im Aufschrieb."
    assert differs == "Augen: aufgeschrieben ist 79, nach den Regeln ist es 78."
    assert undecidable == "Im Aufschrieb steht nicht: wie es weiterging."
    assert unplayable.startswith("Stich 5 Karte 4: Cem spielt S8, muss aber Trumpf zugeben: ")


# --- the command line -------------------------------------------------------------------------------------------------

Run = Callable[..., "str"]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "de_AT@euro"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({"LANG": "den_CA"}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment(environment: dict[str, str], language: str) -> None:
    assert of_environment(environment) == language


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(*words: str, environment: str = "C") -> str:
        monkeypatch.chdir(BROKEN)
        monkeypatch.setenv("LC_ALL", environment)
        return running.run(*words).output

    return run


def test_check_speaks_the_language_that_is_asked_for(run: Run) -> None:
    english, told = (run("check", "must-follow.toml", "--lang", language) for language in ("en", "de"))
    assert "must-follow trick 1 card 2: Ludwig played HK, but must follow Gras" in english
    assert "must-follow Stich 1 Karte 2: Ludwig spielt HK, muss aber Gras zugeben" in told
    assert remedy("must-follow", "de") in told
    assert "1 Spiel: 1 regelwidrig" in told
    assert run("check", "must-follow.toml") == english == run("check", "must-follow.toml", environment="en_GB.UTF-8")
    assert run("check", "must-follow.toml", environment="de_DE.UTF-8") == told
    assert run("check", "must-follow.toml", "--lang", "en", environment="de_DE.UTF-8") == english


def test_what_programs_read_does_not_depend_on_the_environment(run: Run) -> None:
    plain = run("check", "--json", "must-follow.toml")
    assert run("check", "--json", "must-follow.toml", environment="de_DE.UTF-8") == plain
    assert list(json.loads(plain)) == KEYS


@pytest.mark.parametrize("name", ["must-follow.toml", "stated-price.toml", "unknown-player.toml"])
def test_json_has_the_german_beside_the_english_where_it_is_asked_for(run: Run, name: str) -> None:
    plain, both = (json.loads(run("check", "--json", name, *more)) for more in ((), ("--lang", "de")))
    (each,) = [one for one in both["findings"] if one["rule"] == Path(name).stem]
    assert each["remedy_de"] == remedy(each["rule"], "de")
    assert each["message_de"] != each["message"]
    assert (both["reason"] is None) == (both["reason_de"] is None)
    assert all(line["text_de"] for line in both["settlement"] or ())
    assert without_german(both) == plain


def without_german(told: object) -> object:
    if isinstance(told, dict):
        return {key: without_german(value) for key, value in told.items() if not key.endswith("_de")}
    return [without_german(each) for each in told] if isinstance(told, list) else told


def test_show_and_import_speak_german(run: Run, tmp_path: Path) -> None:
    archive = str(tmp_path / "a.db")
    told = run("import", "stated-price.toml", "--db", archive, "--lang", "de")
    assert "stated-price Preis: aufgeschrieben ist 20, nach den Regeln ist es 10" in told
    assert "stated-price.toml: 1 Spiel aufgenommen" in told
    shown = run("show", "1", "--db", archive, "--lang", "de")
    assert "stated-price: Preis: aufgeschrieben ist 20, nach den Regeln ist es 10" in shown
    assert re.search(r"Rufspiel, (gewonnen|verloren) \d+ : \d+", shown)


def test_audit_lists_in_german(run: Run, tmp_path: Path) -> None:
    """Its reasons are read out of the archive, where they stand in English."""
    archive = str(tmp_path / "a.db")
    run("import", "rows/f2.toml", "--db", archive)
    told = " ".join(run("audit", "--db", archive, "--lang", "de").split())
    assert "weicht ab Rufspiel Gras: " in told
    assert "Dora hat beim Geben S7 aufgedeckt: es wird neu gegeben, aber im Aufschrieb geht es weiter." in told
    assert "Augen: aufgeschrieben ist 78, nach den Regeln ist es 109." in told
    assert "9 Spiele: 2 weichen ab, 7 regelwidrig" in told
    plain, both = (run("audit", "--db", archive, "--json", *more) for more in ((), ("--lang", "de")))
    assert [without_german(json.loads(line)) for line in both.splitlines()] == [*map(json.loads, plain.splitlines())]
    assert all(json.loads(line)["reason_de"] for line in both.splitlines())


# --- the viewer -------------------------------------------------------------------------------------------------------


def test_the_viewer_shows_the_sentences_in_the_language_of_its_page() -> None:
    found = judge_one(irregular.deal(more="stated.points = 79\n"))
    place = DealPosition(id=1, session=1)
    english, shown = (deal_page(found, place, EN | {"lang": language}) for language in ("en", "de"))
    assert str(english.heading.reason) == say_reason(found)
    assert str(shown.heading.reason) == "Augen: aufgeschrieben ist 79, nach den Regeln ist es 78."
    assert shown.evidence.findings[0].do == remedy("stated-points", "de")
    assert shown.settlement.lines[0].text.startswith("Rufspiel, gewonnen ")


def test_a_title_stays_as_its_ruleset_has_it() -> None:
    assert say(message("settle.won", game="the dealer"), "de") == "the dealer, gewonnen"


def test_texts_are_read_as_toml_says() -> None:
    """Lines with a key and texts are read line by line, and come out as `tomllib` reads them."""
    files = [path for room in ("archive", "importers") for path in (ROOT / room).rglob("*.toml")]
    assert len(files) > 100
    assert [path for path in files if read_texts(path) != tomllib.loads(path.read_text("utf-8"))] == []


# --- shapes that no sentence of a dispute may have: over the samples, disputes made apart, whole sessions, commands ---


ROOM = 10_000  # characters of a line: nothing is wrapped
NUMBER = r"[+−-]?\d+"


@cache
def ids() -> str:
    """Ids of contracts and findings that are no words of any language, as a pattern."""
    rulesets = [ruleset for name in bundled() for ruleset in load(name) if ruleset and hasattr(ruleset, "contracts")]
    contracts = {name for ruleset in rulesets for name in ruleset.contracts}
    return "|".join(sorted(map(re.escape, {each for each in (*contracts, *severities()) if "-" in each})))


SHAPES = {
    "amounts without names": rf"(?<![\w.]){NUMBER}(?:, {NUMBER}){{3}}",
    "the text of a line as what was left out": r"left out: |ausgelassen wurde: |at most was|höchstens w",
    "a denied nothing": r"\bnot no\b|nicht keine|nothing is not|\bnot any amount",
    "won by nothing": r"won by (nothing|nobody)\b|mit nichts|by no one",
    "a value of Python": r"\bNone\b|\bTrue\b|\bFalse\b|\bdict\b|<[a-z]+\.",
    "a field that is not filled": r"[{}]",
    "a key of a record": r"\b(house|stated|carry)\.[a-z_]+",
    "a minus that is a hyphen": r"(?<=[ (:])-\d",
    "a capital within a clause": r"\bif (A|An|The|What|Who|Each|Nobody) \w|\bwenn (D(er|ie|as)|Eine?|W(as|er)|Nach) \w",
    "two of a word": r"\b(the|der|die|das|dem|den|if|wenn|not|nicht) \1\b",
    "an article that stands alone": r"\b(the|a|an|der|ein|eine) [.,;:]",
}  # fmt: skip


def shape_faults(text: str) -> list[str]:
    """The names of the shapes that a text has."""
    found = [name for name, shape in SHAPES.items() if re.search(shape, text)]
    return found + (["an id for a name"] if re.search(rf"(?<![\w-])({ids()})(?![\w-])", text) else [])


def assert_no_shape(texts: Iterable[str]) -> None:
    bad = {text: names for text in texts if (names := shape_faults(text))}
    assert bad == {}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_known_when_it_comes(shape: str) -> None:
    """A pattern that meets nothing would forbid nothing."""
    seen = {
        "amounts without names": "payments: 10, −10, 10, −10",
        "the text of a line as what was left out": "It would fit if this was left out: at most.",
        "a denied nothing": "wenn dieser Tisch Laufende ab 3 zählt, nicht keine Laufenden",
        "won by nothing": "gewonnen wird er mit nichts",
        "a value of Python": "not None",
        "a field that is not filled": "{player} pays",
        "a key of a record": "(this table: house.runners_from.solo)",
        "a minus that is a hyphen": "0 in place of -10",
        "a capital within a clause": "It would fit if A runner costs 5",
        "two of a word": "wenn die die Laufenden",
        "an article that stands alone": "if the , was not counted",
    }  # fmt: skip
    assert shape_faults(seen[shape]) == [shape]


# Findings that quote a record word by word, or name a setting that somebody has to write.
QUOTING = frozenset({
    "unknown-key", "wrong-type", "bad-entry", "bad-setting", "house-note", "unknown-rules",
    "bad-players", "line-not-read",
    "row-unclear", "unknown-player", "ambiguous-player", "unknown-card", "mixed-letters", "syntax", "deal-unreadable",
    "unknown-column", "two-importers", "no-importer", "sheet-unreadable", "unknown-contract", "cut-not-read",
    "correction-not-applied",
})  # fmt: skip


@pytest.mark.parametrize("folder", [BROKEN, ROWS, VALID], ids=lambda path: path.name)
def test_every_sentence_of_a_sample_is_said_in_german_and_has_no_such_shape(folder: Path) -> None:
    parts = [part for each in samples(folder)[:: examples(6, 1)] for part in (sorted(each.glob("[0-9]")) or [each])]
    files = [file for part in parts for file in open_files(part, None)]
    for each in (each for file in files for each in judge_stream(file.items())):
        assert english_in(each) == []
        if not QUOTING & {found.rule for found in ([each] if isinstance(each, Finding) else each.findings)}:
            assert_no_shape(text for language in LANGUAGES for text in sentences(each, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_working_of_a_broken_sample_has_such_a_shape(language: str) -> None:
    """What `check` shows of each deal that differs, with the likeliest explanation."""

    def texts() -> Iterator[str]:
        for sample in samples(ROWS)[::6]:
            deals = [each for file in open_files(sample, None) for each in judge_stream(file.items())]
            for each, beside in with_neighbours([deal for deal in deals if isinstance(deal, Judgement)]):
                if each.verdict == "differs":
                    yield from working(each, beside, 160, language).splitlines()

    assert_no_shape(line for line in texts() if " house." not in line)  # the source of a line names a setting


@cache
def explained_disputes() -> list[tuple[Judgement, Explained]]:
    """A cut of all kinds; more of them under `SCHAFKOPF_THOROUGH`."""
    rng = Random(2626)
    pool = list(mistakes.right_deals(mistakes.shared_evenings(), rng))
    count = examples(32, 500)
    kinds = rng.sample(mistakes.ALL, len(mistakes.ALL))
    made = [*mistakes.disputes(rng, count, pool, kinds), *mistakes.pairs(rng, count // 8, pool)]
    return [(each.found, explain(each.found, each.beside)) for each in made]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_explanation_of_a_dispute_has_such_a_shape(language: str) -> None:
    def texts() -> Iterator[str]:
        for judgement, explained in explained_disputes():
            yield from explanation_lines(judgement, explained, ROOM, language)
            yield from sentences(judgement, language)

    assert_no_shape(texts())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_row_of_an_explanation_can_leave_a_field_open(language: str) -> None:
    """Braces within the forms of a word would stay as they are."""
    of_disputes = re.compile("(explain|settings|settle|findings|right|judge|play|repair|record)[.]")
    texts = {key: text for key, text in rows(language).items() if of_disputes.match(key)}
    assert [key for key, text in texts.items() if re.search(r"\{[^{}]*\{|\}[^{}]*\}", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_on_a_session_has_such_a_shape(language: str) -> None:
    rng = Random(7)
    head = generate.session("pub", {"tariff": "10/50"})
    played = list(generate.deals(rng, generate.session("pub", {"tariff": "20/50"}), 6, ("payments",)))
    explained = explain_session(list(judge_session(head, played)))
    assert explained.readings
    assert_no_shape(session_lines(explained, ROOM, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_output_of_the_audit_has_such_a_shape(tmp_path: Path, language: str) -> None:
    """Explanation, books and dispute file of a session that was kept wrongly, as they are printed."""
    archive = tmp_path / "a.db"
    running.run("import", ROOT / "sample_games" / "broken" / "rows" / "b9.toml", "--db", archive)
    for words in (("explain", "1"), ("explain", "--session", "1"), ("ledger", "1"), ("dossier", "1", "--output", "-")):
        done = running.run("audit", *words, "--lang", language, "--db", archive)
        assert done.exit_code in (0, 1), done.output
        plain = re.sub(r"(?s)<style.*?</style>|<pre.*?</pre>|<code.*?</code>|<svg.*?</svg>|<[^>]+>", "\n", done.stdout)
        source = re.compile(r"\b(house|carry)\.")  # a setting that a line is cited from, or that somebody is to write
        assert_no_shape(line.strip() for line in plain.splitlines() if not source.search(line))
