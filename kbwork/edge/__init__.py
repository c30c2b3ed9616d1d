"""Flags beside the programs that ask for them: the doors of flag clients over snapshots that follow a server."""
