"""The text of pages: headings, what it names, and how texts differ and come together."""
