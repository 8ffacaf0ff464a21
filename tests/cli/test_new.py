"""`schafkopf new`: what it writes is a record, waits with nothing wrong in it, and is complete when it is filled in."""

import re
from pathlib import Path
from random import Random

import pytest
from click.testing import Result
from msgspec.structs import replace
from support import running
from support.rulesets import load_rules
from support.tables import missing_of

from archive import generate
from archive.judge import Judgement, judge_session
from archive.notation import read_toml, write_toml
from archive.record import Deal, Finding, Session, Source
from archive.rules import bundled, load

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gerda")
WAITS = re.compile(r"^# (?=[a-z_.]+ = |    |\]|\[house\])", re.MULTILINE)


def run(*words: str | Path) -> Result:
    return running.run("new", *words)


def made(rules: str, *more: str, players: int | None = None) -> str:
    ruleset = load_rules(rules)
    names = ", ".join(NAMES[: players or ruleset.house.seats])
    result = run("--rules", rules, "--players", names, "--date", "2026-11-14", *more)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def read(text: str) -> tuple[Session, list[Judgement]]:
    found = list(read_toml(text.encode(), Source("evening.toml")))
    assert not [each.message for each in found if isinstance(each, Finding)]
    session = next(each for each in found if isinstance(each, Session))
    return session, list(judge_session(session, [each for each in found if isinstance(each, Deal)]))


def dealer_of(found: Judgement) -> str:
    assert found.deal.dealer is not None
    return found.session.players[found.deal.dealer]


# --- a new file -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", bundled())
def test_a_blank_file_has_nothing_wrong_in_it(rules: str) -> None:
    session, (found,) = read(made(rules))
    assert (session.date, session.house, found.findings, found.verdict) == ("2026-11-14", None, (), "undecidable")
    assert dealer_of(found) == session.players[-1]


@pytest.mark.parametrize("rules", bundled())
def test_with_every_line_let_go_nothing_is_wrong_and_all_of_it_is_missing(rules: str) -> None:
    """But for the amounts: a deal that was played pays somebody something."""
    text = re.sub(r"^# stated\..*\n", "", made(rules), flags=re.MULTILINE)
    _, (found,) = read(WAITS.sub("", text))
    assert ([each.message for each in found.findings], found.verdict) == ([], "undecidable")
    assert found.deal.tricks if found.ruleset.house.play == "tricks" else found.deal.turns


@pytest.mark.parametrize("rules", bundled())
def test_the_settings_that_wait_are_those_of_the_ruleset(rules: str) -> None:
    session, _ = read(WAITS.sub("", made(rules)))
    assert session.house
    told, plain = load(rules, session.house)[0], load(rules)[0]
    assert (told.house, told.prices, told.contracts) == (plain.house, plain.prices, plain.contracts)


@pytest.mark.parametrize("rules", bundled())
def test_the_lines_that_wait_are_all_that_a_whole_deal_of_these_rules_has(rules: str) -> None:
    """Filled in with a legal deal, the file is checked and agrees."""
    evening = generate.session(rules, date="2026-11-14")
    text = made(rules, players=len(evening.players))
    keys = set(re.findall(r"^(?:# )?([a-z_.]+) = ", text.partition("[[deal]]")[2], re.MULTILINE))
    ruleset = load_rules(rules)
    contract = ruleset.house.contracts[0]
    deal = generate.deal(Random(5), evening, contract, dealer=len(evening.players) - 1)
    whole = write_toml(replace(evening, date=None), [replace(deal, carry=None)]).partition("[[deal]]\n")[2]
    assert set(re.findall(r"^([a-z_.]+) = ", whole, re.MULTILINE)) <= keys | {"events", "packet"}
    _, (found,) = read(text.partition("[[deal]]")[0].replace('cards = "french"', "") + "[[deal]]\n" + whole)
    assert (found.findings, found.verdict) == ((), "agrees")


