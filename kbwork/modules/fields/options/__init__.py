"""What may be chosen in a field, and options that are merged."""
