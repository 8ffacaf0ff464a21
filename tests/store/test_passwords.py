"""Passwords are hashed as argon2's library recommends it; other tests hash them with less."""

import importlib.util

from argon2 import extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY

from archive.store import passwords


def test_a_hash_costs_what_is_recommended_that_of_nobody_too() -> None:
    spec = importlib.util.find_spec(passwords.__name__)
    as_it_is = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(as_it_is)
    for hashed in (as_it_is.hash_password("a long password"), as_it_is._NOBODYS):
        assert extract_parameters(hashed) == RFC_9106_LOW_MEMORY


def test_nobody_has_the_password_of_nobody() -> None:
    assert not passwords.is_password(None, "a long password")
