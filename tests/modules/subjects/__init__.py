"""Tests of subjects."""
