"""When a subscription is due next, by the clock of who gets it."""

CHANGE_S = 15 * 60
"""So often at most is looked whether a result changed, and told that it did."""
DAYS = tuple(range(1, 8))
