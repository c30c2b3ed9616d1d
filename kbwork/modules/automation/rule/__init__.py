"""What a rule says, as it is read, kept and shown."""
