"""What client libraries get: SDK keys, snapshots, and counts of answers."""
