"""Forms in parts (`multipart/form-data`), as browsers and services post them."""

from collections.abc import Iterator
from email.message import Message
from typing import NamedTuple

from kbwork.base.errors import InvalidInput

KIND = "multipart/form-data"


class FormPart(NamedTuple):
    """A field of a form, or a file."""

    name: str
    file: str | None
    """What the file is called; None: it is a field."""
    type: str
    """The media type that is said of it; empty: none is."""
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


def parts(body: bytes, content_type: str, most: int) -> list[FormPart]:
    """The parts in their order; one without a name is none. Raises InvalidInput, for more than so many as well."""
    from python_multipart.exceptions import FormParserError  # noqa: PLC0415 - files are seldom sent so
    from python_multipart.multipart import MultipartParser, parse_options_header  # noqa: PLC0415 - likewise

    boundary = parse_options_header(content_type)[1].get(b"boundary")
    if not boundary:
        raise InvalidInput("The form does not say what stands between its parts.")
    reader = _Reader(most)
    try:
        parser = MultipartParser(
            boundary,
            {
                "on_part_begin": reader.begin,
                "on_header_field": reader.name,
                "on_header_value": reader.value,
                "on_header_end": reader.end_of_header,
                "on_part_data": reader.data,
            },
        )
        parser.write(body)
        parser.finalize()
    except FormParserError as error:
        raise InvalidInput(f"The form cannot be read: {error}.") from None
    return list(_named(reader))


class _Reader:
    """What a parser tells, part by part."""

    def __init__(self, most: int) -> None:
        self.found: list[tuple[dict[str, bytes], bytearray]] = []
        self._most = most
        self._name, self._value = bytearray(), bytearray()

    def begin(self) -> None:
        if len(self.found) == self._most:
            raise InvalidInput(f"A form has {self._most} parts at most.")
        self.found.append(({}, bytearray()))

    def name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def end_of_header(self) -> None:
        self.found[-1][0][self._name.decode("latin-1").lower()] = bytes(self._value)
        self._name, self._value = bytearray(), bytearray()

    def data(self, data: bytes, start: int, end: int) -> None:
        self.found[-1][1].extend(memoryview(data)[start:end])


def _named(reader: _Reader) -> Iterator[FormPart]:
    for heads, data in reader.found:
        said = Message()  # which knows names that are written in other letters, too
        said["Content-Disposition"] = heads.get("content-disposition", b"").decode("utf-8", "replace")
        name = said.get_param("name", header="content-disposition")
        if isinstance(name, str) and name:
            file = said.get_filename()
            kind = heads.get("content-type", b"").decode("latin-1").partition(";")[0].strip()
            yield FormPart(name, None if file is None else file.replace("%22", '"'), kind, bytes(data))
