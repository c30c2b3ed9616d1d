"""What a page elsewhere says of itself in its head."""

from html.parser import HTMLParser

_META = {
    "og:title": "title",
    "twitter:title": "title",
    "og:description": "text",
    "twitter:description": "text",
    "description": "text",
    "og:image": "image",
    "og:image:url": "image",
    "twitter:image": "image",
    "og:site_name": "site",
}


class PageHead(HTMLParser):
    """Fed with a page; what stands first of each sort counts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: dict[str, str] = {}
        self.title: list[str] = []
        self._in_title = False
        self._done = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "meta":
            found = {name: value or "" for name, value in attrs}
            part = _META.get((found.get("property") or found.get("name") or "").strip().lower())
            if part is not None and found.get("content", "").strip():
                self.said.setdefault(part, found["content"])
        elif tag == "title" and not self._done:
            self._in_title = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title, self._done = False, True

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
