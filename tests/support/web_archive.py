"""The archive that the tests of the web look at: the invented evening of `web_evening.toml`."""

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from archive import generate
from archive.judge import Judgement
from archive.record import Deal
from archive.store import FileMeta, open_archive, save_file
from support.store_samples import read, store_deals

EVENING = Path(__file__).with_name("web_evening.toml")


def evening() -> list[Judgement]:
    """Return seven deals: differs, agrees, unplayable, a Ramsch, thrown in, without cards, with one hand only."""
    return [each for _, each in read(EVENING.read_text("utf-8"), EVENING.name)[0]]


@cache
def archive_bytes() -> bytes:
    """Return the archive of the invented evening, which is made once in a process."""
    with TemporaryDirectory() as folder:
        db, (pairs, _) = open_archive(Path(folder, "archive.db")), read(EVENING.read_text("utf-8"), EVENING.name)
        save_file(db, FileMeta(EVENING.name, "record"), EVENING.read_bytes(), pairs)
        db.conn.close()
        return Path(folder, "archive.db").read_bytes()


def make_archive(path: Path) -> Path:
    path.write_bytes(archive_bytes())
    return path


HEAD = generate.session("three-player-blind", event="Three")


def blind_deal() -> Deal:
    """Return a deal of three players, in which a blind of two cards is taken up."""
    return generate.deal(Random(1), HEAD, "solo", words=())


def with_a_blind(path: Path) -> None:
    """Add the deal with a blind to an archive."""
    db = open_archive(path)
    store_deals(db, HEAD, [blind_deal()], "three.toml")
    db.conn.close()
