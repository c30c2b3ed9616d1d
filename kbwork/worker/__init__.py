"""Jobs, schedules and reactions, in the process and the event loop of the doors."""
