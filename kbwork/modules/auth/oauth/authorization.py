"""OAuth 2.1 for programs: a member gives a client some of what they may do, and it becomes an agent of theirs.

Codes live 60 s and work once. Access tokens live an hour; a refresh token works once and is followed by another, which
ends after 30 days without use, sooner where the sign-in policy keeps sessions for a shorter time. A code or a refresh
token that comes a second time was copied: it ends the grant. A client that is connected again starts anew; what it had
before ends.
"""

import json
from typing import Any

from kbwork.base import ids
from kbwork.base.errors import ElevationNeeded, InvalidInput, NotAllowed
from kbwork.core import org_settings
from kbwork.core.access.identify import CONNECTED
from kbwork.core.ports.oauth import Code, Consent, OAuthClient, OAuthError, OAuthGrants, Tokens
from kbwork.db.rows import OauthCodeRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.auth.model import AuthGranted
from kbwork.modules.auth.oauth import clients, grants

CODE_S = 60
ACCESS_S = 3600
IDLE_S = 30 * 86400
_REFRESH = "kbr_"
_CODE = "kbc_"


def _consent(tx: Write, given: Consent) -> str:
    """Give a client what was chosen; answers the code. For people who are signed in, within what they hold.

    Raises NotAllowed, InvalidInput or ElevationNeeded.
    """
    caller = tx.caller
    if caller.session is None:
        raise NotAllowed("Only a person who is signed in may connect a client; a key cannot.")
    beyond = sorted(set(given.scopes) - caller.scopes)
    if beyond or not given.scopes:
        text = f"You do not hold {beyond[0]}." if beyond else "Choose at least one thing that it may do."
        raise InvalidInput(text, field="scopes", allowed=sorted(caller.scopes))
    if given.modules is not None and not given.modules:
        raise InvalidInput("Choose at least one module, or leave them all.", field="modules")
    if "admin" in given.scopes and caller.elevated_until <= tx.now:
        raise ElevationNeeded("Confirm that it is you, or leave `admin` out.")
    code = ids.token(_CODE)
    tx.execute(
        "insert into oauth_code (digest, client, member, redirect_uri, challenge, scopes, modules, expires_at)"
        " values (:digest, :client, :member, :redirect_uri, :challenge, :scopes, :modules, :expires_at)",
        digest=ids.digest(code),
        client=given.client.id,
        member=caller.me(),
        redirect_uri=given.redirect_uri,
        challenge=given.challenge,
        scopes=json.dumps(sorted(set(given.scopes))),
        modules=json.dumps(sorted(set(given.modules))) if given.modules is not None else None,
        expires_at=tx.now + CODE_S,
    )
    tx.execute("update oauth_client set used_at = :now where id = :id", now=tx.now, id=given.client.id)
    payload: dict[str, Any] = {"client": given.client.name, "scopes": sorted(set(given.scopes))}
    if given.modules is not None:
        payload["modules"] = sorted(set(given.modules))
    tx.emit(AuthGranted(subject=f"member:{caller.me()}", payload=payload))
    return code


def _living_code(tx: Read, client: OAuthClient, code: str) -> OauthCodeRow | None:
    return tx.one(
        "select * from oauth_code where digest = :digest and client = :client and expires_at > :now",
        OauthCodeRow,
        digest=ids.digest(code),
        client=client.id,
        now=tx.now,
    )


def _code(tx: Read, client: OAuthClient, code: str) -> Code | None:
    row = _living_code(tx, client, code)
    return Code(row["redirect_uri"], row["challenge"], tuple(json.loads(row["scopes"]))) if row else None


