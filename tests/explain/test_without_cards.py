"""Explanations of score sheets: no card is there, and the cause of a wrong amount is named all the same."""

from random import Random

import pytest
from support import mistakes
from support.tables import HEAD, judge_one, judge_text
from support.thorough import examples

from archive.cli.check import working
from archive.explain import Explained, explain
from archive.explain.report import alike
from archive.judge import Judgement, judge
from archive.judge.judge_stream import judge_stream
from archive.notation import read_lines, read_toml, write_line
from archive.record import Deal, Source, Stated
from archive.say import say

SLIPS = (
    "runners forgotten", "a runner too few", "a runner too many", "knock forgotten", "kontra forgotten",
    "one doubling too many", "schneider forgotten", "schwarz as schneider", "another tariff", "all signs",
    "one amount: sign", "one amount: digits exchanged", "one amount: from above",
    "house: runners from another number on",
)  # fmt: skip
HOUSE = 'tariff = "10/20/50"'
CALLED = 'game = "Ben rufspiel E"\nwith = "Dora"'
SOLO = 'game = "Ben solo H"'


def judged(*deals: str, house: str = HOUSE) -> list[Judgement]:
    return judge_text("".join(f"[[deal]]\n{each}\n" for each in deals), "pub", house)


def explained(*deals: str, house: str = HOUSE) -> Explained:
    """The explanation of the last of some deals; `stated.` is left out in their lines."""
    found = judged(*(stating(each) for each in deals), house=house)
    assert (found[-1].verdict, found[-1].basis) == ("differs", "facts"), found[-1].reason
    return explain(found[-1], found[:-1])


def stating(deal: str) -> str:
    facts = ("won", "runners", "runner_count", "schneider", "schwarz", "payments", "points", "loser", "virgins")
    return "\n".join(f"stated.{line}" if line.split(" ")[0] in facts else line for line in deal.splitlines())


def causes(found: Explained) -> list[str]:
    return ["+".join(made.cause for made in each.changes) for each in found.explanations]


def first(found: Explained) -> tuple[str, str, str]:
    """The first cause, and what it says in both languages."""
    made = found.explanations[0].changes[0]
    assert len(found.explanations[0].changes) == 1
    return made.cause, say(made.message), say(made.message, "de")


