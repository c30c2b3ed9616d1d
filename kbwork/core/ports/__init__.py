"""What doors and modules below ask of modules above, which declare the answers."""
