"""Several people write on one page at once, in a document that brings their edits together letter by letter."""
