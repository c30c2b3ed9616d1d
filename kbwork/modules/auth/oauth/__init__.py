"""OAuth 2.1: clients, grants and tokens."""