WON = "won = true\nschneider = false\nknocks = []\ndoubles = []\n"
CALLED_WON, ALONE_WON = f"{CALLED}\n{WON}", f"{SOLO}\n{WON}"
CASES = (  # the deal, the cause, and what it would be to fit
    (f"{CALLED_WON}runners = 0\npayments = [20, 20, -20, -20]", "swapped",
     "the amounts of Anna and Dora are exchanged, or Anna was the partner, not Dora.",
     "die Beträge von Anna und Dora vertauscht sind, oder Anna Mitspieler war, nicht Dora."),
    (f'{CALLED_WON}runners = 0\ntricks = ["Anna: E7 E8 E9 EA"]\npayments = [20, 20, -20, -20]', "swapped",
     "the amounts of Anna and Dora are exchanged.", "die Beträge von Anna und Dora vertauscht sind."),  # Dora had EA
    (f"{CALLED_WON}runners = 0\npayments = [40, 40, -40, -40]".replace("doubles = []", 'doubles = ["Anna kontra"]'),
     "swapped", "the amounts of Anna and Dora are exchanged.", "die Beträge von Anna und Dora vertauscht sind."),
    (f'game = "Ben bettel"\n{WON}payments = [-30, 90, -30, -30]'.replace("schneider = false\n", ""), "price",
     "Bettel costs 30 at this table, not 50.",  # 001 Additional Contracts: Bettel, "for example 20 or 30 cents"
     "Bettel an diesem Tisch 30 kostet, nicht 50."),
    (f"{CALLED_WON}runners = 3\npayments = [-20, 20, -20, 20]", "runners-missed",
     "the 3 runners were forgotten.", "die 3 Laufenden vergessen wurden."),
    (f"{CALLED_WON}runner_count = 3\npayments = [-20, 20, -20, 20]", "runners-missed",  # neither with nor without
     "the 3 runners were forgotten.", "die 3 Laufenden vergessen wurden."),
    (f"{CALLED_WON}runners = -3\npayments = [-20, 20, -20, 20]", "runners-missed",
     "the 3 runners that the declarer's side was without were forgotten, as they are paid too.",
     "die 3 Laufenden vergessen wurden, die der Spielerpartei fehlten: auch ohne zählt."),
    (f"{CALLED_WON}runners = 4\npayments = [-50, 50, -50, 50]", "runner-less",
     "one runner too few was counted: 3 of 4.", "ein Laufender zu wenig gezählt wurde: 3 von 4."),
    (f"{CALLED_WON}runners = 3\npayments = [-60, 60, -60, 60]", "runner-more",
     "one runner too many was counted: 4 in place of 3.", "ein Laufender zu viel gezählt wurde: 4 statt 3."),
    (f"{CALLED_WON}runners = 3\npayments = [-50, 50, -50, 50]".replace("knocks = []", 'knocks = ["Cem"]'),
     "knock-missed", "the knock of Cem was not counted.", "das Klopfen von Cem nicht gezählt wurde."),
    (f"{CALLED_WON}runners = 3\npayments = [-50, 50, -50, 50]".replace("doubles = []", 'doubles = ["Anna kontra"]'),
     "double-missed", "the Kontra of Anna was not counted.", "das Kontra von Anna nicht gezählt wurde."),
    (f"{CALLED_WON}runners = 3\npayments = [-100, 100, -100, 100]", "doubling-extra",
     "one doubling too many was counted.", "eine Verdopplung zu viel gezählt wurde."),
    (f"{ALONE_WON}runners = 1\npayments = [-50, 150, -50, -50]".replace("schneider = false", "schneider = true"),
     "schneider-missed", "Schneider was forgotten.", "Schneider vergessen wurde."),
    (f"{ALONE_WON}schwarz = true\nrunners = 1\npayments = [-50, 150, -50, -50]".replace("er = false", "er = true"),
     "schwarz-missed", "neither Schneider nor Schwarz was counted.", "weder Schneider noch Schwarz gezählt wurde."),
    (f"{ALONE_WON}runners = 4\npayments = [-40, 120, -40, -40]", "tariff",
     "the table plays 5/20, not 10/20/50.", "der Tisch 5/20 spielt, nicht 10/20/50."),
    (f"{CALLED_WON}runners = 3\npayments = [50, -50, 50, -50]", "turned",
     "all signs are turned, the payers being written as winners.",
     "alle Vorzeichen vertauscht sind und die Verlierer als Gewinner dastehen."),
    (f"{CALLED_WON}runners = 3\npayments = [-50, 50, 50, 50]", "one-sign",
     "the sign of Cem alone is wrong: 50 in place of −50.", "nur bei Cem das Vorzeichen nicht stimmt: 50 statt −50."),
    (f"{ALONE_WON}runners = 4\npayments = [-90, 720, -90, -90]", "one-digits-swapped",
     "two digits of Ben's amount are exchanged: 720 in place of 270.",
     "beim Betrag von Ben zwei Ziffern vertauscht sind: 720 statt 270."),
)  # fmt: skip


@pytest.mark.parametrize(("deal", "cause", "english", "german"), CASES)
def test_the_cause_is_named_in_both_languages(deal: str, cause: str, english: str, german: str) -> None:
    assert first(explained(deal)) == (cause, f"It would fit if {english}", f"Es würde passen, wenn {german}")


