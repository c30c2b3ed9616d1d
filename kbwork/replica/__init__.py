"""The replica: each write is somewhere else within seconds, and comes back from there."""
