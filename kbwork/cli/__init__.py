"""The `kbwork` command. It imports no module: it reads `contract/cli.json` and calls a server over HTTP."""
