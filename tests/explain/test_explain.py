"""Explanations: what changes the amounts, which of it gives what is stated, and that nobody is accused in vain."""

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support import mistakes
from support.mistakes.settings import HARDLY_SCHNEIDER, SETTINGS, paid
from support.paths import ROOT
from support.thorough import examples

from archive import generate
from archive.cli.explain import explanation_lines, session_lines
from archive.cli.inputs import files_with_progress
from archive.explain import Explained, explain, explain_session
from archive.explain.account import amounts_of
from archive.explain.house_variants import amounts, readings
from archive.explain.people_slips import people_slips
from archive.explain.price_slips import price_slips
from archive.explain.report import alike, explained_report, session_report
from archive.explain.scene import Slip, change_of, scene_of
from archive.explain.types import Explanation, rows
from archive.judge import Judgement, judge, judge_session
from archive.judge.judge_stream import judge_stream
from archive.judge.sentences import say_missing, say_reason
from archive.judge.types import case_of
from archive.record import Stated
from archive.say import Message, say
from archive.say.catalogue import rows as texts
from archive.settle.ledger import empty_ledger

PAGE = ROOT / "docs" / "explaining.md"
BROKEN = ROOT / "sample_games" / "broken"
DISPUTES = examples(35, 200)
KINDS = (*SETTINGS, *mistakes.RECKONING, *mistakes.PEOPLE, *mistakes.AMOUNTS)


@pytest.fixture(scope="module")
def pool() -> list[mistakes.Right]:
    """Deals with cards that state what was paid."""
    rights = mistakes.right_deals(mistakes.shared_evenings(), Random(6), bare=0)
    return [each for each in rights if each.form == "payments" and each.found.verdict == "agrees"][::2]


def causes_of(found: Explained) -> list[str]:
    """The causes of the explanations in order, pairs joined."""
    return ["+".join(made.cause for made in each.changes) for each in found.explanations]


def played(contract: str, house: dict[str, Any] | None = None, seed: int = 1, **wanted: Any) -> Judgement:
    """A judged deal that states its own payments."""
    rng, evening = Random(seed), generate.session("pub", house)
    made = generate.deal(rng, evening, contract, state=("payments",), **wanted)
    return judge(evening, made, 1, empty_ledger(4))


def stating(found: Judgement, **stated: Any) -> Judgement:
    """The deal with something else stated."""
    return judge(found.session, replace(found.deal, stated=Stated(**stated)), found.number, found.before)


def in_both(message: Message) -> tuple[str, str]:
    return say(message), say(message, "de")


def payments(found: Judgement) -> tuple[int, ...]:
    return tuple(each or 0 for each in found.settlement.payments or ())


# --- what the search promises -----------------------------------------------------------------------------------------


def test_known_causes_are_found(pool: list[mistakes.Right]) -> None:
    """The small form of `benchmarks/explain.py`; a cause that nobody can tell from the one at work counts too."""
    first = three = 0
    made = list(mistakes.disputes(Random(60), DISPUTES, pool, KINDS))
    assert len(made) >= examples(20, 150)  # a kind that fits no deal of the pool makes none
    for each in made:
        named = [tuple(change.cause for change in one.changes) for one in explain(each.found, each.beside).explanations]
        classes = [{*causes} for causes in rows().alike.values()]
        alike = {cause for (causes,) in each.answers for one in classes if one & {*causes} for cause in one}
        fits = [mistakes.names(causes, each) or (len(causes) == 1 and causes[0] in alike) for causes in named[:3]]
        first += fits[:1] == [True]
        three += any(fits)
    assert first >= 0.95 * len(made)
    assert three >= 0.99 * len(made)


def test_every_explanation_of_the_rules_gives_exactly_what_is_stated(pool: list[mistakes.Right]) -> None:
    """Checked by judging again: a reading is laid over the house, and the deal then agrees."""
    seen = 0
    for each in mistakes.disputes(Random(7), examples(10, 30), pool, list(SETTINGS)[:6]):
        for one in explain(each.found).explanations:
            if len(one.changes) == 1 and one.changes[0].setting:
                key, value = one.changes[0].setting, one.changes[0].value
                house: Any = value
                for part in reversed(key.split(".")):
                    house = {part: house}
                told = each.found.deal.stated.payments if each.found.deal.stated else None
                assert paid(each.found, house) == told, (key, value)
                seen += 1
    assert seen >= examples(10, 30)


