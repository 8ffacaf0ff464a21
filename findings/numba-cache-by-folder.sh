#!/usr/bin/env bash
# Numba 0.68.1: machine code that is kept in one place for all (NUMBA_CACHE_DIR) is not found by a second copy of the very
# same file. A function is stamped by the content of its file, so a copy with another date would do; but the place within
# the cache is a hash of the folder of the file, so that each environment and each checkout compiles again, and the cache
# grows with each. A code object whose `co_filename` names one agreed copy of the text is found by all.
# (Seen with Python 3.11, llvmlite 0.50.0, NumPy 2.4.6.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/one" "$folder/two" "$folder/agreed"
cat >"$folder/one/sums.py" <<'PY'
def add(a, b):
    return a + b
PY
cp "$folder/one/sums.py" "$folder/two/"
cp "$folder/one/sums.py" "$folder/agreed/"
cat >"$folder/ask.py" <<'PY'
import sys
from types import FunctionType

from numba import njit
from sums import add

if len(sys.argv) > 1:
    add = FunctionType(add.__code__.replace(co_filename=sys.argv[1]), globals(), "add")
compiled = njit(cache=True)(add)
assert compiled(1, 2) == 3
print("found" if sum(compiled.stats.cache_hits.values()) else "compiled")
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6
export NUMBA_CACHE_DIR="$folder/cache"
ask() { PYTHONPATH="$folder/$1" "$folder/venv/bin/python" "$folder/ask.py" "${@:2}"; }
by_folder=$(ask one; ask one; ask two)
by_name=$(ask one "$folder/agreed/sums.py"; ask two "$folder/agreed/sums.py")
echo "one, one again, two:" $by_folder
echo "the same under an agreed name, one, two:" $by_name
[ "$(echo $by_folder)" = "compiled found compiled" ]
[ "$(echo $by_name)" = "compiled found" ]
