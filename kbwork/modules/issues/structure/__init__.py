"""Where issues stand and what becomes of them: hierarchy, order, project, type, copies and merges."""
