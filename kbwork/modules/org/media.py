"""Where the org's logo is shown, also to who is not signed in."""

from kbwork.core.ports.media import Media
from kbwork.db.tx import Read
from kbwork.modules.org import queries

_PLACES: dict[str, queries.Place] = {
    "": "app",
    "/dark": "app-dark",
    "/portal": "portal",
    "/portal-dark": "portal-dark",
}


def _find(tx: Read, ref: str) -> tuple[str, bytes] | None:
    place = _PLACES.get(ref)
    return queries.logo(tx, place) if place is not None else None


LOGO = Media(path="/logo", home=__name__, find=_find, public=True)
