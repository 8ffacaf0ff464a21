"""Benchmarks that can begin: all that each imports of the program and of the tests is there."""

import os
import subprocess
import sys

from support.paths import ROOT

CODE = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"


def test_every_benchmark_imports_what_is_there() -> None:
    names = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    places = os.pathsep.join(str(ROOT / each) for each in ("", "benchmarks", "tests"))
    run = subprocess.run(
        [sys.executable, "-c", CODE, *names], env=os.environ | {"PYTHONPATH": places}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert len(names) > 30
