"""The documentation as a site: the address of each thing that has a page or a heading in it, and an application that
serves it from the files of the package."""

import mimetypes
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn
from starlette.staticfiles import StaticFiles

from archive.record import severities
from archive.say import message
from archive.serve.server import listening_socket
from archive.store import ArchiveError

TEXTS = (".toml", ".expected", ".service", ".timer", ".jsonl")  # which a browser shows instead of saving


def addresses(folder: Path) -> dict[str, str]:
    """By name the address of every page of the site in `folder`, below its root, and of every finding: `typing` is
    `docs/typing/`, `rules/pub` and `pub` are `docs/rules/pub/`, `unknown-key` is `docs/findings/#unknown-key`."""
    pages = [path.parent.relative_to(folder).as_posix() for path in sorted(folder.glob("docs/**/index.html"))]
    by_name = {page.rpartition("/")[2]: f"{page}/" for page in reversed(pages)}
    by_path = {page.removeprefix("docs/"): f"{page}/" for page in pages}
    findings = {rule: f"docs/findings/#{rule}" for rule in severities()}
    return by_name | by_path | findings


def serve_manual(
    folder: Path, host: str, port: int, start: str = "", show: Callable[[str], object] | None = None
) -> None:
    """Serves the site in `folder` until interrupted, the address of its page `start` printed on standard output and
    given to `show`. Port 0 takes a free one. Raises ArchiveError where the address cannot be had."""
    for ending in TEXTS:
        mimetypes.add_type("text/plain", ending)
    try:
        listening = listening_socket(host, port)
    except OSError as error:
        raise ArchiveError(message("refused.no-port", port=port, host=host, why=error.strerror)) from None
    with listening, suppress(KeyboardInterrupt):
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listening.getsockname()[1]}/{start}"
        print(f"The documentation is at {address}", flush=True)
        if show:
            show(address)
        config = uvicorn.Config(StaticFiles(directory=folder, html=True), log_level="warning", server_header=False)
        uvicorn.Server(config).run(sockets=[listening])
