"""How a project is archived, copied, renamed and deleted."""