def test_who_sits_out_was_no_partner() -> None:
    five = HEAD.format(rules="pub").replace('"Dora"]', '"Dora", "Eva"]')
    text = stating(f'{five}[[deal]]\nsits_out = ["Eva"]\n{CALLED_WON}runners = 0\npayments = [-10, 10, -10, 0, 10]')
    (found,) = judge_stream(read_toml(text.encode(), Source("test.toml")))
    assert isinstance(found, Judgement)
    assert first(explain(found))[:2] == ("swapped", "It would fit if the amounts of Dora and Eva are exchanged.")


def test_amounts_of_another_deal_tell_no_partner() -> None:
    above = f'game = "Dora solo H"\n{WON}runners = 4\npayments = [-90, -90, -90, 270]'
    found = explained(above, f"{CALLED_WON}runners = 0\npayments = [270, -90, -90, -90]")
    assert "neighbour+swapped" in causes(found)
    assert "was the partner" not in " ".join(say(made.message) for each in found.explanations for made in each.changes)


def test_001_bettel_costs_more_than_a_rufer() -> None:
    bettel = f'game = "Ben bettel"\n{WON}'.replace("schneider = false\n", "")
    named = [causes(explained(f"{bettel}payments = [-{n}, {3 * n}, -{n}, -{n}]", house="")) for n in (10, 20, 30)]
    assert ["price" in each for each in named] == [False, True, True]


def test_runners_from_two_in_place_of_three() -> None:
    found = explained(f"{CALLED}\n{WON}runners = 2\npayments = [-40, 40, -40, 40]")
    made = {each.changes[0].cause: each.changes[0] for each in found.explanations}
    assert "runners-too-few" in made
    assert (made["runners-from"].setting, made["runners-from"].value) == ("runners_from.rufspiel", 2)


def test_an_amount_of_the_line_above_is_named_with_its_deal_and_both_figures() -> None:
    above = f"{SOLO}\n{WON}runners = 4\npayments = [-90, 270, -90, -90]"
    found = explained(above, f"{CALLED}\n{WON}runners = 3\npayments = [-90, 50, -50, 50]")
    assert first(found) == (
        "one-from-above",
        "It would fit if the amount of Anna is copied from the line above, deal 1: −90 in place of −50.",
        "Es würde passen, wenn der Betrag von Anna aus der Zeile darüber abgeschrieben ist, Spiel 1: −90 statt −50.",
    )


def test_a_wrong_sign_and_a_line_above_of_the_same_price_cannot_be_told_apart() -> None:
    above = f"{CALLED}\n{WON}runners = 3\npayments = [-50, 50, -50, 50]"
    turned = above.replace("won = true", "won = false").replace("[-50, 50, -50, 50]", "[-50, -50, 50, -50]")
    found = explained(above, turned)
    assert causes(found)[:2] == ["one-sign", "one-from-above"]
    argument = alike(*found.explanations[:2])
    assert argument
    assert "copied from there" in say(argument)
    assert "abschreibt" in say(argument, "de")


def test_schneider_that_nobody_wrote_is_named_without_card_points() -> None:
    found = explained(f"{SOLO}\n{WON}runners = 1\npayments = [-60, 180, -60, -60]")
    assert "schneider-counted" in causes(found)[:3]
    made = next(each.changes[0] for each in found.explanations if each.changes[0].cause == "schneider-counted")
    assert say(made.message) == "It would fit if Schneider was counted, though the record has none."
    assert say(made.message, "de") == "Es würde passen, wenn Schneider gezählt wurde, obwohl keiner aufgeschrieben ist."


def test_a_doubling_too_many_of_a_tout_doubles_its_runners_too() -> None:
    tout = f'game = "Ben solo H tout"\n{WON}'.replace("schneider = false\n", "")
    deal = f"{tout}runners = 4\npayments = [-280, 840, -280, -280]"
    assert first(explained(deal))[0] == "doubling-extra"


