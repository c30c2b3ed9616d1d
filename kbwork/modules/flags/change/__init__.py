"""Changes of targeting: made at once, asked for, approved, scheduled."""
