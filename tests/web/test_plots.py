"""Plots: drawn on the server, safe to stand in a page, the same in two languages; rates with their intervals."""

import itertools
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page, expect
from support.hard_names import NAMES
from support.paths import ROOT
from support.thorough import THOROUGH, examples
from support.web_site import OpenPage

from archive.stats import QUESTIONS
from archive.web import vega as vega
from archive.web.drawing_library import _load_vl_convert, load_vl_convert, text_width
from archive.web.rates import format_percent, format_rate_interval, rate_of, wilson
from archive.web.session import plot as session_plots
from archive.web.stats.answer import ValueWords
from archive.web.stats.chart_data import CHART_DATA
from archive.web.stats.chart_specs import ChartSpec
from archive.web.texts import TEXTS

T, DE = TEXTS["en"], TEXTS["de"]
DRAWING = vega._drawing
HOSTILE = (
    *NAMES, '"><script>alert(1)</script>', "</svg><img src=x onerror=alert(1)>", "datum.total + 1", "${low}",
    "'; throw 1; //", "t:pl_deal", "var(--bad)", "{{ t.site }}", "{signal: 'width'}", "]]>&amp;\x07\u2028\ufffe",
    "=1+1", "\u202eresrever",
)  # fmt: skip
KEPT = {"svg", "g", "path", "line", "text", "tspan", "title", "desc"}


