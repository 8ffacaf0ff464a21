"""The German of the engine: every sentence has it, and what is not ours in a sentence is carried over as it is."""

import ast
import importlib
import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from string import Formatter

import pytest
import test_irregularities as irregular
from click.testing import CliRunner
from msgspec.structs import replace
from patience import without_hanging
from tables import judge_text
from test_samples import BROKEN, ROWS, VALID, imported, sample_of, samples

from archive import generate
from archive.audit import Judgement, judge_session
from archive.audit.german import reason_in_german, told_in
from archive.audit.report import KEYS
from archive.audit.stream import judged
from archive.cards import in_faces
from archive.cli import main
from archive.cli.files import open_files
from archive.cli.language import of_environment
from archive.record import Deal, Finding, finding, in_german, remedy, severities
from archive.record.german import filled, german, phrases, template, translated
from archive.rules import bundled, load

ROOT = Path(__file__).parents[1]
FIELDS = Formatter()


def fields(text: str) -> list[tuple[str, str]]:
    """The placeholders of a text, each with its conversion."""
    return sorted((name, how or "") for _, name, _, how in FIELDS.parse(text) if name is not None)


# --- the tables -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", severities())
def test_every_finding_has_both_languages_with_the_same_placeholders(rule: str) -> None:
    row = severities()[rule]
    assert row.de
    assert row.do_de
    assert fields(row.de) == fields(row.says)
    assert remedy(rule, "de") == row.do_de != row.do


def test_every_phrase_is_there_once_with_the_same_placeholders() -> None:
    every = [row for table in phrases().values() for row in table.items()]
    assert len(every) == len({english for english, _ in every})
    assert [english for english, told in every if fields(told) != fields(english)] == []


@pytest.mark.parametrize("rule", severities())
def test_settings_files_and_commands_are_the_same_in_both_languages(rule: str) -> None:
    """What a reader must write is no matter of language."""
    row = severities()[rule]
    literal = re.compile(r"`[^`]+`|\bhouse\.[a-z_.]+[a-z]|\bcarry\.\w+|--\w+|\bdocs/[\w./-]+\w|\?\?")
    assert set(literal.findall(row.do_de)) == set(literal.findall(row.do))


# --- nothing that is said lacks it ------------------------------------------------------------------------------------


def lacking(each: Judgement | Finding) -> Iterator[str]:
    """What has no German: in the findings, in what is missing, in the reason, in the lines of the settlement."""
    if isinstance(each, Finding):
        yield from lacking_in(each)
        return
    names, ruleset = each.session.players, each.ruleset
    rows = (*ruleset.contracts.values(), *ruleset.rounds.values()) if ruleset else ()
    titles = {row.title for row in rows}  # of a round in force; named as its ruleset names it
    lines = each.settlement.lines if each.settlement else ()
    for text in (*each.missing, *(line.text for line in lines if line.text not in titles)):
        yield from translated(text, names)[1]
    for one in each.findings:
        yield from lacking_in(one, names)
    if each.reason and reason_in_german(each.reason, each.findings, names) == each.reason:
        yield each.reason


