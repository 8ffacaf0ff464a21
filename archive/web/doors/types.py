"""Who comes to the server, and what they may do."""

from typing import Literal, get_args

from msgspec import Struct

Role = Literal["reader", "writer", "referee", "keeper"]
ROLES: tuple[Role, ...] = get_args(Role)  # each may do what those before it may


class Visitor(Struct, frozen=True):
    """Who is signed in: the name that stands beside what they write, their role, and the secret name of the visit.
    `by_token`: a program with a token, which no browser sends by itself."""

    name: str
    role: Role
    visit: str
    by_token: bool = False


def is_enough(role: Role, needed: Role) -> bool:
    """Whether a role may do what is allowed from `needed` on."""
    return ROLES.index(role) >= ROLES.index(needed)
