"""Scores an auditor's answers against the disputes of this folder. Needs Python 3.9 or newer, and nothing else.

    python score.py answers.csv             the figures
    python score.py answers.csv --missed    and each dispute whose cause was not named first

answers.csv has a row for each explanation of a deal that the auditor thinks is wrong, under the head
`evening,deal,rank,causes`: the numbers as in disputes.csv, 1 for the likeliest explanation, and the causes of that
explanation by their ids in causes.csv, joined by + where several mistakes were made at once. A deal for which nothing
fits has one row with no causes.
"""

import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

RANKS = 3


def fits(causes, answer):
    """Whether the causes of an explanation are those of an answer: each of its sets names one of them."""
    if len(causes) != len(answer):
        return False
    if not causes:
        return True
    first, *rest = answer
    return any(cause in first and fits(causes[:n] + causes[n + 1 :], rest) for n, cause in enumerate(causes))


def place(explanations, answers):
    """The rank of the first explanation that names the cause; 99 where none of the first three does."""
    ranked = sorted(explanations)[:RANKS]
    right = (rank for rank, (_, causes) in enumerate(ranked, 1) if any(fits(causes, each) for each in answers))
    return next(right, 99)


def rows(path):
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def score(disputes, answers):
    """The place of each dispute, and the deals that were accused though they are right."""
    given = defaultdict(list)
    for row in answers:
        causes = [each for each in row["causes"].split("+") if each]
        given[row["evening"], row["deal"]].append((int(row["rank"]), causes))
    places = {
        (row["evening"], row["deal"]): place(given[row["evening"], row["deal"]], json.loads(row["answers"]))
        if (row["evening"], row["deal"]) in given
        else None
        for row in disputes
    }
    return places, sorted(given.keys() - places.keys())


def percent(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"


def report(disputes, answers, missed=False):
    """The lines of the report."""
    places, accused = score(disputes, answers)
    groups = {
        "all": disputes,
        "one mistake": [row for row in disputes if "+" not in row["mistakes"]],
        "two mistakes": [row for row in disputes if "+" in row["mistakes"]],
        "with cards": [row for row in disputes if row["cards"] == "true"],
        "without cards": [row for row in disputes if row["cards"] == "false"],
    }
    for title, group in groups.items():
        own = [places[row["evening"], row["deal"]] for row in group]
        noticed, first, three = (sum(each is not None and each <= most for each in own) for most in (99, 1, RANKS))
        counts = {"noticed": noticed, "cause first": first, "cause among three": three}
        yield f"{title}: " + ", ".join(f"{name} {percent(count, len(own))}" for name, count in counts.items())
    yield f"right deals accused: {len(accused)}"
    for row in disputes if missed else ():
        if places[row["evening"], row["deal"]] != 1:
            yield f"evening {row['evening']}, deal {row['deal']}: {row['mistakes']}"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for line in report(rows(Path(__file__).with_name("disputes.csv")), rows(sys.argv[1]), "--missed" in sys.argv):
        print(line)
