"""Stars: what somebody wants at hand, in an order and folders of their own."""

USES = ()
TABLES = ("star",)
__all__ = ["TABLES", "USES"]
