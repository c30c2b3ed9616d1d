"""Kinds of subjects, and what holds for all of them: names, undo, replacement."""
