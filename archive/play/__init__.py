"""Floor 2: duties, parties, the trick loop, and the replay that explains itself."""
