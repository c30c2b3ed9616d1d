"""Commands of more than one machine: the replica and whoever takes over, edges, and many orgs on one."""
