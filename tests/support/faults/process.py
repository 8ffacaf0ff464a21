"""Commands under faults of the system: a shim before the C library, and a process that forks for each command."""

import errno
import json
import os
import shutil
import subprocess
import sys
from enum import IntFlag
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from support.paths import ROOT

COMPILER = shutil.which("cc") if sys.platform == "linux" else None
KILL, TORN = -1, -2  # in place of an error: killed before the call, killed when half of it is written


class Calls(IntFlag):
    """Calls of the system that can fail."""

    WRITE = 1
    READ = 2
    SYNC = 4
    TRUNCATE = 8
    OPEN = 16
    REMOVE = 32
    LOCK = 64
    MEMORY = 128


CHANGING = Calls.WRITE | Calls.SYNC | Calls.TRUNCATE | Calls.OPEN | Calls.REMOVE


class Fault(NamedTuple):
    """The call that fails, from 1 on (0: none, they are only counted), with which error; or all calls from it on. Each
    look at the clock is `back` seconds earlier."""

    calls: Calls
    at: int = 0
    error: int = errno.EIO
    forever: bool = False
    back: int = 0
    word: str = "archive.db"  # in the path of the files that are meant


NO_FAULT = Fault(Calls(0))


class Outcome(NamedTuple):
    """A command that has ended: its exit status, minus the signal that killed it; what it printed; how many of the
    calls there were."""

    status: int
    out: str
    err: str
    count: int


class FaultProcess:
    """A process that runs commands under faults, with everything loaded."""

    def __init__(self, folder: Path) -> None:
        self.folder, shim = folder, folder / "shim.so"
        source = Path(__file__).with_name("shim.c")
        subprocess.run([str(COMPILER), "-O1", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
        paths = os.pathsep.join([str(ROOT / "tests"), str(ROOT)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "support.faults.forks"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"LD_PRELOAD": str(shim), "PYTHONPATH": paths}, cwd=folder,
        )  # fmt: skip

    def run(self, folder: Path, words: tuple[str, ...], fault: Fault = NO_FAULT) -> Outcome:
        """Run a command in a folder."""
        job = {"folder": str(folder), "words": words, "fault": fault._asdict()}
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        return Outcome(**json.loads(self.process.stdout.readline()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
