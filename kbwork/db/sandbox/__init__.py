"""SQL of others over the events: it runs in a process of its own that can reach nothing else of the data file.

The serving process imports none of this: it starts `query` and `export` by their names.
"""
