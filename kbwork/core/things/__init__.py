"""What a kind of thing is, and what holds for all of them: names of rows, cascades, undo, replacement."""
