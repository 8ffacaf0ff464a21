# Shortcuts; each is one plain command that works without just.

# everything that CI runs
ci:
    .ci/run

# set up and run all tests
test *arguments:
    sh tests/run {{arguments}}

# the same with coverage, which takes twice as long
coverage:
    sh tests/run --cov --cov-report=term:skip-covered

# every night: every case of a grid, many more examples of a law, faults of the system at many more steps
nightly:
    SCHAFKOPF_THOROUGH=1 sh tests/run

lint:
    .venv/bin/ruff check && .venv/bin/ruff format --check

types:
    .venv/bin/mypy

# the documentation agrees with the program, and is built as a site without a dead link
docs:
    .venv/bin/python docs/check.py

# the samples in an archive of their own, served
serve:
    .venv/bin/schafkopf serve --samples

# the lock file with the newest versions that pyproject.toml allows; `.ci/lock.sh` alone says whether it agrees
lock:
    .ci/lock.sh --upgrade && .venv/bin/python .ci/licences.py --write

# source archive, wheel, bill of materials, lock file and checksums in dist, after everything that CI runs
release *arguments: ci
    .venv/bin/python .ci/release.py {{arguments}}
