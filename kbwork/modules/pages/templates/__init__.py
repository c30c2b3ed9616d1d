"""Templates of pages: what a new one begins with."""
