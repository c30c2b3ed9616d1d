"""Pages in files of others, read in a process of its own: it takes neither all time nor all memory. Needs no module."""
