"""Systems are data: which named functions each system uses that pure Bavarian play does not, and that no others exist.

From the rulesets `pytest --update` writes docs/rules/systems.md.
"""

from typing import get_args

import pytest
from support.paths import ROOT
from support.rulesets import load_rules

from archive.rules import Contract, Ruleset, bundled, types
from archive.rules.types import Round

PAGE = ROOT / "docs" / "rules" / "systems.md"
Names = set[tuple[str, str]]  # of functions, each with the kind of thing that it decides

# Every kind of named function that a row can ask for, and the names that there are.
OF_CONTRACTS = {
    "duties": types.DutyName,
    "parties": types.PartiesName,
    "holds": types.HoldsName,
    "exchange": types.ExchangeName,
    "goal": types.GoalName,
    "ends": types.EndName,
}
OF_HOUSE = ("auction", "score", "giving up")  # that a house setting asks for
OF_RAMSCH = {"tie": types.TieName, "virgin": types.VirginName}
TITLES = {
    "duties": "what must be played",
    "parties": "who plays with whom",
    "holds": "what the declarer must hold",
    "exchange": "cards that change hands",
    "goal": "what wins",
    "ends": "when play ends",
    "auction": "the auction",
    "tie": "a tie in a Ramsch",
    "virgin": "a virgin in a Ramsch",
    "score": "the score",
    "giving up": "giving up",
}
NOTHING = ("exchange", "none"), ("virgin", "no")


def of_row(row: Contract | Round) -> Names:
    """The functions that a contract or a round asks for."""
    found: Names = set()
    for kind in OF_CONTRACTS:
        value = getattr(row, kind, ())
        names = value if isinstance(value, tuple) else (value,)
        found |= {(kind, name) for name in names if isinstance(name, str)}  # a round says only whether a hand must hold
    return found - {*NOTHING}


def of_table(ruleset: Ruleset) -> Names:
    """The functions that a table as the ruleset has it can come to ask for: its contracts and its rounds."""
    house = ruleset.house
    rounds = [row for name, row in ruleset.rounds.items() if getattr(house, name).on]
    played = {*house.contracts, *(name for row in rounds for name in row.contracts)}
    found = set().union(*(of_row(ruleset.contracts[name]) for name in played), *map(of_row, rounds))
    found |= {("auction", "points" if house.bids else house.auction)}
    found |= {("score", "marks")} if house.marks else set()
    found |= {("giving up", "surrender")} if house.surrender else set()
    if any(ruleset.contracts[name].goal == "most-loses" for name in played):
        found |= {*(("tie", name) for name in house.ramsch.tie), ("virgin", house.ramsch.virgin)}
    return found - {*NOTHING}


def ruleset_of(name: str) -> Ruleset:
    return load_rules(name)


def worded(names: Names) -> str:
    kinds = [kind for kind in TITLES if any(each == kind for each, _ in names)]
    told = [f"{TITLES[kind]}: " + ", ".join(f"`{name}`" for k, name in sorted(names) if k == kind) for kind in kinds]
    return "; ".join(told) or "data only"


def own_rows(pure: Names) -> dict[str, Names]:
    """The functions of every contract and round of every ruleset, beside those of pure play; by title, once each."""
    rows: dict[str, Names] = {}
    for name in bundled():
        ruleset = ruleset_of(name)
        for row in (*ruleset.contracts.values(), *ruleset.rounds.values()):
            kind = " (round)" if isinstance(row, Round) else ""
            rows.setdefault(row.title + kind, set()).update(of_row(row) - pure)
    return dict(sorted(rows.items()))


def page() -> str:
    pure = of_table(ruleset_of("bavarian"))
    systems = [(name, ruleset_of(name)) for name in bundled()]
    told = {name: (ruleset, of_table(ruleset) - pure) for name, ruleset in systems if name != "bavarian"}
    data = sum(not own for _, own in told.values())
    titles = {name: f"{ruleset.title} (`{name}`)" for name, (ruleset, _) in told.items()}
    titles |= {name: f"{titles[name]}, incomplete" for name, (ruleset, _) in told.items() if ruleset.incomplete}
    rows = "".join(f"| {titles[name]} | {worded(own)} |\n" for name, (_, own) in told.items())
    each = "".join(f"| {title} | {worded(own)} |\n" for title, own in own_rows(pure).items())
    return (
        "# Systems\n\nA system is a ruleset file. What can be told in data is data, what cannot is a short function\n"
        "with a name, which a ruleset asks for by that name. No function asks which game is played.\n\n"
        f"Pure Bavarian play asks for {worded(pure)}.\n\n"
        "This page is written by `pytest --update` from the rulesets (`tests/rules/test_systems.py`).\n\n"
        f"## What each ruleset asks for besides\n\n{data} of {len(told)} are data only.\n\n"
        f"| system | |\n|---|---|\n{rows}\n"
        "## Contracts and rounds\n\nWhat each asks for that pure Bavarian play does not, at whatever table it is\n"
        f"played.\n\n| contract | |\n|---|---|\n{each}"
    )


def test_the_page_of_systems_is_current(update: bool) -> None:
    if update:
        PAGE.write_text(page(), "utf-8")
    assert PAGE.read_text("utf-8") == page()


@pytest.mark.parametrize("kind", OF_CONTRACTS)
def test_every_named_function_is_asked_for_by_some_contract_or_round(kind: str) -> None:
    """A name that no ruleset uses is no rule of any game. (`overtake` is asked for by a house setting.)"""
    rows = own_rows(set())
    asked = {name for names in rows.values() for each, name in names if each == kind} | {"none"}
    assert set(get_args(OF_CONTRACTS[kind])) - asked <= {"overtake"}


@pytest.mark.parametrize("name", bundled())
def test_every_system_is_a_file_of_data(name: str) -> None:
    """What a ruleset asks for is one of the names that there are."""
    known = {(kind, each) for kind, names in (OF_CONTRACTS | OF_RAMSCH).items() for each in get_args(names)}
    assert {(kind, each) for kind, each in of_table(ruleset_of(name)) if kind not in OF_HOUSE} <= known
