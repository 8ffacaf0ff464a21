"""The archive that the tests of the web look at: the invented evening of `web_evening.toml`."""

from pathlib import Path
from random import Random

from archive import generate
from archive.judge import Judgement, judge_session
from archive.notation import read_toml
from archive.record import Deal, Session, Source
from archive.store import FileMeta, open_archive, save_file

EVENING = Path(__file__).with_name("web_evening.toml")


def evening() -> list[Judgement]:
    """Return seven deals: differs, agrees, unplayable, a Ramsch, thrown in, without cards, with one hand only."""
    session, *deals = read_toml(EVENING.read_bytes(), Source(EVENING.name))
    assert isinstance(session, Session)
    return list(judge_session(session, [deal for deal in deals if isinstance(deal, Deal)]))


def make_archive(path: Path) -> Path:
    judged, db = evening(), open_archive(path)
    pairs = ((judged[0].session, each) for each in judged)
    save_file(db, FileMeta(EVENING.name, "record"), EVENING.read_bytes(), pairs)
    db.conn.close()
    return path


HEAD = generate.session("three-player-blind", event="Three")


def blind_deal() -> Deal:
    """Return a deal of three players, in which a blind of two cards is taken up."""
    return generate.deal(Random(1), HEAD, "solo", words=())


def with_a_blind(path: Path) -> None:
    """Add the deal with a blind to an archive."""
    db, judged = open_archive(path), judge_session(HEAD, [blind_deal()])
    save_file(db, FileMeta("three.toml", "record"), b"three", ((HEAD, each) for each in judged))
    db.conn.close()
