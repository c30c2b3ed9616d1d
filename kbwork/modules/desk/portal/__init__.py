"""The portal: what customers do, and anybody may see."""
