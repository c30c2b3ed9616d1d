"""Workflows in the archive of a project."""
