"""Who is calling, and with what rights."""

from typing import Literal

from kbwork.base.dataclasses import dataclass, field, replace

ActorKind = Literal["human", "key", "agent", "system", "automation"]


@dataclass(frozen=True, slots=True)
class Caller:
    """One identified caller. Rights are those of this moment: a changed role or key makes a new Caller."""

    member: str | None
    """Member id, or None for customers, `system` and `anonymous`."""
    role: str
    """`owner`, `admin`, `member`, `guest`, `customer`, `anonymous` or `system`. An agent key is an admin only if it
    says so."""
    kind: ActorKind
    scopes: frozenset[str]
    via: str | None = None
    """`agent:<name>` or `key:<id>`."""
    key: str | None = None
    """The id of a key, or `grant:<id>` for a client that was connected by OAuth."""
    session: str | None = None
    projects: frozenset[int] | None = None
    """The projects (internal ids) that a key is limited to; None is no limit."""
    modules: frozenset[str] | None = None
    """The modules that a connected client was given: it calls their operations and sees their things; None is all."""
    elevated_until: int = 0
    customer: int | None = None
    """Id of the customer of a service desk: no member, and whatever guests may not, they may not."""
    leaving: bool = False
    """Whether it came by the secret of a key that another has taken the place of, in the time that it still works."""
    address: str | None = field(default=None, compare=False)
    request: str | None = field(default=None, compare=False)
    browser: bool = field(default=False, compare=False)
    device: str | None = field(default=None, compare=False)
    """A browser's device cookie: a browser that this account signed in from before is never locked out."""
    client: str | None = field(default=None, compare=False)
    """What the program that calls says of itself, so that it knows the events of its own writes."""

    @property
    def actor(self) -> str:
        """The identity in events: the member, `customer:<id>`, `system` or `anonymous`."""
        return self.member or (f"customer:{self.customer}" if self.customer is not None else self.role)

    @property
    def admin(self) -> bool:
        return self.role in ("owner", "admin")

    @property
    def guest(self) -> bool:
        """Whether they come from outside."""
        return self.role in ("guest", "customer")

    @property
    def ident(self) -> str:
        """One string for whom an answer was made: caches and kept answers are filed under it."""
        return self.key or self.session or self.actor

    @property
    def limited(self) -> bool:
        """Whether it sees less than its member does: some projects alone, or some modules."""
        return self.projects is not None or self.modules is not None

    def holds(self, module: str) -> bool:
        """Whether operations and things of this module are for it, as far as scopes and sight go."""
        return self.modules is None or module in self.modules

    def me(self) -> str:
        """The member id; only for operations that need a sign-in."""
        assert self.member is not None
        return self.member

    def within(
        self,
        *,
        address: str | None,
        request: str | None,
        browser: bool,
        device: str | None,
        client: str | None = None,
    ) -> "Caller":
        """The same caller on one request. Made anew by hand: `replace` takes four times as long, on every call."""
        return Caller(
            self.member,
            self.role,
            self.kind,
            self.scopes,
            self.via,
            self.key,
            self.session,
            self.projects,
            self.modules,
            self.elevated_until,
            self.customer,
            self.leaving,
            address,
            request,
            browser,
            device,
            client,
        )

    def of_client(self, client: str) -> "Caller":
        """The same caller, by a program that says this of itself."""
        return replace(self, client=client)


ANONYMOUS = Caller(member=None, role="anonymous", kind="human", scopes=frozenset({"desk:public"}))
SYSTEM = Caller(member=None, role="system", kind="system", scopes=frozenset({"system"}))


def of_customer(customer: int, *, address: str | None = None, session: str | None = None) -> Caller:
    """A customer of a service desk as themselves; `session` says by which token."""
    return Caller(
        member=None,
        role="customer",
        kind="human",
        scopes=frozenset({"desk:portal"}),
        session=session,
        customer=customer,
        address=address,
    )
