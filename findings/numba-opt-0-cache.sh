#!/usr/bin/env bash
# Numba 0.68.1: with NUMBA_OPT=0 (compile sooner, optimise nothing) no function that calls another compiled one is kept by
# `cache=True`. The warning blames "dynamic globals (such as ctypes pointers and large global arrays)", of which the code
# has none: numba adds one for the called function itself, `numba.dynamic.globals.ADDRESS`, and the optimiser removes it
# again. From NUMBA_OPT=1 on the very same functions are kept. So whoever turns the optimiser off to start sooner compiles
# again in each process.
# (Seen with Python 3.11, llvmlite 0.50.0, NumPy 2.4.6.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/kept.py" <<'PY'
import warnings
from importlib.metadata import version
from pathlib import Path

from numba import njit


@njit(cache=True)
def smaller(a, b):
    return min(a, b)


@njit(cache=True)
def calling(a, b):
    return smaller(a, b) + 1


if __name__ == "__main__":
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        calling(1, 2)
    kept = [name for name in ("smaller", "calling") if any(Path("__pycache__").glob(f"kept.{name}-*.nbi"))]
    print("numba", version("numba"), "kept:", *kept, *(str(each.message)[:69] for each in seen))
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6
cd "$folder"
run() { rm -rf __pycache__ && NUMBA_OPT=$1 venv/bin/python kept.py | tee "of-$1"; }
run 0
run 1
grep -q 'kept: smaller Cannot cache compiled function "calling" as it uses dynamic' of-0
grep -q 'kept: smaller calling$' of-1
