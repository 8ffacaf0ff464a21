"""One module a format: NAME, matches(name, head), read(data, source) -> Iterator[Session | Deal | Finding]."""
