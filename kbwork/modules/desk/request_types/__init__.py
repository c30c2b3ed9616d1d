"""Request types: what may be asked for at a desk, and the form that asks."""
