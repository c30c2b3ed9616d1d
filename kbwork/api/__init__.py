"""The doors: each turns a protocol into a call, and an answer or a problem back into that protocol."""
