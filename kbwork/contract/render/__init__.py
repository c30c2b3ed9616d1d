"""From the registry to the files of the contract."""
