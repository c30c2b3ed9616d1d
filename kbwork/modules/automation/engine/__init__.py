"""What sets rules off, and running them."""
