"""Pieces of SQL that several questions share."""

Z = 1.959963984540054  # of a 95 % interval


def rate(hits: str, cases: str, name: str) -> str:
    """Three columns: a rate, and the ends of its Wilson interval of 95 %; NULL where there is no case."""
    n, k = f"({cases})", f"({hits})"
    middle = f"({k} + {Z * Z / 2})"
    half = f"{Z} * sqrt(1.0 * {k} * ({n} - {k}) / nullif({n}, 0) + {Z * Z / 4})"
    return (
        f"round(1.0 * {k} / nullif({n}, 0), 4) AS {name}, "
        f"round(({middle} - {half}) / nullif({n} + {Z * Z}, {Z * Z}), 4) AS {name}_low, "
        f"round(({middle} + {half}) / nullif({n} + {Z * Z}, {Z * Z}), 4) AS {name}_high"
    )


def mean(total: str, cases: str, name: str) -> str:
    """An average, NULL where there is no case."""
    return f"round(1.0 * ({total}) / nullif({cases}, 0), 2) AS {name}"


def when(condition: str, value: str) -> str:
    """The sum of a column over the rows that fit."""
    return f"sum(CASE WHEN {condition} THEN {value} ELSE 0 END)"
