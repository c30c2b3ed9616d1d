"""Where members' pictures are shown."""

from kbwork.core.ports.media import Media
from kbwork.modules.members import queries

AVATARS = Media(path="/avatars/", home=__name__, find=queries.avatar)
