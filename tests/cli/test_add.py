"""`schafkopf add`: a line of words becomes a deal of the session file, priced as the file's own check prices it."""

import json
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pytest
from click.testing import Result
from support import running

from archive.cli.add import completions
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml
from archive.record import Source
from archive.record.days import tonight
from archive.text.numbers import with_sign

PLAYERS = ("Sepp", "Toni", "Vroni", "Lois")
BEGIN = ("--players", ", ".join(PLAYERS), "--tariff", "10/20/50")
LINES = {  # of one deal, and what each player gets at 10/20/50
    "Sepp Herzsolo, gewonnen, 2 Laufende": (150, -50, -50, -50),
    "Toni Sauspiel auf die Alte mit Lois, verloren, 3 Laufende, 1 Klopfer": (100, -100, 100, -100),
    "Lois Wenz verloren mit 28 Augen": (60, 60, 60, -180),
    "Vroni ace of leaves with Sepp, won with 91": (30, -30, 30, -30),
    "weiter": (0, 0, 0, 0),
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)

    def add(*words: str, typed: str | None = None) -> Result:
        return running.run("add", *words, "--lang", "en", given=typed)

    return add


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.cli.add.is_terminal", lambda: True)


def judged(path: str = "evening.toml") -> list[Judgement]:
    found = list(judge_stream(read_toml(Path(path).read_bytes(), Source(path))))
    assert all(isinstance(each, Judgement) for each in found), found
    return [each for each in found if isinstance(each, Judgement)]


def payments(path: str = "evening.toml") -> list[tuple[int | None, ...] | None]:
    return [each.settlement.payments if each.settlement else None for each in judged(path)]


def test_each_line_is_a_deal_with_its_price_and_the_totals(run: Callable[..., Result]) -> None:
    begin, totals = BEGIN, [0, 0, 0, 0]
    for n, (line, paid) in enumerate(LINES.items(), 1):
        result = run(*begin, line)
        totals = [total + amount for total, amount in zip(totals, paid, strict=True)]
        of_all = ", ".join(f"{name} {with_sign(total)}" for name, total in zip(PLAYERS, totals, strict=True))
        assert result.exit_code == 0, result.output
        assert f"totals after {n} deal{'s' if n > 1 else ''}: {of_all}" in result.output
        begin = ()
    assert payments() == list(LINES.values())
    assert [each.verdict for each in judged()] == ["agrees"] * len(LINES)


def test_a_deal_that_cannot_be_read_is_named_once_in_the_language(run: Callable[..., Result]) -> None:
    assert run("Anna Wenz, won", "--players", "Anna, Ben, Cem, Dora").exit_code == 0
    with Path("evening.toml").open("a") as file:
        file.write("\n[[deal]]\nnobody = 1\n")
    assert running.run("add", "Anna Wenz, won", "--lang", "de").stderr.count("ist nicht zu lesen") == 1


def test_thirty_deals_are_thirty_lines(run: Callable[..., Result]) -> None:
    lines = [*LINES] * 6
    result = run(*BEGIN, typed="\n".join(lines))
    assert result.exit_code == 0, result.output
    assert payments() == [*LINES.values()] * 6
    assert judged()[-1].after.totals == tuple(6 * sum(column) for column in zip(*LINES.values(), strict=True))


def test_the_words_stand_above_the_deal(run: Callable[..., Result]) -> None:
    run(*BEGIN, "Sepp   Herzsolo, gewonnen")
    assert '[[deal]]\n# Sepp Herzsolo, gewonnen\ngame = "Sepp solo H"\nstated.won = true\n' in Path(
        "evening.toml"
    ).read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "missing", "status"),
    [
        ("Sepp Sauspiel auf die Alte", "the partner; who won", 2),
        ("Sepp Wenz verloren mit 80 Augen", "the rules give yes", 1),
        ("Sep Wenz verloren", "the name of a player", 2),
        ("Sepp Wenzz verloren", "wenz", 2),
    ],
)
def test_a_line_that_tells_no_deal_appends_nothing(
    run: Callable[..., Result], line: str, missing: str, status: int
) -> None:
    run(*BEGIN, "weiter")
    before = Path("evening.toml").read_bytes()
    result = run(line)
    assert (result.exit_code, Path("evening.toml").read_bytes()) == (status, before)
    assert missing in result.output


