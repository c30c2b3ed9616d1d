"""Issues along their workflow: which transitions are open, what they ask, and what they do."""
