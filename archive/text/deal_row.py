"""Deals as lines of a list: of the newest ones, or of the score sheet of a session."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from archive.rules import Contract, installed_rulesets, load
from archive.say import title_in
from archive.text.numbers import format_money
from archive.text.session_ledger import Facts
from archive.text.wording import Texts, runners_words, session_title, shown_faces, with_suit, word_of

WHOLE = 120  # card points of the pack


class DealRow(Struct, frozen=True):
    """A deal in a list, in words."""

    id: int
    number: int
    session: int
    date: str | None
    event: str
    game: str
    players: str
    outcome: str
    details: str
    price: int | None
    cost: str  # the price with its unit, empty if not known
    verdict: str
    names: tuple[str, ...] = ()  # of `players`
    basis: str | None = None  # what its amounts rest on: cards, facts, amounts


def deal_row(row: Facts, t: Texts) -> DealRow:
    """Return a row of the view `outcomes` in words."""
    names = tuple(filter(None, (row["declarer"] or row["loser"], row["partner"])))
    won, points = row["won"], row["side_points"]
    if not names and won is not None:  # of two sides: who has won, where the row has the amounts of each
        names = tuple(each["player"] for each in row.get("ledger", ()) if (each["payment"] or each["marks"] or 0) > 0)
        points = WHOLE - points if names and not won and points is not None else points
        won = won or bool(names)
    outcome = t["won" if won else "lost"] if won is not None else ""
    details = (
        t["points_only"].format(points=points) if points is not None else "",
        t["schwarz"] if row["schwarz"] else t["schneider"] if row["schneider"] else "",
        runners_words(row["runners"], t, row.get("runner_count")) if row["runners_paid"] else "",
        f"×{row['multiplier']}" if (row["multiplier"] or 1) > 1 else "",
    )
    return DealRow(
        id=row["deal"],
        number=row["number"],
        session=row["session"],
        date=row["date"],
        event=session_title(row["event"], row["session"], t),
        game=row_game_title(row, t),
        players=" + ".join(names),
        outcome=t["loses"] if row["loser"] else outcome,
        details=", ".join(filter(None, details)),
        price=row["price"],
        cost="" if row["price"] is None else format_money(row["price"], row["unit"], t).removeprefix("+"),
        verdict=row["verdict"],
        names=names,
        basis=row.get("basis"),
    )


def row_game_title(row: Facts, t: Texts) -> str:
    """Return the game of a row of the view `outcomes`, with its words and bid if the row has them."""
    unplayed = {"none": t["thrown_in"], "misdeal": t["misdeal"], None: t["no_game"]}
    if row["contract"] in unplayed:
        return unplayed[row["contract"]]
    words = row.get("words") or ("tout" if row["tout"] else "")
    bid = t["for_trumps" if row.get("lengths") else "for_points"].format(points=row["bid"]) if row.get("bid") else ""
    title = title_of_contract_id(row["contract"], row["rules"], t["lang"])
    contract = _contracts(row["rules"]).get(row["contract"])
    faces = {**t, "faces": shown_faces(row["faces"], t)}
    title = with_suit(title, contract, row["suit"], row.get("called"), faces)
    return " ".join(filter(None, (title, *(word_of(word, t) for word in words.split()), bid)))


def title_of_contract_id(contract: str, rules: str | None = None, language: str = "en") -> str:
    """Return the title of a contract in a ruleset; if that is not at hand, in one that has it, else its id as words."""
    candidates = (
        rows[contract].title for name in (rules, *installed_rulesets()) if contract in (rows := _contracts(name))
    )
    return title_in("contract", contract, next(candidates, contract.replace("-", " ").capitalize()), language)


@cache
def _contracts(rules: str | None) -> Mapping[str, Contract]:
    """Return the contracts of an installed ruleset, by id."""
    ruleset = load(rules)[0] if rules in installed_rulesets() else None
    return ruleset.contracts if ruleset else {}
