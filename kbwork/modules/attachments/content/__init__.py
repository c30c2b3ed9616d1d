"""The bytes of files: stored, typed, and read for search."""
