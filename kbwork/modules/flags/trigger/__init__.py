"""Addresses that change a flag when they are posted to."""
