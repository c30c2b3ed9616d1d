"""The file format kbz: projects without loss, as lines of JSON in a zip, with the bytes of their files."""

OWN_PROCESS = True
"""Archives are written in a process of their own, and read in that of the other sources."""
