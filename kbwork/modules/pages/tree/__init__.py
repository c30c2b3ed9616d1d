"""Where pages stand: their order, their parents, their spaces."""
