"""What a model proposes, and what becomes of it."""
