"""Getting what is to come in from another server, into a file that is read as one that was sent."""
