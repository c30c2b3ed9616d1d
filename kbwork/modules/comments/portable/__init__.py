"""Comments in the archive of a project."""
