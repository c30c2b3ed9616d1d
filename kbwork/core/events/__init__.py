"""Events after they are written: the feed, and who is notified of commits."""
