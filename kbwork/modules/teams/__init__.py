"""Teams: groups of members with leads, and who of them is on call."""

from kbwork.modules.teams.model import TeamMembersChanged
from kbwork.modules.teams.on_call import TeamsOnCall, on_call
from kbwork.modules.teams.queries import join, leads, seen

USES = ("members", "projects")
TABLES = ("rota", "rota_override", "team", "team_member")
__all__ = ["TABLES", "USES", "TeamMembersChanged", "TeamsOnCall", "join", "leads", "on_call", "seen"]
