"""Webhooks: events are told to other programs by signed HTTP requests, in order and at least once."""

USES = ("projects", "tql")
TABLES = ("webhook", "webhook_delivery", "webhook_event")
__all__ = ["TABLES", "USES"]
