"""The process of `FaultProcess`: for each line of its input it runs a command in a fork of itself, with the fault of
the line, and answers with a line."""

import atexit
import ctypes
import json
import os
import pkgutil
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import archive.cli
from archive.cli import main
from archive.store import connection

SHORT = 0.05  # seconds that a command waits for a lock
FAILED = 70  # the exit status of a command that ends with a traceback


def run_forked(job: dict[str, Any], shim: ctypes.CDLL) -> dict[str, Any]:
    """Run a command in a folder; return its exit status (minus the signal that ended it), what it printed, and how many
    calls there were that could fail."""
    fault = job["fault"]
    shim.fault_arm(b"", 0, 0, 0, 0, 0)  # the count is shared from here on
    child = os.fork()
    if not child:
        os._exit(run_here(job, fault, shim))
    _, status = os.waitpid(child, 0)
    count = int(shim.fault_count())
    folder = Path(job["folder"])
    printed = {name: (folder / f"std{name}").read_text("utf-8", errors="replace") for name in ("out", "err")}
    return {"status": os.waitstatus_to_exitcode(status), "count": count, **printed}


def run_here(job: dict[str, Any], fault: dict[str, Any], shim: ctypes.CDLL) -> int:
    os.chdir(job["folder"])
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    shim.fault_arm(fault["word"].encode(), fault["calls"], fault["at"], fault["error"], fault["forever"], fault["back"])
    status = FAILED
    try:
        main(args=job["words"], prog_name="schafkopf")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    for module in pkgutil.iter_modules(archive.cli.__path__, "archive.cli."):
        import_module(module.name)  # so that no fork has to
    connection.BUSY = SHORT
    atexit._clear()
    library = ctypes.CDLL(None)
    number, long = ctypes.c_int, ctypes.c_long
    library.fault_arm.argtypes = (ctypes.c_char_p, number, long, number, number, long)
    library.fault_count.restype = ctypes.c_long
    for line in sys.stdin:
        print(json.dumps(run_forked(json.loads(line), library)), flush=True)
