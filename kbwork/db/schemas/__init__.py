"""What the schema of a data file is to be beside what migrations make: its triggers, and nothing of others."""
