"""The machine that a replay runs on, alone in an empty page: each way from each state, and the laws of its address."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from support.web_site import context_of

pytestmark = pytest.mark.browser

# Three players, two tricks; the partner 2 is known with t2.2; a duty broken with t2.1 is known to its player 1.
STEPS: list[dict[str, Any]] = [
    {"id": "start", "part": "start", "say": "dealt"},
    {"id": "x1", "part": "start", "say": "0 passes 1 the EO", "heard": "0 passes 1 a card", "knows": [0, 1]},
    {"id": "t1.1", "part": "1", "say": "0 leads", "card": "EO", "seat": 0},
    {"id": "t1.2", "part": "1", "say": "1 plays", "card": "GO", "seat": 1},
    {"id": "t1.3", "part": "1", "say": "2 plays", "card": "HO", "seat": 2, "take": [0, 9]},
    {"id": "t2.1", "part": "2", "say": "1 revokes", "heard": "1 leads", "knows": [1], "card": "SO", "flag": True},
    {"id": "t2.2", "part": "2", "say": "2 plays", "card": "EA", "seat": 2, "flag": True},
    {"id": "t2.3", "part": "2", "say": "0 plays", "card": "GA", "seat": 0, "take": [0, 9]},
    {"id": "end", "part": "end", "say": "over"},
]
IDS = [step["id"] for step in STEPS]
SEATS = [0, 1, 2]
DEAL = {"seat": 0, "seats": SEATS, "steps": STEPS, "secret": {"seat": 2, "since": "t2.2"}}
START = {"at": 0, "seat": 0, "open": True, "speed": 1, "playing": False}
RECORD = "x" * 60

RUN = """async ([deal, code, args]) => {
  const { machine, JUMPS, SPEEDS } = await import('/static/state.js');
  const m = machine(deal);
  return new Function('m', 'args', 'JUMPS', 'SPEEDS', `return ${code}`)(m, args, JUMPS, SPEEDS);
}"""


@pytest.fixture(scope="module", name="empty")
def empty_page(site: str, browser: Browser) -> Iterator[Page]:
    """A page without anything, of the site; its policy is lifted, so that a test may say in it what it asks."""
    context = context_of(browser, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{site}/healthz")
    yield page
    context.close()


def ask(page: Page, code: str, *args: object, deal: dict[str, Any] = DEAL) -> Any:
    """What an expression of the machine `m` and of `args` yields."""
    return page.evaluate(RUN, [deal, code, list(args)])


def state(at: str = "start", **others: object) -> dict[str, object]:
    return {**START, "at": IDS.index(at), **others}


PLAYING: dict[str, object] = {"playing": True}
CLOSED: dict[str, object] = {"open": False}
TABLE: list[tuple[dict[str, object], str, object, dict[str, object]]] = [
    (state("start"), "step", None, state("x1")),
    (state("end"), "step", None, state("end")),
    (state("x1"), "back", None, state("start")),
    (state("start"), "back", None, state("start")),
    (state("t1.3"), "step", None, state("t2.1")),
    (state("t2.1"), "back", None, state("t1.3")),
    (state("t1.2"), "home", None, state("start")),
    (state("t1.2"), "end", None, state("end")),
    (state("t2.2"), "trickBack", None, state("t2.1")),
    (state("t2.1"), "trickBack", None, state("t1.1")),
    (state("t1.1"), "trickBack", None, state("start")),
    (state("start"), "trickBack", None, state("start")),
    (state("x1"), "trickOn", None, state("t1.1")),
    (state("t1.2"), "trickOn", None, state("t2.1")),
    (state("t2.3"), "trickOn", None, state("end")),
    (state("end"), "trickOn", None, state("end")),
    (state("end"), "trick", 0, state("start")),
    (state("start"), "trick", 2, state("t2.1")),
    (state("start"), "trick", 7, state("end")),
    (state("start"), "go", "t1.3", state("t1.3")),
    (state("t1.1"), "go", "t9.9", state("t1.1")),
    (state("start"), "finding", None, state("t2.1")),
    (state("t2.1"), "finding", None, state("t2.2")),
    (state("t2.2"), "finding", None, state("t2.1")),
    (state("start", **CLOSED), "finding", None, state("t2.2", **CLOSED)),
    (state("start", **CLOSED, seat=1), "finding", None, state("t2.1", **CLOSED, seat=1)),
    (state("start"), "play", None, state("start", **PLAYING)),
    (state("t1.1", **PLAYING), "play", None, state("t1.1")),
    (state("end"), "play", None, state("start", **PLAYING)),
    (state("start", **PLAYING), "tick", None, state("x1", **PLAYING)),
    (state("x1"), "tick", None, state("x1")),
    (state("t1.3", **PLAYING), "tick", None, state("t2.1")),
    (state("t1.3", **PLAYING, **CLOSED), "tick", None, state("t2.1", **PLAYING, **CLOSED)),
    (state("t2.3", **PLAYING), "tick", None, state("end")),
    (state("t1.1", **PLAYING), "step", None, state("t1.2")),
    (state("t1.1", **PLAYING), "stop", None, state("t1.1")),
    (state("t1.1", **PLAYING), "speed", None, state("t1.1", **PLAYING, speed=2)),
    (state("t1.1", speed=4), "speed", None, state("t1.1", speed=0.5)),
    (state("t1.1", **PLAYING), "turn", None, state("t1.1", **PLAYING, seat=1)),
    (state("t1.1", seat=2), "turn", None, state("t1.1")),
    (state("t1.1", **PLAYING), "hands", None, state("t1.1", **PLAYING, **CLOSED)),
    (state("t1.1", **CLOSED), "hands", None, state("t1.1")),
]


def test_each_action_leads_from_each_state_where_it_must(empty: Page) -> None:
    calls = [[before, action, what] for before, action, what, _ in TABLE]
    reached = ask(empty, "args[0].map(([state, action, what]) => m.act(state, action, what))", calls)
    for (before, action, what, expected), after in zip(TABLE, reached, strict=True):
        assert after == expected, (before, action, what)


def test_the_address_asks_for_the_state_that_it_was_written_from(empty: Page) -> None:
    states = [state(at, seat=seat, open=shown) for at in IDS for seat in SEATS for shown in (True, False)]
    for search in ("", "?cards=french&as-of=2026-01-01", "?seat=3&open=0&cards=french"):
        for fragment in ("", "#t1.1", f"#{RECORD}", f"#{RECORD}/t1.1"):
            code = """args[0].map(state => {
              const url = new URL('http://x/' + m.write(state, args[1], args[2]));
              return [m.read(url.search, url.hash), url.searchParams.get('cards'), url.hash.split('/')[0]];
            })"""
            told = ask(empty, code, states, search, fragment)
            assert [found for found, _, _ in told] == states
            assert {cards for _, cards, _ in told} == {"french" if "cards" in search else None}
            if RECORD in fragment:
                assert {kept for _, _, kept in told} == {f"#{RECORD}"}


def test_a_card_on_and_a_card_back_is_where_it_was(empty: Page) -> None:
    states = [state(at, seat=seat, open=shown) for at in IDS[:-1] for seat in SEATS for shown in (True, False)]
    assert ask(empty, "args[0].map(state => m.act(m.act(state, 'step'), 'back'))", states) == states


def test_every_seat_comes_to_the_foot_in_turn_and_every_speed(empty: Page) -> None:
    seats = ask(empty, "m.parts.length && [1, 2, 3].reduce((all, _) => [...all, m.act(all.at(-1), 'turn')], [m.start])")
    assert [each["seat"] for each in seats] == [0, 1, 2, 0]
    speeds = ask(empty, "SPEEDS.reduce((all, _) => [...all, m.act(all.at(-1), 'speed')], [m.start])")
    assert [each["speed"] for each in speeds] == [1, 2, 4, 0.5, 1]


def test_steps_from_the_start_see_every_move_once(empty: Page) -> None:
    walk = (
        "args[0].reduce((all, _) => [...all, m.act(all.at(-1), 'step')], [m.start]).map(state => m.steps[state.at].id)"
    )
    assert ask(empty, walk, IDS[1:]) == IDS


@pytest.mark.parametrize(
    ("search", "fragment", "expected"),
    [
        ("?seat=2&open=0", "#t1.2", state("t1.2", seat=1, open=False)),
        ("?seat=9", "#t9.9", state()),
        ("?seat=x&open=1", "", state()),
        ("", f"#{RECORD}/t2.1", state("t2.1")),
        ("", f"#{RECORD}", state()),
        ("", "#<b>", state()),
        ("", "#__proto__", state()),
    ],
)
def test_an_address_is_read_as_far_as_it_makes_sense(
    empty: Page, search: str, fragment: str, expected: dict[str, object]
) -> None:
    assert ask(empty, "m.read(...args)", search, fragment) == expected


def test_a_place_of_the_page_in_the_fragment_leaves_the_moment(empty: Page) -> None:
    assert ask(empty, "m.read('', '#settlement', args[0])", state("t1.3")) == state("t1.3")
    assert ask(empty, "m.fragment(args[0], '#settlement')", state("t1.3")) == "#t1.3"


def test_pauses_are_longest_after_a_trick_and_shorter_the_faster(empty: Page) -> None:
    waits = ask(empty, "args[0].map(m.wait)", [state("t1.1"), state("t1.3"), state("t1.1", speed=4)])
    assert waits[1] > waits[0] > waits[2] > 0


def test_a_seat_hears_what_it_may_know(empty: Page) -> None:
    def said(at: str, **others: object) -> str:
        return str(ask(empty, "m.told(args[0], m.steps[args[0].at])", state(at, **others)))

    assert said("x1") == "0 passes 1 the EO"
    assert [said("x1", **CLOSED, seat=seat) for seat in range(3)] == ["0 passes 1 the EO"] * 2 + ["0 passes 1 a card"]
    assert said("t2.1", **CLOSED) == "1 leads"
    over = ask(empty, "m.told(args[0], m.steps[args[1]])", state("end", **CLOSED), IDS.index("t2.1"))
    assert over == "1 revokes", "at the end everything is told"


def test_the_partner_is_secret_to_the_others_until_the_card_is_played(empty: Page) -> None:
    def secret(at: str, **others: object) -> bool:
        return bool(ask(empty, "m.isSecret(args[0])", state(at, **others)))

    assert secret("t1.1", **CLOSED)
    assert secret("t2.1", **CLOSED)
    assert not secret("t2.2", **CLOSED)
    assert not secret("t1.1", **CLOSED, seat=2)
    assert not secret("t1.1")
    assert not ask(empty, "m.isSecret(args[0])", state("t1.1", **CLOSED), deal={**DEAL, "secret": None})


def test_ways_that_the_back_button_goes_back_are_those_that_leap(empty: Page) -> None:
    leaps = {"home", "end", "trickBack", "trickOn", "trick", "finding", "go", "turn", "hands"}
    assert set(ask(empty, "[...JUMPS]")) == leaps
