"""Files that somebody sent, looked into by programs: pictures made smaller, the texts of PDFs. Needs no module."""
