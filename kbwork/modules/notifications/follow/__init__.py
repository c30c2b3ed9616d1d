"""Following the events: who must hear of each, and how far it was told."""
