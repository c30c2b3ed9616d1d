"""In which projects and types of issues a workflow is in force, and what has to move when that changes."""
