"""The second factor: one-time codes by the clock, and recovery codes."""
