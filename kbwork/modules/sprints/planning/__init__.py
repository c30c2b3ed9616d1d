"""What sprints are planned by: who can do how much, what comes next, and sprints that make themselves."""
