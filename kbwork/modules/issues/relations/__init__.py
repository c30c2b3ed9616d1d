"""What an issue stands in relation to: other issues, assets, web links, mentions."""
