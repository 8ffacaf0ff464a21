"""`schafkopf price`: lines with their sources, what each pays, and the exit status that scripts need."""

import json

import pytest
from support import running

QUESTION = "Sepp Sauspiel auf die Alte, verloren, 3 Laufende"


def run(*words: str) -> tuple[int, str, str]:
    result = running.run("price", *words)
    return result.exit_code, result.stdout, result.stderr


def test_a_price_is_told_in_lines_with_their_sources_and_what_each_pays() -> None:
    code, out, err = run(QUESTION, "--rules", "pub", "--tariff", "10/20/50")
    assert (code, err) == (0, "")
    assert "Rufspiel, lost" in out
    assert "001 Runners" in out
    assert "each: Sepp −50, Partner −50, Opponent 1 +50, Opponent 2 +50 (ct)" in out


def test_a_german_reader_is_answered_in_german() -> None:
    assert "je Spieler: Sepp −50, Mitspieler −50" in run(QUESTION, "--tariff", "10/20/50", "--lang", "de")[1]


@pytest.mark.parametrize(
    ("words", "rules", "facts"),
    [
        (QUESTION, "pub", []),
        (QUESTION, "expats", ["the runners"]),
        ("Wenz Tout gewonnen, schwarz, 2 Laufende", "pub", ["whether it was Schwarz"]),
        ("Wenz Tout gewonnen, schwarz, 2 Laufende", "schierling", []),
    ],
)
def test_what_is_said_and_costs_nothing_is_named(words: str, rules: str, facts: list[str]) -> None:
    code, out, err = run(words, "--rules", rules)
    assert (code, err) == (0, "")
    assert [line.partition("this price: ")[2] for line in out.splitlines() if "not counted" in line] == facts


def test_programs_get_the_object_of_check() -> None:
    code, out, _ = run(QUESTION, "--tariff", "10/20/50", "--json")
    found = json.loads(out)
    assert (code, found["payments"], found["basis"]) == (0, [-50, -50, 50, 50], "facts")


@pytest.mark.parametrize(
    ("words", "status", "piece"),
    [
        (("", " "), 2, "DEAL is empty"),
        (("--json", ""), 2, "DEAL is empty"),
        (("--lang", "de", ""), 2, "SPIEL ist leer"),
        (("Wens mit 2",), 2, "did you mean wenz?"),
        (("Herzsolo, gewonnen mit 45",), 1, "the rules give no"),
        (("Herzsolo", "--tariff", "unknown"), 2, "who won"),
        (("Sepp Sauspeil, gewonnen",), 2, "did you mean sauspiel?"),
        (("Wenz gewonnen", "--rules", "nope"), 2, "no ruleset"),
        (("Wenz gewonnen", "--tariff", "a"), 2, "house.tariff"),
    ],
)
def test_what_has_no_price_says_why(words: tuple[str, ...], status: int, piece: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (status, "")
    assert piece in err


def test_a_price_that_does_not_hang_on_who_won_is_told_and_who_pays_stays_open() -> None:
    code, out, err = run("Sepp Herzsolo", "--tariff", "10/20/50")
    assert (code, err) == (2, "It is not said: who won.\n")
    assert "The price is 50 ct, whatever the open facts are." in out
    assert "Sepp −150 to +150, Opponent 1 −50 to +50" in out
    assert "the runners" in out, "what was taken as not having happened"


def test_programs_get_the_prices_that_are_possible() -> None:
    found = json.loads(run("Sepp Herzsolo", "--tariff", "10/20/50", "--json")[1])
    assert found["price_range"]["prices"] == [50]
    assert (found["price_range"]["least"]["Sepp"], found["price_range"]["most"]["Sepp"]) == (-150, 150)


def test_nobody_pays_for_a_deal_that_was_not_played() -> None:
    assert run("alle passen") == (0, "Nobody pays: the deal was not played.\n", "")
    assert "each: Declarer −20, Opponent 1 −20" in run("alle passen", "--rules", "schierling")[1], "001: into the Stock"
