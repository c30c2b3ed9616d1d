"""Issues locked, archived, deleted, brought back and purged."""
