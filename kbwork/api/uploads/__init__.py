"""The door of files: sent at once, or in pieces by tus 1.0."""
