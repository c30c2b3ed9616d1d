"""How much one call may set going by itself: actions of transitions, and issues that trees and templates make."""

from kbwork.db.tx import Write

MOST = 1000


def count(tx: Write, many: int) -> bool:
    """Whether so many more are within the bound of the running call. What was tried and taken back counts, too."""
    tx.spent += many
    return tx.spent <= MOST
