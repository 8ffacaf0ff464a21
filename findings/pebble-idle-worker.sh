#!/usr/bin/env bash
# Pebble 5.2.3: a pool whose worker ends while no task is running takes no task any more. A worker that ends over a task
# costs that task alone, and is replaced; the pool looks for the task of each worker that has ended, and where there is
# none it holds that all workers have ended. So whatever ends a resting process (a system that is short of memory, an
# operator) ends the pool, though its other workers live; whoever keeps a pool for long has to make it anew.
# (Seen with Python 3.11.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/rest.py" <<'PY'
import multiprocessing
import os
import signal
import time
from importlib.metadata import version

from pebble import ProcessExpired, ProcessPool


def number():
    return os.getpid()


def end():
    os.kill(os.getpid(), signal.SIGKILL)


def new_pool():
    return ProcessPool(2, context=multiprocessing.get_context("spawn"))


def asked_again(pool):
    """Whether the pool takes a task within ten seconds."""
    try:
        return bool(pool.schedule(number).result(timeout=10))
    except RuntimeError as error:
        print("   ", type(error).__name__, error)
        return False


def close(pool):
    pool.stop()
    pool.join()


if __name__ == "__main__":
    print("pebble", version("pebble"))
    pool = new_pool()
    try:
        pool.schedule(end).result()
    except ProcessExpired:
        pass
    over_a_task = asked_again(pool)
    close(pool)
    print("a worker ends over a task: the pool goes on:", over_a_task)

    pool = new_pool()
    resting = pool.schedule(number).result()
    time.sleep(1)  # its answer is here, and nothing else is asked
    os.kill(resting, signal.SIGKILL)
    time.sleep(2)  # twenty times as long as the pool takes to look at its workers
    at_rest = asked_again(pool)
    close(pool)
    print("a worker ends at rest: the pool goes on:", at_rest)
    raise SystemExit(0 if over_a_task and not at_rest else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pebble==5.2.3
"$folder/venv/bin/python" "$folder/rest.py"
