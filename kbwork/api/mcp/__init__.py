"""The MCP door: tools and resources for agents."""
