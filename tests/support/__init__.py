"""What tests share: oracles, writers of formats, archives, a browser."""
