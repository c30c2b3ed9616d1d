"""One flag: made, looked at, changed, archived, restored, evaluated."""
