"""What pages were: versions, drafts, and what is published."""
