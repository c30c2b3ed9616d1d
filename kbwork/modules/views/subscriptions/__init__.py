"""Views by mail: who gets which, when, and the letters."""
