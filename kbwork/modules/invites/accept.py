"""Accepting an invite: no sign-in is asked, the token is the proof."""

import json

from kbwork.base.caller import Caller
from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Name, Secret
from kbwork.core.access import callers, scopes, visibility
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import InviteRow
from kbwork.db.tx import Read, Write
from kbwork.modules import auth, members, teams
from kbwork.modules.invites import queries, rights
from kbwork.modules.invites.model import InviteAccepted, address_hash
from kbwork.modules.members import MemberJoined, SignedIn
from kbwork.modules.projects import member_set
from kbwork.modules.teams import TeamMembersChanged


class InvitesAccept(Input):
    token: Secret
    """From the link of the invite."""
    name: Name
    """Your name as people read it."""
    password: Secret | None = None
    """To sign in with; it may be left out where a sign-in provider finds you by your address."""


@write(
    "invites.accept",
    scope="desk:public",
    words="accept an invitation, join the org",
    emits=[InviteAccepted, MemberJoined, TeamMembersChanged],
    signs_in=True,
    undo="an invite is accepted once",
    example={"token": "kbi_from-the-link", "name": "Eli Stone", "password": "correct horse battery"},
)
async def accept(out: External, args: InvitesAccept) -> SignedIn:
    """Accept an invite: you become a member with the role, teams and projects that it names, and are signed in.

    A wrong, used, revoked or expired token is 404, and so is one whose maker may not give what it gives any more: ask
    for a new invite. A password that is shorter than the policy asks or soon guessed is 422, and so is none where
    no sign-in provider finds you by your address. Teams and projects that are gone since are left out.
    """
    await out.read(lambda tx: _require_fitting(tx, args))
    password_hash = await out.in_turn(auth.hashed, args.password) if args.password is not None else None

    def begin(tx: Write) -> SignedIn:
        _require_fitting(tx, args)
        row = queries.by_token(tx, args.token)
        return _let_in(tx, row, args.name, password_hash)

    return await out.conclude(begin)


def _require_fitting(tx: Read, args: InvitesAccept) -> None:
    row = queries.by_token(tx, args.token)
    if args.password is not None:
        auth.require_fitting(tx, args.password, (args.name, row["email"]))
    elif not auth.finds_members(tx):
        raise InvalidInput("Set a password: there is no other way to come in again here.", field="password")


def _let_in(tx: Write, row: InviteRow, name: str, password_hash: str | None) -> SignedIn:
    """Make the member and put them where the invite says; what happens is done by them."""
    member = members.join(tx, row["email"], name, row["role"])
    tx.caller = _on_this_request(tx, Caller(member, row["role"], "human", scopes.of_role(row["role"])))
    tx.memo.clear()
    tx.emit(MemberJoined(subject=f"member:{member}", payload={"role": row["role"]}))
    if password_hash is not None:
        auth.store(tx, member, password_hash)
    tx.update("invite", row["id"], state="accepted", digest=None, accepted_by=member)
    for team in json.loads(row["teams"]):
        if tx.value("select managed from team where id = :id", id=team) == 0:
            teams.join(tx, team, member, "member")
    _enter_projects(tx, row, member)
    told = {"invite": row["id"], "email": address_hash(row["email"]), "role": row["role"], "who": member}
    tx.emit(InviteAccepted(subject="org:1", payload=told))
    kind = "browser" if tx.caller.browser else "app"
    token = callers.add_session(tx, member, kind=kind, client="invite")
    return SignedIn(token=token, member=members.one(tx, member))


def _enter_projects(tx: Write, row: InviteRow, member: str) -> None:
    """Roles in projects are given in the name of whoever invited, with what they may do now."""
    host = visibility.as_member(tx, row["invited_by"]).caller
    role = "reporter" if row["role"] == "guest" else "member"
    joined, tx.caller = tx.caller, _on_this_request(tx, host)
    try:
        for key in rights.projects_left(tx, row).values():
            nested.run(tx, member_set, {"key": key, "who": member, "role": role})
    finally:
        tx.caller = joined


def _on_this_request(tx: Read, caller: Caller) -> Caller:
    """Somebody else than the one whose token came with the request, if one did."""
    now = tx.caller
    return caller.within(
        address=now.address, request=now.request, browser=now.browser, device=now.device, client=now.client
    )
