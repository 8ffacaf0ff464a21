"""The data of charts, for each specification: rows, the values of its parameters, words."""

from collections.abc import Callable, Sequence
from heapq import nsmallest
from itertools import pairwise

from archive.text.numbers import column_unit, format_entry, format_number, format_share
from archive.text.wording import Texts
from archive.web.rates import FEW
from archive.web.stats.answer import SIGNED, Facts, ValueWords, column_head, format_interval, label_text, value_text
from archive.web.stats.chart_specs import ChartSpec

ROWS = 16  # rows of a picture
MONTHS = 36
VERDICTS = ("agrees", "differs", "undecidable", "unplayable")
NAMED = 5  # of the dots farthest out
DOTS = 200  # of a picture with a dot for each row
HIGHEST = ("deals", "length")  # columns whose highest values are drawn
PLACES = 2  # of an amount


def _label(shape: ChartSpec, row: Facts, words: ValueWords) -> str:
    """Return the label of a row, made of the values that distinguish it."""
    names = [name for name in shape.label if row[name] is not None or f"sv_{name}_none" in words.t]
    return ", ".join([label_text(name, row, words) for name in names]) or "–"


def _with_unique_labels(rows: Sequence[Facts]) -> list[Facts]:
    """Return the rows with labels, no two of them equal: a scale has one place for each."""
    seen: dict[str, int] = {}
    for row in rows:
        again = seen[row["label"]] = seen.get(row["label"], -1) + 1
        row["label"] += "\u200b" * again
    return list(rows)


def _largest_rows(rows: list[Facts], size: str, t: Texts, most: int = ROWS) -> tuple[list[Facts], str]:
    """Return the rows with most cases, in their order, and a sentence if some are left out."""
    if len(rows) <= most:
        return rows, ""
    large = nsmallest(most, range(len(rows)), key=lambda at: -(rows[at][size] or 0))
    key = "st_highest" if size in HIGHEST else "st_rows"
    return [rows[at] for at in sorted(large)], t[key].format(shown=most, count=len(rows))


