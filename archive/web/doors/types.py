"""Who comes to the server, and what they may do."""

from msgspec import Struct

from archive.store.accounts import ROLES, Account, Role

__all__ = ["ROLES", "Role", "Visitor", "is_enough"]


class Visitor(Struct, frozen=True):
    """Who is signed in: the name that stands beside what they write, their role, and the secret name of the visit.
    `account` is None for whoever came by the link of the terminal. `by_token`: a program with a token, which no browser
    sends by itself."""

    name: str
    role: Role
    visit: str
    account: Account | None = None
    by_token: bool = False


def is_enough(role: Role, needed: Role) -> bool:
    """Whether a role may do what is allowed from `needed` on."""
    return ROLES.index(role) >= ROLES.index(needed)
