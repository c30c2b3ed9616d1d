"""How it went: customers are asked when a request is closed, and say it by a link."""
