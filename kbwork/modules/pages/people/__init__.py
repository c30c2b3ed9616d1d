"""People and pages: who watches, who may see and change one."""
