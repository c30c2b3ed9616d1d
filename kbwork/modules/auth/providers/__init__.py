"""Sign-in providers: people prove who they are elsewhere, by OpenID Connect, and come in here."""
