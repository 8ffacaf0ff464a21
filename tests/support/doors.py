"""A server that writes, as a test lets itself in."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from archive.cli.inputs import read_pasted
from archive.web.app import create_app
from archive.web.doors.keys import Doors, open_doors


@contextmanager
def writing_app(path: Path, owner: str = "Vroni") -> Iterator[tuple[Flask, Doors]]:
    """The viewer of an archive that can be written, and what lets in to it."""
    doors = open_doors(path, owner)
    try:
        yield create_app(path, read_pasted, doors), doors
    finally:
        doors.close()


def enter(client: FlaskClient, doors: Doors) -> FlaskClient:
    """A client that has come in by the link."""
    answer = client.get(f"/enter?token={doors.new_link_token()}")
    assert answer.status_code == 303
    return client


def secret_of(html: str) -> str:
    """The secret in the first form of a page."""
    (secret, *_) = re.findall(r'name="csrf" value="([^"]+)"', html)
    return secret
