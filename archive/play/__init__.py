"""Floor 3: duties, parties, the trick loop, and the replay that explains itself."""
