"""The chat platforms, each as it signs what it sends, and writes and reads messages."""
