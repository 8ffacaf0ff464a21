"""Worker processes that answer one message after the other: started when they are first needed, ended where an answer
does not come, so that whatever runs away costs its own request and nothing else.

pool = WorkerPool("archive.web.datasette.query_process:answer_queries", 2, last=True)
answer = pool.ask(message, patience)
pool.end_processes()

The function is called in the process with its end of the pipe, and answers messages until there are none any more.
"""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from multiprocessing import Pipe
from typing import Any

PROGRAM = "from archive.serve.worker_pool import run; run()"
LAST = 10  # the niceness of the last in line: a tenth of a processor that others want, so that it ends at all


def start_process(target: str, handed: int, *words: str, last: bool, **streams: Any) -> subprocess.Popen[bytes]:
    """Return a process of Python that calls `target` (module:function) with the inherited descriptor and words. `last`:
    everybody else comes first."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, target, "last" if last else "", str(handed), *words],
        pass_fds=(handed,),
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},  # it finds the same modules
        # An interrupt of the server is not its own. A session of its own would be as much: Linux shares processors
        # between sessions, whatever the priority of their processes.
        process_group=0,
        **streams,
    )


def run() -> None:
    """Call the function for which the process was started."""
    target, last, handed, *words = sys.argv[1:]
    if last:
        os.nice(LAST)  # before anything is read
    module, _, name = target.partition(":")
    getattr(import_module(module), name)(int(handed), *words)


class Worker:
    """A process that answers one message after the other."""

    def __init__(self, target: str, last: bool) -> None:
        self.connection, other = Pipe()
        with other:
            quiet = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            self.process = start_process(target, other.fileno(), last=last, **quiet)

    def ask(self, message: bytes, patience: float) -> bytes | None:
        """Return the answer; None if the process has ended, or was ended because it took so many seconds."""
        with suppress(OSError, EOFError):
            self.connection.send_bytes(message)
            if self.connection.poll(patience):
                return self.connection.recv_bytes()
        self.end()
        return None

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.connection.close()


class WorkerPool:
    """A pool of so many workers at most; further messages wait for one in `executor`. `last`: everybody else comes
    first."""

    def __init__(self, target: str, most: int, last: bool = False) -> None:
        self.target, self.last = target, last
        self.executor = ThreadPoolExecutor(most, "workers")
        self.idle: list[Worker] = []
        self.busy: set[Worker] = set()
        self.lock = threading.Lock()

    def ask(self, message: bytes, patience: float) -> bytes | None:
        """Return the answer to a message; None if the worker ended over it. Call it in `executor`."""
        with self.lock:
            worker = self.idle.pop() if self.idle else Worker(self.target, self.last)
            self.busy.add(worker)
        answer = worker.ask(message, patience)
        with self.lock:
            if answer is not None and worker in self.busy:
                self.idle.append(worker)
            self.busy.discard(worker)
        return answer

    def end_processes(self) -> None:
        """End all workers, busy ones too; the next message starts another one."""
        with self.lock:
            idle, busy = self.idle, [*self.busy]
            self.idle, self.busy = [], set()
        for worker in busy:  # the thread that waits for it sees that and cleans up
            worker.process.kill()
        for worker in idle:
            worker.end()
