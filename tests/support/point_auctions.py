"""Auctions in points, judged without cards."""

from support.tables import judge_one, rules_of


def found(calls: str, game: str) -> list[str]:
    """Return the findings of a deal of three without cards, Anna being forehand, Ben middlehand, Cem rearhand."""
    told = ", ".join(f'"{call}"' for call in calls.split(", "))
    deal = f'[[deal]]\nplayers = ["Anna", "Ben", "Cem"]\ndealer = "Cem"\nauction = [{told}]\ngame = "{game}"\n'
    judgement = judge_one(deal, "three-player-blind")
    assert judgement.replay
    return rules_of(judgement)
