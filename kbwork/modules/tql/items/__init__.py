"""Things out of the tables for the evaluator, and the world that they are in."""
