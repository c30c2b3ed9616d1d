"""Sign in by a link that is mailed."""

from kbwork.base.errors import Unauthenticated
from kbwork.base.model import Input, Ok, Secret, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Write
from kbwork.modules.auth import login
from kbwork.modules.auth.links import mailed_links
from kbwork.modules.auth.model import NOT_UNDONE, AuthLinkSent, AuthSignedIn, Login, LoginDone


class AuthLinkRequest(Input):
    email: Text
    """Address that the link is mailed to."""


@write(
    "auth.link_request",
    scope="desk:public",
    words="magic link, sign in without password, mail me a login link",
    undo=NOT_UNDONE,
    emits=[AuthLinkSent],
    example={"email": "ana@acme.example"},
)
def link_request(tx: Write, args: AuthLinkRequest) -> Ok:
    """Ask for a link that signs in. It is mailed in a moment, works once, and lives 30 minutes.

    The answer is the same, and comes as soon, where nobody has the address, where its owner may not sign in, and where
    the policy has no `link` among its methods. Ten such links are mailed to an address in an hour, three of them asked
    for from one network address; then it is 429 with `Retry-After`, as it is after fifty failed sign-ins from there.
    """
    mailed_links.ask(tx, args.email, "sign-in")
    return Ok(ok=True)


class AuthLinkLogin(Input):
    token: Secret
    """From the link."""


@write(
    "auth.link_login",
    scope="desk:public",
    words="log in with a magic link, open the link from the mail",
    signs_in=True,
    undo=NOT_UNDONE,
    emits=[AuthSignedIn],
    example={"token": "kbl_from-the-link"},
)
async def link_login(out: External, args: AuthLinkLogin) -> LoginDone:
    """Sign in by a link. It works once, and others that were asked for end with it; a browser's session lasts a day.

    A second factor in force is asked for as in auth.login: then it is 401 with `challenge` and `methods` beside the
    detail, for `auth.login_verify` or `auth.passkey_begin`. A link that is used, ended or mistyped, or that the policy
    takes no more, is 404.
    """

    half: list[Login] = []

    def begin(tx: Write) -> LoginDone | None:
        row, _ = mailed_links.require_holder(tx, args.token, "sign-in")
        mailed_links.end(tx, row["id"], "sign-in")
        done = login.admit(tx, row["id"], "link", remembered=not tx.caller.browser)
        if done["token"] is None or done["member"] is None:
            half[:] = [done]
            return None
        return LoginDone(token=done["token"], member=done["member"])

    answer = await out.conclude(begin)
    if answer is not None:
        return answer
    raise Unauthenticated(
        "One more step: send a code of your authenticator app, or a recovery code, with this challenge to"
        " auth.login_verify, or sign with your passkey.",
        challenge=half[0]["challenge"],
        methods=half[0]["methods"],
    )
