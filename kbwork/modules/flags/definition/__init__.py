"""What flags and segments say as they are stored: read, changed by instructions, written with their versions."""
