"""Flags from LaunchDarkly: its exports read, converted, written to a server and compared by its own rules."""
