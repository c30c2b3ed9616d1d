"""Saved queries in the archive of their project."""
