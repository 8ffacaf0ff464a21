"""Passwords are hashed as argon2's library recommends it; other tests hash them with less."""

import importlib.util

from argon2.profiles import RFC_9106_LOW_MEMORY

from archive.store import passwords


def test_a_hash_costs_what_is_recommended() -> None:
    spec = importlib.util.find_spec(passwords.__name__)
    assert spec
    assert spec.loader
    as_it_is = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(as_it_is)
    recommended = RFC_9106_LOW_MEMORY
    costs = f"m={recommended.memory_cost},t={recommended.time_cost},p={recommended.parallelism}"
    assert costs in as_it_is.hash_password("a long password")
    assert costs in as_it_is._NOBODYS