def test_no_runners_and_their_count_0_are_the_same_and_never_a_traceback() -> None:
    for fact in ("runners = 0", "runner_count = 0"):
        (found,) = judged(stating(f"{CALLED}\n{WON}{fact}\npayments = [-20, 20, -20, 20]"))
        assert (found.verdict, found.basis) == ("agrees", "facts")
        assert explained(f"{CALLED}\n{WON}{fact}\npayments = [-50, 50, -50, 50]").state == "explained"


def test_amounts_that_do_not_add_up_with_the_pot_are_noticed() -> None:
    house = f'{HOUSE}\nstock = {{ amount = 10, won_by = ["rufspiel"] }}'
    deal = f"carry.stock = 40\n{CALLED}\n{WON}runners = 3\npayments = "
    (right,) = judged(stating(f"{deal}[-50, 70, -50, 70]"), house=house)
    assert right.verdict == "agrees"
    assert first(explained(f"{deal}[-50, 70, 50, 70]", house=house))[0] == "one-sign"
    assert first(explained(f"{deal}[-50, 50, -50, 50]", house=house))[0] == "stock-missed"


def test_a_deal_of_points_by_facts_is_explained_like_one_of_money() -> None:
    """No surrender was offered: a sheet that says so leaves nothing open there."""
    head = "events = []\nknocks = []\ndoubles = []\n"
    text = f'[[deal]]\n{head}game = "Ben solo H"\nstated.won = true\nstated.schneider = false\nstated.runners = 4\n'
    bare = judge_one(text, "asserufen")
    turned = [-(each or 0) for each in bare.settlement.payments or ()]
    found = judge_one(f"{text}stated.payments = {turned}", "asserufen")
    assert causes(explain(found))[0] == "turned"


def test_check_shows_the_working_and_the_line_above() -> None:
    above = stating(f"{SOLO}\n{WON}runners = 4\npayments = [-90, 270, -90, -90]")
    found = judged(above, stating(f"{CALLED}\n{WON}runners = 3\npayments = [-90, 50, -50, 50]"))
    text = working(found[1], found[:1], 200, "en")
    assert text.endswith(
        "It would fit if the amount of Anna is copied from the line above, deal 1: −90 in place of −50."
    )


# --- as the benchmark has it ------------------------------------------------------------------------------------------


def test_falsified_sheets_are_noticed_and_explained_and_right_ones_never_accused() -> None:
    """Deals of which all facts are noted and no card is shown: the small form of `benchmarks/explain.py`."""
    rng = Random(22)
    rights = mistakes.right_deals(mistakes.evenings(rng, 11, deals=6), rng, bare=1)
    pool = [each for each in rights if each.found.basis == "facts"]
    assert len(pool) >= 30
    for each in pool:
        assert through_a_file(each.found).verdict == "agrees"
        assert not explain(each.found).explanations
    places = []
    for made in mistakes.disputes(Random(23), examples(14, 90), pool, SLIPS):
        explanations = explain(made.found, made.beside).explanations
        places.append(mistakes.place([tuple(own.cause for own in one.changes) for one in explanations], made))
        if made.kinds[0].startswith("one amount") and places[-1] == 1:
            off = {name for name, own in zip(made.found.session.players, differences(made), strict=True) if own}
            assert {explanations[0].changes[0].clause.facts["name"]} == off
    assert len(places) >= examples(13, 84)
    assert sum(place == 1 for place in places) >= 0.9 * len(places)
    assert sum(place <= 3 for place in places) >= 0.96 * len(places)


def differences(made: mistakes.Dispute) -> list[int]:
    """What each amount that is stated is off by."""
    stated = (made.found.deal.stated or Stated()).payments or ()
    return [(own or 0) - right for own, right in zip(stated, mistakes.paid_of(made.found) or (), strict=True)]


def through_a_file(found: Judgement) -> Judgement:
    """The deal as it is read from the line that it was written to."""
    lines = read_lines(write_line(found.session, found.deal) + b"\n", Source("sheet.jsonl"))
    (read,) = [each for each in lines if isinstance(each, Deal)]
    return judge(found.session, read, found.number, found.before)
