"""What members say of themselves: profile, picture and preferences."""
