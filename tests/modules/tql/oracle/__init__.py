"""The fields of things worked out in Python, apart from the SQL that the product has for them."""
