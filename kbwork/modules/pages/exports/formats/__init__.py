"""What writes pages as HTML, PDF and documents: read at the first export, since a start needs none of it."""

AT_START = False
