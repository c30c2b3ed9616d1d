"""Mail from strangers is read in a time that its size bounds."""

from kbwork.core.mail import received


def test_parameters_are_read_so_far() -> None:
    long = ";" * 300_000
    raw = (
        f'From: a@b.example\r\nSubject: x\r\nContent-Type: text/plain; a="{long}"\r\n'
        f'Content-Disposition: attachment; a="{long}"\r\n\r\nHello\r\n'
    )
    reader = received._Bounded()
    for name in ("Content-Type", "Content-Disposition"):
        assert len(reader.header_fetch_parse(name, long)) == received.PARAMETER_CHARS
    assert received.parse(raw.encode()).subject == "x"