@pytest.fixture(autouse=True)
def _everything_is_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is taken from what other processes of the run have drawn."""
    monkeypatch.setattr(vega, "_drawing", DRAWING)


def session(names: tuple[str, ...], totals_of: tuple[tuple[int | None, ...], ...], **more: bool) -> list[dict]:
    """Rows as `evenings.totals_of` has them: running totals by seat, deal for deal."""
    row = {"said": 0, "marks": None, "tallied": False, "begins": False, "ruled": False, "known": True} | more
    return [
        row | {"deal": deal, "number": deal, "seat": seat, "total": line[deal - 1]}
        for deal in range(1, len(totals_of[0]) + 1)
        for seat, line in enumerate(totals_of, 1)
    ]


def drawn(names: tuple[str, ...], lines: tuple[tuple[int | None, ...], ...], t=T, broken=None) -> vega.Plot:
    found = session_plots.totals_series(session(names, lines), dict(enumerate(names, 1)), broken, t)
    assert found is not None
    return vega.draw_plot(session_plots.totals_chart(found, t), "/plot.json", t)


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter("text")]


EVENING = ((20, 60, 270, 210), (-20, -60, -130, -1070), (20, 60, -10, 50), (-20, -60, -130, 810))
FOUR = ("Marlene", "Ömer", "Korbinian", "Jo")


def test_a_drawing_is_an_image_with_a_name_and_a_description() -> None:
    root = ElementTree.fromstring(drawn(FOUR, EVENING).wide)
    assert root.get("role") == "img"
    assert root.findtext("title") == T["running_total"]
    assert "Jo +810, Marlene +210, Korbinian +50, Ömer −1070" in (root.findtext("desc") or "")


def test_a_drawing_holds_no_style_script_font_link_or_id() -> None:
    for svg in (drawn(FOUR, EVENING).wide, drawn(FOUR, EVENING).narrow):
        for node in ElementTree.fromstring(svg).iter():
            assert node.tag in KEPT
            assert set(node.attrib) <= vega.PAINT | {each for kept in vega.KEPT_SVG.values() for each in kept} | {
                "role", "class", "width", "height",
            }  # fmt: skip
        assert "url(" not in svg
        assert "#" not in svg, "every colour is one of the theme"


def test_colours_are_those_of_the_theme() -> None:
    style = (ROOT / "templates" / "static" / "archive.css").read_text("utf-8")
    used = set(re.findall(r"var\((--\w+)\)", "".join(path.read_text("utf-8") for path in vega.SPECS.glob("*.json"))))
    assert used <= {key[4:-1] for key in vega.LIGHT}
    for key, colour in vega.LIGHT.items():
        assert re.search(rf"{key[4:-1]}: (light-dark\()?{colour}", style), key


def test_numbers_and_words_follow_the_language() -> None:
    english, german = (texts(drawn(FOUR, EVENING, t).wide) for t in (T, DE))
    assert "−1,000" in english
    assert T["pl_deal"] in english
    assert "−1.000" in german
    assert DE["pl_deal"] in german


def test_names_stand_at_the_ends_of_their_lines_and_not_on_each_other() -> None:
    close = ((10, 500), (12, 501), (9, 499), (-31, -1500))
    for svg in (drawn(FOUR, close).wide, drawn(FOUR, close).narrow):
        heights = [
            float(re.split(r"[(,)]", node.get("transform") or "")[2])
            for node in ElementTree.fromstring(svg).iter("text")
            if (node.text or "").split(" ")[0] in FOUR
        ]
        assert len(heights) == 4
        assert all(abs(a - b) >= 12 for n, a in enumerate(heights) for b in heights[:n])


def test_lines_are_told_apart_without_colour() -> None:
    lines = [
        node.get("stroke-dasharray")
        for node in ElementTree.fromstring(drawn(FOUR, EVENING).wide).iter("path")
        if "L" in (node.get("d") or "")
    ]
    assert len(lines) == len(set(lines)) == 4


def test_where_the_books_break_is_marked() -> None:
    says = T["pl_break"].format(number=3)
    assert says in texts(drawn(FOUR, EVENING, broken={"deal": 3}).wide)
    assert says not in texts(drawn(FOUR, EVENING).wide)


def test_what_is_not_known_is_a_gap_and_no_nothing() -> None:
    gap = ((10, None, 30, 40), (-10, None, -30, -40))
    line = next(
        node.get("d") or ""
        for node in ElementTree.fromstring(drawn(("Anna", "Ben"), gap).wide).iter("path")
        if "L" in (node.get("d") or "")
    )
    assert line.count("M") == 2
    assert drawn(("Anna", "Ben"), gap).chart.cells[1] == ("2", "–", "–")
    rows = session(("Anna",), ((None, None),))
    assert session_plots.totals_series(rows, {1: "Anna"}, None, T) is None


def test_a_total_between_unknown_ones_is_a_dot() -> None:
    found = session_plots.totals_series(session(("Anna",), ((None, 5, None, 7),)), {1: "Anna"}, None, T)
    assert found is not None
    rows, _ = session_plots.plot_rows(found, T)
    assert [row["at"] for row in rows if row["kind"] == "line" and row.get("dot")] == [2, 4]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_only_ever_data(name: str) -> None:
    lines = ((10, 20), (-10, -20))
    plot, plain = drawn((name, "B"), lines), drawn(("X", "B"), lines)
    for svg, expected in ((plot.wide, plain.wide), (plot.narrow, plain.narrow)):
        root = ElementTree.fromstring(svg)
        assert {node.tag for node in root.iter()} <= KEPT
        assert len(list(root.iter())) == len(list(ElementTree.fromstring(expected).iter()))
    assert any(text.startswith(vega._clean(name)[:6]) for text in texts(plot.wide))
    found = session_plots.totals_series(session((name, "B"), lines), {1: name, 2: "B"}, None, T)
    assert found is not None
    spec = json.loads(vega.chart_file(session_plots.totals_chart(found, T), T))
    del spec["data"]
    assert name not in json.dumps(spec, ensure_ascii=False) or name in T.values()


@given(st.lists(st.text(max_size=30), min_size=1, max_size=4), st.integers(-(10**9), 10**9))
def test_rows_of_any_names_and_amounts_can_be_drawn(names: list[str], total: int) -> None:
    found = session_plots.totals_series(
        session(tuple(names), ((total,),) * len(names)), dict(enumerate(names, 1)), {"deal": 1}, T
    )
    assert found is not None
    rows, values = session_plots.plot_rows(found, T)
    assert values["low"] <= min(0, total) <= max(0, total) <= values["high"]
    assert all(vega.UNWRITABLE.search(vega._clean(name)) is None for name in names)
    json.dumps(rows)


def test_many_threads_draw_the_same() -> None:
    lines = [tuple((n * k, n * k * 2) for k in range(1, 5)) for n in range(1, 4)] * 4
    vega._drawing.cache_clear()
    alone = [drawn(FOUR, each).wide for each in lines]
    vega._drawing.cache_clear()
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda each: drawn(FOUR, each).wide, lines)) == alone


def test_what_was_drawn_is_remembered_but_not_without_end() -> None:
    vega._drawing.cache_clear()
    drawn(FOUR, EVENING)
    drawn(FOUR, EVENING)
    assert vega._drawing.cache_info().hits == 3, "one for each size"
    assert vega._drawing.cache_info().maxsize == vega.KEPT


def test_a_long_session_is_thinned_out_and_says_so() -> None:
    plot = drawn(("Anna", "Ben"), (tuple(range(1000)), tuple(range(0, -1000, -1))))
    assert len(plot.chart.cells) <= session_plots.MOST
    assert plot.chart.cells[-1] == ("1000", "+999", "−999")
    assert T["pl_every"].format(shown=len(plot.chart.cells), count=1000) in plot.chart.caption


def test_the_specification_is_complete_in_itself() -> None:
    found = session_plots.totals_series(session(FOUR, EVENING), dict(enumerate(FOUR, 1)), None, DE)
    assert found is not None
    raw = vega.chart_file(session_plots.totals_chart(found, DE), DE)
    spec = json.loads(raw)
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert b"var(--" not in raw
    assert b'"t:' not in raw
    assert {row["total"] for row in spec["data"]["values"] if row["kind"] == "line"} >= {810, -1070}


@pytest.mark.parametrize("path", sorted(vega.SPECS.glob("*.json")), ids=lambda path: path.stem)
def test_every_specification_has_two_sizes_and_known_words(path: Path) -> None:
    spec = json.loads(path.read_text("utf-8"))
    assert set(spec["usermeta"]) >= {"wide", "narrow"}
    assert set(re.findall(r'"t:(\w+)"', path.read_text("utf-8"))) <= set(T)


def test_nothing_loads_the_drawing_but_a_drawing() -> None:
    code = (
        "import sys, archive.cli, archive.web.app, archive.web.session.routes, archive.web.players.routes;"
        "print('vl_convert' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, env=os.environ
    )
    assert told.stdout == "False\n"


@pytest.mark.skipif(
    not any(Path("/usr/share/fonts").rglob("LiberationSans-Regular.ttf")), reason="no font of the library's name"
)
def test_letters_are_measured_in_memory() -> None:
    """A file that is mapped for each letter costs several pages of memory each time."""
    texts = [{"text": f"Korbinian mit der Alten, {n}"} for n in range(100)]
    encode = {"update": {"text": {"field": "text"}}}
    spec = {"width": 9, "height": 9, "data": [{"name": "texts", "values": texts}],
            "marks": [{"type": "text", "from": {"data": "texts"}, "encode": encode}]}  # fmt: skip
    faults = []
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        load_vl_convert().vega_to_svg(spec)
        faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    assert min(faults) < sum(len(each["text"]) for each in texts)


def test_where_the_machine_says_its_fonts_are_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in ("/etc/fonts/own.conf", None):
        monkeypatch.setenv("FONTCONFIG_FILE", said) if said else monkeypatch.delenv("FONTCONFIG_FILE")
        _load_vl_convert.__wrapped__()
        assert os.environ.get("FONTCONFIG_FILE") == said


# As published: Newcombe, Statistics in Medicine 17 (1998), table I, method 3; and mirrored.
@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (182, 263, 0.6338, 0.7447),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_intervals_are_those_of_wilson(won: int, of: int, low: float, high: float) -> None:
    assert wilson(won, of) == pytest.approx((low, high), abs=5.1e-5)


@given(st.integers(1, 10**6).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_an_interval_holds_its_rate_and_mirrors(case: tuple[int, int]) -> None:
    won, of = case
    low, high = wilson(won, of)
    assert 0 <= low <= won / of <= high <= 1
    assert wilson(of - won, of) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    made = rate_of(won, of)
    assert made.few is (of < 30)


def test_of_no_deals_there_is_no_rate() -> None:
    assert rate_of(0, 0) is None
    assert wilson(0, 0) == (0.0, 1.0)


def test_rates_are_written_with_their_sign() -> None:
    found = rate_of(5, 10)
    assert format_percent(found.share) == "50\u202f%"
    assert format_rate_interval(found) == "24–76\u202f%"


def test_marks_say_the_values_of_their_row() -> None:
    rows = (
        {"label": "Anna", "value": 5, "drawn": 5, "says": "5"},
        {"label": "Ben <i>", "value": -3, "drawn": -3, "says": "-3"},
    )
    chart = vega.Chart(spec="bars", rows=rows, title="x", says="", caption="", heads=("who", "paid"),
                  cells=(("Anna", "+5"), ("Ben <i>", "−3")), values={"x": "paid", "signs": True})  # fmt: skip
    assert vega.mark_texts(chart) == {"Anna": "Anna: paid +5", "Ben <i>": "Ben <i>: paid −3"}
    for svg in (vega.draw_plot(chart, "", T).wide, vega.draw_plot(chart, "", T).narrow):
        assert "<title>Anna: paid +5</title>" in svg
        assert "<title>Ben &lt;i&gt;: paid −3</title>" in svg
        assert "aria-label" not in svg


# --- few cases, much room ---------------------------------------------------------------------------------------------


def bars(rows: list[tuple[str, float, int]]) -> tuple[tuple[dict, ...], str]:
    """The rows that are drawn of contracts with so much a deal in so many deals, and what is said of them."""
    shape = ChartSpec("bars", "declarer_per_deal", ("contract",))
    facts = [
        {"contract": name, "rules": "pub", "unit": "ct", "declarer_per_deal": value, "deals": n, "settled": n}
        for name, value, n in rows
    ]
    drawing = CHART_DATA["bars"](shape, facts, "deals", ValueWords({}, {}, T))
    return drawing["rows"], drawing["caption"]


def test_an_outlier_of_few_cases_does_not_flatten_the_others() -> None:
    rows, caption = bars([("rufspiel", 40.0, 900), ("solo", -250.0, 300), ("sie", 2000.0, 15), ("wenz", -9000.0, 29)])
    assert [row["drawn"] for row in rows] == [40.0, -250.0, 40.0, -250.0]
    assert [(row["few"], row["out"]) for row in rows] == [(False, False), (False, False), (True, True), (True, True)]
    assert "+2,000" in rows[2]["says"]
    assert T["st_hollow"].format(few=30) in caption


def test_where_all_rows_are_of_few_cases_none_is_set_apart() -> None:
    rows, caption = bars([("rufspiel", 40.0, 9), ("sie", 2000.0, 1)])
    assert [row["drawn"] for row in rows] == [40.0, 2000.0]
    assert not any(row["few"] or row["out"] for row in rows)
    assert T["st_hollow"].format(few=30) not in caption


def test_a_rate_of_few_cases_does_not_widen_the_axis() -> None:
    shape = ChartSpec("shares", "touts_rate", ("contract",))
    facts = [
        {"contract": name, "deals": n, "touts_rate": rate, "touts_rate_low": low, "touts_rate_high": high}
        for name, n, rate, low, high in (("solo", 900, 0.03, 0.02, 0.04), ("sie", 2, 0.5, 0.09, 0.91))
    ]
    drawing = CHART_DATA["shares"](shape, facts, "deals", ValueWords({}, {}, T))
    assert drawing["values"]["most"] == 0.05
    chart = vega.Chart(spec="shares", title="Touts", says="", **drawing)
    svg = vega.draw_plot(chart, "/plot.json", T).wide
    places = [float(x) for x in re.findall(r"translate\(([\d.]+)", svg)]
    assert max(places) <= 576
    assert "50 % of 2" in [text.replace("\u202f", " ") for text in texts(svg)]


def test_a_long_session_says_its_totals_in_columns_and_leads_to_deals() -> None:
    rows = session(("Anna", "Ben"), (tuple(range(400)), tuple(range(0, -400, -1))))
    series = session_plots.totals_series(rows, {1: "Anna", 2: "Ben"}, None, T)
    assert series is not None
    chart = session_plots.totals_chart(series, T, lambda deal: f"/deals/{deal}")
    columns = [row for row in chart.rows if row["kind"] == "cursor"]
    assert len(columns) == 100
    assert columns[-1]["to"] == "/deals/400"
    assert columns[-1]["tip"] == f"{T['deal'].format(number=400)}: Anna +399, Ben −399"
    assert all(one["until"] == other["from"] for one, other in pairwise(columns))


# --- how wide texts are -----------------------------------------------------------------------------------------------

LONG = (*NAMES, "Maximiliane von und zu Hohenaschau-Wildenwart", "W" * 40, "一二三四五六七八九十", "Щ" * 12, "i", "")


def chart_of_long_labels(spec: str, names: Sequence[str], t) -> vega.Chart:
    """A chart of shares, bars or verdicts, with a row for each name and the next."""
    row = {"share": 0.4, "low": 0.3, "high": 0.5, "few": False, "drawn": 4, "value": 4, "out": False, "said": "agrees",
           "deals": 4, "at": 0, "says": "+1,234,567 (n = 123,456)"}  # fmt: skip
    rows = [row | {"label": f"{name}, {other}"} for name, other in pairwise([*names, names[0]])]
    values = {"x": t["st_y_share"], "most": 0.5, "signs": True, "sides": ["agrees", "differs"]}
    return vega.Chart(spec=spec, rows=rows, values=values, title="", says="", caption="", heads=(), cells=())


def test_texts_are_as_wide_as_they_are_measured() -> None:
    """Letters that are pushed together are at most as wide."""
    for text, bold in itertools.product(
        ("Rufspiel", "Müller & Söhne", "82 % von 1.234", "−1.070 (n = 3)", "VAWA"), (0, 1)
    ):
        encode = {"text": {"value": text}, "fontWeight": {"value": "bold" if bold else "normal"}}
        mark = {"type": "text", "encode": {"update": encode | {"fontSize": {"value": 120}}}}
        svg = load_vl_convert().vega_to_svg({"width": 1, "height": 1, "padding": 0, "autosize": "pad", "marks": [mark]})
        measured = float(ElementTree.fromstring(svg).attrib["width"])
        assert 0.93 * text_width(text, 120, bool(bold)) <= measured <= text_width(text, 120, bool(bold)) + 2, text


def test_pictures_are_no_wider_than_their_column() -> None:
    for spec, names in itertools.product(("shares", "bars", "verdicts"), (LONG, LONG[-2:])):
        plot = vega.draw_plot(chart_of_long_labels(spec, names, T), "", T)
        assert [float(ElementTree.fromstring(each).attrib["width"]) <= most for each, most in
                ((plot.wide, 576), (plot.narrow, 336))] == [True, True], (spec, names)  # fmt: skip


# --- in a browser -----------------------------------------------------------------------------------------------------

SIZES = """[...document.querySelectorAll('svg.plot')].filter(svg => svg.checkVisibility()).flatMap(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const sizes = [...svg.querySelectorAll('text')].map(text => scale * parseFloat(getComputedStyle(text).fontSize));
    return sizes.map(size => Math.round(10 * size) / 10);
})"""
COLLIDING = """[...document.querySelectorAll('.plotted svg.plot')].filter(svg => svg.checkVisibility()).flatMap(svg => {
    const boxes = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
    return boxes.flatMap(([one, a], n) => boxes.slice(n + 1).filter(([, b]) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6).map(([other]) => one + ' | ' + other));
})"""
DRAWN = ("/stats/runners_distribution", "/stats/results_by_contract", "/players/1", "/sessions/3")


@pytest.mark.browser
def test_letters_in_plots_are_of_one_size_on_every_screen_and_do_not_collide(gallery: str, open_page: OpenPage) -> None:
    for width in (360, 768, 1280)[:: examples(2, 1)]:
        page = open_page(viewport={"width": width, "height": 900})
        for address in DRAWN:
            page.goto(gallery + address)
            assert set(page.evaluate(SIZES)) == {12}, (width, address)
            assert page.evaluate(COLLIDING) == [], (width, address)


@pytest.mark.browser
def test_a_plot_says_the_value_under_the_pointer_and_at_the_keyboard(gallery: str, page: Page) -> None:
    page.goto(f"{gallery}/stats/results_by_contract")
    svg = page.locator(".plotted svg.plot:visible").first
    marks = svg.locator("[aria-label]")
    expect(svg.locator('[tabindex="0"]')).to_have_count(1)  # one stop of the tab key
    for moved in ("focus", "ArrowDown", "End"):
        if moved == "focus":
            marks.first.focus()
        else:
            page.keyboard.press(moved)
        told = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert ":" in told
        expect(page.locator(".tip")).to_have_text(told)
    expect(marks.last).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_be_hidden()
    marks.nth(1).hover()
    expect(page.locator(".tip")).to_have_text(marks.nth(1).get_attribute("aria-label") or "?")


OUTSIDE = """svgs => {
    document.querySelector('main').innerHTML = svgs.join('');
    return [...document.querySelectorAll('main svg.plot')].flatMap(svg => {
        const frame = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('text')].filter(text => {
            const box = text.getBoundingClientRect();
            return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2
                || box.bottom > frame.bottom + 2;
        }).map(text => text.textContent);
    });
}"""
DRAWN_ONCE = (  # each specification; German words are longer
    "results_by_contract", "points_histogram", "solo_success", "runners_distribution", "pairs", "balances",
    "lords_dealt", "luck_and_results", "sessions_overview", "deals_by_month", "errors_by_source",
)  # fmt: skip


@pytest.mark.browser
def test_no_letter_is_outside_of_a_picture(gallery: str, page: Page) -> None:
    svgs = []
    for spec, names, t in itertools.product(("shares", "bars", "verdicts"), (LONG, LONG[-2:]), (T, DE)[not THOROUGH :]):
        plot = vega.draw_plot(chart_of_long_labels(spec, names, t), "", t)
        svgs += [plot.wide, plot.narrow]
    for name, language in itertools.product(QUESTIONS if THOROUGH else DRAWN_ONCE[::2], ("en", "de")[not THOROUGH :]):
        html = page.request.get(f"{gallery}/stats/{name}?lang={language}").text()
        svgs += re.findall(r'<svg [^>]*class="plot".*?</svg>', html)
    page.goto(f"{gallery}/stats/pairs")
    assert len(svgs) > 20
    assert page.evaluate(OUTSIDE, svgs) == []
