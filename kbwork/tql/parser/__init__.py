"""Text to tree: tokens, then recursive descent through values, predicates, terms and clauses."""
