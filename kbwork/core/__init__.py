"""What an operation is and how one runs. Names no module."""
