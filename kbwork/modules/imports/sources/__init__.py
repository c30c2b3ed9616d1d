"""The tools that work is brought in from: each file here turns what one of them writes into records."""

SOURCES = ("csv", "github", "kbz", "redmine", "trac")
"""What `kbwork.modules.imports.reading` takes."""
