"""The OAuth door: how programs are connected."""
