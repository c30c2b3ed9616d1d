"""Members who leave: what they hold goes to others, their sessions end, and they can be forgotten."""
