"""Dask distributed: many shards at once, each a task that is repeated if it fails."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from archive.say import Message, message
from archive.scale import ScaleError
from archive.scale.check import Job, Manifest, check_shard

if TYPE_CHECKING:
    from distributed import Client

RETRIES = 3  # of a shard whose file cannot be read or written just now, or whose worker ends
WAIT = 30  # seconds for a scheduler to answer
QUIET = logging.CRITICAL  # the fate of each shard is reported at the end, without a traceback
HERE = "127.0.0.1:0"  # the scheduler's own page: any free port, on this machine only


@contextmanager
def cluster(scheduler: str | None = None, workers: int | None = None) -> Iterator["Client"]:
    """Yield a client of the scheduler at this address; without one, of processes on this machine, `workers` or one a
    core. Raise ScaleError if the scheduler does not answer."""
    import dask
    from distributed import Client  # before any setting, since it loads its own

    for handler in logging.getLogger("distributed").handlers:
        handler.setLevel(QUIET)
    here = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "silence_logs": QUIET,
            "dashboard_address": HERE, "scheduler_kwargs": {"dashboard": False}}  # fmt: skip
    with dask.config.set({"distributed.scheduler.allowed-failures": RETRIES}):
        try:
            client = Client(scheduler, timeout=WAIT, **(here if scheduler is None else {}))  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            if scheduler is None:
                raise
            raise ScaleError(message("refused.no-scheduler", scheduler=scheduler, why=error)) from None
        with client:
            yield client


def run(
    client: "Client", jobs: Iterable[Job], work: Callable[[Job], Manifest] = check_shard
) -> Iterator[tuple[Job, Manifest | Message | str]]:
    """Yield each shard as it is done, with its manifest or the reason why it was given up."""
    from distributed import as_completed

    futures = {client.submit(work, job, key=f"shard-{job.number}", retries=RETRIES, pure=False): job for job in jobs}
    for future in as_completed(futures):  # type: ignore[no-untyped-call]
        job = futures.pop(future)
        error = future.exception() if future.status != "finished" else None
        yield job, future.result() if error is None else why(error)
        future.release()


def why(error: BaseException) -> Message | str:
    """Return why a shard was given up, in one sentence for its reader."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return message("refused.workers-ended", n=RETRIES + 1)
    if isinstance(error, OSError):
        return f"{Path(str(error.filename)).name}: {error.strerror}" if error.filename else str(error)
    return f"{type(error).__name__}: {error}"