@pytest.mark.parametrize("rules", bundled())
def test_in_german_the_file_says_the_same_and_each_of_its_comments_is_german(rules: str) -> None:
    english, german = texts = made(rules), made(rules, "--lang", "de")
    for one, other in ((english, german), (WAITS.sub("", english), WAITS.sub("", german))):
        heads, deals = zip(*((head, found.deal) for head, (found,) in map(read, (one, other))), strict=True)
        for records in (heads, deals):  # a longer comment may stand on a line of its own
            assert replace(records[0], source=None) == replace(records[1], source=None)
    comments = [{line for line in re.findall("# (.*)", text) if not WAITS.match(f"# {line}")} for text in texts]
    assert comments[0] & comments[1] == set()


def test_the_language_is_that_of_the_reader(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHAFKOPF_LANG", "de")
    assert "in der Spielrichtung" in made("pub")
    write(evening, 'dealer = "Ben"\ngame = "none"', "nonsense = 1")
    assert "Wer als Nächster gibt, ist nicht bekannt" in run(evening).stderr
    assert "wie gegeben" in evening.read_text("utf-8").rpartition("[[deal]]")[2]


def test_what_a_ruleset_does_not_have_is_not_asked_for() -> None:
    bavarian, pub, palatinate, chalk = map(made, ("bavarian", "pub", "palatinate", "bauernstoss"))
    assert "# knocks = []" in pub
    assert "knocks =" not in bavarian
    assert '# blind = "?? ??"' in palatinate
    assert '# exchange = ["blind > Anna: ?? ??", "Anna > blind: ?? ??"]' in palatinate
    assert '\ncards = "french"' in palatinate
    assert '# game = "Anna simple P"' in palatinate
    assert "blind" not in pub
    assert "# stated.marks = [0, 0, 0, 0]" in chalk
    assert "doubles" not in chalk
    assert "tariff" not in chalk.partition("[[deal]]")[0]
    assert 'cut = "Cem knocks"' in made("langendorf") or "cut =" not in made("langendorf")


def test_what_is_said_is_in_the_head() -> None:
    text = made("bavarian", "--event", "Stammtisch", "--place", "Ulm", "--unit", "P", "--dealer", "Ben")
    session, (found,) = read(text)
    assert (session.event, session.place, session.unit, dealer_of(found)) == ("Stammtisch", "Ulm", "P", "Ben")
    assert '"Cem: ?? ?? ?? ?? ?? ?? ?? ??"' in text
    assert '#     "Cem: ?? ?? ?? ??",' in text, "who sits after the dealer leads"


@pytest.mark.parametrize(("players", "out"), [(5, ["Emil"]), (6, ["Emil", "Fritz"])])
def test_002_who_deals_and_who_cuts_sits_out_where_more_are_at_the_table(players: int, out: list[str]) -> None:
    text = made("bavarian", players=players)
    session, (found,) = read(text)
    assert [session.players[seat] for seat in found.deal.sits_out or ()] == out
    assert ([each.message for each in found.findings], missing_of(found)) == ([], ("the game that was played",))
    for name in out:
        assert f'"{name}: ??' not in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--rules", "bavarian", "--players", "Anna, Ben, Cem"), "3 players are named"),
        (("--rules", "bavarian", "--players", "A, B, C, D, E, F, H, G1"), "8 players are named"),
        (("--rules", "bavarian", "--players", "Anna, Ben, Cem, Anna"), "two players have it"),
        (("--rules", "bavarian", "--players", "Anna, Ben, Cem, Ramsch"), "a word of the record format"),
        (("--rules", "no-such", "--players", "Anna, Ben, Cem, Dora"), "no-such"),
        (("--rules", "bavarian", "--players", "Anna, Ben, Cem, Dora", "--dealer", "Emil"), "no player 'Emil'"),
        (("--rules", "bavarian", "--players", "Anna, Ben, Cem, Dora", "--date", "yesterday"), "date"),
        (("--rules", "bavarian"), "--players"),
        ((), "--rules"),
        (("--after", "no-such.toml"), "no-such.toml"),
        (("no/such/folder.toml", "--rules", "bavarian", "--players", "Anna, Ben, Cem, Dora"), "cannot be written"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_exit_status_2(words: tuple[str, ...], why: str) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in result.stderr


# --- the next deal ----------------------------------------------------------------------------------------------------


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    return tmp_path / "evening.toml"


def write(path: Path, *deals: str, head: str = 'rules = "pub"\n', names: int = 4) -> None:
    players = ", ".join(f'"{name}"' for name in NAMES[:names])
    blocks = "".join(f"\n[[deal]]\n{deal}\n" for deal in deals)
    path.write_text(f'format = "schafkopf-record/1"\nplayers = [{players}]\n{head}{blocks}', "utf-8")


def appended(path: Path, *words: str) -> Judgement:
    before = path.read_text("utf-8")
    result = run(path, *words)
    assert result.exit_code == 0, result.stderr
    after = path.read_text("utf-8")
    assert after.startswith(before)
    return read(after)[1][-1]


@pytest.mark.parametrize(
    ("deals", "dealer"),
    [
        ((), "Dora"),
        (('dealer = "Ben"\ngame = "Anna solo G"',), "Cem"),
        (('dealer = "Ben"\ngame = "none"',), "Cem"),
        (('dealer = "Ben"\ngame = "misdeal"',), "Ben"),
        (('dealer = "Dora"\ngame = "none"', 'game = "misdeal"', 'game = "none"'), "Ben"),
    ],
)
def test_the_next_dealer_follows_from_the_deals_before(evening: Path, deals: tuple[str, ...], dealer: str) -> None:
    write(evening, *deals)
    assert dealer_of(appended(evening)) == dealer


def test_with_five_at_the_table_who_sits_out_goes_round_with_the_deal(evening: Path) -> None:
    write(evening, 'dealer = "Dora"\nsits_out = ["Dora"]\ngame = "none"', names=5)
    found = appended(evening)
    assert dealer_of(found) == "Emil"
    assert [found.session.players[seat] for seat in found.deal.sits_out or ()] == ["Emil"]


def test_a_table_that_plays_counter_clockwise_deals_in_the_order_of_its_players(evening: Path) -> None:
    write(
        evening,
        'dealer = "Ben"\ngame = "none"',
        head='rules = "bavarian"\nhouse = { direction = "counter-clockwise" }\n',
    )
    assert dealer_of(appended(evening)) == "Cem"


def test_what_lies_on_the_table_is_told_and_rules_changed_on_the_way_hold(evening: Path) -> None:
    head = 'rules = "bavarian"\nhouse = { stock = { amount = 10, won_by = ["rufspiel"] } }\n'
    write(evening, 'dealer = "Ben"\nhouse = { knock = "anyone" }\ngame = "none"', head=head)
    appended(evening)
    text = evening.read_text("utf-8").rpartition("[[deal]]")[2]
    assert "# On the table: Stock 40" in text
    assert "# knocks = []" in text


def test_the_next_deal_is_in_the_letters_of_the_file(evening: Path) -> None:
    write(evening, 'dealer = "Ben"\ngame = "none"', head='rules = "bavarian"\ncards = "english"\n')
    appended(evening)
    assert '# game = "Dora rufspiel S"' in evening.read_text("utf-8")


def test_the_next_deal_has_the_line_ends_of_the_file(evening: Path) -> None:
    write(evening, 'dealer = "Ben"\ngame = "none"')
    evening.write_bytes(evening.read_bytes().replace(b"\n", b"\r\n").rstrip())
    run(evening)
    assert evening.read_bytes().count(b"\n") == evening.read_bytes().count(b"\r\n") > 20
    assert dealer_of(read(evening.read_text("utf-8"))[1][-1]) == "Cem"


def test_a_folder_is_no_file_to_continue(tmp_path: Path) -> None:
    assert run(tmp_path).exit_code == 2


def test_the_dealer_can_be_named(evening: Path) -> None:
    write(evening, 'dealer = "Ben"\ngame = "none"')
    assert dealer_of(appended(evening, "--dealer", "Anna")) == "Anna"


def test_after_a_deal_that_cannot_be_read_the_dealer_is_not_guessed(evening: Path) -> None:
    write(evening, 'dealer = "Ben"\ngame = "none"', "nonsense = 1")
    result = run(evening)
    assert result.exit_code == 0
    assert "Who deals next is not known" in result.stderr
    text = evening.read_text("utf-8")
    assert '# dealer = "' in text.rpartition("[[deal]]")[2]


def test_an_empty_deal_is_filled_in_before_the_next(evening: Path) -> None:
    write(evening, 'dealer = "Ben"')
    before = evening.read_bytes()
    result = run(evening)
    assert (result.exit_code, "still empty" in result.stderr) == (2, True)
    assert evening.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    ['{"format": "schafkopf-record/1", "rules": "pub", "players": ["A1", "B1", "C1", "D1"], "game": "none"}', "no"],
)
def test_what_is_no_session_file_is_left_alone(evening: Path, text: str) -> None:
    evening.write_text(text, "utf-8")
    assert run(evening).exit_code == 2
    assert evening.read_text("utf-8") == text


def test_a_file_that_is_there_is_never_begun_again(evening: Path) -> None:
    write(evening, 'game = "none"')
    result = run(evening, "--rules", "pub", "--players", "Anna, Ben, Cem, Dora")
    assert (result.exit_code, "already exists" in result.stderr) == (2, True)


# --- another evening --------------------------------------------------------------------------------------------------


def test_another_evening_goes_on_with_pot_rounds_rules_and_dealer(evening: Path) -> None:
    house = 'stock = { amount = 10, won_by = ["solo"] }, bock = { on = ["thrown-in"] }'
    write(evening, 'dealer = "Ben"\ngame = "none"', head=f'rules = "pub"\nunit = "P"\nhouse = {{ {house} }}\n')
    result = run("--after", evening)
    session, (found,) = read(result.stdout)
    assert (session.players, session.rules, session.unit) == (NAMES[:4], "pub", "P")
    assert session.house == {"stock": {"amount": 10, "won_by": ["solo"]}, "bock": {"on": ["thrown-in"]}}
    assert dealer_of(found) == "Cem"
    assert (found.before.stock, found.before.rounds, found.before.totals) == (40, (("bock", 4),), (0, 0, 0, 0))
    assert (found.findings, "# carry.totals = [" in result.stdout) == ((), True)


def test_marks_and_the_chalk_go_on_where_the_same_players_sit(evening: Path) -> None:
    write(
        evening,
        'dealer = "Ben"\ngame = "none"\ncarry.marks = [3, 1, 3, 1]\ncarry.chalk = "Ben"',
        head='rules = "bauernstoss"\n',
    )
    _, (found,) = read(run("--after", evening).stdout)
    assert (found.before.marks, found.before.chalk) == ((3, 1, 3, 1), 1)
    others = run("--after", evening, "--players", "Anna, Emil, Cem, Dora")
    assert "the marks do not go on" in others.stderr
    assert read(others.stdout)[1][0].before.marks == (0, 0, 0, 0)


def test_a_round_that_the_record_cannot_carry_is_told(evening: Path) -> None:
    write(evening, 'dealer = "Ben"\ngame = "none"', head='rules = "pub"\nhouse = { kreuz = { on = ["thrown-in"] } }\n')
    assert "kreuz (4 deals)" in run("--after", evening).stderr


def test_without_the_dealer_who_would_be_next_the_last_player_is_named_and_that_is_said(evening: Path) -> None:
    write(evening, 'dealer = "Ben"\ngame = "none"')
    result = run("--after", evening, "--players", "Anna, Ben, Emil, Fritz")
    assert "Who deals first is not known" in result.stderr
    assert dealer_of(read(result.stdout)[1][0]) == "Fritz"
