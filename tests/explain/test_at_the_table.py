"""Disputes as tables have them, without cards: what is named first, what is noticed, what is advised."""

import pytest
from support.tables import judge_text

from archive.explain import explain, explain_session, offer_of
from archive.explain.repair import repair
from archive.explain.types import Explanation
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.set_right import what_sets_right
from archive.notation import read_toml
from archive.record import Source
from archive.say import say

WON = "knocks = []\ndoubles = []\nstated.won = true\nstated.points = 70\nstated.runners = 0\n"
SOLO = 'game = "Ben solo G"\n' + WON
WENZ = 'game = "Cem wenz"\n' + WON
CALLED = 'game = "Anna rufspiel E"\nwith = "Cem"\n' + WON
TARIFF = 'tariff = "10/20/50"'


def evening(*deals: str, rules: str = "pub", house: str = TARIFF) -> list[Judgement]:
    return judge_text("".join(f"[[deal]]\n{each}\n" for each in deals), rules, house)


def judge_whole(text: str) -> Judgement:
    """The only deal of a session."""
    (found,) = judge_stream(read_toml(text.encode(), Source("test.toml")))
    assert isinstance(found, Judgement)
    return found


def explanations(number: int, *deals: str, rules: str = "pub", house: str = TARIFF) -> tuple[Explanation, ...]:
    found = evening(*deals, rules=rules, house=house)
    return explain(found[number - 1], [each for each in found if each.number != number]).explanations


def cause_of(one: Explanation) -> str:
    return "+".join(change.cause for change in one.changes)


def test_a_total_carried_on_with_the_wrong_sign_and_right_again() -> None:
    """The next totals are right: nobody is told to rewrite them."""
    rows = (
        WENZ + "stated.payments = [-50, -50, 150, -50]\nstated.totals = [-50, -50, 150, -50]",
        CALLED + "stated.payments = [20, -20, 20, -20]\nstated.totals = [70, -70, 170, -70]",  # -50 carried on as 50
        SOLO + "stated.payments = [-50, 150, -50, -50]\nstated.totals = [-80, 80, 120, -120]",
    )
    first = explanations(2, *rows)[0]
    assert cause_of(first) == "total-one-carry-sign"
    assert "was carried on with the wrong sign, 50 for −50: 70 in place of −30" in say(offer_of(first.changes))
    assert "mit dem falschen Vorzeichen übernommen" in say(offer_of(first.changes), "de")
    assert cause_of(explanations(3, *rows)[0]) == "total-right-again"
    found = evening(*rows)
    session = explain_session(found)  # no habit in the amounts explains totals alone
    assert (session.differ, session.readings) == ((2, 3), ())
    assert [row.due for row in what_sets_right(found[1])] == [(-30, -70, 170, -70)]
    assert what_sets_right(found[2]) == ()


def test_from_a_deal_on_everything_costs_twice_as_much() -> None:
    once = CALLED + "stated.payments = [20, -20, 20, -20]", SOLO + "stated.payments = [-50, 150, -50, -50]"
    twice = CALLED + "stated.payments = [40, -40, 40, -40]", SOLO + "stated.payments = [-100, 300, -100, -100]"
    best = explain_session(evening(*once, *twice)).readings[0]
    assert (best.change.setting, best.change.value, best.since, best.stay) == ("tariff", "20/40/100", 3, ())


PRICE_OF_RUFSPIEL = "stated.payments = [-20, 60, -20, -20]"


def test_a_solo_at_the_price_of_a_rufspiel_is_no_other_tariff_where_the_deals_beside_it_agree() -> None:
    beside = WENZ + "stated.payments = [-50, -50, 150, -50]", CALLED + "stated.payments = [20, -20, 20, -20]"
    first = explanations(2, beside[0], SOLO + PRICE_OF_RUFSPIEL, beside[1])[0]
    assert cause_of(first) == "wrong-game"
    assert "another kind of game (Rufspiel): 20 in place of 50" in say(offer_of(first.changes))


def test_a_price_that_no_game_has_is_that_of_another_row() -> None:
    offers = [say(offer_of(one.changes)) for one in explanations(1, CALLED + "stated.payments = [10, -10, 10, -10]")]
    assert any("the price of another row was taken for the game: 10 in place of 20" in each for each in offers)
    assert not any("another kind of game" in each for each in offers)


