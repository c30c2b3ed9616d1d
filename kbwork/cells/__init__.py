"""Many orgs on one machine: a door that starts each at its first request, and lets it sleep when nobody asks."""
