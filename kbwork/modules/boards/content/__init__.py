"""What is on a board."""
