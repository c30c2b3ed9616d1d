"""What a model is given of a subject, and what it never reads."""