@pytest.mark.parametrize(
    ("deal", "payments", "cause", "english", "german"),
    [
        (SOLO, "[-50, 50, -50, -50]", "paid-once", "the price of one opponent, not of 3", "Preis für einen Gegner"),
        (SOLO, "[-50, 150, -50, -150]", "one-whole", "Dora was written with the price of all 3 opponents",
         "bei Dora der Preis aller 3 Gegner steht"),
        ('game = "Ben solo G tout"\n' + WON.replace("70", "120").replace("runners = 0", "runners = 3"),
         "[-160, 480, -160, -160]", "tout", "the Tout doubled the runners as well", "auch die Laufenden verdoppelt"),
        ('game = "Cem wenz"\n' + WON, "[-60, -60, 180, -60]", "runners-too-few", "there were fewer than 2",
         "es weniger als 2 waren"),
    ],
)  # fmt: skip
def test_what_the_sentence_says(deal: str, payments: str, cause: str, english: str, german: str) -> None:
    right = CALLED + "stated.payments = [20, -20, 20, -20]"
    found = explanations(1, f"{deal}stated.payments = {payments}", right)[:2]
    named = {cause_of(one): offer_of(one.changes) for one in found}
    assert english in say(named[cause]), say(named[cause])
    assert german in say(named[cause], "de"), say(named[cause], "de")


def test_thirty_points_of_the_declarer_are_asked_of_the_defence() -> None:
    lost = CALLED.replace("won = true", "won = false").replace("points = 70", "points = 30")
    first = explanations(1, lost + "stated.payments = [-20, 20, -20, 20]")[0]
    assert cause_of(first) == "level-schneider"
    assert "the defence needs 91 card points for Schneider here, not 90" in say(offer_of(first.changes))
    assert "die Gegenpartei hier 91 Augen für Schneider braucht, nicht 90" in say(offer_of(first.changes), "de")


def test_three_at_the_table_and_the_solo_times_three() -> None:
    head = 'format = "schafkopf-record/1"\nrules = "three-hand"\nplayers = ["Anna", "Ben", "Cem"]\n'
    found = judge_whole(f"{head}house = {{ {TARIFF} }}\n[[deal]]\n{THREE}stated.payments = [-50, 150, -50]\n")
    assert cause_of(explain(found).explanations[0]) == "paid-as-four"


THREE = 'game = "Ben solo G"\ndoubles = []\nstated.won = true\nstated.points = 70\nstated.runners = 0\n'


def test_the_loser_of_a_ramsch_by_one_point() -> None:
    deal = 'game = "ramsch"\nknocks = []\nstated.points = [34, 15, 35, 36]\nstated.payments = [20, 20, -60, 20]'
    named = {cause_of(one): say(offer_of(one.changes)) for one in explanations(1, deal)[:2]}
    assert "Cem with 35 card points was taken for the loser, though Dora had 36" in named["ramsch-loser"]


def test_the_deal_after_a_round_doubled_once_more() -> None:
    lost = 'game = "Ben rufspiel E"\nwith = "Dora"\nknocks = []\ndoubles = []\nstated.points = 60\nstated.won = false\n'
    doubled = WENZ + "stated.payments = [-100, -100, 300, -100]"
    rows = (lost + "stated.payments = [20, -20, 20, -20]", doubled, doubled, doubled, doubled, doubled)
    first = explanations(6, *rows, house=f'{TARIFF}\nbock = {{ on = ["60-60"] }}')[0]
    assert "it was doubled as in the round that ended with deal 5" in say(offer_of(first.changes))


def test_one_takes_the_whole_pot() -> None:
    house = f'{TARIFF}\nall_pass = "thrown-in"\nstock = {{ amount = 10, won_by = ["rufspiel"] }}'
    deal = CALLED.replace("knocks = []\n", "") + "stated.payments = [60, -20, 20, -20]"
    assert cause_of(explanations(2, 'game = "none"', deal, rules="bavarian", house=house)[0]) == "pot-to-one"


def test_a_kontra_by_the_partner_is_noticed_though_nobody_says_who_dealt() -> None:
    deal = CALLED.replace("doubles = []", 'doubles = ["Cem kontra"]') + "stated.payments = [40, -40, 40, -40]"
    (found,) = evening(deal)
    assert [each.rule for each in found.findings] == ["double-not-allowed"]
    kinds = {each.message.id for each in repair(found.session, found.deal, 1, found.before).fits}
    assert kinds == {"repair.no-partner", "repair.double"}
    (right,) = evening(deal.replace("Cem kontra", "Ben kontra"))
    assert right.verdict == "agrees"


def test_a_declarer_who_sits_out_is_noticed_though_nobody_says_who_dealt() -> None:
    head = 'format = "schafkopf-record/1"\nrules = "pub"\nplayers = ["Anna", "Ben", "Cem", "Dora", "Emil"]\n'
    deal = f'{SOLO}sits_out = ["Ben"]\nstated.payments = [-50, 0, -50, -50, 150]\n'
    found = judge_whole(f"{head}house = {{ {TARIFF} }}\n[[deal]]\n{deal}")
    assert [each.rule for each in found.findings] == ["wrong-parties"]
    fits = repair(found.session, found.deal, 1, found.before).fits
    assert fits[0].set == {"game": "Emil solo G"}
