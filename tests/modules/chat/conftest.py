"""A receiver in the place of the platforms, and a server whose operator lists it."""

from tests.modules.webhooks.heard import receiver, settings

__all__ = ["receiver", "settings"]
