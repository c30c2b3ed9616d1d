"""The sources of the one-file client, library and command line: standard library only, Python 3.9 and later."""
