"""`/evenings`: an evening is written down at the table, a deal in a few taps, and everybody can watch."""
