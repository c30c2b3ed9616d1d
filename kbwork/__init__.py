"""kbwork: plan, track, document, serve customers and ship behind feature flags, over one SQLite file."""

__version__ = "0.1.0"
