"""The typed pass over a tree: every name found, every operator held against the kinds of its sides."""
