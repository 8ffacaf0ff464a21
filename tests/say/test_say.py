"""The catalogue of sentences: every message of the code has a text in every language, and what a record says in it is
carried over as it is."""

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from msgspec.structs import replace
from support import irregular_deals as irregular
from support import running
from support.deal_pages import deal_page
from support.floors_examples import MODULES, faults, tree_of
from support.paths import ROOT
from support.samples import BROKEN, ROWS, VALID, imported, sample_of, samples
from support.tables import judge_one, judge_text

from archive import generate
from archive.cli.inputs import open_files
from archive.cli.language import of_environment
from archive.judge import Judgement, judge_session
from archive.judge.decisive_facts import decisive_facts
from archive.judge.judge_stream import judge_stream
from archive.judge.report import KEYS
from archive.judge.sentences import faces_of, say_line, say_missing, say_reason
from archive.record import Deal, Finding, finding, kind_of, message_of, remedy, say_finding, severities
from archive.resources import read_texts
from archive.rules import bundled
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
    for node in ast.walk(tree_of(module)):
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
    for node in ast.walk(tree_of(module)):
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


def texts_of(item: Judgement | Finding, language: str) -> list[str]:
    """All that is said of a deal, or of a place that is none."""
    if isinstance(item, Finding):
        return [say_finding(item, language)]
    lines = item.settlement.lines if item.settlement else ()
    texts = [say_finding(each, language) for each in item.findings]
    texts += [
        say_reason(item, language),
        *say_missing(item, language),
        *(say_line(item, line, language) for line in lines),
    ]
    return texts + [say(fact, language, faces_of(item)) for fact in decisive_facts(item)]


def english_in(item: Judgement | Finding) -> list[str]:
    """What is said in German with words in it that are English, and that no record has written."""
    assert all(texts_of(item, "en"))
    return [text for text in texts_of(item, "de") if ENGLISH.search(text)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sample", [*samples(VALID), *samples(BROKEN), *samples(ROWS)], ids=lambda path: path.name)
def test_every_sentence_of_a_sample_is_said_in_german(sample: Path) -> None:
    parts = sorted(sample.glob("[0-9]")) or [sample]
    for file in (file for part in parts for file in open_files(part, None)):
        assert [text for each in judge_stream(file.items()) for text in english_in(each)] == []


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
    plain, other = (texts_of(named(found, names), "de") for names in (PLAIN, odd))
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
