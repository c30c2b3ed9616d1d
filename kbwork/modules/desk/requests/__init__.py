"""Requests: the issues that customers made, who sees them on the portal, and what is said."""
