"""Invite people, look at invites, send one again, take one back."""

import json
from typing import Annotated, Literal

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Email, Id, Input, Secret, Text
from kbwork.core import org_settings
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import InviteRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members, teams
from kbwork.modules.invites import letters, queries, rights
from kbwork.modules.invites.model import (
    LIVES_S,
    Invite,
    InviteCreated,
    InviteInfo,
    InviteRevoked,
    address_hash,
)
from kbwork.modules.members import MemberInvited, MemberRoleChanged
from kbwork.modules.projects import access


class InvitesCreate(Input):
    emails: Annotated[list[Email], Field(min_length=1, max_length=100)]
    """Addresses to invite."""
    role: Literal["admin", "member", "guest"]
    """Role that they get in the org."""
    teams: Annotated[list[Id], Field(max_length=100)] | None = None
    """Teams that they join."""
    projects: Annotated[list[Text], Field(max_length=100)] | None = None
    """Keys of projects that they get a role in: member, a guest reporter."""
    message: Text | None = None
    """A word from you in the invite."""


@write(
    "invites.create",
    scope="members:write",
    words=(
        "invite a colleague, add a person, new user, onboard somebody, add a user, new employee, "
        "get somebody in, add somebody to the workspace, give access to a contractor, new hire, "
        "guest, create an account for"
    ),
    emits=[InviteCreated, MemberInvited, MemberRoleChanged],
    people="people",
    undo="an invite is taken back by invites.revoke",
    example={"emails": ["eli@acme.example"], "role": "member", "projects": ["WEB"]},
)
def create(tx: Write, args: InvitesCreate) -> list[Invite]:
    """Invite people by their addresses; each gets an invite that is single use and lives 14 days.

    Admins invite to every role but owner, to admin where they confirmed in the last ten minutes that it is them, and
    into private projects where they lead them. Members invite guests where the
    org takes guests, into projects that they lead and nothing else (403). An address with a pending invite keeps its
    id and gets role, teams, projects and token anew; one of a member is 409, and so is, for members, one that somebody
    else invited. All are invited or none. Where this server sends mail each is mailed their invite, an address once in
    five minutes at most; `path` and `url` lead to it, to hand over where no mail goes out.

    An invite ends with the right to make it: it is revoked when whoever made it leaves, or loses the role or the lead
    that it rests on.
    """
    project_rows = [access.project(tx, key) for key in dict.fromkeys(args.projects or [])]
    project_ids = list(dict.fromkeys(row["id"] for row in project_rows))
    rights.require_may_give(tx, args.role, project_ids, args.teams or [])
    rights.require_confirmed_for(tx, args.role)
    for project in project_rows:
        if project["kind"] == "personal":
            raise InvalidInput(f"{project['key']} is its owner's alone.", field="projects")
    for number, team in enumerate(args.teams or []):
        _require_team(tx, team, f"teams[{number}]")
    columns = {
        "role": args.role,
        "teams": json.dumps(list(dict.fromkeys(args.teams or []))),
        "projects": json.dumps(project_ids),
        "message": args.message or "",
    }
    addresses: dict[str, str] = {}
    for email in args.emails:
        addresses.setdefault(email.lower(), email)
    made: list[InviteRow] = []
    paths: dict[int, str] = {}
    for email in addresses.values():
        _require_no_member(tx, email)
        row, path = _invite(tx, email, columns)
        made.append(row)
        paths[row["id"]] = path
    return queries.shown(tx, made, paths)


class InvitesList(Input):
    state: Literal["pending", "accepted", "revoked", "expired"] | None = None
    """`pending` unless given."""


@read(
    "invites.list",
    scope="members:read",
    words="pending invitations, who has not joined yet, who was invited, open invites",
    example={},
)
def list_(tx: Read, args: InvitesList) -> list[Invite]:
    """List invites, newest first: admins all, others those that they made."""
    return queries.listed(tx, args.state or "pending")


class InvitesResend(Input):
    id: Id
    """Id of the invite."""


@write(
    "invites.resend",
    scope="members:write",
    words="invitation again, invite expired, did not get the mail, remind to join",
    emits=[InviteCreated, MemberInvited, MemberRoleChanged],
    people="people",
    undo="an invite is taken back by invites.revoke",
    example={"id": 1},
)
def resend(tx: Write, args: InvitesResend) -> Invite:
    """Send a pending or expired invite again, with a new token that lives 14 days; the old one ends. It is mailed as by
    invites.create.

    You must be allowed to make it (403); one whose maker may not any more is yours from then on. One that was accepted
    or revoked, or whose address belongs to a member by now, is 409.
    """
    row = queries.own(tx, args.id)
    if row["state"] not in ("pending", "expired"):
        raise Conflict(f"This invite is {row['state']}: make a new one.")
    rights.require_may_give_again(tx, row)
    rights.require_confirmed_for(tx, row["role"])
    _require_no_member(tx, row["email"])
    pending = _pending(tx, row["email"])
    if pending is not None and pending["id"] != row["id"]:
        raise Conflict(f"This address has another pending invite: {pending['id']}.")
    by = row["invited_by"] if rights.holds(tx, row) else tx.caller.me()
    lately = letters.went_lately(tx, row["email"])
    renewed, path = _renew(tx, row, {"invited_by": by})
    if not lately:
        letters.send(tx, renewed, path)
    _tell(tx, renewed, resent=True)
    return queries.shown(tx, [renewed], {row["id"]: path})[0]


