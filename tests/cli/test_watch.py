"""`schafkopf check --watch`: one screen after each save, never half a save, and the usual exit status at its end."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from support.paths import ROOT
from support.running import run

from archive.cli import watch
from archive.cli.watch import format_ranges, read_files, screen_lines, status_of

SAMPLES = ROOT / "sample_games" / "valid"
STAMMTISCH = (SAMPLES / "stammtisch.toml").read_text("utf-8")
HEAD = 'format = "schafkopf-record/1"\nrules = "pub"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'
Step = Callable[[], None]


GERMAN_EVENING = """format = "schafkopf-record/1"
rules = "pub"
players = ["Anna", "Ben", "Cem", "Dora"]

[[deal]]
dealer = "Dora"
game = "none"

[[deal]]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.toml"


def save(path: Path, text: str, at: int = 0) -> None:
    """Saves a text, `at` so many seconds later than the last one, as the clock of the file has it."""
    path.write_text(text, "utf-8")
    os.utime(path, (at, at))


def screens(monkeypatch: pytest.MonkeyPatch, path: Path, *steps: Step | None, still: int = 2) -> tuple[int, list[str]]:
    """The exit status and the screens that were shown while the steps were done, `still` looks after each."""
    shown: list[str] = []
    monkeypatch.setattr(click, "echo", lambda text="", **_: shown.append(str(text)))
    monkeypatch.setattr(click, "clear", lambda: None)
    waits = [step for each in steps for step in (each, *[None] * still)]

    def sleep(_: float) -> None:
        step = waits.pop(0) if waits else None
        if step:
            step()

    status = watch.watch((str(path),), None, None, sleep, len(waits) + 1)
    return status, [click.unstyle(text) for text in shown]


def lines(path: Path, width: int = 80, height: int = 24) -> list[str]:
    found = [
        click.unstyle(line)
        for line in screen_lines(read_files((str(path),), None, None, "en"), (str(path),), width, height, "en")
    ]
    assert len(found) < height
    assert max(map(len, found)) <= width or width < 20
    return found


def test_the_screen_is_in_the_language_of_who_types(path: Path) -> None:
    save(path, GERMAN_EVENING)
    files = read_files((str(path),), None, None, "de")
    found = [click.unstyle(line) for line in screen_lines(files, (str(path),), 80, 24, "de")]
    assert " gespeichert um " in found[0]
    assert found[1:] == ["Spiel 2 (Zeile 9)", "  noch leer", "Spiel 1: in Ordnung.", *found[4:]]
    assert found[4].startswith("Jetzt: Anna gibt")
    assert screen_lines([], ("weg.toml",), 80, 24, "de") == ["weg.toml: noch nicht da, wird erwartet"]


# --- when -------------------------------------------------------------------------------------------------------------