def test_anyway_appends_what_is_not_whole(run: Callable[..., Result]) -> None:
    run(*BEGIN, "weiter")
    assert run("Sepp Sauspiel auf die Alte", "--anyway").exit_code == 0
    assert [each.verdict for each in judged()] == ["agrees", "undecidable"]


@pytest.mark.usefixtures("terminal")
def test_what_the_price_needs_is_asked_for(run: Callable[..., Result]) -> None:
    result = run(*BEGIN, "Sauspiel auf die Alte", typed="Sepp\nVroni\nverloren\n")
    assert result.exit_code == 0, result.output
    assert payments() == [(-20, 20, -20, 20)]
    assert [question in result.output for question in ("Who played it:", "With whom:", "Won or lost:")] == [True] * 3


@pytest.mark.usefixtures("terminal")
def test_the_trump_suit_is_asked_for_where_suits_cost_differently(run: Callable[..., Result]) -> None:
    assert run(*BEGIN, "Sepp Solo gewonnen").exit_code == 0
    assert payments() == [(150, -50, -50, -50)]
    by_suit = ("--evening", "other.toml", "--players", ", ".join(PLAYERS), "--rules", "palatinate")
    run(*by_suit, "Sepp Solo gewonnen", typed="Herz\n")
    assert [each.deal.game.suit for each in judged("other.toml") if each.deal.game] == ["H"]


@pytest.mark.usefixtures("terminal")
def test_lines_are_typed_until_an_empty_one_and_undo_is_a_line(run: Callable[..., Result]) -> None:
    result = run(*BEGIN, typed="weiter\nSepp Wenz gewonnen\nnonsense\nundo\nToni Wenz gewonnen\n\n")
    assert result.exit_code == 0, result.output
    assert payments() == [(0, 0, 0, 0), (-50, 150, -50, -50)]
    assert "Taken back: Sepp Wenz gewonnen" in result.output


def test_undo_takes_the_last_deal_back(run: Callable[..., Result]) -> None:
    run(*BEGIN, "weiter")
    before = Path("evening.toml").read_bytes()
    run("Sepp Wenz gewonnen")
    assert "Taken back: Sepp Wenz gewonnen" in run("--undo").output
    assert Path("evening.toml").read_bytes() == before
    run("--undo")
    assert run("--undo").exit_code == 2


def test_the_archive_has_each_deal_and_loses_it_again(run: Callable[..., Result]) -> None:
    def deals() -> str:
        return running.run("audit", "--db", "a.db", "--json").output

    run(*BEGIN, "Sepp Wenz gewonnen", "--db", "a.db")
    assert "1 deal added, 1 known" in run("Toni Wenz gewonnen", "--db", "a.db").output
    assert deals().count('"agrees"') == 2
    assert run("--undo", "--db", "a.db").exit_code == 0
    assert deals().count('"agrees"') == 1


def test_a_deal_that_waits_in_the_file_is_filled_in(run: Callable[..., Result]) -> None:
    new = ["new", "evening.toml", "--rules", "pub", "--players", ", ".join(PLAYERS), "--dealer", "Vroni"]
    assert running.run(*new).exit_code == 0
    assert run("Sepp Wenz gewonnen").exit_code == 0
    (deal,) = judged()
    assert (deal.deal.dealer, deal.deal.game and deal.deal.game.contract) == (2, "wenz")


def test_cards_are_written_in_the_letters_of_the_file(run: Callable[..., Result]) -> None:
    run(*BEGIN, "weiter")
    file = Path("evening.toml")
    file.write_text(file.read_text("utf-8").replace("date =", 'cards = "french"\ndate ='), "utf-8")
    assert run("Sepp Sauspiel auf die Blaue mit Toni, gewonnen").exit_code == 0
    game = judged()[-1].deal.game
    assert 'game = "Sepp rufspiel P"' in file.read_text("utf-8")
    assert game.called == "GA"


def test_line_ends_of_the_file_are_kept(run: Callable[..., Result]) -> None:
    run(*BEGIN, "weiter")
    file = Path("evening.toml")
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert run("Sepp Wenz gewonnen").exit_code == 0
    assert file.read_bytes().count(b"\n") == file.read_bytes().count(b"\r\n")
    assert len(judged()) == 2


