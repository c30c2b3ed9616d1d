"""Semantic patches: instructions on flags and segments, what they refuse, and what they change."""