def test_the_likelier_comes_before_the_less_likely(pool: list[mistakes.Right]) -> None:
    for each in mistakes.disputes(Random(8), examples(12, 40), pool):
        found = explain(each.found, each.beside)
        weights = [one.weight for one in found.explanations]
        assert weights == sorted(weights)
        assert {len(one.changes) for one in found.explanations} <= {1, 2}


def test_no_change_is_offered_that_changes_nothing(pool: list[mistakes.Right]) -> None:
    for each in pool[:40]:
        case = case_of(each.found)
        assert case
        for made, after in readings(case, each.found.session):
            assert amounts(after) != amounts(case), made


def test_every_slip_in_reckoning_is_another_account_of_the_deal(pool: list[mistakes.Right]) -> None:
    """And without one, the account comes to what the rules give."""
    for each in pool[:80]:
        case = case_of(each.found)
        assert case
        scene = scene_of(each.found, case, each.beside)
        assert scene.account
        assert amounts_of(scene.account) == each.sheet.gained
        for slip, account in (*price_slips(scene, scene.account), *people_slips(scene, scene.account)):
            assert account != scene.account, slip


# --- single causes ----------------------------------------------------------------------------------------------------


def test_a_kontra_that_was_not_counted_is_named_with_who_said_it() -> None:
    found = played("solo", seed=3, want=lambda each: len(each.deal.doubles or ()) == 1 and not each.deal.knocks)
    said = found.deal.doubles
    assert isinstance(said, tuple)
    name = found.session.players[said[0].seat]
    explained = explain(stating(found, payments=tuple(each // 2 for each in payments(found))))
    first = explained.explanations[0].changes[0]
    assert first.cause == "double-missed"
    assert in_both(first.message) == (
        f"It would fit if the Kontra of {name} was not counted.",
        f"Es würde passen, wenn das Kontra von {name} nicht gezählt wurde.",
    )
    assert first.cite


def test_runners_from_two_are_a_reading_of_the_house() -> None:
    found = played("solo", seed=5, want=lambda each: abs(each.settlement.runners) == 2)
    told = paid(found, {"runners_from": {"solo": 2}})
    explained = explain(stating(found, payments=told))
    assert {"runners-from", "runners-too-few"} & set(causes_of(explained)[:2])
    reading = next(each for each in explained.explanations if each.changes[0].cause == "runners-from").changes[0]
    assert in_both(reading.message) == (
        "It would fit if this table pays runners from 2 on in Solo (by the rules of the record runners from 3 on).",
        "Es würde passen, wenn dieser Tisch bei Solo Laufende ab 2 zählt (nach den Regeln des Aufschriebs "
        "Laufende ab 3).",
    )


def test_runners_that_are_paid_up_to_four_are_a_reading_of_the_house() -> None:
    found = played("solo", seed=5, want=lambda each: abs(each.settlement.runners) == 6)
    explained = explain(stating(found, payments=paid(found, {"runners_most": 4})))
    change = next(each for each in explained.explanations if each.changes[0].cause == "runners-most").changes[0]
    assert (change.kind, change.setting, change.value) == ("reading", "runners_most", 4)
    assert in_both(change.message) == (
        "It would fit if this table pays 4 runners at most (by the rules of the record all runners).",
        "Es würde passen, wenn dieser Tisch höchstens 4 Laufende zählt (nach den Regeln des Aufschriebs alle "
        "Laufenden).",
    )
    capped = judge(generate.session("pub", {"runners_most": 4}), found.deal, 1, empty_ledger(4))
    again = explain(capped).explanations[0].changes[0]
    assert say(again.message) == (
        "It would fit if this table pays all runners (by the rules of the record 4 runners at most)."
    )


def test_a_price_alone_is_explained() -> None:
    found = played("solo", seed=3, want=lambda each: each.settlement.multiplier == 2)
    assert found.settlement.price
    explained = explain(stating(found, price=found.settlement.price // 2))
    assert causes_of(explained)[0] in ("knock-missed", "double-missed")


def test_some_payments_are_enough() -> None:
    found = played("wenz", seed=2)
    told = (None, -payments(found)[1], None, -payments(found)[3])
    assert causes_of(explain(stating(found, payments=told)))[0] == "turned"


def test_totals_tell_the_payments_by_their_difference() -> None:
    evening = generate.session("pub")
    deals = list(generate.deals(Random(4), evening, 6))
    found = list(judge_session(evening, deals))
    turned = [each.after.totals for each in found]
    last = next(n for n in range(1, 6) if any(payments(found[n])))
    before = turned[last - 1]
    assert before
    wrong = tuple((had or 0) - each for had, each in zip(before, payments(found[last]), strict=True))
    turned[last] = wrong
    stated = [replace(deal, stated=Stated(totals=each)) for deal, each in zip(deals, turned, strict=True)]
    judged = list(judge_session(evening, stated))
    assert judged[last].verdict == "differs"
    assert causes_of(explain(judged[last]))[0] == "turned"


def test_points_that_are_miswritten_are_explained_beside_right_payments() -> None:
    found = played("solo", seed=9, want=lambda each: each.settlement.side_points in (68, 69, 72, 73, 75, 78))
    points = found.settlement.side_points or 0
    wrong = int(str(points)[::-1])
    explained = explain(stating(found, points=wrong, payments=payments(found)))
    assert "points-digits-swapped" in causes_of(explained)[:2]
    explained = explain(stating(found, points=120 - points, payments=payments(found)))
    assert causes_of(explained)[0] == "points-other-side"


def test_two_causes_are_found_where_one_does_not_do() -> None:
    found = played("solo", {"tariff": "31/73"}, seed=3, want=lambda each: each.settlement.schneider
                   and not each.settlement.schwarz and len(each.deal.doubles or ()) == 1 and not each.deal.knocks
                   and not each.settlement.runners_paid)  # fmt: skip
    plain = paid(found, {"levels": HARDLY_SCHNEIDER}, doubles=())
    assert plain
    explained = explain(stating(found, payments=plain))
    assert "schneider-missed+double-missed" in causes_of(explained)


def test_two_slips_that_reckon_just_as_one_does_are_not_listed_beside_it() -> None:
    """The game alone was counted: that runners and Schneider were forgotten is no other cause."""
    found = played("solo", {"tariff": "7/31/73"}, seed=3, want=lambda each: each.settlement.schneider
                   and not each.settlement.schwarz and each.settlement.runners_paid
                   and each.settlement.multiplier == 1)  # fmt: skip
    assert found.settlement.won
    bare = [-73] * 4
    bare[next(seat for seat, each in enumerate(payments(found)) if each > 0)] = 3 * 73
    explained = explain(stating(found, payments=tuple(bare)))
    assert causes_of(explained)[0] == "only-game"
    assert not [each for each in causes_of(explained) if "schneider-missed" in each and "runners" in each]


def test_two_forgotten_doublings_are_one_cause() -> None:
    """Neither was counted: a knock and a Kontra that were both left out are no other cause."""
    found = played("solo", {"tariff": "7/31/73"}, seed=3, want=lambda each: isinstance(each.deal.knocks, tuple)
                   and len(each.deal.knocks) == 1 and len(each.deal.doubles or ()) == 1)  # fmt: skip
    explained = explain(stating(found, payments=tuple(each // 4 for each in payments(found))))
    assert causes_of(explained) == ["doublings-missed"]
    assert say(explained.message).startswith("It would fit if no doubling was counted")


def test_none_fits_is_said_plainly() -> None:
    found = played("solo", seed=3)
    explained = explain(stating(found, payments=(1234, -617, 31, -648)))
    assert explained.state == "none-fits"
    assert [text[:12] for text in in_both(explained.message)] == ["Nothing fits", "Nichts passt"]


def test_what_cannot_be_explained_yet_says_what_is_missing() -> None:
    found = played("solo", seed=3)
    cut = replace(found.deal, hands=None, tricks=(found.deal.tricks or ())[:3], stated=Stated(payments=payments(found)))
    explained = explain(judge(found.session, cut, 1, found.before))
    assert explained.state == "undecidable"
    assert "does not say" in say(explained.message)
    printed = "\n".join(explanation_lines(judge(found.session, cut, 1, found.before), explained, 80))
    assert "alone would decide it: " in printed
    hands = found.deal.hands
    broken = judge(found.session, replace(found.deal, hands=(hands[1], hands[0], *hands[2:])), 1, found.before)
    assert explain(broken).state == "unplayable"
    assert "audit repair" in say(explain(broken).message)


def test_what_is_surely_wrong_in_half_a_record_is_said_before_what_it_lacks() -> None:
    found = played("solo", seed=3)
    bare = replace(found.deal, tricks=None, auction=None, stated=Stated(runners=8))
    half = judge(found.session, bare, 1, found.before)
    assert half.verdict == "differs"
    explained = explain(half)
    assert explained.state == "not-amounts"
    assert say(explained.message) == f"{say_reason(half)} The record does not say: {'; '.join(say_missing(half))}."
    assert say(explained.message, "de").startswith("Laufende: aufgeschrieben ist 8")


def test_a_setting_of_the_table_is_cited_in_the_readers_language() -> None:
    found = played("solo", seed=3, house={"tariff": "10/50"})
    explained = explain(stating(found, payments=tuple(2 * each for each in payments(found))))
    for language, here in (("en", "(this table)"), ("de", "(dieser Tisch)")):
        assert here in " ".join("\n".join(explanation_lines(found, explained, 80, language)).split())


def test_the_plainer_of_two_arguments_is_given() -> None:
    """Of two runners that were paid though they are too few, nobody is told of the only runner."""
    one, other = (
        Explanation((change_of(Slip(cause, {"what": "", "value": 2, "was": 3, "count": 2, "least": 3})),), 3.0, ())
        for cause in ("runners-from", "runners-too-few")
    )
    assert alike(one, other) == Message("explain.alike-runners-paid")


def test_the_line_of_the_deal_beside_is_recognised(pool: list[mistakes.Right]) -> None:
    for each in mistakes.disputes(Random(9), 10, pool, ["line above", "line below"]):
        assert "neighbour" in causes_of(explain(each.found, each.beside))
        assert "neighbour" not in causes_of(explain(each.found))


def test_a_played_deal_that_is_noted_as_misdealt_may_have_been_its_game() -> None:
    right = played("wenz")
    game = replace(right.deal.game, contract="misdeal", suit=None, declarer=None, words=())
    explained = explain(judge(right.session, replace(right.deal, game=game), 1, right.before))
    assert (explained.state, causes_of(explained)) == ("explained", ["contract-noted"])


def test_whatever_a_record_states_an_answer_comes_and_no_traceback() -> None:
    """All broken samples, as they are and with other results stated."""
    rng = Random(13)
    seen: Counter[str] = Counter()
    for path in sorted(BROKEN.glob("*.toml"))[:: examples(6, 1)]:
        for file in files_with_progress((str(path),), None):
            for found in (each for each in judge_stream(file.items(), None) if isinstance(each, Judgement)):
                seats = len(found.session.players)
                some = tuple(rng.choice((None, 0, -10, 20, 30, -60, 50)) for _ in range(seats))
                seen[explain(found).state] += 1
                for stated in (Stated(payments=some), Stated(totals=some, points=68), Stated(price=20, marks=some)):
                    other = judge(found.session, replace(found.deal, stated=stated), found.number, found.before)
                    explained = explain(other)
                    seen[explained.state] += 1
                    assert say(explained.message)
                    assert bool(explained.explanations) == (explained.state == "explained")
    assert seen.keys() >= {"agrees", "explained", "none-fits", "undecidable", "unplayable"}


# --- a session --------------------------------------------------------------------------------------------------------


def evening_under(house: dict[str, Any], seed: int, count: int = 14) -> list[Judgement]:
    """An evening that was paid by a house of its own, and says it played by the pub's rules."""
    own = generate.session("pub", house)
    deals = list(generate.deals(Random(seed), own, count, state=("payments",)))
    return list(judge_session(generate.session("pub"), deals))


def test_the_one_setting_of_a_session_is_found() -> None:
    found = evening_under({"tariff": "20/50"}, 11)
    assert Counter(each.verdict for each in found)["differs"] > 2
    explained = explain_session(found)
    best = explained.readings[0]
    assert (best.change.setting, best.change.value) == ("tariff", "20/50")
    assert best.explains == explained.differ
    assert best.stay == best.breaks == ()
    assert "Then all agree" in say(explained.message)


# --- words ------------------------------------------------------------------------------------------------------------


def test_what_is_said_fits_eighty_columns_in_both_languages(pool: list[mistakes.Right]) -> None:
    for each in mistakes.disputes(Random(10), examples(8, 20), pool):
        explained = explain(each.found, each.beside)
        for language in ("en", "de"):
            for line in explanation_lines(each.found, explained, 80, language):
                assert len(re.sub(r"\x1b\[\d+m", "", line)) <= 80
                assert "{" not in line
    assert list(session_lines(explain_session(evening_under({"tariff": "20/50"}, 11)), 80, "de"))


def test_every_reading_is_said_without_a_word_of_the_rulesets_own() -> None:
    """What a setting is called in a ruleset, and what it is set to there, nobody need know who reads an explanation."""
    said = []
    for file in list(files_with_progress((str(ROOT / "sample_games" / "valid"),), None))[:: examples(8, 1)]:
        for found in judge_stream(file.items(), None):
            case = case_of(found) if isinstance(found, Judgement) else None
            if case is not None:
                said += [
                    (slip.setting[0], change_of(slip).message, case.ruleset.contracts)
                    for slip, _ in readings(case, found.session)
                ]
    assert len({setting for setting, _, _ in said}) > examples(30, 40)
    for setting, message, contracts in said:
        for text in in_both(message):
            assert not re.search(r"\b(None|True|False|yes|no-|own-|taken-|double-|base)\b|_|\+", text), text
            assert not {*re.findall(r"\w+", text)} & contracts.keys(), text
            assert setting == "point" or setting not in text  # which people call so themselves
        assert not re.search(r"\b(no|none|nothing|lost|stake|tricks|table|doubled|not)\b", say(message, "de")), message


def test_a_fact_noted_wrongly_is_said_in_either_language() -> None:
    found = played("rufspiel", seed=3, want=lambda each: each.settlement.schneider is False)
    message = explain(stating(found, schneider=True)).explanations[0].changes[0].message
    assert in_both(message) == (
        "It would fit if one fact was noted wrongly, Schneider: yes in place of no.",
        "Es würde passen, wenn etwas falsch notiert wurde, Schneider: ja statt nein.",
    )


def test_what_is_told_to_programs_has_its_keys(pool: list[mistakes.Right]) -> None:
    each = next(mistakes.disputes(Random(11), 1, pool, ["all signs"]))
    told = explained_report(explain(each.found))
    assert set(told) == {"state", "words", "stated", "computed", "explanations", "tried", "whole"}
    assert set(told["explanations"][0]) == {"words", "changes", "weight", "ways"}
    assert set(told["explanations"][0]["changes"][0]) == {"cause", "kind", "words", "cite", "setting", "value"}
    assert set(session_report(explain_session([each.found]))) == {"words", "differ", "readings"}


def test_the_page_shows_the_one_table_of_causes_and_classes(update: bool) -> None:
    """What can never be told apart is fixed in one table, which search, benchmark and page share."""
    text = with_table(with_table(PAGE.read_text("utf-8"), "causes", causes_table()), "classes", classes_table())
    if update:
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text
    for name, each in rows().alike.items():
        assert set(each) <= rows().cause.keys(), name


def with_table(page: str, name: str, table: str) -> str:
    """The page with what stands between two marks anew."""
    before, _, rest = page.partition(f"<!-- {name} -->\n")
    return f"{before}<!-- {name} -->\n{table}<!-- end -->\n\n{rest.partition('<!-- end -->')[2].lstrip()}"


def text_of(id: str) -> str:
    """The English text of a message, its plurals in the form for many."""
    return re.sub(r"\{\w+:[^{}]*\|([^{}|]*)\}", r"\1", texts("en")[f"explain.{id}"])


def causes_table() -> str:
    head = "| cause | kind | cost | it says | why so likely |\n|---|---|---|---|---|\n"
    each = rows().cause.items()
    return head + "".join(
        f"| `{name}` | {row.kind} | {row.cost:g} | {text_of(name)} | {row.why} |\n" for name, row in each
    )


def classes_table() -> str:
    head = "| class | causes | argument |\n|---|---|---|\n"
    told = ((name, ", ".join(f"`{cause}`" for cause in each)) for name, each in rows().alike.items())
    return head + "".join(f"| {name} | {causes} | {text_of(f'alike-{name}')} |\n" for name, causes in told)


def test_the_argument_is_given_where_two_cannot_be_told_apart(pool: list[mistakes.Right]) -> None:
    found = played("solo", seed=3, want=lambda each: len(each.deal.doubles or ()) == 1 and len(each.deal.knocks or ()))
    explained = explain(stating(found, payments=tuple(each // 2 for each in payments(found))))
    both = [each for each in explained.explanations if each.changes[0].cause in ("knock-missed", "double-missed")]
    assert len(both) == 2
    argument = alike(*both)
    assert argument
    assert "halves the price" in say(argument)
    assert "halbiert sich der Preis" in say(argument, "de")


def test_a_price_that_two_of_a_side_shared_is_explained_so() -> None:
    """Of a Rufspiel everybody pays and is paid the whole price."""
    found = played("rufspiel", seed=3)
    half = tuple(each // 2 for each in payments(found))
    assert all(2 * each == own for each, own in zip(half, payments(found), strict=True))
    assert "paid-halved" in causes_of(explain(stating(found, payments=half)))
