"""The pages of the manual and the API reference."""
