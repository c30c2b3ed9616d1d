"""Forms in parts: what is read of them, and what is refused."""

import pytest

from kbwork.api import form_parts
from kbwork.base.errors import InvalidInput

KIND = 'multipart/form-data; boundary="xyz"'


def form(*parts: tuple[str, bytes]) -> bytes:
    return (
        b"".join(b"--xyz\r\n%b\r\n\r\n%b\r\n" % (head.encode(), data) for head, data in parts)
        + b"--xyz--\r\n"
    )


def test_fields_and_files_are_told_apart() -> None:
    body = form(
        ('Content-Disposition: form-data; name="key"', "WEB-1 é".encode()),
        (
            'Content-Disposition: form-data; name="file"; filename="a%22b \\"c\\".txt"\r\nContent-Type: text/plain',
            b"--xy\r\n\x00 all of it\r\n",
        ),
        ('Content-Disposition: form-data; name="other"; filename=""\r\nContent-Type: text/plain', b""),
        ("Content-Disposition: form-data; name=far; filename*=utf-8''%C3%A9.txt", b"1"),
        ("Content-Disposition: form-data", b"nameless"),
    )
    key, file, other, far = form_parts.parts(body, KIND, 5)
    assert (key.name, key.file, key.text) == ("key", None, "WEB-1 é")
    assert (file.name, file.file, file.type) == ("file", 'a"b "c".txt', "text/plain")
    assert file.data == b"--xy\r\n\x00 all of it\r\n"
    assert (other.name, other.file, other.data) == ("other", "", b"")
    assert (far.name, far.file) == ("far", "é.txt")


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (form(*[('Content-Disposition: form-data; name="a"', b"1")] * 5), KIND, "4 parts at most"),
        (form(), "multipart/form-data", "what stands between its parts"),
        (b"--xyz\r\nno head\r\n\r\n1\r\n--xyz--", KIND, "cannot be read"),
        (form(("X: " + "y" * 9000, b"1")), KIND, "cannot be read"),
        (form(("\r\n".join(f"X-{n}: 1" for n in range(20)), b"1")), KIND, "cannot be read"),
        (b"nothing of it", KIND, "cannot be read"),
    ],
)
def test_what_is_no_form_is_refused(body: bytes, kind: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        form_parts.parts(body, kind, 4)
