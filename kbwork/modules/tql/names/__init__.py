"""What names of a text mean to the caller: people, projects, fields, relations."""
