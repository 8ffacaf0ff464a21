"""`/privacy`: keepers decide who sees which session, and whose name is hidden from strangers."""
