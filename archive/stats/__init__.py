"""Floor 6: the standard questions to an archive, the facts that they are answered from, and fairness."""
