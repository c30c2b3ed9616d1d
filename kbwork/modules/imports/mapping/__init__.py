"""What becomes of a source's own words and people."""
