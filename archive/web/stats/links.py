"""The links of the rows of an answer: to the deals that they count."""

from collections.abc import Mapping

from archive.web.stats.answer import KEYS, Facts

# Questions whose rows count all deals of their subject, and the columns that the list of deals is searched by.
COUNTING = frozenset({
    "results_by_contract", "results_by_trump_suit", "results_of_hochzeit", "sessions_overview", "deals_by_month",
    "touts",
})  # fmt: skip
FILTERS = ("rules", "unit", "contract", "suit", "hochzeit", "session", "verdict")
FOLLOWING = frozenset({"date"})  # columns that follow from the others
PARTS = ("player", "session", "basis", "since", "until", "rules", "contract")  # which narrow a whole question


def deals_search(question: str, row: Facts, asked: Mapping[str, str | int]) -> dict[str, str]:
    """Return the search for the deals of a row of a question that was narrowed by `asked`: values by filter of the
    list; empty if the list has no filter for one of the columns that name the row."""
    if question not in COUNTING:
        return {}
    own = {key: str(row[key]) for key in KEYS if row.get(key) is not None and key not in FOLLOWING}
    if month := own.pop("month", None):
        own |= {"since": max(month, str(asked.get("since", ""))), "until": _earlier(month, str(asked.get("until", "")))}
    known = own.keys() <= {*FILTERS, "since", "until"} and asked.keys() <= {*PARTS}
    if not known or not own.keys() & {"contract", "session", "since"}:
        return {}
    return {key: str(value) for key, value in asked.items()} | own


def _earlier(one: str, other: str) -> str:
    """Return the earlier of two starts of a span: days, months or years as a whole, or an open one, which is empty."""
    return min(one, other or "~", key=lambda end: f"{end}~")
