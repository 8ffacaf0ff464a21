"""Our deals in the one-line notation: by the project's own writer, for its readers have to read just that."""

from msgspec.structs import replace

from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.notation import write_one_line
from archive.record import Deal, Session, Trick
from archive.say import say
from importers.one_line import INFERRED, PLAYERS

HOUSE = {"contracts": ["rufspiel", "wenz", "farbwenz", "geier", "farbgeier", "solo", "bettel", "ramsch"]}


def line(found: Judgement) -> tuple[str | None, str]:
    """Return the line of a judged deal, or why there is none."""
    text = write_one_line(found.deal, found.ruleset.house, found.replay.active, found.replay.leaders)
    return (text, "") if isinstance(text, str) else (None, say(text))


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return one file, a line for each deal that a line can hold."""
    lines = [line(found)[0] for found in judge_session(head, deals)]
    return ["\n".join(text for text in lines if text).encode()]


def held(head: Session, deal: Deal) -> tuple[Session, Deal] | None:
    """Return the game and the cards, with seats counted from forehand; None if the play was broken off."""
    session = Session(players=PLAYERS, rules="bavarian", house=HOUSE, inferred=INFERRED)
    if deal.game is None or deal.dealer is None or sum(len(trick.cards) for trick in deal.tricks or ()) != 32:
        return None
    declarer = None if deal.game.declarer is None else (deal.game.declarer - deal.dealer - 1) % 4
    game = replace(deal.game, declarer=declarer, called=deal.game.called or None)
    tricks = tuple(Trick(trick.cards, None if n else 0) for n, trick in enumerate(deal.tricks or ()))
    return session, Deal(game=game, tricks=tricks)
