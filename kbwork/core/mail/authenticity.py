"""Whether a mail is from whom it says, as those who took it found. Nothing here asks a name server.

Each mail server puts what it found above what was there before, so a header `Authentication-Results` counts from the
top: what a stranger wrote into their mail stands below what a server of ours found, and where ours found nothing, the
stranger gains no more than was there without a header. So a pass opens nothing; a failure closes.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kbwork.base.patterns import pattern
from kbwork.core.mail import addresses

Authentic = bool | None
"""True: the domain of the sender vouches for it; False: it was looked at, and does not; None: nobody says."""
_MOST_RESULTS = 50
_COMMENT = pattern(r"\([^()]*\)")
_DMARC = pattern(r"(?:^|[;\s])dmarc(?:/\d+)?\s*=\s*([a-z]+)", re.IGNORECASE)
_OF = pattern(r"header\.from\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)
_UNDECIDED = ("none", "neutral", "temperror")
"""The domain says nothing of this sender, or could not be asked."""


class AuthenticityCheck(NamedTuple):
    """What came of SPF or of one signature, for this domain."""

    domain: str
    result: str

    @property
    def passed(self) -> bool:
        return self.result == "pass"


def of_results(values: Iterable[str], sender: str) -> Authentic:
    """What headers `Authentication-Results` say, the topmost first: the first with a word on DMARC counts, and where
    that is on another domain than the sender's, it fails."""
    for value in list(values)[:_MOST_RESULTS]:
        plain = _COMMENT.sub(" ", value)
        found = [one.lower() for one in _DMARC.findall(plain)]
        if not found:
            continue
        if "fail" in found:
            return False
        on = [one.rpartition("@")[2].lower() for one in _OF.findall(plain)]
        if any(not _fits(one, addresses.domain(sender)) for one in on):
            return False
        return True if "pass" in found else None
    return None


def of_checks(
    sender: str, spf: AuthenticityCheck | None, signatures: Sequence[AuthenticityCheck] | None
) -> Authentic:
    """What a service found of the server that sent it, and of signatures; None in their place: it does not say.

    As with DMARC one of them must pass for the domain of the sender. A pass for another domain is what anybody has who
    sends from their own.
    """
    own = addresses.domain(sender)
    near = spf is not None and _fits(spf.domain, own)
    if (spf is not None and near and spf.passed) or any(
        one.passed and _fits(one.domain, own) for one in signatures or ()
    ):
        return True
    if signatures is None:
        return False if spf is not None and near and spf.result not in _UNDECIDED else None
    failed = any(_fits(one.domain, own) for one in signatures)
    if spf is None or (near and spf.result in _UNDECIDED):
        return False if failed else None
    return False


def together(*found: Authentic) -> Authentic:
    """A failure goes before a pass."""
    return False if False in found else True if True in found else None


def _fits(domain: str, own: str) -> bool:
    """Whether one of them is the other, or lies in it."""
    if "." not in domain or "." not in own:
        return domain == own and own != ""
    return domain == own or domain.endswith(f".{own}") or own.endswith(f".{domain}")
