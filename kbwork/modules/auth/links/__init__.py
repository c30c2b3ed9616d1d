"""Links that open something once, for who holds them: a new password, a sign-in."""
