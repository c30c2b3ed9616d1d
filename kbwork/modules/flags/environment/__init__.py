"""Environments of a flag project: changed, compared, copied."""
