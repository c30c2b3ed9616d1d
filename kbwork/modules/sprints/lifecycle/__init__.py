"""How sprints start and end."""
