"""Passwords, by argon2id with the parameters that its library recommends."""

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 8, 1_000  # characters of a password
AT_ONCE = 2  # hashes computed at a time: each takes 64 MB

_HASHER = PasswordHasher()
_FREE = threading.BoundedSemaphore(AT_ONCE)
# Of random bytes that nobody has: it is verified like any other where there is no account, and costs no start 0.2 s.
_NOBODYS = "$argon2id$v=19$m=65536,t=3,p=4$sSQafOOfuGv2HttMUSjzhw$5GboimA3vREddOVbZITgOOD0NxsPI6lDDJ6vjLNFeN0"


def hash_password(password: str) -> str:
    """Return the hash of a password, with its salt and parameters."""
    with _FREE:
        return _HASHER.hash(password.encode("utf-8", "surrogatepass"))


def is_password(hashed: str | None, password: str) -> bool:
    """Return whether a password has this hash. For None, the hash of nobody, the answer takes as long."""
    if len(password) > LONGEST:
        return False
    with _FREE:
        try:
            return _HASHER.verify(hashed or _NOBODYS, password.encode("utf-8", "surrogatepass")) and hashed is not None
        except (VerificationError, InvalidHashError):
            return False


def is_long_enough(password: str) -> bool:
    return SHORTEST <= len(password) <= LONGEST
