"""What people say to kbwork in a chat, and who they are there."""
