"""The product: one folder a module."""

import pkgutil

MODULES = tuple(sorted(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg))
"""Every folder is one: a module is there when its folder is."""
