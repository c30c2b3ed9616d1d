"""Web push: what asks for somebody is shown by their browser, even where no tab of ours is open."""
