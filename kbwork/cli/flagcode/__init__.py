"""What the code of programs has of flags: where it names them, and typed code that is made of them."""
