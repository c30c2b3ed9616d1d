"""What reads files of somebody else, in a process of its own: it may take neither all time nor all memory."""

AT_START = False
