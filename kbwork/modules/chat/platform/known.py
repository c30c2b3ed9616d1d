"""The platforms by name."""

from kbwork.modules.chat.platform.discord import Discord
from kbwork.modules.chat.platform.platforms import ChatPlatform
from kbwork.modules.chat.platform.slack import Slack
from kbwork.modules.chat.platform.teams import Teams

SLACK = Slack()
_PLATFORMS: dict[str, ChatPlatform] = {one.name: one for one in (SLACK, Teams(), Discord())}


def platform(name: str) -> ChatPlatform:
    return _PLATFORMS[name]
