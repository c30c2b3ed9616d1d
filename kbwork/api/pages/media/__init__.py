"""Pictures and files from the data file: whole, in parts, and made smaller."""
