"""What a clause tests: operators, dates, versions and patterns."""
