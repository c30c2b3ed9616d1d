"""The inbox by mail: what is not read goes as letters, which say why they come and how they end."""
