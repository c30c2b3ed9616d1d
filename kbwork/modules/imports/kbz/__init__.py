"""The file format kbz: projects without loss, as lines of JSON in a zip, with the bytes of their files."""

AT_START = False
"""Archives are written in a process of their own, and read in that of the other sources."""
