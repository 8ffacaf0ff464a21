"""Explanations of sheets of amounts alone: adding up needs no game."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from support.mistakes import sums
from support.running import run

from archive.explain import Explained, explain
from archive.judge import Judgement, judge_session
from archive.judge.judge_stream import with_neighbours
from archive.judge.set_right import what_sets_right
from archive.record import Carry, Deal, Session, Stated
from archive.say import say

NAMES = ("Anni", "Beppo", "Centa", "Dammerl")
HOUSE = {"tariff": "unknown"}
Amounts = tuple[int, ...] | None
PAID = ((20, 20, -20, -20), (-20, 20, -20, 20), (-60, -60, 180, -60), (40, -40, 40, -40), (50, -150, 50, 50))
ENDS = ((20, 20, -20, -20), (0, 40, -40, 0), (-60, -20, 140, -60), (-20, -60, 180, -100), (30, -210, 230, -50))


def judged(*rows: tuple[Amounts, Amounts], carried: tuple[int, Amounts] = (-1, None)) -> list[Judgement]:
    """The deals of a sheet: payments and totals of each, and the totals that one begins with."""
    deals = [
        Deal(stated=Stated(payments=paid, totals=totals), carry=Carry(totals=carried[1]) if carried[0] == n else None)
        for n, (paid, totals) in enumerate(rows)
    ]
    return list(judge_session(Session(players=NAMES, house=HOUSE, rules="bavarian"), deals))


def explained(number: int, found: Sequence[Judgement]) -> Explained:
    each, beside = next(both for both in with_neighbours(found) if both[0].number == number)
    return explain(each, beside)


def first(number: int, found: Sequence[Judgement]) -> tuple[str, str, str]:
    """The first cause, and the sentence that offers it in both languages."""
    changes = explained(number, found).explanations[0].changes
    return "+".join(each.cause for each in changes), say(changes[0].message), say(changes[0].message, "de")


def sheet(**changed: Amounts) -> list[tuple[Amounts, Amounts]]:
    """Rows with their totals: `p3` the payments and `t3` the totals of deal 3 as they are written."""
    rows = enumerate(zip(PAID, ENDS, strict=True), 1)
    return [(changed.get(f"p{n}", paid), changed.get(f"t{n}", end)) for n, (paid, end) in rows]


# --- what is said -----------------------------------------------------------------------------------------------------


ABOVE = "The amounts above give other totals. ", "Die Beträge darüber ergeben andere Stände. "
POINTED = [*((paid, None) for paid in PAID[:2]), ((-60, -60, 180, 0), None), (PAID[3], None), (PAID[4], ENDS[4])]
NOT_ZERO = [(None, end) for end in ENDS[:2]] + [(None, (-60, -20, 14, -60))]


@pytest.mark.parametrize(
    ("number", "found", "cause", "before", "english", "german"),
    [
        (5, judged(*sheet()[:4], (PAID[4], ENDS[3])), "total-not-added", ABOVE,
         "the totals do not have this deal, since it was not added.",
         "dieses Spiel in den Ständen fehlt, weil es nicht addiert wurde."),
        (5, judged(*((paid, None) for paid in PAID[:4]), (PAID[4], (90, -210, 230, -50))), "total-one-not-added", ABOVE,
         "deal 3 was not added for Anni: 90 in place of 30.", "Spiel 3 bei Anni nicht addiert wurde: 90 statt 30."),
        (3, judged(*sheet(p3=(-60, -60, 180, 60))), "one-sign",
         ("The totals give other amounts. ", "Die Stände ergeben andere Beträge. "),
         "the sign of Dammerl alone is wrong: 60 in place of −60.",
         "nur bei Dammerl das Vorzeichen nicht stimmt: 60 statt −60."),
        (3, judged(*POINTED), "one-empty",
         ("Row and column point to one amount. ", "Zeile und Spalte zeigen auf einen Betrag. "),
         "nothing was written for Dammerl: 0 in place of −60.",
         "bei Dammerl nichts eingetragen wurde: 0 statt −60."),
        (5, judged(*POINTED), "cell-pointed",
         ("Row and column point to one amount. ", "Zeile und Spalte zeigen auf einen Betrag. "),
         "the amount of Dammerl in deal 3 is wrong: 0 in place of −60.", ""),
        (3, judged(*NOT_ZERO), "one-nought-less", ("", ""),
         "a nought of Centa's total is missing: 14 in place of 140.", ""),
        (4, judged(*NOT_ZERO, (None, ENDS[3])), "total-right-again", ("", ""), "", ""),
        (4, judged(*sheet()[:3], (PAID[3], None), carried=(3, (*ENDS[2][-1:], *ENDS[2][:-1]))), "total-carry-shifted",
         ("The deals before give other totals. ", "Die Spiele davor ergeben andere Stände. "),
         "the totals before were carried on 1 column further.",
         "die Stände davor um 1 Spalte weiter übertragen wurden."),
        (2, judged((PAID[0], ENDS[0]), ((1, -300, 100, 100), (120, -280, 80, 80))), "one-nought-less", ("", ""),
         "two noughts of Anni's amount are missing: 1 in place of 100.",
         "beim Betrag von Anni zwei Nullen fehlen: 1 statt 100."),
    ],
)  # fmt: skip
def test_what_is_said_of_a_sheet_of_amounts(
    number: int, found: list[Judgement], cause: str, before: tuple[str, str], english: str, german: str
) -> None:
    said = first(number, found)
    assert said[0] == cause
    for text, begins, ends in zip(said[1:], before, (english, german), strict=True):
        assert text.startswith(begins)
        assert text.endswith(ends)


def test_totals_alone_that_do_not_rise_by_zero_are_named() -> None:
    assert [finding.rule for finding in judged(*NOT_ZERO)[2].findings] == ["totals-sum"]


def test_totals_that_rows_which_do_not_sum_to_zero_give_are_no_correction() -> None:
    """Whoever has the row wrong and the totals right is not asked to write the totals anew."""
    assert not what_sets_right(judged(*POINTED)[4])


# --- laws -------------------------------------------------------------------------------------------------------------


def test_what_went_wrong_is_named_on_sheets_of_amounts_alone() -> None:
    kinds = [kind for kind in sums.ALL if kind not in sums.UNSEEN]
    made = list(sums.disputes(Random(9), len(kinds), kinds))
    assert len(made) == len(kinds)
    places = []
    for each in made:
        named = [tuple(change.cause for change in one.changes) for one in explain(each.found, each.beside).explanations]
        places.append(sums.place(each, named))
    assert sum(place == 1 for place in places) >= 0.9 * len(places)
    assert sum(place <= 3 for place in places) >= 0.97 * len(places)


def test_right_sheets_of_amounts_alone_are_never_accused() -> None:
    for found in sums.untouched(Random(10), 60):
        for each, beside in with_neighbours(found):
            assert each.verdict != "differs"
            assert not explain(each, beside).explanations


def test_the_deals_at_hand_are_five_on_either_side_and_reach_from_the_last_totals_to_the_next() -> None:
    paid = [PAID[n % len(PAID)] for n in range(16)]
    rows = [(each, end if n in (0, 15) else None) for n, (each, end) in enumerate(in_full(paid))]
    numbers = {each.number: [other.number for other in beside] for each, beside in with_neighbours(judged(*rows))}
    assert numbers[1] == [*range(2, 17)]
    assert numbers[8] == [*range(1, 8), *range(9, 17)]
    above = {
        each.number: [other.number for other in beside] for each, beside in with_neighbours(judged(*in_full(paid)))
    }
    assert above[8] == [3, 4, 5, 6, 7, 9, 10, 11, 12, 13]


def in_full(paid: Sequence[tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Each row of amounts with the totals after it."""
    had = (0,) * len(NAMES)
    for each in paid:
        had = tuple(a + b for a, b in zip(had, each, strict=True))
        yield each, had


# --- in an archive ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "says"), [("en", "deal 3 was not added for Beppo"), ("de", "Spiel 3 bei Beppo")])
def test_an_archive_explains_the_sums_at_the_end_by_all_deals_above(tmp_path: Path, language: str, says: str) -> None:
    lines = [";".join(map(str, (n, *paid))) for n, paid in enumerate(PAID, 1)]
    path, db = tmp_path / "abend.csv", str(tmp_path / "archive.db")
    path.write_text("\n".join([f"Nr;{';'.join(NAMES)}", *lines, "Summe;30;-150;230;-50", ""]), "utf-8")
    run("import", path, "--db", db)
    found = run("audit", "explain", "5", "--db", db, "--lang", language)
    assert says in " ".join(found.output.split()), found.output
