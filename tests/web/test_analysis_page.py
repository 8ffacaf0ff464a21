"""`/deals/<id>/analysis`: the values of a deal with open cards, other cards than those that were played, each position
by its address and without a script."""

import re
import threading
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from support.running import import_into
from support.samples import VALID
from support.web_archive import evening, make_archive

from archive.analysis import Analysis, analyse, expected_values
from archive.analysis.solver import Solver
from archive.judge.types import Case, case_of
from archive.text.numbers import format_money
from archive.web.analysis import routes, solvers
from archive.web.analysis.solvers import MOST_WAITING, BusyError, Solvers
from archive.web.app import create_app
from archive.web.texts import EN

PLAIN = Solver(fast=False)


@pytest.fixture(scope="module", name="client")
def client_of(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """The evening of the web, without a compiler's help, so that no test waits for it."""
    app = create_app(make_archive(tmp_path_factory.mktemp("analysis") / "archive.db"))
    app.config["SOLVERS"].fast = PLAIN
    return app.test_client()


@pytest.fixture(scope="module", name="deal")
def analysed_deal() -> tuple[Case, Analysis]:
    case = case_of(evening()[0])
    assert case
    analysis = analyse(case, PLAIN)
    assert isinstance(analysis, Analysis)
    return case, analysis


def choices(text: str) -> list[tuple[str, str]]:
    """The cards that may be played at the position of a page, each with its amount and where it leads."""
    shown = text.partition('<ul class="choices"')[2].partition("</ul>")[0]
    return [(amount, unescape(to)) for to, amount in re.findall(r'<a href="([^"]+)".*?<b>(.*?)</b>', shown, re.DOTALL)]


def test_a_page_leads_to_the_decisive_card_and_says_what_each_card_pays(
    client: FlaskClient, deal: tuple[Case, Analysis]
) -> None:
    _, analysis = deal
    decisive = analysis.decisive
    text = client.get("/deals/1/analysis").text
    assert f"Trick {decisive.trick}: " in text
    assert "could still be forced with the best card" in text
    paid = [analysis.level(level).payments[decisive.seat] for level in decisive.values.values()]
    assert [amount for amount, _ in choices(text)] == [format_money(each, "ct", EN) for each in sorted(paid)[::-1]]


def test_every_decision_stands_in_the_table_without_a_script(client: FlaskClient, deal: tuple[Case, Analysis]) -> None:
    _, analysis = deal
    table = client.get("/deals/1/analysis").text.partition("<tbody>")[2].partition("</tbody>")[0]
    with_choice = [each for each in analysis.decisions if len(each.values) > 1]
    assert table.count("<tr") == len(with_choice)
    assert table.count("<span>") == sum(len(each.values) for each in with_choice)


def test_another_card_has_its_own_address_and_goes_on_to_the_end(client: FlaskClient) -> None:
    text = client.get("/deals/1/analysis?at=6.1").text
    for _ in range(20):
        others = [to for _, to in choices(text) if "play=" in to]
        if not others:
            break
        text = client.get(others[0].partition("#")[0]).text
    assert "The end" in text
    assert "In the end: " in text


def test_the_rest_played_best_pays_what_the_card_was_worth(client: FlaskClient, deal: tuple[Case, Analysis]) -> None:
    case, analysis = deal
    text = client.get("/deals/1/analysis?at=1.1&best=1").text
    start = analysis.level(analysis.start).payments
    for name, amount in zip(case.players, start, strict=True):
        assert f"{name} {format_money(amount, 'ct', EN)}" in text.partition("In the end: ")[2]


def test_what_a_player_could_know_stands_apart_with_its_worlds_and_faults(client: FlaskClient) -> None:
    text = client.get("/deals/1/analysis?at=5.2&known=1").text
    apart = text.partition('id="known"')[2]
    assert "Over 100 deals that" in apart
    assert "share no number" in apart
    assert "could still be forced" not in apart


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/deals/1/analysis?at=9.1", 404, "The deal has no card 9.1."),
        ("/deals/1/analysis?at=1.1&play=EO.EO", 400, "cannot be played one after the other"),
        ("/deals/1/analysis?at=1.1&play=%3Cscript%3E", 400, "cannot be played one after the other"),
        ("/deals/3/analysis", 200, "The play breaks a rule"),
        ("/deals/4/analysis", 200, "Everybody plays alone here"),
        ("/deals/5/analysis", 200, "Nothing was played here"),
        ("/deals/4711/analysis", 404, "4711"),
    ],
)
def test_what_has_no_analysis_says_why(client: FlaskClient, address: str, status: int, words: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert words in answer.text


def test_the_deal_leads_to_its_analysis(client: FlaskClient) -> None:
    assert 'href="/deals/2/analysis"' in client.get("/deals/2").text


@pytest.fixture(scope="module", name="disputed")
def client_of_disputed_deals(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """Deals with revokes and claims, by their numbers in the file."""
    app = create_app(import_into(tmp_path_factory.mktemp("disputed") / "archive.db", VALID / "irregular.toml"))
    app.config["SOLVERS"].fast = PLAIN
    return app.test_client()


@pytest.mark.parametrize(
    ("deal", "words", "proof"),
    [
        (3, "Was the game decided in any case? The proof", "that broke a rule in trick 3 the best play of all sides"),
        (8, "Was the rest theirs? The proof", "does not take every trick that is left"),
        (9, "Was the rest theirs? The proof", "takes every trick that is left, whatever the others play"),
    ],
)
def test_a_deal_leads_to_the_proof_of_what_is_disputed(
    disputed: FlaskClient, deal: int, words: str, proof: str
) -> None:
    to = re.search(rf'href="(/deals/{deal}/analysis#proved)">(.*?)</a>', disputed.get(f"/deals/{deal}").text)
    assert to[2] == words
    shown = disputed.get(to[1]).text.partition('id="proved"')[2].partition("</section>")[0]
    assert proof in re.sub(r"<[^>]*>", "", unescape(shown))


def test_a_deal_without_dispute_leads_to_no_proof(client: FlaskClient) -> None:
    assert "#proved" not in client.get("/deals/1").text


def test_pages_are_answered_plainly_until_the_search_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    searches, compiled = Solvers(), threading.Event()
    searches.fast, searches.preparing = None, False
    monkeypatch.setattr(solvers, "practise", lambda _: compiled.wait())
    with searches.lend() as solver:
        assert solver is searches.plain
    assert searches.preparing
    compiled.set()


def test_what_takes_the_plain_search_long_waits_until_it_is_compiled(
    client: FlaskClient, deal: tuple[Case, Analysis], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(Path(client.application.config["ARCHIVE"]))
    searches = app.config["SOLVERS"]
    searches.fast, searches.preparing = None, True
    monkeypatch.setattr(solvers, "MOST_POSITIONS", 20)
    answer = app.test_client().get("/deals/1/analysis")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert "The search is being made ready" in answer.text
    monkeypatch.setattr(solvers, "MOST_POSITIONS", 1_000_000)
    assert app.test_client().get("/deals/1/analysis").status_code == 200


def test_whoever_would_wait_for_long_is_asked_to_come_again(disputed: FlaskClient) -> None:
    """To the page of an analysis and to the file of a dispute."""
    assert "takes every trick that is left" in unescape(disputed.get("/deals/9/dossier").text)
    searches = disputed.application.config["SOLVERS"]
    for _ in range(MOST_WAITING):
        assert searches.line.places.acquire(blocking=False)
    try:
        with pytest.raises(BusyError), searches.lend():
            pass
        for address in ("/deals/9/dossier", "/deals/9/analysis?at=1.2"):
            answer = disputed.get(address)
            assert (answer.status_code, bool(answer.headers["Retry-After"])) == (503, True)
    finally:
        for _ in range(MOST_WAITING):
            searches.line.places.release()


def test_the_games_of_a_hand_are_valued_when_they_are_asked_for(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "FEW_WORLDS", 1)
    assert '<table class="games"' not in client.get("/deals/1/analysis").text
    text = client.get("/deals/1/analysis?contracts=1").text
    assert "The games that Ben could have declared with this hand, each over 1 deal that agrees" in text
    games = text.partition('<table class="games"')[2].partition("</table>")[0]
    assert games.count("declared</small>") == 1
    assert "\u202f%" in games
    assert "0 deals: too few" in games  # this archive has no analysis that is kept
    assert "From 50 analysed games of a contract on." in text


def test_what_was_known_and_open_cards_share_no_number(client: FlaskClient, deal: tuple[Case, Analysis]) -> None:
    """The part of open cards is the same, whether what was known is asked for or not; and this has other amounts."""
    case, analysis = deal
    at = analysis.decisions[17]
    expected = expected_values(case, analysis, at, PLAIN)
    assert expected
    address = f"/deals/1/analysis?at={at.trick}.{at.place}"
    alone, both = (client.get(address + more).text.partition('id="position"')[2] for more in ("", "&known=1"))
    (open_cards, _, _), (same, _, known) = (text.partition('id="known"') for text in (alone, both))
    assert open_cards == same
    amounts = re.findall(r"<b>(.*?)</b>", known.partition('<ul class="choices"')[2].partition("</ul>")[0])
    assert amounts == [format_money(round(each), "ct", EN) for each in sorted(expected.values.values())[::-1]]
    paid = [analysis.level(level).payments[at.seat] for level in at.values.values()]
    assert not {format_money(each, "ct", EN) for each in paid} & {*amounts}


def test_the_words_are_those_of_the_reader(client: FlaskClient) -> None:
    assert "Wie die Karten lagen" in client.get("/deals/1/analysis?lang=de").text


def test_no_other_page_waits_for_the_search_or_has_it_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive without analyses answers as if there were none to be had."""
    app = create_app(make_archive(tmp_path / "archive.db"))
    searches = app.config["SOLVERS"]
    searches.preparing = False

    def searched(*_: object) -> None:
        raise AssertionError("a search")

    monkeypatch.setattr(Solver, "take_up", searched)
    monkeypatch.setattr(Solvers, "prepare", searched)
    client = app.test_client()
    for address in ("/", "/sessions/1", "/deals/1", "/deals/1?step=9", "/players", "/stats/accuracy_by_player"):
        assert client.get(address).status_code == 200, address
    assert not searches.preparing


def test_games_that_are_not_reckoned_are_counted(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "FEW_WORLDS", 1)
    monkeypatch.setattr(routes, "MOST_GAMES", 1)
    text = client.get("/deals/1/analysis?contracts=2").text
    assert text.partition('<table class="games"')[2].partition("</table>")[0].count("<tr") == 2
    assert re.search(r"\d+ further games could be named and were not reckoned here", text)
