"""Checking one shard: it is imported into an archive in memory, as `schafkopf import` does, and that is written out.

Nothing here knows of Dask. A shard is written aside and moved into place as a whole, with a manifest of what it came
from: so it is there or it is not, however often and by whomever it is done, and a run goes on where another stopped.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from archive.analysis import ENGINE as ANALYSIS
from archive.judge.types import ENGINE
from archive.record import Finding, Source
from archive.scale.parquet import Shard, Written, write_tables
from archive.scale.shard_archive import archive_of, make_indexes
from archive.scale.shards import ASIDE, folder_of, text_of
from archive.store.analyses import analyse_lacking
from archive.store.schema import MIGRATIONS

FORMAT = "schafkopf-scale/1"
MANIFEST = "manifest.json"
TRIES = 5  # to move a shard into place
FINDINGS = """SELECT severity, json_group_object(rule, n) FROM
    (SELECT severity, rule, count(*) AS n FROM findings GROUP BY severity, rule ORDER BY severity, rule)
    GROUP BY severity ORDER BY severity"""


class Job(Struct, frozen=True):
    """A shard to be checked: its name and path, its number, and the folder for all; `again` even where it is there.
    `analyse`: with the analyses of its deals."""

    name: str
    path: str
    number: int
    out: str
    again: bool = False
    analyse: bool = False


class Manifest(Struct, frozen=True, kw_only=True):
    """The sources of a shard and its results. `findings` counts them by severity and rule. `known`: it was there
    from an earlier run."""

    format: str = FORMAT
    shard: int
    name: str
    sha256: str
    size: int
    engine: str
    schema: int  # steps
    version: str
    deals: int
    verdicts: dict[str, int]
    findings: dict[str, dict[str, int]]
    analysis: str | None = None  # the version of the analysis of its deals, where they are analysed
    lost: str | None = None  # why the shard could not be read
    tables: dict[str, Written]
    seconds: float
    known: bool = False

    @property
    def is_bad(self) -> bool:
        return any(severity != "note" for severity in self.findings)


def manifest_of(out: Path, number: int) -> Manifest | None:
    """The manifest that an earlier run wrote of a shard; None where it is not there as it was written."""
    folder = out / folder_of(number)
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        whole = all(
            (folder / f"{table}.parquet").stat().st_size == each.bytes for table, each in manifest.tables.items()
        )
    except (OSError, msgspec.DecodeError):
        return None
    return manifest if whole and manifest.format == FORMAT else None


def check_shard(job: Job) -> Manifest:
    """Checks a shard unless it is there already. Raises OSError where a file cannot be read or written, which may help
    itself."""
    begun, out = perf_counter(), Path(job.out)
    data = Path(job.path).read_bytes()
    digest, steps = hashlib.sha256(data), len(MIGRATIONS._migrations)
    earlier = manifest_of(out, job.number)
    lacks = job.analyse and earlier is not None and earlier.analysis != ANALYSIS
    if earlier and not job.again and not lacks and (earlier.sha256, earlier.engine, earlier.schema) == (
        digest.hexdigest(), ENGINE, steps,
    ):  # fmt: skip
        return replace(earlier, known=True)
    source = Source(job.path, sha256=digest.hexdigest())
    text = text_of(job.name, data, source)
    conn, exact = archive_of(job.name, source, text)
    lines = text if exact and isinstance(text, bytes) else None
    with closing(conn), _aside(out, job.number) as folder:
        if job.analyse:
            make_indexes(conn)
            analyse_lacking(conn)
        manifest = Manifest(
            shard=job.number, name=job.name, size=len(data), sha256=digest.hexdigest(), engine=ENGINE, schema=steps,
            version=version("schafkopf-archive"),
            deals=conn.execute("SELECT count(*) FROM deals").fetchone()[0],
            verdicts=dict(conn.execute("SELECT verdict, count(*) FROM deals GROUP BY verdict ORDER BY verdict")),
            findings={severity: msgspec.json.decode(rules) for severity, rules in conn.execute(FINDINGS)},
            analysis=ANALYSIS if job.analyse else None,
            lost=text.message if isinstance(text, Finding) else None,
            tables=write_tables(conn, folder, Shard(job.number, digest.digest(), len(data)), lines),
            seconds=round(perf_counter() - begun, 3),
        )  # fmt: skip
        (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        place(folder, out / folder_of(job.number))
    return manifest


# --- into place -------------------------------------------------------------------------------------------------------


@contextmanager
def _aside(out: Path, number: int) -> Iterator[Path]:
    """A folder beside the shards that no other work writes to; what is still there at the end is removed."""
    folder = out / ASIDE / f"{number}-{os.getpid()}-{uuid4().hex[:8]}"
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def place(folder: Path, at: Path) -> None:
    """Moves a folder into place, where another may stand: an older one, or that of a worker that was given up and came
    to its end all the same."""
    for attempt in range(TRIES):
        try:
            folder.rename(at)
            return
        except OSError:
            if not at.exists() or attempt == TRIES - 1:
                raise
            old = folder.with_name(f"{folder.name}-old{attempt}")
            with suppress(FileNotFoundError):  # moved away by somebody else meanwhile
                at.rename(old)
            shutil.rmtree(old, ignore_errors=True)
