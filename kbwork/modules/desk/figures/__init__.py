"""Figures of a desk: how much came in and was done, and what customers say of it."""
