"""Requests of webhooks: which events they tell, how they are made, sent and tried again."""
