"""Which fields the issues of a type have in a project, and the rules of that."""
