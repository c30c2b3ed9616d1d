"""How the files of sources are read: tables, documents, databases, times, markup and usual words."""
