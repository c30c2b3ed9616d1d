"""What flag client libraries ask for: snapshots, their changes, evaluations and counts."""
