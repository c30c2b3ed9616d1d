"""Drafts: unsent texts, which follow a person from device to device and which others may finish where they are shared.

What the owner of a draft does not see any more is as if it were not there, and so is the draft on it, until they see it
again.
"""

USES = ()
TABLES = ("draft",)
__all__ = ["TABLES", "USES"]
