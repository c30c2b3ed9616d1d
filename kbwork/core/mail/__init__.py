"""Mail beside its queue: by which server it goes, what it says, where it may not go, and how mailboxes are read."""
