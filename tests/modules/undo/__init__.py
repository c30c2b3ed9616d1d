"""Tests of undo."""
