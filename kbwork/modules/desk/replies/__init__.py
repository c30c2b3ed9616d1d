"""Canned replies: answers that are written once and said often."""
