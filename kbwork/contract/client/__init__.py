"""The hand-written parts of the one-file client: standard library only, Python 3.9 and later."""