def lacking_in(each: Finding, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    row = severities()[each.rule]
    told = filled(template(row.says, row.de), each.message, names)
    return (f"{each.rule}: {each.message}",) if told is None else told[1]


@pytest.mark.parametrize("sample", [*samples(VALID), *samples(BROKEN), *samples(ROWS)], ids=lambda path: path.name)
def test_every_sentence_of_a_sample_has_its_german(sample: Path) -> None:
    parts = sorted(sample.glob("[0-9]")) or [sample]
    for file in (file for part in parts for file in open_files(part, None)):
        assert [text for each in judged(file.items()) for text in lacking(each)] == []


@pytest.mark.parametrize("rule", ["sources-differ", "record-changed"])
def test_what_shows_between_files_has_its_german(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rule: str) -> None:
    sample = sample_of(rule)
    assert sample
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    told = imported(monkeypatch, sorted(sample.glob("[0-9]")), tmp_path / "a.db")
    assert remedy(rule, "de") in told.output
    assert "1 Spiel aufgenommen" in told.stderr or "Spiele aufgenommen" in told.stderr


@pytest.mark.parametrize("rules", bundled())
def test_every_sentence_of_an_evening_and_of_its_mutants_has_its_german(rules: str) -> None:
    rng = Random(rules)
    evening = generate.session(rules)
    keys = ("points", "won", "price", "payments", "totals", "marks", "schneider", "runners")
    deals = list(generate.deals(rng, evening, 6, keys))
    mutants = [mutant for deal in deals[:3] for mutant in damaged(deal)]
    found = [*judge_session(evening, deals), *(next(judge_session(evening, [deal])) for deal in mutants)]
    assert {text for each in found for text in lacking(each)} == set()
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


@pytest.mark.parametrize("module", sorted((ROOT / "archive" / "play").glob("*.py")), ids=lambda path: path.stem)
def test_every_sentence_that_play_can_say_has_its_german(module: Path) -> None:
    assert [text for text in said_in(module) if text not in FRAGMENTS and translated(text)[1] == (text,)] == []


SETTLING = [
    path for path in sorted((ROOT / "archive" / "settle").glob("*.py")) if path.stem != "plans"
]  # what the integer core lacks (`plans`) is a matter of speed, and told to no reader of a deal


@pytest.mark.parametrize("module", SETTLING, ids=lambda path: path.stem)
def test_every_sentence_that_settlement_can_say_has_its_german(module: Path) -> None:
    assert [text for text in said_in(module) if text not in FRAGMENTS and translated(text)[1] == (text,)] == []


def test_a_sentence_without_german_is_named(tmp_path: Path) -> None:
    module = tmp_path / "new.py"
    module.write_text('"""A page."""\n\n\ndef why(name: str) -> str:\n    return f"{name} has lost a shoe"\n')
    assert [text for text in said_in(module) if translated(text)[1] == (text,)] == ["3 has lost a shoe"]


# Parts of sentences, and texts that nobody reads.
FRAGMENTS = {
    " by 3", " tout", ", and spoke earlier", "3 had 1 card too many", " (tie, decided by 3)", "loses with",
    "wins with 3,", "a march", "an announced march", "the declarer's side", "the defence", "its suit", "no suit",
    "lost Schwarz", "dealt again", "won without play", "whoever has", "nobody pays", "the stake is carried over",
    "3, and takes it",
    "3, but does not take it whatever is played", "the rest, 3 in 3, to 3",
    "3 times 3", "may take over", "has refused", "has said 3", "not bid",
}  # fmt: skip
PATTERN = re.compile(r"\\[dws]|\(\?|^ *[|,;:>]* *$")


def said_in(module: Path) -> Iterator[str]:
    """Every text of a module with a blank in it, fields filled with a 3; not its docstrings and patterns."""
    tree = ast.parse(module.read_text("utf-8"))
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)} - {
        id(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
    }
    stated = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in inner | stated or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        for text in texts_of(node):
            if " " in text.strip() and re.search("[a-z]{2}", text) and not PATTERN.search(text):
                yield text


def texts_of(node: ast.AST) -> list[str]:
    """What a text can come to."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else ["3"]
    if isinstance(node, ast.JoinedStr):
        return ["".join(parts) for parts in product(*map(texts_of, node.values))]
    if isinstance(node, ast.FormattedValue):
        return texts_of(node.value)
    if isinstance(node, ast.IfExp):
        return [*texts_of(node.body), *texts_of(node.orelse)]
    return ["3"]


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
    (found,) = judge_text(text)
    plain, other = (said_of(told_in(named(found, names), "de")) for names in (PLAIN, odd))
    called = dict(zip(PLAIN, odd, strict=True))
    expected = [re.sub("|".join(PLAIN), lambda name: called[name[0]], each) for each in plain]
    assert [each.casefold() for each in other] == [each.casefold() for each in expected]  # a reason begins with one


def named(found: Judgement, names: tuple[str, ...]) -> Judgement:
    session = replace(found.session, players=names)
    return next(judge_session(session, [found.recorded]))


def said_of(found: Judgement) -> list[str]:
    lines = found.settlement.lines if found.settlement else ()
    return [*(each.message for each in found.findings), found.reason, *found.missing, *(line.text for line in lines)]


def test_cards_are_those_of_the_tables_pack_in_german_too() -> None:
    (found,) = judge_text(REVOKED.replace("events", "# events"), house='faces = "french"')
    shown = told_in(found, "de")
    (each,) = [one for one in shown.findings if one.rule == "must-follow"]
    assert each.message.startswith("Stich 5 Karte 4: Cem spielt ♦8, muss aber Trumpf zugeben: ♥8 von ")
    assert shown.reason == f"{each.message}."


def test_faces_change_no_word_of_our_german() -> None:
    every = [told for table in phrases().values() for told in table.values()]
    every += [text for row in severities().values() for text in (row.de, row.do_de)]
    assert [text for text in every if in_faces(text, "french") != text and not ALPHABET.search(text)] == []


ALPHABET = re.compile("E G H S|E, G, H|`EO GU H7`")  # of texts that teach the German letters


def test_what_a_source_says_stays_as_it_is() -> None:
    for text in ("yes", "the dealer", "1 card", "Der Ober sticht"):
        each = in_german(finding("line-not-read", text=text))
        assert each.message == f"diese Zeile wird nicht verstanden: {text}"
    assert german("Der Ober sticht den Unter") == "Der Ober sticht den Unter"


def test_a_finding_in_a_finding_is_told_in_german() -> None:
    why = finding("unknown-player", key="dealer", entry="Leni", players="Vroni, Toni").message
    each = in_german(finding("correction-not-applied", by="no", when="2026-02-03", why=why))
    assert each.message == (
        "die Berichtigung von no, 2026-02-03, gilt nicht: dealer: 'Leni' beginnt mit keinem der Spieler Vroni, Toni"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Anna showed the hand and " * 5_000,
        "; ".join(["a card of trick 1"] * 12_000),
        "the cards that were left when " * 5_000,
        ", won by " * 12_000 + "1 : 2",
        " and " * 25_000,
        "Anna has said " * 12_000,
    ],
    ids=lambda text: text[:24],
)
def test_the_time_for_a_text_is_in_proportion_to_its_length(text: str) -> None:
    with without_hanging():
        german(text, ("Anna", "Ben"))
        in_german(finding("auction-call", number=1, player="Anna", call=text, why=text), ("Anna",))
        in_german(finding("stated-steps", step=text, stated=text, computed=text))


# --- reasons ----------------------------------------------------------------------------------------------------------


def test_each_verdict_has_its_reason_in_german() -> None:
    (agrees, unstated, differs, undecidable, unplayable) = (
        told_in(judge_text(text)[0], "de").reason
        for text in (
            irregular.deal(more="stated.points = 78\n"),
            irregular.deal(),
            irregular.deal(more="stated.points = 79\n"),
            irregular.deal(tricks=irregular.TRICKS[:3]),
            irregular.deal(tricks=irregular.REVOKED),
        )
    )
    assert agrees == "Was angeschrieben ist, stimmt mit den Regeln überein."
    assert unstated == "Regelgerecht gespielt; ein Ergebnis steht nicht im Anschrieb."
    assert differs == "Augen: angeschrieben ist 79, nach den Regeln ist es 78."
    assert undecidable == "Der Anschrieb sagt nicht: wie es weiterging."
    assert unplayable.startswith("Stich 5 Karte 4: Cem spielt S8, muss aber Trumpf zugeben: ")


@pytest.mark.parametrize("text", SHOWN)
def test_a_reason_that_was_stored_reads_the_same_as_one_with_its_findings(text: str) -> None:
    (found,) = judge_text(text)
    assert read_alone(found)


def read_alone(found: Judgement) -> bool:
    """Whether the reason reads the same without the findings, with the names or without."""
    whole = reason_in_german(found.reason, found.findings, found.session.players)
    return {reason_in_german(found.reason, (), names) for names in (found.session.players, ())} == {whole}


@pytest.mark.parametrize("sample", [*samples(BROKEN), *samples(ROWS)], ids=lambda path: path.name)
def test_the_reasons_of_all_samples_read_the_same_from_the_archive(sample: Path) -> None:
    parts = sorted(sample.glob("[0-9]")) or [sample]
    found = [each for part in parts for file in open_files(part, None) for each in judged(file.items())]
    assert [each.reason for each in found if isinstance(each, Judgement) and not read_alone(each)] == []


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
        result = CliRunner().invoke(main, list(words))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result.output

    return run


def test_check_speaks_the_language_that_is_asked_for(run: Run) -> None:
    english, told = (run("check", "must-follow.toml", "--lang", language) for language in ("en", "de"))
    assert "must-follow trick 1 card 2: Ludwig played HK, but must follow Gras" in english
    assert "must-follow Stich 1 Karte 2: Ludwig spielt HK, muss aber Gras zugeben" in told
    assert remedy("must-follow", "de") in told
    assert "1 Spiel: 1 nicht spielbar" in told
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
    assert "stated-price Preis: angeschrieben ist 20, nach den Regeln ist es 10" in told
    assert "stated-price.toml: 1 Spiel aufgenommen" in told
    shown = run("show", "1", "--db", archive, "--lang", "de")
    assert "stated-price: Preis: angeschrieben ist 20, nach den Regeln ist es 10" in shown
    assert re.search(r"Rufspiel, (gewonnen|verloren) \d+ : \d+", shown)


def test_audit_lists_in_german(run: Run, tmp_path: Path) -> None:
    """Its reasons are read out of the archive, where they stand in English."""
    archive = str(tmp_path / "a.db")
    run("import", "rows/f2.toml", "--db", archive)
    told = " ".join(run("audit", "--db", archive, "--lang", "de").split())
    assert "weicht ab Rufspiel Gras: " in told
    assert "Dora hat beim Geben S7 aufgedeckt: es wird neu gegeben, aber im Anschrieb geht es weiter." in told
    assert "Augen: angeschrieben ist 78, nach den Regeln ist es 109." in told
    assert "9 Spiele: 2 weichen ab, 7 nicht spielbar" in told
    plain, both = (run("audit", "--db", archive, "--json", *more) for more in ((), ("--lang", "de")))
    assert [without_german(json.loads(line)) for line in both.splitlines()] == [*map(json.loads, plain.splitlines())]
    assert all(json.loads(line)["reason_de"] for line in both.splitlines())


# --- the viewer -------------------------------------------------------------------------------------------------------


def test_the_viewer_shows_the_sentences_in_the_language_of_its_page() -> None:
    view, texts = (importlib.import_module(f"archive.web.{name}") for name in ("view", "texts"))
    parts = importlib.import_module("archive.web.deal.model")
    (found,) = judge_text(irregular.deal(more="stated.points = 79\n"))
    place = parts.Place(id=1, session=1)
    english, shown = (view.page(found, place, texts.EN | {"lang": language}) for language in ("en", "de"))
    assert english.reason == found.reason
    assert shown.reason == "Augen: angeschrieben ist 79, nach den Regeln ist es 78."
    assert shown.findings[0].do == remedy("stated-points", "de")
    assert shown.lines[0].text.startswith("Rufspiel, gewonnen ")


def test_a_title_stays_as_its_ruleset_has_it() -> None:
    for name in bundled():
        ruleset, _ = load(name)
        assert ruleset
        for row in (*ruleset.contracts.values(), *ruleset.rounds.values()):
            assert german(f"{row.title}, won 70 : 50") == f"{row.title}, gewonnen 70 : 50"
