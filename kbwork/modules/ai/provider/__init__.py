"""Providers of models: where they are, by which key, and which models they offer."""