def _outer_rows(rows: list[Facts], value: str, t: Texts) -> tuple[list[Facts], str]:
    """Return the highest and lowest rows, and a sentence if some are left out."""
    if len(rows) <= ROWS:
        return rows, ""
    order = sorted(rows, key=lambda row: -row[value])
    return [*order[: ROWS // 2], *order[-ROWS // 2 :]], t["st_ends"].format(shown=ROWS // 2, count=len(rows))


def _join(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _few_drawn(points: Sequence[Facts], t: Texts) -> str:
    """Return a sentence about rows of few cases, which are drawn hollow and do not affect the scale."""
    return t["st_hollow"].format(few=FEW) if any(row["few"] for row in points) else ""


def _in_all(rows: Sequence[Facts], size: str, t: Texts) -> str:
    """Return the number of cases; one number if every row counts the same cases."""
    repeated = size in ("sample", "all_hands", "all_deals")
    count = max(row[size] or 0 for row in rows) if repeated else sum(row[size] or 0 for row in rows)
    return t["st_cases_in_all"].format(n=count, count=format_number(count, t))


def _cells(rows: Sequence[Facts], *more: Callable[[Facts], str]) -> tuple[tuple[str, ...], ...]:
    return tuple((row["label"], *(each(row) for each in more)) for row in rows)


# --- each specification -----------------------------------------------------------------------------------------------


def _shares(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    t, value = words.t, shape.value
    all_rows = sum(row.get("deals") or 0 for row in rows)
    if "name" in shape.label:
        rows = sorted(rows, key=lambda row: -(row[size] or 0))
    largest, left = _largest_rows(rows, size, t)
    drawn = [{**row, "every": all_rows} for row in largest]
    many = [row for row in drawn if _cases(row, value) >= FEW] or drawn
    top = max(row[f"{value}_high"] for row in many)
    points = _with_unique_labels([
        {
            "label": _label(shape, row, words), "share": row[value], "low": row[f"{value}_low"],
            "high": row[f"{value}_high"], "n": _cases(row, value), "between": format_interval(row, value, t),
            "to": words.mark_at(row), "few": row not in many,
        }
        for row in drawn
    ])  # fmt: skip
    for row in points:
        row["says"] = t["pl_of"].format(share=format_share(row["share"], t), count=format_number(row["n"], t))
    even = (
        1 / rows[0]["players"] if "place" in shape.label and value != "won_rate" else 0.5 if value == "won_rate" else 0
    )
    return {
        "caption": _join(t["st_whiskers"], _few_drawn(points, t), left),
        "rows": tuple(points),
        "values": {"x": column_head(value, t), "most": _most(top), "even": even},
        "cells": _cells(points, lambda row: format_share(row["share"], t), lambda row: row["between"],
                        lambda row: format_number(row["n"], t)),
        "heads": (_heads(shape, t), column_head(value, t), "95 %", t["sc_sample"]),
    }  # fmt: skip


OF = {  # the column with the cases that a rate is of
    "won_rate": ("decided",), "share": ("sample",), "schneider_rate": ("decided",), "hands_rate": ("all_hands",),
    "with_runners_rate": ("priced",), "declared_rate": ("played", "deals"), "defended_rate": ("played",),
    "deals_rate": ("all_deals", "every"), "right_rate": ("critical",), "wrong_rate": ("leads", "critical"),
    "open_rate": ("calls",), "fat_rate": ("sample",), "champion_rate": ("fat",),
}  # fmt: skip


def _cases(row: Facts, value: str) -> int:
    """Return the number of cases of a share."""
    return int(next(row[name] for name in (*OF.get(value, ()), "deals", "decided") if name in row))


def _most(top: float) -> float:
    """Return the end of an axis of shares: a round one above the highest interval."""
    return next(end for end in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0) if top <= end or end == 1.0)


def _heads(shape: ChartSpec, t: Texts) -> str:
    return ", ".join(column_head(name, t) for name in shape.label)


def _bars(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    t, value = words.t, shape.value
    drawn, left = (
        _outer_rows(rows, value, t)
        if value == "balance"
        else _largest_rows(rows, value if value in HIGHEST else size, t)
    )
    small, whole = (all(abs(row[value]) < 10 for row in drawn), all(isinstance(row[value], int) for row in drawn))
    places = 0 if whole else PLACES if small else 1
    signs = value in SIGNED
    unit = rows[0].get("unit") if signs else None
    euros = words.euros and unit == "ct"
    title = column_head(value, t)
    if signs and "unit" in rows[0]:
        in_unit = column_unit("ct", t) if euros else value_text("unit", rows[0], words)
        title = t["st_in"].format(what=title, unit=in_unit)
    usual = "deals" if size == "sample" else size
    cases = next((name for name in ("settled", "with_runners") if name in drawn[0]), usual)  # of an average
    many = [row for row in drawn if (row[cases] or 0) >= FEW] or drawn
    ends = min(0, *(row[value] for row in many)), max(0, *(row[value] for row in many))
    points = _with_unique_labels([
        {
            "label": _label(shape, row, words), "value": row[value], "n": row[cases] or 0,
            "drawn": max(ends[0], min(ends[1], row[value])), "out": not ends[0] <= row[value] <= ends[1],
            "few": row not in many,
            "amount": format_entry(row[value], unit, t) if euros else format_number(row[value], t, places, signs),
            "to": words.mark_at(row),
        }
        for row in drawn
    ])  # fmt: skip
    for row in points:
        n = "" if value == "deals" else f" ({t['st_n'].format(count=format_number(row['n'], t))})"
        row["says"] = f"{row['amount']}{n}"
    return {
        "caption": _join(t["st_bars"] if value != "deals" else "", _few_drawn(points, t), left),
        "rows": tuple(points),
        "values": {"x": title, "signs": signs} | ({"per": 100, "number": ",.2f"} if euros else {}),
        "cells": _cells(points, lambda row: row["amount"], lambda row: format_number(row["n"], t)),
        "heads": (_heads(shape, t), title, t["sc_sample"]),
    }


def _runners(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    t = words.t
    by_count = {row["runners"]: row for row in rows}
    none = {"share": 0, "share_low": 0, "share_high": 0, "deals": 0}
    points = []
    for n in range(min(-1, *by_count), max(1, *by_count) + 1):
        row = by_count.get(n, none)
        if n or n in by_count:
            interval = {"share": row["share"], "low": row["share_low"], "high": row["share_high"]}
            says = format_number(row["deals"], t) if n in by_count else ""
            label = value_text("runners", {"runners": n}, words)
            points.append({"runners": n, "label": label, **interval, "deals": row["deals"], "says": says})
    return {
        "caption": _join(t["st_runners_how"], _in_all(rows, size, t)),
        "rows": tuple(points),
        "values": {"y": t["st_y_share"], **_label_room(points)},
        "cells": _cells(points, lambda row: format_number(row["deals"], t), lambda row: format_share(row["share"], t)),
        "heads": (t["sc_runners"], t["sc_deals"], t["sc_share"]),
        "ticks": format_share(max(row["high"] for row in points), t),
    }


def _label_room(points: Sequence[Facts]) -> dict[str, int]:
    """Return how many numbers stand above bars, and the length of the longest."""
    return {"bars": max(1, len(points)), "longest": max((len(row["says"]) for row in points), default=1)}


def _points(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    t = words.t
    each = rows[0]["parties"] == "each"  # nobody is declarer: the most points of one player are counted
    sides = (t["st_won"], t["st_lost"], t["sv_parties_each" if each else "st_open"])
    points = [
        {"points": row["points"], "label": str(row["points"]), "side": side, "end": end, "deals": count}
        for row in rows
        for end, (side, count) in enumerate(
            [(sides[2], row["deals"])]
            if each
            else zip(sides, (row["won"], row["decided"] - row["won"], row["deals"] - row["decided"]), strict=True)
        )
        if count
    ]
    used = [side for side in sides if any(row["side"] == side for row in points)]
    return {
        "caption": _join(t["st_points_how"], _in_all(rows, size, t)),
        "rows": tuple(points),
        "values": {
            "x": t["st_x_most" if each else "st_x_points"],
            "sides": [sides[2]] if each else list(sides) if sides[2] in used else list(sides[:2]),
            "colours": ["var(--them)"] if each else ["var(--accent)", "var(--them)", "var(--bad)"],
        },
        "cells": tuple(
            (str(row["points"]), format_number(row["deals"], t), format_share(row["share"], t)) for row in rows
        ),
        "heads": (t["sc_points"], t["sc_deals"], t["sc_share"]),
        "ticks": format_number(max((row["deals"] for row in rows), default=0), t),
    }


def _cards_dealt(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    t, (name,) = words.t, shape.label
    points = [
        {
            "number": row[name], "label": str(row[name]), "share": row["hands_rate"], "low": row["hands_rate_low"],
            "high": row["hands_rate_high"], "chance": row["chance"], "top": max(row["hands_rate_high"], row["chance"]),
            "says": format_number(row["hands"], t), "expected": format_number(row["expected"], t, 1),
            "score": value_text("score", row, words),
        }
        for row in rows
    ]  # fmt: skip
    while len(points) > 4 and points[-1]["says"] == "0" and points[-1]["chance"] < 0.0005:
        points.pop()  # neither dealt nor likely enough to be drawn
    return {
        "caption": _join(t["st_dealt_how"], _in_all(rows, size, t)),
        "rows": tuple(points),
        "values": {"x": column_head(name, t), **_label_room(points)},
        "cells": _cells(points, lambda row: row["says"], lambda row: row["expected"], lambda row: row["score"]),
        "heads": (column_head(name, t), t["sc_hands"], t["sc_expected"], t["sc_score"]),
        "ticks": format_share(max(row["top"] for row in points), t),
    }


def _grid(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    t = words.t
    points = [
        {
            "trumps": row["trumps"], "lords": row["lords"], "share": row["won_rate"],
            "says": format_share(row["won_rate"], t), "n": format_number(row["decided"], t),
            "label": f"{label_text('trumps', row, words)}, {label_text('lords', row, words)}",
        }
        for row in rows
    ]  # fmt: skip
    return {
        "caption": _join(t["st_grid_how"], _in_all(rows, size, t)),
        "rows": tuple(points),
        "values": {},
        "cells": _cells(points, lambda row: row["says"], lambda row: row["n"]),
        "heads": (t["sc_trumps"], t["sc_won_rate"], t["sc_decided"]),
        "ticks": str(max(row["lords"] for row in points)),
        "lines": len({row["lords"] for row in points}),
    }


def _scatter(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    t, unit = words.t, value_text("unit", rows[0], words)
    rows = [row for row in rows if row["score"] is not None]
    many = [row for row in rows if row["hands"] >= FEW]
    rows, left = (many, t["st_enough"].format(few=FEW)) if 3 <= len(many) < len(rows) else (rows, "")
    rows, left = _largest_rows(rows, "hands", t, DOTS) if len(rows) > DOTS else (rows, left)
    wide = [max((abs(row[name]) for row in rows), default=0) or 1 for name in ("score", "per_deal")]
    order = sorted(rows, key=lambda row: -max(abs(row["score"]) / wide[0], abs(row["per_deal"]) / wide[1]))
    points: list[Facts] = []
    taken: list[tuple[float, float]] = []  # places of the names
    for row in order:
        at = row["score"] / wide[0], row["per_deal"] / wide[1]
        named = len(taken) < NAMED and not any(abs(at[0] - x) < 0.35 and abs(at[1] - y) < 0.12 for x, y in taken)
        if named:
            taken.append(at)
        points.append({"label": row["name"], "luck": row["score"], "paid": row["per_deal"], "hands": row["hands"],
                     "named": named, "to": words.mark_at(row)})  # fmt: skip
    by_name = {row["name"]: row for row in rows}
    return {
        "caption": _join(t["st_scatter_how"], left, _in_all(rows, size, t)),
        "rows": tuple(points),
        "values": {"x": t["st_x_luck"], "y": t["st_in"].format(what=t["sc_per_deal"], unit=unit)},
        "cells": _cells(points, *(lambda row, name=name: value_text(name, by_name[row["label"]], words)
                                for name in ("score", "per_deal", "hands"))),
        "heads": (t["sc_name"], t["sc_score"], t["sc_per_deal"], t["sc_hands"]),
        "ticks": format_number(wide[1], t, 2 if wide[1] < 0.5 else 1 if wide[1] < 2 else 0, sign=True),
    }  # fmt: skip


def _months(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    drawn = _every_month(rows)[-MONTHS:]
    points = _verdict_bars(shape, drawn, size, words, [row for row in drawn if row["deals"]])
    points["ticks"] = format_number(max((row["deals"] for row in drawn), default=0), words.t)
    if out := sum(row["deals"] for row in rows) - sum(row["deals"] for row in drawn):
        points["caption"] = _join(
            points["caption"], words.t["st_months"].format(count=format_number(out, words.t), months=MONTHS)
        )
    return points


def _every_month(rows: Sequence[Facts]) -> list[Facts]:
    """Return the months, and those between them without deals; deals without a day are in no month."""
    dated = [row for row in rows if row["month"]]
    months: list[Facts] = dated[:1]
    for one, other in pairwise(dated):
        first, last = (int(each["month"][:4]) * 12 + int(each["month"][5:7]) - 1 for each in (one, other))
        gap = range(max(first + 1, last - MONTHS), last)
        months += [
            {**one, **dict.fromkeys((*VERDICTS, "deals"), 0), "month": f"{n // 12:04}-{n % 12 + 1:02}"} for n in gap
        ]
        months.append(other)
    return months


def _verdicts(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Facts:
    drawn, _ = _largest_rows(rows, size, words.t)
    return _verdict_bars(shape, drawn, size, words, rows)


def _verdict_bars(shape: ChartSpec, drawn: list[Facts], size: str, words: ValueWords, all_rows: list[Facts]) -> Facts:
    """Return bars of deals by verdict."""
    t = words.t
    labels = _with_unique_labels([{"label": _label(shape, row, words), "row": row} for row in drawn])
    points = [
        {"label": label["label"], "said": t[verdict], "deals": label["row"][verdict], "at": at,
         "says": format_number(label["row"]["deals"], t), "to": words.mark_at({**label["row"], "verdict": verdict})}
        for label in labels
        for at, verdict in enumerate(VERDICTS)
    ]  # fmt: skip
    left = t["st_rows"].format(shown=ROWS, count=len(all_rows)) if len(drawn) < len(all_rows) else ""
    return {
        "caption": _join(t["st_verdicts_how"], _in_all(all_rows, size, t), left) if all_rows else "",
        "rows": tuple(points),
        "values": {"sides": [t[each] for each in VERDICTS]},
        "cells": tuple(
            (
                label["label"],
                format_number(label["row"]["deals"], t),
                *(format_number(label["row"][verdict], t) for verdict in VERDICTS),
            )
            for label in labels
        ),
        "heads": (_heads(shape, t), t["sc_deals"], *(t[verdict] for verdict in VERDICTS)),
        "lines": len(labels),
    }


CHART_DATA: dict[str, Callable[[ChartSpec, list[Facts], str, ValueWords], Facts]] = {
    "shares": _shares, "bars": _bars, "runners": _runners, "points": _points, "dealt": _cards_dealt, "grid": _grid,
    "scatter": _scatter, "months": _months, "verdicts": _verdicts,
}  # fmt: skip
