"""A believable org to look around in: a shop for outdoor gear, its people, three projects and a year of their work."""
