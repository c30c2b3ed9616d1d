"""Channels that hear of issues, and what is sent there."""
