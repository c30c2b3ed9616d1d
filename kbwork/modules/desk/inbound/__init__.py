"""What comes in by mail and by chat."""
