"""Where workflows are in force, and what has to move when that changes."""
