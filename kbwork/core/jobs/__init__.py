"""Jobs and schedules: how they are declared, and their queue."""
