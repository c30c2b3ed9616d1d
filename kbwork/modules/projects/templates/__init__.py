"""Templates of projects, and the content that they give."""
