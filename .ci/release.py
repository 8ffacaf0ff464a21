"""A release in a folder: source archive, wheel, bill of materials, lock file, checksums.

    python .ci/release.py [--trial] [FOLDER]     the folder is dist; it must be empty or not there

The wheel is built twice, out of the source archive and out of the project: both must be the same, byte by byte. The
source archive must hold every file of the project, and some of its tests are run in it, alone. A release is refused
while pyproject.toml does not say where the program is published; --trial makes it nevertheless, to try.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import bill
from packages import NAME, ROOT, VERSION

LOCK = ROOT / "requirements.lock"
DAY = "1577836800"  # 2020-01-01: the date of every file in a wheel, unless SOURCE_DATE_EPOCH says another
NOT_PACKED = (".gitattributes", ".gitignore")
TESTS = ("tests/record", "tests/store/test_schema.py", "tests/house/test_floors.py")  # a few seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument("--trial", action="store_true", help="without an address too")
    given = parser.parse_args()
    os.environ.setdefault("SOURCE_DATE_EPOCH", DAY)
    if "[project.urls]" not in (ROOT / "pyproject.toml").read_text("utf-8") and not given.trial:
        return refused("pyproject.toml has no [project.urls]: where is it published? --trial makes a release to try")
    given.folder.mkdir(parents=True, exist_ok=True)
    if any(given.folder.iterdir()):
        return refused(f"{given.folder} is not empty")
    with tempfile.TemporaryDirectory() as second:
        built(given.folder)
        built(Path(second), "--wheel")
        (wheel,), (again,) = given.folder.glob("*.whl"), Path(second).glob("*.whl")
        if digest(wheel) != digest(again):
            return refused("the wheel out of the source archive and that out of the project differ")
    (source,) = given.folder.glob("*.tar.gz")
    if lacking := not_in(source):
        return refused(f"the source archive lacks {', '.join(lacking[:10])}")
    if failed := failed_in(source):
        return refused(f"tests fail in the source archive:\n{failed}")
    bill.write(given.folder / f"{NAME}-{VERSION}.cdx.json")
    shutil.copy(LOCK, given.folder / f"{NAME}-{VERSION}.{LOCK.name}")
    files = sorted(given.folder.iterdir())
    (given.folder / "SHA256SUMS").write_text("".join(f"{digest(file)}  {file.name}\n" for file in files), "utf-8")
    print("\n".join(f"{file.stat().st_size:>10,}  {file.name}" for file in files))
    print("release: the wheel came out the same twice; sha256sum -c SHA256SUMS checks the files")
    return 0


def refused(why: str) -> int:
    print(f"release: {why}", file=sys.stderr)
    return 1


def built(folder: Path, *kinds: str) -> None:
    """Builds into a folder, with the tools of this environment, which the lock file names."""
    command = [sys.executable, "-m", "build", "--no-isolation", *kinds, "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def not_in(source: Path) -> list[str]:
    """The files of the project that a source archive lacks; [] where there is no git to list them."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    with tarfile.open(source) as packed:
        held = {name.partition("/")[2] for name in packed.getnames()}
    return sorted(name for name in done.stdout.split("\0") if name and name not in held and name not in NOT_PACKED)


def failed_in(source: Path) -> str:
    """What fails of some tests in the unpacked source archive; empty where nothing does. The project itself is not
    found from there."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(source) as packed:
            packed.extractall(folder, filter="data")
        (unpacked,) = Path(folder).iterdir()
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *TESTS]
        env = os.environ | {"PYTHONPATH": str(unpacked)}
        done = subprocess.run(command, cwd=unpacked, env=env, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


if __name__ == "__main__":
    sys.exit(main())