def test_a_screen_is_shown_at_once_and_after_each_save(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(path, STAMMTISCH)
    worse = STAMMTISCH.replace("stated.payments = [", "stated.payments = [1, ", 1)
    status, shown = screens(monkeypatch, path, None, lambda: save(path, worse, 5), lambda: save(path, STAMMTISCH, 9))
    assert len(shown) == 3
    assert ["wrong-type" in text for text in shown] == [False, True, False]
    assert status == 0


def test_nothing_is_shown_while_nothing_is_saved(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(path, STAMMTISCH)
    assert len(screens(monkeypatch, path, None, None, None)[1]) == 1


def test_half_a_save_is_not_shown(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor that empties the file and writes it piece by piece, a look between each."""
    save(path, STAMMTISCH)
    texts = ("", STAMMTISCH[:100], STAMMTISCH[:2000], STAMMTISCH + "# saved\n")
    steps: list[Step | None] = [lambda text=text, at=at: save(path, text, at) for at, text in enumerate(texts, 1)]  # type: ignore[misc]
    _, shown = screens(monkeypatch, path, None, None, *steps, None, still=0)
    assert len(shown) == 2
    assert shown[0].partition("\n")[2] == shown[1].partition("\n")[2]


def test_a_file_that_is_gone_for_a_moment_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(path, STAMMTISCH)
    _, shown = screens(monkeypatch, path, None, path.unlink, lambda: save(path, STAMMTISCH, 5))
    assert ["waiting for it" in " ".join(text.split()) for text in shown] == [False, True, False]
    _, shown = screens(monkeypatch, path, None, path.unlink, lambda: save(path, STAMMTISCH, 9), None, None, still=0)
    assert ["not there" in text for text in shown] == [False, False]


def test_any_bytes_are_survived(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(path, STAMMTISCH)
    torn: list[Step | None] = [
        lambda n=n: path.write_bytes(STAMMTISCH.encode()[:n] + b"\xff\x00") for n in range(0, 9000, 450)
    ]  # type: ignore[misc,return-value]
    _, shown = screens(monkeypatch, path, None, *torn)
    assert len(shown) > 10


@pytest.mark.parametrize(("text", "status"), [(STAMMTISCH, 0), (STAMMTISCH + "\n[[deal]]\nnonsense = 1\n", 1)])
def test_ctrl_c_ends_with_the_exit_status_of_check(
    path: Path, text: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(path, text)

    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(watch.time, "sleep", interrupted)
    monkeypatch.setattr(watch.watch, "__defaults__", (interrupted, None))
    result = run("check", "--watch", path)
    assert (result.exit_code, "Traceback" in result.output) == (status, False)
    assert "deals: " in result.stdout
    assert run("check", path).exit_code == status


def test_standard_input_cannot_be_watched_and_no_program_watches(path: Path) -> None:
    save(path, STAMMTISCH)
    assert run("check", "--watch", "-").exit_code == 2
    assert run("check", "--watch", "--json", path).exit_code == 2


# --- what -------------------------------------------------------------------------------------------------------------


def test_deals_that_are_well_are_one_line_and_the_table_stands_below(path: Path) -> None:
    save(path, STAMMTISCH)
    first, well, table, totals = lines(path)
    assert re.fullmatch(r"….*evening\.toml, saved \d\d:\d\d:\d\d  12 deals: 12 agree", first)
    assert (well, table.startswith("Next: ")) == ("Deals 1 to 12: well.", True)
    assert totals.startswith("totals: Vroni +")


def test_the_last_deal_with_trouble_is_first_with_line_place_and_remedy(path: Path) -> None:
    text = STAMMTISCH.replace("stated.payments = [", "stated.payments = [7, ", 1)
    save(path, text + '\n[[deal]]\ngame = "Vroni solo H"\nknocks = []\n')
    found = "\n".join(lines(path))
    line = len(text.splitlines()) + 2
    assert f"Deal 13, Solo Herz (line {line})\n  missing: who won" in found
    assert "Deal 1, cannot be read" in found
    assert "Write the value as docs/record-format.md shows it;" in " ".join(found.split())
    assert found.index("Deal 13") < found.index("Deal 1,")
    assert "totals: open since deal 2" in found, "what deal 1 paid is hidden"


def test_an_empty_deal_is_named_and_its_dealer_deals_now(path: Path) -> None:
    save(path, HEAD + '[[deal]]\ndealer = "Ben"\ngame = "none"\n\n[[deal]]\n')
    found = lines(path)
    assert found[1:3] == ["Deal 2 (line 8)", "  still empty"]
    assert found[-2:] == ["Now: Cem deals", "totals: Anna +0, Ben +0, Cem +0, Dora +0"]


def test_what_lies_on_the_table_is_told(path: Path) -> None:
    save(
        path, HEAD + 'house = { stock = { amount = 10, won_by = ["solo"] } }\n[[deal]]\ndealer = "Ben"\ngame = "none"\n'
    )
    assert "Next: Cem deals. On the table: Stock 40" in lines(path)


def test_marks_and_chalk_are_the_totals_of_a_game_for_marks(path: Path) -> None:
    path = SAMPLES / "bauernstoss.toml"
    assert any("chalk: " in line and line.startswith("Next: ") for line in lines(path))


@pytest.mark.parametrize("height", [8, 12, 24, 50])
@pytest.mark.parametrize("width", [40, 80])
def test_a_screen_is_never_longer_than_the_terminal(path: Path, width: int, height: int) -> None:
    save(path, STAMMTISCH.replace("stated.payments = [", "stated.payments = [7, "))
    found = lines(path, width, height)
    assert found[1].startswith("Deal 12, cannot be read")
    if height < 50:
        assert any(line.startswith("… more to say of ") for line in found)


def test_every_deal_with_trouble_is_shown_or_named(path: Path) -> None:
    save(path, STAMMTISCH.replace("stated.payments = [", "stated.payments = [7, "))
    for height in range(8, 60):
        text = "\n".join(lines(path, 200, height)).casefold()
        assert all(f"deal {number}" in text for number in range(1, 13)), height


def test_of_several_files_the_one_saved_last_is_shown_and_the_others_are_named(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    save(one, STAMMTISCH, 10)
    save(other, HEAD + "[[deal]]\n", 20)
    found = screen_lines(read_files((str(tmp_path),), None, None, "en"), (str(tmp_path),), 300, 24, "en")
    assert click.unstyle(found[0]).startswith(f"{other}, saved")
    assert found[-1] == f"{one}  12 deals: 12 agree"


def test_the_status_is_that_of_the_findings(path: Path) -> None:
    save(path, STAMMTISCH)
    assert status_of(read_files((str(path),), None, None, "en")) == 0
    save(path, "nothing")
    assert status_of(read_files((str(path),), None, None, "en")) == 1


@pytest.mark.parametrize(
    ("numbers", "told"), [([], ""), ([4], "4"), ([1, 2, 3, 5, 8, 9], "1 to 3, 5, 8 to 9"), (range(1, 60, 2), "23, …")]
)
def test_numbers_are_told_in_runs(numbers: list[int], told: str) -> None:
    assert format_ranges(numbers, "en").endswith(told)


def test_a_file_just_begun_says_what_comes_next(path: Path) -> None:
    assert run("new", path, "--rules", "pub", "--players", "Anna, Ben, Cem, Dora").exit_code == 0
    assert lines(path)[1:] == [
        f"Deal 1 (line {path.read_text('utf-8').splitlines().index('[[deal]]') + 1})",
        "  still empty",
        "Now: Dora deals",
        "totals: Anna +0, Ben +0, Cem +0, Dora +0",
    ]
