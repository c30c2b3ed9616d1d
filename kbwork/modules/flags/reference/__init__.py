"""Where code names flags."""
