"""Pages out of files: Markdown, HTML, documents of word processors, and archives of them."""
