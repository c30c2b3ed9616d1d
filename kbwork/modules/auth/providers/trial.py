"""Try a sign-in provider, as far as it goes without anybody signing in."""

from kbwork.base.errors import NotFound, Problem, UpstreamFailed
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read
from kbwork.modules.auth.model import NOT_UNDONE
from kbwork.modules.auth.providers import discovery, exchange, id_tokens, stored
from kbwork.modules.auth.providers.model import ProviderTrial, Step, TrialStep

_NO_CODE = "kbwork-trial"
_TAKEN = ("invalid_grant", "invalid_request")


class AuthProviderTest(Input):
    id: Text
    """Id of the provider."""
    user: Text | None = None
    """For a directory only, which is not spoken here: left out."""


@write(
    "auth.provider_test",
    scope="admin",
    words="test single sign on, why does sso fail, check identity provider, debug openid connect",
    people="session",
    undo=NOT_UNDONE,
    example={"id": "acme"},
)
async def provider_test(out: External, args: AuthProviderTest) -> ProviderTrial:
    """Try a sign-in provider: its discovery document, its keys, and whether it takes this server's name and secret.

    Everything is asked anew. The steps say what to mend; the first names the address that the provider must know to
    send people back to. Nobody signs in, so that what it says of people is not told.
    """

    def look(tx: Read) -> exchange.ProviderClient:
        row = stored.find(tx, args.id)
        if row is None:
            raise NotFound(f"There is no sign-in provider {args.id!r}; auth.providers lists them.")
        return exchange.ProviderClient(
            stored.settings_of(row), stored.secret_of(tx, row), stored.return_address(tx, row["id"])
        )

    client = await out.read(look)
    steps = [TrialStep(step="address", ok=True, detail=f"It must know this server by {client.redirect_uri}.")]
    await discovery.forget(out, client.settings.issuer)
    try:
        found = await discovery.metadata(out, client.settings.issuer)
        steps.append(TrialStep(step="discovery", ok=True, detail=f"It is {found.issuer}."))
        steps.append(await _keys(out, found))
        if steps[-1]["ok"]:
            steps.append(await _secret(out, found, client))
    except Problem as problem:
        step: Step = "discovery" if len(steps) == 1 else "keys" if len(steps) == 2 else "token endpoint"
        steps.append(TrialStep(step=step, ok=False, detail=problem.detail))
    return ProviderTrial(ok=all(one["ok"] for one in steps), steps=steps, claims=None)


async def _keys(out: External, found: discovery.Metadata) -> TrialStep:
    held = await discovery.keys(out, found)
    assert held is not None
    usable = id_tokens.usable(held.keys)
    detail = f"{len(usable)} of {len(held.keys)} keys can sign by {', '.join(id_tokens.ALGORITHMS)}."
    return TrialStep(step="keys", ok=bool(usable), detail=detail)


async def _secret(out: External, found: discovery.Metadata, client: exchange.ProviderClient) -> TrialStep:
    """A code that nobody was given is refused by a provider that knows this server; another refuses the server."""
    page = await exchange.call(out, found, client, _NO_CODE, "0" * 43)
    error = exchange.error_of(discovery.json_object(page.body, "token"))
    if page.status == 200:
        raise UpstreamFailed("It answered a code that it never gave.")
    if error in _TAKEN:
        detail = f"It takes this server as {client.settings.client_id!r}, and refused a code of no meaning ({error})."
        return TrialStep(step="token endpoint", ok=True, detail=detail)
    detail = f"It does not take this server ({error}): compare client_id, secret and token_auth."
    return TrialStep(step="token endpoint", ok=False, detail=detail)
