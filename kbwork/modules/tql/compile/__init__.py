"""A checked query as SQL: conditions, values, histories, orders, and who sees each row."""
