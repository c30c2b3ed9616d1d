"""How an org begins: one link or one command makes it with its owner, once."""

import datetime
from collections.abc import Iterable, Iterator
from typing import Any

from kbwork.base import ids
from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Email, Input, Name, Secret, Text
from kbwork.core import org_settings
from kbwork.core.access import callers, impersonate, scopes
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.ports.sign_in import SetupLinks
from kbwork.db.database import Database
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read, Write
from kbwork.modules import auth, lanes, members, types, workflows
from kbwork.modules.members import MemberJoined, SignedIn
from kbwork.modules.org import sample
from kbwork.modules.org.model import OrgUpdated
from kbwork.modules.projects import ProjectKey

LINK_HOURS = 24


class FirstProject(Input):
    key: ProjectKey
    """2 to 10 capitals and digits, the first a letter."""
    name: Name
    """What people read."""


class OrgSetup(Input):
    token: Secret
    """From the link that the first start printed."""
    org: Name
    """Name of the org."""
    name: Name
    """Your name as people read it."""
    email: Email
    """Your address, to sign in with."""
    password: Secret
    """To sign in with; what fits says auth.password_change."""
    project: FirstProject | None = None
    """A project to begin with, led by you, with a board."""
    sample: bool | None = None
    """Fill in sample data: a project `SAMPLE` with work at every stage, which goes when it is deleted."""
    template: Text | None = None
    """Not offered by this version."""


@write(
    "org.setup",
    scope="desk:public",
    words="first start, create the org, initial setup",
    emits=[OrgUpdated, MemberJoined],
    signs_in=True,
    undo="an org begins once",
    example={
        "token": "from-the-link",
        "org": "Acme",
        "name": "Ana Lund",
        "email": "ana@acme.example",
        "password": "correct horse battery",
    },
)
async def setup(out: External, args: OrgSetup) -> SignedIn:
    """Make the org with its owner, who is signed in. Works once, with the token of the link that `serve` printed.

    A used, old or wrong token is 404; an org that is there already is 409. A password that is too short or soon guessed
    is 422. With `project` there is a board to work on from the start, with `sample` something to look around in.
    """
    await out.read(lambda tx: _require_token(tx, args))
    password_hash = await out.in_turn(auth.hashed, args.password)

    def begin(tx: Write) -> SignedIn:
        _require_token(tx, args)
        owner = create_org(tx, args.org, args.name, args.email, password_hash)
        _run_as_owner(tx, owner, _beginning(tx, args))
        token = callers.add_session(tx, owner, kind="browser" if tx.caller.browser else "app", client="setup")
        row = tx.one("select * from member where id = :id", MemberRow, id=owner)
        assert row is not None
        return SignedIn(token=token, member=members.shown(tx, [row])[0])

    return await out.conclude(begin)


def _beginning(tx: Write, args: OrgSetup) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the org begins with, as the operations that people would call."""
    if args.project:
        yield "projects.create", {"key": args.project.key, "name": args.project.name, "lead": "me"}
    if args.sample:
        yield from sample.calls(datetime.datetime.fromtimestamp(tx.now, datetime.UTC).date())


def _run_as_owner(tx: Write, owner: str, calls: Iterable[tuple[str, dict[str, Any]]]) -> None:
    who = {"member": owner, "key": None, "scopes": sorted(scopes.of_role("owner"))}
    with impersonate.as_starter(tx, who):
        for op, value in calls:
            nested.run(tx, op, value)


def create_org(tx: Write, org: str, name: str, email: str, password_hash: str) -> str:
    """Make the org, its lanes, workflow and types, and its owner; answers the owner's id.

    Raises Conflict when there is an org already.
    """
    if is_set_up(tx):
        raise Conflict("This org is set up already: sign in.")
    lanes.seed(tx)
    workflows.seed(tx)
    types.seed(tx)
    org_settings.put(tx, "org.name", org)
    org_settings.put(tx, "org.slug", callers.free_handle(tx, org))
    org_settings.put(tx, "org.created_at", tx.now)
    tx.execute("delete from setting where name = 'setup.token'")
    owner = callers.add_member(tx, name=name, email=email, role="owner")
    auth.store(tx, owner, password_hash)
    tx.emit(OrgUpdated(subject="org:1", changes={"name": (None, org)}))
    tx.emit(MemberJoined(subject=f"member:{owner}", payload={"role": "owner"}))
    return owner


def create_org_by_command(database: Database, args: OrgSetup) -> str:
    """Make the org from the command line; answers a key of the owner with every scope that an owner may hold."""
    database.read_now(lambda tx: auth.require_fitting(tx, args.password, _own_words(args)))
    password_hash = auth.hashed(args.password)

    def begin(tx: Write) -> str:
        owner = create_org(tx, args.org, args.name, args.email, password_hash)
        _, secret = callers.add_key(
            tx, owner, {"name": "kbwork init", "scopes": sorted(scopes.of_role("owner"))}
        )
        return secret

    return database.write_now(begin)


def is_set_up(tx: Read) -> bool:
    """Whether there is an org in this file."""
    return tx.one("select 1 from setting where name = 'org.name'") is not None


def new_setup_link(tx: Write) -> str:
    """A new token for the link of the first start; an older one ends."""
    token = ids.token("kbi_")
    org_settings.put(
        tx, "setup.token", {"digest": ids.digest(token).hex(), "until": tx.now + LINK_HOURS * 3600}
    )
    return token


def _own_words(args: OrgSetup) -> tuple[str, ...]:
    return args.org, args.name, args.email


def _require_token(tx: Read, args: OrgSetup) -> None:
    _require_link(tx, args.token)
    auth.require_fitting(tx, args.password, _own_words(args))
    if args.template:
        raise InvalidInput("Templates come with a later version; leave `template` out.", field="template")


def _require_link(tx: Read, token: str) -> None:
    if is_set_up(tx):
        raise Conflict("This org is set up already: sign in.")
    known = org_settings.get(tx, "setup.token")
    if known is None or known["until"] <= tx.now or known["digest"] != ids.digest(token).hex():
        raise NotFound("This link is used, old or mistyped: `kbwork serve` prints a new one when it starts.")


SETUP_LINKS = SetupLinks(home=__name__, require=_require_link, are_needed=lambda tx: not is_set_up(tx))
