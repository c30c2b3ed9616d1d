"""Coming in by what somebody else hands over: a mail server, or a sign-in provider."""
