"""Connections with chat platforms, and their secrets."""
