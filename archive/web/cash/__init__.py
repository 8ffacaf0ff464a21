"""`/cash`: who owes what, and the form by which a writer says what was paid."""
