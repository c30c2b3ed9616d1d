"""One issue: made, read, changed, and its text."""
