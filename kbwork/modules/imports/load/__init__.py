"""Bringing the records of a source in: the run, its dry run, and each record in the shape of the operations."""
