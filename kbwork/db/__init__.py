"""The data file: the only room that opens it, and the only one that imports apsw."""
