"""How much members have before them, day by day."""
