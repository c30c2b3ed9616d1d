"""A shared document in memory: one text, which the library brings together."""

from kbwork.base.errors import InvalidInput
from kbwork.modules.pages.text import merge
from kbwork.modules.pages.text.line_match import lines
from kbwork.modules.pages.together.update_format import NAME, known

NOTHING = b"\x00\x00"
"""An update that says nothing."""


class SharedText:
    """Of some updates, taken in as one: taken in one by one the library loses letters that wait for others. One that it
    fails at, which it should not, is held to be at fault itself."""

    def __init__(self, *updates: bytes, client: int | None = None) -> None:
        from pycrdt import Doc, Text  # noqa: PLC0415 - a start needs none

        self._doc: Doc[Text] = Doc(client_id=client) if client is not None else Doc()
        self._text = self._doc.get(NAME, type=Text)
        if updates:
            self._take(list(updates))

    @classmethod
    def of(cls, text: str, seed: int) -> "SharedText":
        """One that holds a text: of the same text and seed the same, letter by letter."""
        made = cls(client=seed)
        if text:
            made._text += text
        return made

    def _take(self, updates: list[bytes]) -> None:
        """Raises InvalidInput."""
        try:
            self._doc.apply_update(merged(updates))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            raise InvalidInput("This is no update that can be taken in.", field="update") from None

    def __str__(self) -> str:
        return str(self._text)

    @property
    def state(self) -> bytes:
        """All of it as one update."""
        return bytes(self._doc.get_update())

    def has(self, ends: dict[int, int]) -> bool:
        """Whether it has what these clients wrote up to there, and nothing of it waits for other letters."""
        return known(bytes(self._doc.get_state()), ends)

    def become(self, text: str) -> bytes:
        """Change as few letters as may be, so that it is this text; answers the update."""
        before = bytes(self._doc.get_state())
        old = lines(str(self))
        starts = [0]
        for line in old:
            starts.append(starts[-1] + len(line.encode()))
        with self._doc.transaction():
            for change in reversed(merge.changes(old, lines(text))):
                self._replace(
                    starts[change.start], "".join(old[change.start : change.end]), "".join(change.there)
                )
        return bytes(self._doc.get_update(before))

    def _replace(self, at: int, old: str, new: str) -> None:
        head = 0
        most = min(len(old), len(new))
        while head < most and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < most - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        start = at + len(old[:head].encode())
        gone = len(old[head : len(old) - tail].encode())
        if gone:
            del self._text[start : start + gone]
        if len(new) - tail > head:
            self._text.insert(start, new[head : len(new) - tail])


def merged(updates: list[bytes]) -> bytes:
    """Several updates as one that says the same, be it of letters that are not here yet."""
    if len(updates) < 2:
        return updates[0] if updates else NOTHING
    from pycrdt import merge_updates  # noqa: PLC0415 - a start needs none

    return bytes(merge_updates(*updates))
