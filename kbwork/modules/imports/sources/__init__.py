"""The tools that work is brought in from: each file here turns what one of them writes into records."""

SOURCES = ("csv", "github", "gitlab", "kbz", "redmine", "trac")
"""What `kbwork.modules.imports.sources.reader` takes."""
AT_START = False
"""They read files that somebody made elsewhere, one with another SQLite: never in the process that serves."""
