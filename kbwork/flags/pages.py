"""What a page in a browser begins with: the flags of a snapshot that it may see."""

import json
import secrets

from kbwork.flagengine import Snapshot
from kbwork.flagengine.reduction import reduced

_IN_SCRIPTS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Signs that end a script, or a line of one: in JSON they stand in texts alone."""


def page_state(snapshot: Snapshot) -> str:
    """JSON that may stand in a script as it is. A snapshot that is a page's already stays so."""
    data = snapshot.data
    if data.get("hashedKeys") is not True:
        data = reduced(data, secrets.token_hex(8))
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_IN_SCRIPTS)
