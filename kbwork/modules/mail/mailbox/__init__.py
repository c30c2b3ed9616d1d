"""Mailboxes that are read, and what becomes of the mail in them."""
