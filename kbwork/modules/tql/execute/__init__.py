"""Running a compiled query: pages of rows, groups, cells, and the time that it may take."""
