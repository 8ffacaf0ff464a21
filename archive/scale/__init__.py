"""Floor 9: more deals than one file should hold.

Shards of records go in, each by itself: `check` makes a folder of Parquet tables of each, under Dask on one machine or
many; `query` asks all of them the standard questions with DuckDB; `slice` makes an archive of a part, for the viewer.
Dask, PyArrow and DuckDB (the extra `scale`) are imported only where they are used. Described in docs/scale.md.
"""

from archive.stats.database import ArchiveError

NEEDED = ("dask", "distributed", "pyarrow", "duckdb")  # what the extra installs


class ScaleError(ArchiveError):
    """Shards that cannot be used or asked."""


__all__ = ["NEEDED", "ScaleError"]
