"""What a checked tree means for items at hand: values, conditions, histories, aggregates, rows."""
