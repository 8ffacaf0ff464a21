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


def test_a_deal_that_was_not_added_is_said_by_the_amounts_above() -> None:
    rows = [*sheet()[:4], (PAID[4], ENDS[3])]
    assert first(5, judged(*rows)) == (
        "total-not-added",
        "The amounts above give other totals. It would fit if the totals do not have this deal, since it was not "
        "added.",
        "Die Beträge darüber ergeben andere Stände. Es würde passen, wenn dieses Spiel in den Ständen fehlt, weil es "
        "nicht addiert wurde.",
    )


def test_totals_at_the_end_name_the_deal_that_was_left_out_for_one() -> None:
    rows = [*((paid, None) for paid in PAID[:4]), (PAID[4], (90, -210, 230, -50))]
    assert first(5, judged(*rows)) == (
        "total-one-not-added",
        "The amounts above give other totals. It would fit if deal 3 was not added for Anni: 90 in place of 30.",
        "Die Beträge darüber ergeben andere Stände. Es würde passen, wenn Spiel 3 bei Anni nicht addiert wurde: "
        "90 statt 30.",
    )


def test_an_amount_that_is_otherwise_than_its_totals_is_said_by_the_totals() -> None:
    assert first(3, judged(*sheet(p3=(-60, -60, 180, 60)))) == (
        "one-sign",
        "The totals give other amounts. It would fit if the sign of Dammerl alone is wrong: 60 in place of −60.",
        "Die Stände ergeben andere Beträge. Es würde passen, wenn nur bei Dammerl das Vorzeichen nicht stimmt: "
        "60 statt −60.",
    )


def test_row_and_column_point_to_one_amount() -> None:
    rows = [*((paid, None) for paid in PAID[:2]), ((-60, -60, 180, 0), None), (PAID[3], None), (PAID[4], ENDS[4])]
    cause, english, german = first(3, judged(*rows))
    assert cause == "one-empty"
    assert english == (
        "Row and column point to one amount. It would fit if nothing was written for Dammerl: 0 in place of −60."
    )
    assert german.startswith("Zeile und Spalte zeigen auf einen Betrag. ")
    assert first(5, judged(*rows))[:2] == (
        "cell-pointed",
        "Row and column point to one amount. It would fit if the amount of Dammerl in deal 3 is wrong: "
        "0 in place of −60.",
    )


def test_totals_alone_that_do_not_rise_by_zero_are_named_and_explained() -> None:
    rows = [(None, end) for end in ENDS[:2]] + [(None, (-60, -20, 14, -60))]
    found = judged(*rows)
    assert [finding.rule for finding in found[2].findings] == ["totals-sum"]
    cause, english, _ = first(3, found)
    assert cause == "one-nought-less"
    assert english.endswith("It would fit if a nought of Centa's total is missing: 14 in place of 140.")


def test_totals_alone_that_are_right_again_are_said_to_be() -> None:
    rows = [(None, ENDS[0]), (None, ENDS[1]), (None, (-60, -20, 14, -60)), (None, ENDS[3])]
    assert first(4, judged(*rows))[0] == "total-right-again"


def test_a_page_that_goes_on_a_column_further_is_said_by_the_deals_before() -> None:
    end = ENDS[2]
    rows = [*sheet()[:3], (PAID[3], None)]
    assert first(4, judged(*rows, carried=(3, (*end[-1:], *end[:-1])))) == (
        "total-carry-shifted",
        "The deals before give other totals. It would fit if the totals before were carried on 1 column further.",
        "Die Spiele davor ergeben andere Stände. Es würde passen, wenn die Stände davor um 1 Spalte weiter übertragen "
        "wurden.",
    )


def test_totals_that_rows_which_do_not_sum_to_zero_give_are_no_correction() -> None:
    """Whoever has the row wrong and the totals right is not asked to write the totals anew."""
    rows = [*((paid, None) for paid in PAID[:2]), ((-60, -60, 180, 0), None), (PAID[3], None), (PAID[4], ENDS[4])]
    assert not what_sets_right(judged(*rows)[4])


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


def test_two_noughts_that_are_missing_are_counted() -> None:
    paid, end = (100, -300, 100, 100), (120, -280, 80, 80)
    found = judged((PAID[0], ENDS[0]), ((1, -300, 100, 100), end))
    _, english, german = first(2, found)
    assert paid == tuple(b - a for a, b in zip(ENDS[0], end, strict=True))
    assert english.endswith("if two noughts of Anni's amount are missing: 1 in place of 100.")
    assert german.endswith("wenn beim Betrag von Anni zwei Nullen fehlen: 1 statt 100.")
