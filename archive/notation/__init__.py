"""Floor 2: the record format, as TOML and as JSON lines, both ways."""
