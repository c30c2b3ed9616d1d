"""Customers: accounts apart from members, with tokens and links of their own."""