class InvitesRevoke(Input):
    id: Id
    """Id of the invite."""


@destructive(
    "invites.revoke",
    scope="members:write",
    words="cancel an invitation, withdraw an invite, invited the wrong person",
    emits=[InviteRevoked],
    people="people",
    undo="an invite is made anew by invites.create",
    example={"id": 1},
)
def revoke(tx: Write, args: InvitesRevoke) -> list[Invite]:
    """Take back an invite that is pending: its link opens nothing any more. Answers the pending ones that are left.

    Admins revoke every invite, others their own. One that is accepted, revoked or expired is 409.
    """
    row = queries.own(tx, args.id)
    if row["state"] != "pending":
        raise Conflict(f"This invite is {row['state']} already.")
    queries.end(tx, row, "revoked", {})
    return queries.listed(tx, "pending")


def _require_team(tx: Read, team: int, field: str) -> None:
    row = teams.seen(tx, team)
    if row is None:
        raise InvalidInput(f"There is no team {team} that people can be put into.", field=field)
    if row["managed"]:
        raise Conflict(f"{row['name']} is kept by the directory: change it there.")


def _require_no_member(tx: Read, email: str) -> None:
    known = members.by_address(tx, email)
    if known is not None and known["state"] != "invited":
        hint = "; members.deactivate brings them back" if known["state"] == "deactivated" else ""
        raise Conflict(f"{email} is the address of a member already{hint}.")


def _pending(tx: Read, email: str) -> InviteRow | None:
    return tx.one(
        "select * from invite where lower(email) = lower(:email) and state = 'pending'",
        InviteRow,
        email=email,
    )


def _invite(tx: Write, email: str, columns: dict[str, str]) -> tuple[InviteRow, str]:
    """A new invite, or the pending one of this address anew; answers it and its path."""
    found, lately = _pending(tx, email), letters.went_lately(tx, email)
    if found is None:
        invite = tx.insert(
            "invite",
            email=email,
            state="pending",
            invited_by=tx.caller.me(),
            created_at=tx.now,
            expires_at=tx.now + LIVES_S,
            **columns,
        )
        found = tx.one("select * from invite where id = :id", InviteRow, id=invite)
        assert found is not None
    elif not tx.caller.admin and found["invited_by"] != tx.caller.member:
        raise Conflict(f"Somebody else invited {email} already.")
    row, path = _renew(tx, found, {**columns, "invited_by": tx.caller.me(), "created_at": tx.now})
    if not lately:
        letters.send(tx, row, path)
    _tell(tx, row)
    return row, path


def _renew(tx: Write, row: InviteRow, columns: dict[str, object]) -> tuple[InviteRow, str]:
    """Give an invite a new token and 14 days; answers it and its path."""
    token = ids.token("kbi_")
    tx.update(
        "invite", row["id"], state="pending", digest=ids.digest(token), expires_at=tx.now + LIVES_S, **columns
    )
    renewed = tx.one("select * from invite where id = :id", InviteRow, id=row["id"])
    assert renewed is not None
    members.invite(tx, renewed["email"], renewed["role"])
    return renewed, f"/invite?token={token}"


def _tell(tx: Write, row: InviteRow, *, resent: bool = False) -> None:
    payload: dict[str, object] = {
        "invite": row["id"],
        "email": address_hash(row["email"]),
        "role": row["role"],
    }
    tx.emit(InviteCreated(subject="org:1", payload=payload | ({"resent": True} if resent else {})))


class InvitesInfo(Input):
    token: Secret
    """From the link of the invite."""


@write(
    "invites.info",
    scope="desk:public",
    words="what is this invitation for, check an invite link",
    example={"token": "kbi_from-the-link"},
)
def info(tx: Read, args: InvitesInfo) -> InviteInfo:
    """Say what an invite is for, before it is accepted. A wrong, used, revoked or expired token is 404."""
    row = queries.by_token(tx, args.token)
    by = tx.value("select name from member where id = :id", id=row["invited_by"])
    return InviteInfo(
        org=org_settings.get(tx, "org.name"),
        email=row["email"],
        role=row["role"],
        by=by or "",
        methods=org_settings.get(tx, "auth.methods"),
    )
