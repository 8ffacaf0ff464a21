"""`/privacy`: keepers say who sees which session, and whose name is hidden from strangers."""
