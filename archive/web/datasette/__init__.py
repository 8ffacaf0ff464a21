"""The parts of the Datasette plugin: an archive is recognised, hardened and described, and its rows are shown."""
