"""Members: the people of the org, their roles and profiles."""

from kbwork.modules.members.access import require_confirmed
from kbwork.modules.members.input_types import Handle, Zone, require_handle_free
from kbwork.modules.members.membership import by_address, invite, join, uninvite
from kbwork.modules.members.model import (
    ChatAccount,
    Member,
    MemberInvited,
    MemberJoined,
    MemberRoleChanged,
    SignedIn,
)
from kbwork.modules.members.ports import Capacity, ChatAccounts, Holding, PlannedIssue, WorkPlan
from kbwork.modules.members.profile.pictures import MOST_CHARS, Picture, picture
from kbwork.modules.members.queries import (
    MEMBER_SEEN,
    TEAM_SEEN,
    by_name,
    by_ref,
    find,
    handle_of,
    one,
    seen,
    shown,
)

USES = ("uploads",)
TABLES = ("member", "avatar")
__all__ = [
    "MEMBER_SEEN",
    "MOST_CHARS",
    "TABLES",
    "TEAM_SEEN",
    "USES",
    "Capacity",
    "ChatAccount",
    "ChatAccounts",
    "Handle",
    "Holding",
    "Member",
    "MemberInvited",
    "MemberJoined",
    "MemberRoleChanged",
    "Picture",
    "PlannedIssue",
    "SignedIn",
    "WorkPlan",
    "Zone",
    "by_address",
    "by_name",
    "by_ref",
    "find",
    "handle_of",
    "invite",
    "join",
    "one",
    "picture",
    "require_confirmed",
    "require_handle_free",
    "seen",
    "shown",
    "uninvite",
]
