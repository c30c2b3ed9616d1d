"""Tests of the query language over the data."""
