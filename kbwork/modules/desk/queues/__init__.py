"""Queues: the lists that the people of a desk work off."""
