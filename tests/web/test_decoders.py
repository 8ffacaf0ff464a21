"""What is decoded by many threads at once is known before: else msgspec ends the process."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.web_archive import make_archive

from archive.web import serve

CLASSES = """
from __future__ import annotations
import msgspec
class Inner(msgspec.Struct):
    a: int = 0
    b: dict[str, list[int]] | None = None
class Outer(msgspec.Struct):
    one: Inner
    two: Inner
    three: list[Inner]
"""
CROWD = f"""
import sys, threading, types, msgspec
from archive.serve.server import build_decoders
sys.setswitchinterval(1e-6)
for n in range(40):
    module = types.ModuleType(f"classes_{{n}}")
    sys.modules[module.__name__] = module
    exec({CLASSES!r}, module.__dict__)
    build_decoders()
    begin = threading.Barrier(8)
    def decode():
        begin.wait()
        msgspec.json.decode('{{"one": {{"a": 1}}, "two": {{}}, "three": [{{"a": 2}}]}}', type=module.Outer)
    threads = [threading.Thread(target=decode) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""


def test_threads_may_decode_into_a_class_for_the_first_time_together() -> None:
    assert subprocess.run([sys.executable, "-c", CROWD], check=False).returncode == 0


def test_a_site_builds_them_before_its_first_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[bool] = []
    monkeypatch.setattr(serve, "build_decoders", lambda: built.append(True))
    serve.Site(make_archive(tmp_path / "archive.db")).close()
    assert built == [True]
