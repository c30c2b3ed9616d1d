"""The HTTP server, and what every door does with a request and an answer."""
