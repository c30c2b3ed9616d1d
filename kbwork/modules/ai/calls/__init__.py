"""Asking a model now: what is held and counted for it."""
