"""Templates of issues, and the placeholders in their texts."""
