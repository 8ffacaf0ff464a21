#!/bin/sh
# The lock file agrees with pyproject.toml: asked again, with the versions that it has, uv comes to the same.
# `.ci/lock.sh --upgrade` writes it anew with the newest versions; `.ci/lock.sh --write` with as few changes as may be.
set -eu
cd "$(dirname "$0")/.."
lock() {
    .venv/bin/python -m uv pip compile --quiet --universal --all-extras --generate-hashes --no-emit-index-url \
        --no-header --no-annotate --python-version 3.11 "$@" pyproject.toml >/dev/null
}
case ${1:-} in
--upgrade) lock --upgrade --output-file requirements.lock ;;
--write) lock --output-file requirements.lock ;;
*)
    again=$(mktemp -d)
    trap 'rm -rf "$again"' EXIT
    cp requirements.lock "$again/"
    lock --output-file "$again/requirements.lock"
    diff requirements.lock "$again/requirements.lock" || {
        echo "requirements.lock does not agree with pyproject.toml: .ci/lock.sh --write" >&2
        exit 1
    }
    echo "lock file: $(grep -c == requirements.lock) versions, each with its hashes"
    ;;
esac
