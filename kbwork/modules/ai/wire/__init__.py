"""The two formats in which providers are asked."""
