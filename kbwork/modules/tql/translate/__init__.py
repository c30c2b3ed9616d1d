"""Texts of other trackers' languages as texts of this one: JQL, YouTrack, GitHub."""
