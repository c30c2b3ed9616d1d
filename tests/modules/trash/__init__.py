"""Tests of the trash."""
