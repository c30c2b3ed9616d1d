"""The flag REST: its paths, names and document over the operations of flags."""
