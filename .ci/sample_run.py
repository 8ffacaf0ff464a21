"""Runs the README's first command as it stands in the README, in a copy of the project without an environment, until
its server answers; then looks at a deal in the viewer and at a row of the data site."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEFT_OUT = shutil.ignore_patterns(
    ".venv", ".git", "archive.db*", "samples.db*", "__pycache__", ".*_cache", "*.egg-info"
)
PATIENCE = 600  # seconds, for an install on a slow line


def first_command() -> str:
    """The first command of the README, without the prompt."""
    block = re.search(r"```sh\n(.+?)\n```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert block, "the README begins with a command"
    return block[1]


def fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=120) as answer:
        return str(answer.read().decode())


def address_of(server: subprocess.Popen[str]) -> str:
    """The address that the command prints."""
    assert server.stdout
    for line in server.stdout:
        print("   ", line.rstrip())
        found = re.search(r"https?://[^\s/]+", line)
        if found:
            return found[0]
    sys.exit("the first command ended without an address")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "schafkopf-archive"
        shutil.copytree(ROOT, home, ignore=LEFT_OUT, symlinks=True)
        command = first_command()
        print(command)
        server = subprocess.Popen(
            ["bash", "-c", f"timeout {PATIENCE} bash -c {json.dumps(command)}"],
            cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            address = address_of(server)
            for _ in range(50):
                try:
                    fetch(f"{address}/healthz")
                    break
                except OSError:
                    time.sleep(0.2)
            assert "Settlement" in fetch(f"{address}/deals/1")
            rows = json.loads(fetch(f"{address}/data/outcomes.json?_shape=array&_size=1"))
            assert rows, "the data site answers with a row"
            print(f"sample run: {address} answers; the first outcome is {rows[0]}")
        finally:
            subprocess.run(["pkill", "-g", str(server.pid)], check=False)
            server.communicate(timeout=120)  # whoever writes to the folder holds its output


if __name__ == "__main__":
    main()