def _exchange(tx: Write, client: OAuthClient, code: str) -> Tokens | OAuthError:
    row = _living_code(tx, client, code)
    if row is None:
        return OAuthError("invalid_grant", "This authorization code is not known, or older than a minute.")
    if row["taken_by"] is not None:
        grants.end(tx, row["taken_by"], "an authorization code came twice")
        return OAuthError("invalid_grant", "This authorization code was used already: sign in again.")
    if tx.value("select state from member where id = :id", id=row["member"]) != "active":
        return OAuthError("invalid_grant", "Whoever agreed may do nothing here any more.")
    grant = grants.begin(tx, client, row)
    tx.execute(
        "update oauth_code set taken_by = :grant where digest = :digest", grant=grant, digest=row["digest"]
    )
    return _issue(tx, grant, tuple(json.loads(row["scopes"])))


def _living_refresh(tx: Read, client: OAuthClient, token: str) -> Row | None:
    """A refresh token of a grant that lives, used or not."""
    row = tx.one(
        "select t.*, g.scopes as given from oauth_token t"
        " join oauth_grant g on g.id = t.grant_id and g.client = :client and g.revoked_at is null"
        " join member m on m.id = g.member and m.state = 'active'"
        " where t.digest = :digest and t.kind = 'refresh'",
        digest=ids.digest(token),
        client=client.id,
    )
    return row if row is not None and row["made_at"] + idle_s(tx) > tx.trusted_now else None


def _holds(tx: Read, client: OAuthClient, token: str) -> tuple[str, ...] | None:
    row = _living_refresh(tx, client, token)
    return tuple(json.loads(row["given"])) if row is not None else None


def _refresh(tx: Write, client: OAuthClient, token: str, scopes: tuple[str, ...]) -> Tokens | OAuthError:
    row = _living_refresh(tx, client, token)
    if row is None:
        return OAuthError("invalid_grant", "This refresh token is not known, or ended: sign in again.")
    if row["used_at"] is not None:
        grants.end(tx, row["grant_id"], "a refresh token came twice")
        return OAuthError("invalid_grant", "This refresh token was used already: sign in again.")
    if not set(scopes) <= set(json.loads(row["given"])):
        return OAuthError("invalid_scope", "A refresh cannot add scopes: sign in again to ask for more.")
    tx.execute(
        "update oauth_token set used_at = :now where digest = :digest", now=tx.now, digest=row["digest"]
    )
    return _issue(tx, row["grant_id"], scopes)


def _issue(tx: Write, grant: int, scopes: tuple[str, ...]) -> Tokens:
    """A new pair. The access token has these scopes, the refresh token those of the grant."""
    access, refresh = ids.token(CONNECTED), ids.token(_REFRESH)
    for token, kind, lives_s in ((access, "access", ACCESS_S), (refresh, "refresh", IDLE_S)):
        tx.execute(
            "insert into oauth_token (digest, grant_id, kind, scopes, made_at, expires_at)"
            " values (:digest, :grant, :kind, :scopes, :now, :expires_at)",
            digest=ids.digest(token),
            grant=grant,
            kind=kind,
            scopes=json.dumps(scopes),
            now=tx.now,
            expires_at=tx.now + lives_s,
        )
    return Tokens(access, refresh, scopes, ACCESS_S)


def idle_s(tx: Read) -> int:
    """How long a refresh token waits to be used: no longer than a session lives by the sign-in policy."""
    return min(IDLE_S, int(org_settings.get(tx, "auth.session_days")) * 86400)


def _of_token(tx: Read, token: str) -> Row | None:
    return tx.one(
        "select g.id, g.client from oauth_token t join oauth_grant g on g.id = t.grant_id and g.revoked_at is null"
        " where t.digest = :digest",
        digest=ids.digest(token),
    )


def _owner(tx: Read, token: str) -> str | None:
    grant = _of_token(tx, token)
    return grant["client"] if grant is not None else None


def _revoke(tx: Write, token: str) -> None:
    grant = _of_token(tx, token)
    if grant is not None:
        grants.end(tx, grant["id"], "the client signed out")


CONNECTING = OAuthGrants(
    home=__name__,
    register=clients.register,
    client=clients.client,
    consent=_consent,
    code=_code,
    exchange=_exchange,
    holds=_holds,
    refresh=_refresh,
    owner=_owner,
    revoke=_revoke,
)
