"""Pages as files: Markdown, HTML, and several of them as one archive."""
