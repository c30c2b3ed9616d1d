"""Saved checks: what contexts are to get, and changes that are refused since they would break that."""
