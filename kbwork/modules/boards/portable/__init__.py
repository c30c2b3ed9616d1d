"""Boards in the archive of their project."""
