"""Data files as archives: taken, checked, laid out and kept in buckets, all by a process of its own."""