def test_with_five_at_the_table_one_sits_out(run: Callable[..., Result]) -> None:
    run("--players", "Anna, Ben, Cem, Dora, Emil", "--tariff", "10/20/50", "Anna Wenz gewonnen")
    assert payments() == [(150, -50, -50, -50, 0)]


def test_whom_a_line_says_to_sit_out_sits_out_and_the_turn_goes_on_from_there(run: Callable[..., Result]) -> None:
    run("--players", "Anna, Ben, Cem, Dora, Emil", "--tariff", "10/20/50", "Anna Wenz gewonnen, Cem setzt aus")
    run("Anna Wenz gewonnen")
    assert payments() == [(150, -50, 0, -50, -50), (150, -50, -50, 0, -50)]
    run("Anna Wenz gewonnen, Ben setzt aus")  # instead of Emil, whose turn it is
    assert payments()[2] == (150, 0, -50, -50, -50)


@pytest.mark.parametrize(
    "words",
    [("weiter",), ("--undo",), ("--undo", "weiter"), (*BEGIN, "--rules", "nobody", "weiter"), ("--players", "A, A")],
)
def test_a_wrong_call_is_a_sentence(run: Callable[..., Result], words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert "Error: " in result.output
    assert not Path("evening.toml").exists()


def test_names_and_words_are_completed() -> None:
    assert completions("ve", ("Vera", "verloren", "Sepp")) == ["Vera", "verloren"]


# --- a week later -----------------------------------------------------------------------------------------------------


def at(monkeypatch: pytest.MonkeyPatch, day: str) -> None:
    """Lets the evening be that of a day."""
    monkeypatch.setattr("archive.cli.add.tonight", lambda: date.fromisoformat(day))


@pytest.fixture(name="evening")
def evening_of_last_week(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of an evening with one deal, of a week ago."""
    evening, head = tmp_path / "evening.toml", ["--players", "Vroni, Girgl, Zenzi, Lois", "--tariff", "10/20/50"]
    at(monkeypatch, "2026-11-20")
    assert running.run("add", "--evening", evening, *head, "Vroni Wenz won").exit_code == 0
    at(monkeypatch, "2026-11-27")
    return evening


def test_a_week_later_another_evening_begins_and_is_said(evening: Path, tmp_path: Path) -> None:
    before = evening.read_bytes()
    answer = running.run("add", "--evening", evening, "--json", "Girgl Wenz won")
    begun = tmp_path / "evening-2026-11-27.toml"
    assert (answer.exit_code, json.loads(answer.stdout)["evening"]) == (0, str(begun))
    assert begun.name in answer.stderr
    assert evening.read_bytes() == before
    text = begun.read_text()
    assert ("2026-11-27" in text, "10/20/50" in text, text.count("[[deal]]")) == (True, True, 1)
    assert running.run("add", "--evening", evening, "Zenzi Wenz won").stderr == ""
    assert begun.read_text().count("[[deal]]") == 2
    assert running.run("add", "--evening", evening, "--undo").exit_code == 0
    assert (begun.read_text().count("[[deal]]"), evening.read_bytes()) == (1, before)


def test_an_evening_of_another_day_is_gone_on_with_where_that_is_said(evening: Path, tmp_path: Path) -> None:
    assert running.run("add", "--evening", evening, "--go-on", "Girgl Wenz won").exit_code == 0
    assert evening.read_text().count("[[deal]]") == 2
    assert not (tmp_path / "evening-2026-11-27.toml").exists()


def test_the_table_of_a_new_evening_is_otherwise_where_that_is_given(evening: Path, tmp_path: Path) -> None:
    other = ["--players", "Vroni, Girgl, Zenzi, Wast", "Wast Wenz won"]
    assert running.run("add", "--evening", evening, *other).exit_code == 0
    text = (tmp_path / "evening-2026-11-27.toml").read_text()
    assert "Wast" in text
    assert "10/20/50" in text


def test_after_midnight_it_is_still_the_evening_before() -> None:
    assert [tonight(datetime(2026, 11, 28, hour, 30)).day for hour in (0, 5, 6)] == [27, 27, 28]
