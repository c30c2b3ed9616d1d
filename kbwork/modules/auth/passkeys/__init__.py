"""Passkeys: what a device or password manager signs with, in place of a password or beside it."""
