"""Projects in their archive."""
