"""What flags serve and what a change of them reaches: counts, kill switches, stale flags, impact."""
