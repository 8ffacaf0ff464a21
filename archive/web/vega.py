"""Plots: a Vega-Lite specification from `specs/` over rows of data, drawn as SVG on the server.

A specification holds no text of the archive: that comes as values of the data only, so that nothing of it is ever read
as an expression. `"t:key"` in it stands for a text in the reader's language. Colours are the variables of the theme, so
that an SVG inside a page is right on light and on dark paper. `usermeta` has its sizes in pixels, for columns of a page
that are narrow, wide and, if it is drawn so, widest: nothing is scaled, and letters are as large as others; a height of
0 grows with the rows of data, `row` pixels each, and what stands `beside` them. `frame` is the room around the plot
itself, without that of labels (up to a `limit`), of texts at the ends of rows and of numbers at an axis, which is
computed from the rows. A parameter `narrow` is true in the narrow drawing. `"v:key"` in it stands for a given value,
such as the title of an axis.

    plot = draw_plot(Chart(spec="rates", rows=rows, title=title, …), address, t)
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import inf
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
from markupsafe import escape
from msgspec import Struct

from archive.say import catalogue
from archive.text.wording import Texts
from archive.text.workbooks import UNWRITABLE
from archive.web.drawing_library import load_vl_convert, text_width
from archive.web.texts import TEXTS

SPECS = Path(__file__).with_name("specs")
KEPT = 512  # drawings that are remembered
ROWS, SIZE = "rows", ("width", "height")
VALUES = ("x", "y", "sides", "colours")  # which are not parameters: titles of axes, the domain of a scale
CONFIG: dict[str, Any] = {
    "background": None,
    "view": {"stroke": None},
    "axis": {
        "labelLimit": 0,
        "domain": False,
        "ticks": False,
        "gridColor": "var(--hair)",
        "labelColor": "var(--soft)",
        "labelFontSize": 12,
        "labelPadding": 6,
        "titleColor": "var(--soft)",
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "legend": {"labelFontSize": 12, "labelLimit": 0},
    "text": {"fontSize": 12},
}
LIGHT = {  # the colours of the light theme, for a specification that is opened elsewhere
    "var(--ink)": "#1d201c",
    "var(--soft)": "#5a5f55",
    "var(--hair)": "#ebe8dd",
    "var(--accent)": "#7d5200",
    "var(--brass)": "#e6b54a",
    "var(--wash)": "#f6eedb",
    "var(--bad)": "#a3141d",
    "var(--good)": "#1c6340",
    "var(--them)": "#6a7167",
}
LABEL = "aria-label"  # of a mark, which becomes its title
MARKED = {"bar", "point", "rect", "circle", "square"}  # marks that stand for a row of data
SVG = "http://www.w3.org/2000/svg"
LETTERS = 12  # pixels
SMALLEST = 20  # pixels of a plot, even if its texts leave less
OURS = "https://ours.invalid"  # before the number of a row that leads somewhere
NUMBERED = re.compile(r'(?<=<a )href="/(\d+)"')  # replaced by the address, which has the choices of a reader
XLINK = "{http://www.w3.org/1999/xlink}href"
KEPT_SVG = {  # parts of an SVG that stay: shapes, texts and links
    "a": {"href", LABEL},
    "svg": {"viewBox"},
    "g": {"transform", "fill", "stroke", "opacity", "stroke-miterlimit"},
    "path": {"transform", "d", "opacity"},
    "line": {"transform", "x2", "y2", "opacity"},
    "text": {"transform", "text-anchor", "font-size", "font-weight", "opacity"},
    "tspan": {"x", "y", "dy"},
}
PLACED = {"d", "transform", "x", "y", "x2", "y2"}  # attributes whose numbers need one decimal
PAINT = {"fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap"}
ALONE = 720  # pixels: the width of a wide plot with a page to itself
DECIMALS = re.compile(r"(\.\d)\d+")
EMPTY = re.compile(r"(M0,0h0v0h0Z)?")

Rows = Sequence[Mapping[str, Any]]
Spec = dict[str, Any]


class Chart(Struct, frozen=True, kw_only=True):
    """A chart: `rows` of the specification `spec` with the `values` of its parameters, numbers or lists of them;
    `lines` is the number of its lines, if rows share them. In words: its `title`, what it `says` at a glance, how to
    read it (`caption`), and the table under it, with numbers among its `cells` as text; `ticks` is about the longest
    number at its axis."""

    spec: str
    rows: Rows
    title: str
    says: str
    caption: str
    heads: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    values: dict[str, Any] = {}
    lines: int | None = None
    ticks: str = ""


class Plot(Struct, frozen=True):
    """A chart as it stands in a page, drawn for wide and narrow columns, and for whole pages if it has that size; one
    that is `alone` is wider. Its data is at `address`."""

    chart: Chart
    address: str
    wide: str
    narrow: str
    widest: str = ""
    alone: bool = False


class Glance(Struct, frozen=True):
    """A plot among others that are links: its title and its narrow drawing."""

    title: str
    narrow: str


def draw_plot(chart: Chart, address: str, t: Texts, alone: bool = False) -> Plot:
    """Return a chart drawn in all its sizes."""
    rows = _drawn_rows(chart)
    wide, narrow = (_draw_sized(chart, rows, size, t) for size in ("alone" if alone else "wide", "narrow"))
    has_widest = "widest" in load_spec(chart.spec, msgspec.json.encode(chart.values))["usermeta"]
    widest = _draw_sized(chart, rows, "widest", t) if has_widest else ""
    return Plot(chart, address, wide, narrow, widest, alone or bool(widest))


def draw_glance(chart: Chart, t: Texts) -> Glance:
    """Return a chart drawn small, for pages with many."""
    return Glance(chart.title, _draw_sized(chart, _drawn_rows(chart), "narrow", t, linked=False))


def _draw_sized(chart: Chart, rows: Rows, size: str, t: Texts, linked: bool = True) -> str:
    addresses = [row.get("to") or "" for row in chart.rows] if linked else []
    spec = _framed_spec(sized_spec(chart, size), chart)
    svg = draw_svg(_with_values(spec, any(addresses)), rows, t, chart.title, chart.says)
    return NUMBERED.sub(lambda found: f'href="{escape(addresses[int(found[1])])}"', svg)


def _drawn_rows(chart: Chart) -> Rows:
    """Return the rows of a chart, each with the text of its mark and, in place of its address, its number."""
    tips = mark_texts(chart)
    return _clean_rows([
        {**row, "tip": row.get("tip") or tips.get(row.get("label"), ""), "to": f"{OURS}/{nth if row.get('to') else ''}"}
        for nth, row in enumerate(chart.rows)
    ])  # fmt: skip


def mark_texts(chart: Chart) -> dict[Any, str]:
    """Return the values of each row by its label, as the table has them, with their heads."""
    return {
        label: f"{label}: " + ", ".join(f"{head} {cell}" for head, cell in zip(chart.heads[1:], cells, strict=False))
        for label, *cells in chart.cells
    }


def _with_values(spec: Spec, links: bool) -> Spec:
    """Return a specification whose marks of rows have their values as text and, if there are `links`, lead to their
    addresses."""
    more: Spec = {"description": {"field": "tip"}} | ({"href": {"field": "to"}} if links else {})

    def mark_part(part: Spec) -> Spec:
        mark = part.get("mark")
        kind = mark["type"] if isinstance(mark, dict) else mark
        if kind not in MARKED or ("data" in part and part is not spec):
            return part
        return part | {"encoding": part.get("encoding", {}) | more}

    spec = mark_part(spec)
    return spec | {"layer": [mark_part(each) for each in spec["layer"]]} if "layer" in spec else spec


@lru_cache
def load_spec(name: str, values: bytes) -> Spec:
    """Return a specification of `specs/`, its parameters set from JSON. Callers must not change it."""
    spec: Spec = msgspec.json.decode((SPECS / f"{name}.json").read_bytes())
    parameters = {"plus": "+,d"} | msgspec.json.decode(values)
    spec = _replace_words(spec, {f"v:{key}": parameters.pop(key) for key in VALUES if key in parameters})
    params = [each | {"value": parameters.pop(each["name"], each["value"])} for each in spec.get("params", ())]
    return spec | {"params": [*params, *({"name": key, "value": value} for key, value in parameters.items())]}


def sized_spec(chart: Chart, size: str) -> Spec:
    """Return the specification of a chart: `narrow`, `wide`, `widest`, or wide and `alone`."""
    spec = load_spec(chart.spec, msgspec.json.encode(chart.values))
    high = len(chart.rows) if chart.lines is None else chart.lines
    width, height = spec["usermeta"]["wide" if size == "alone" else size]
    width = ALONE if size == "alone" else width
    params = [each | {"value": size == "narrow"} if each["name"] == "narrow" else each for each in spec["params"]]
    return spec | {
        "width": width,
        "height": height or spec["usermeta"]["row"] * max(high, 1) + 30 + spec["usermeta"].get("beside", 0),
        "autosize": {"type": "fit", "contains": "padding"},
        "params": params,
    }


def _framed_spec(spec: Spec, chart: Chart) -> Spec:
    """Return a specification with a known `frame` and the rest of its size for the plot itself: so it is laid out once,
    not a second time by the room that its letters have taken."""
    if not (frame := spec["usermeta"].get("frame")):
        return spec
    narrow = next(each["value"] for each in spec["params"] if each["name"] == "narrow")
    left, right = text_width(chart.ticks, LETTERS), 0.0
    limit = 0  # without measuring, drawing takes half of the time
    if "limit" in frame:
        labels = [line for row in chart.rows for line in row["label"].split(", ", 1 if narrow else 0)]
        left = max((text_width(label, LETTERS, bold=True) for label in labels), default=0)
        right = max((text_width(row["says"], LETTERS) for row in chart.rows), default=0)
        limit = frame["limit"][narrow] if left > frame["limit"][narrow] else 0
    width = spec["width"] - frame["left"] - min(left, limit or left) - right - frame["right"]
    height = spec["height"] - frame["above"][narrow] - frame["below"]
    params = [each | {"value": limit} if each["name"] == "limit" else each for each in spec["params"]]
    size = {"width": max(SMALLEST, int(width)), "height": max(SMALLEST, int(height))}
    return spec | size | {"autosize": "pad", "params": params, "usermeta": {"most": spec["width"]}}


def chart_file(chart: Chart, t: Texts) -> bytes:
    """Return a specification with its data, complete in itself, as it can be opened elsewhere: JSON in UTF-8."""
    spec = sized_spec(chart, "wide") | {"data": {"values": _clean_rows(chart.rows)}}
    whole = _worded_spec(spec, t["lang"]) | {"background": "#faf8f2"}
    return msgspec.json.format(msgspec.json.encode(_replace_words(whole, LIGHT)), indent=1)


def draw_svg(spec: Spec, rows: Rows, t: Texts, title: str, says: str) -> str:
    """Return a drawing of rows, to stand inside a page: an image with a name and a description, without styles,
    scripts, links, fonts and ids of its own."""
    language, most = t["lang"], spec["usermeta"].get("most", inf)
    spec = spec | {"data": {"values": rows}}
    inside = _drawing(msgspec.json.encode(spec), language)
    if (excess := float(inside[0].split()[2]) - most) > 0:  # letters that are wider than expected
        inside = _drawing(msgspec.json.encode(spec | {"width": max(SMALLEST, spec["width"] - excess)}), language)
    _, _, width, height = inside[0].split()
    size = {"viewBox": inside[0], "width": width, "height": height}
    root = ElementTree.Element("svg", {**size, "class": "plot", "role": "group" if "<a " in inside[1] else "img"})
    for tag, text in (("title", title), ("desc", says)):
        if text:
            ElementTree.SubElement(root, tag).text = _clean(text)
    head = ElementTree.tostring(root, encoding="unicode", short_empty_elements=False).removesuffix("</svg>")
    return f"{head}{inside[1]}</svg>"


def _worded_spec(spec: Spec, language: str) -> Spec:
    worded: Spec = _replace_words(spec, _spec_words(language))
    return worded | {"config": CONFIG}


@cache
def _spec_words(language: str) -> dict[str, str]:
    """Return the texts of a language, as specifications name them."""
    return {f"t:{key}": text for key, text in TEXTS[language].items()}


def _replace_words(value: Any, words: Mapping[str, Any]) -> Any:
    """Return a specification with its placeholders replaced; its data is left out."""
    if isinstance(value, dict):
        return {key: each if key == "data" else _replace_words(each, words) for key, each in value.items()}
    if isinstance(value, list):
        return [_replace_words(each, words) for each in value]
    return words.get(value, value) if isinstance(value, str) else value


def _clean_rows(rows: Rows) -> Rows:
    return [{key: _clean(value) if isinstance(value, str) else value for key, value in row.items()} for row in rows]


def _clean(text: str) -> str:
    """Return a text on one line, without what cannot stand in an SVG."""
    return " ".join(UNWRITABLE.sub("\ufffd", text).split())


# --- drawing ----------------------------------------------------------------------------------------------------------


@lru_cache(KEPT)
def _drawing(spec: bytes, language: str) -> tuple[str, str]:
    """Return the view box and the content of a specification with its data, in the words of a language. Raises
    ValueError if it cannot be drawn."""
    vega = _to_vega(_worded_spec(msgspec.json.decode(spec), language))
    locale = catalogue.rows(language)["language.locale"]
    text = load_vl_convert().vega_to_svg(vega, allowed_base_urls=[], format_locale=locale)
    root = ElementTree.fromstring(text)
    _strip(root)
    parts = (ElementTree.tostring(each, encoding="unicode") for each in root)
    return root.attrib["viewBox"], "".join(parts)


def _to_vega(spec: Spec) -> Spec:
    """Return a specification as one of Vega, with its rows, size and values of parameters."""
    size, values = {key: spec[key] for key in SIZE}, {each["name"]: each["value"] for each in spec.get("params", ())}
    params = [{"name": name, "value": 0} for name in values]
    data = {"name": ROWS, "values": []}
    shape = spec | dict.fromkeys(SIZE, 1) | {"params": params, "data": data, "usermeta": {}}
    vega = _compile(msgspec.json.encode(shape))
    signals = [each | {"value": values[each["name"]]} if each["name"] in values else each for each in vega["signals"]]
    filled = [each | {"values": spec["data"]["values"]} if each["name"] == ROWS else each for each in vega["data"]]
    return vega | size | {"signals": signals, "data": filled}


@lru_cache
def _compile(shape: bytes) -> Spec:
    """Return a specification as one of Vega, the same for all rows, sizes and values of parameters. Callers must not
    change it."""
    vega: Spec = load_vl_convert().vegalite_to_vega(shape.decode())
    return vega


def _strip(node: ElementTree.Element) -> None:
    """Remove everything from an SVG that does not draw."""
    node.tag = node.tag.removeprefix(f"{{{SVG}}}")
    for child in list(node):
        tag = child.tag.removeprefix(f"{{{SVG}}}")
        unseen = child.get("display") == "none" or child.get("class") == "background"
        if tag not in KEPT_SVG or unseen or (tag == "path" and EMPTY.fullmatch(child.get("d", ""))):
            node.remove(child)
        else:
            _strip(child)
            if tag == "g" and not len(child):
                node.remove(child)
    symbol = node.get("aria-roledescription", "").removesuffix(" mark") in MARKED
    if node.tag == "path" and symbol and (tip := node.get(LABEL, "").strip()) and tip != "undefined":
        ElementTree.SubElement(node, "title").text = tip
    if node.tag == "a":
        address = node.get(XLINK, "").removeprefix(OURS)
        node.attrib = {"href": address, LABEL: next((each.text or "" for each in node.iter("title")), "")}
        if address in ("", "/"):  # a mark that leads nowhere
            node.tag, node.attrib = "g", {}
    attributes = KEPT_SVG[node.tag] | PAINT
    for key in set(node.attrib) - attributes:
        del node.attrib[key]
    for key in PLACED & set(node.attrib):
        node.attrib[key] = DECIMALS.sub(r"\1", node.attrib[key])
    if node.get("opacity") == "1":
        del node.attrib["opacity"]
