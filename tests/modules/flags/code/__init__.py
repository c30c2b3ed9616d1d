"""What programs know of flags: their keys, where these stand, and the code that is made of them."""
