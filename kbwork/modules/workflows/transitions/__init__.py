"""The transitions of a workflow: how they are written, what they ask, and what their rules say."""
