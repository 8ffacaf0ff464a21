"""TODO"""


def format_signed(amount: int | None) -> str:
    """An amount with its sign, as a score sheet has it."""
    if amount is None:
        return "–"
    return f"{amount:+d}".replace("-", "−") if amount else "0"
