"""A server that writes, and how a test lets itself in."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from archive.cli.inputs import read_pasted
from archive.cli.received import columns_received, read_received
from archive.store.accounts import Account, Accounts, Role
from archive.store.passwords import hash_password
from archive.web.app import create_app
from archive.web.doors.keys import Doors, open_doors

PASSWORD = "grün ist die Hoffnung"


@contextmanager
def writing_app(path: Path, owner: str = "Vroni", writes: bool = True) -> Iterator[tuple[Flask, Doors]]:
    """Yield the viewer of an archive that can be written, and its doors."""
    doors = open_doors(path, owner, writes, read_received, columns_received)
    assert doors is not None
    try:
        yield create_app(path, read_pasted, doors), doors
    finally:
        doors.close()


def enter(client: FlaskClient, doors: Doors) -> FlaskClient:
    """Return a client that has come in by the link."""
    answer = client.get(f"/enter?token={doors.new_link_token()}")
    assert answer.status_code == 303
    return client


def secret_of(html: str) -> str:
    """Return the secret in the first form of a page."""
    (secret, *_) = re.findall(r'name="csrf" value="([^"]+)"', html)
    return secret


# --- accounts -------------------------------------------------------------------------------------------------------


@cache
def hashed(password: str = PASSWORD) -> str:
    """Return the hash of a password, made once for all tests."""
    return hash_password(password)


def add_accounts(path: Path, **roles: Role) -> dict[str, Account]:
    """Return accounts of these names and roles, all with one password; the name is that of the player too."""
    with closing(Accounts(path)) as accounts:
        return {name: accounts.add(name, role, hashed()) for name, role in roles.items()}


def signed_in(app: Flask, doors: Doors, name: str) -> FlaskClient:
    """Return a client with a visit of an account, without the password."""
    client = app.test_client()
    client.set_cookie("schafkopf", doors.new_cookie(doors.accounts.account(name)))
    return client


def bearer(doors: Doors, name: str) -> dict[str, str]:
    """Return the header by which a program acts as an account."""
    return {"Authorization": f"Bearer {doors.accounts.new_token(doors.accounts.account(name))}"}
