"""The commands of `kbwork` that are not an operation of a server."""
