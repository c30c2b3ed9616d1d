"""Pictures made smaller: turned as they were meant, without metadata, for who sees the file, kept within a bound."""

import http.client
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image, ImageCms, UnidentifiedImageError

from kbwork.contract.kbwork_client import Kbwork
from kbwork.db.archives import backup
from kbwork.modules.attachments.content import smaller, thumbnails
from kbwork.sentfiles import thumbnailer
from tests.conftest import World
from tests.modules.backups.test_backups import archive
from tests.modules.calls import call
from tests.modules.comments.test_comments import make
from tests.modules.test_attachments import add, fetched, stored
from tests.modules.test_attachments_sent import add as add_sent
from tests.modules.test_attachments_sent import link

RED, BLUE = (255, 0, 0), (0, 0, 255)
JSON = "application/problem+json"


def picture(form: str = "PNG", size: tuple[int, int] = (900, 600), mode: str = "RGB", **more: Any) -> bytes:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", size, BLUE)
    image.paste(RED, (0, 0, size[0] // 2, size[1]))
    found = io.BytesIO()
    image.convert(mode).save(found, form, **more)
    return found.getvalue()


def shown(body: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(body), formats=["WEBP"])
    image.load()
    return image


def near(image: Image.Image, place: tuple[int, int], colour: tuple[int, ...]) -> bool:
    found = image.convert("RGB").getpixel(place)
    assert isinstance(found, tuple)
    return all(abs(one - other) < 40 for one, other in zip(found, colour, strict=True))


def small(world: World, place: str, who: str | None = "cy", **headers: str) -> Any:
    """Status, headers, body."""
    if who is not None:
        headers["Authorization"] = f"Bearer {world.people[who].key}"
    return fetched(world, place, **headers)


def attached(world: World, data: bytes, name: str = "a.png", subject: str | None = None) -> str:
    return str(add(world, "cy", subject or make(world), data, name)["id"])


def test_a_picture_is_made_smaller_and_kept(world: World) -> None:
    ident = attached(world, picture())
    seq = world.database.seq
    status, headers, body = small(world, f"/files/{ident}?w=320")
    assert (status, shown(body).size) == (200, (320, 213))
    assert near(shown(body), (20, 100), RED)
    assert near(shown(body), (300, 100), BLUE)
    wanted = {
        "content-type": "image/webp",
        "cache-control": "private, no-cache",
        "vary": "Authorization, Cookie",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    }
    assert {name: headers[name] for name in wanted} == wanted
    assert small(world, f"/files/{ident}?w=300")[2] == body
    assert small(world, f"/files/{ident}?w=320", If_None_Match=headers["etag"])[::2] == (304, b"")
    assert (stored(world, "thumbnail"), world.database.seq) == (1, seq)


def test_a_link_leads_to_a_smaller_picture_too(world: World) -> None:
    ident = attached(world, picture())
    place = link(world, ident)
    assert shown(small(world, f"{place}&w=64".replace("&", "?"), None)[2]).size == (64, 43)
    world.clock.advance(301)
    assert small(world, f"{place}?w=64", None)[0] == 404


def test_what_is_small_stays_as_large_as_it_is(world: World) -> None:
    ident = attached(world, picture(size=(20, 10)))
    assert shown(small(world, f"/files/{ident}?w=1280")[2]).size == (20, 10)


@pytest.mark.parametrize("width", ["0", "-1", "1281", "x", "", "1e2", "²", "9" * 30])
def test_other_widths_are_refused(world: World, width: str) -> None:
    status, headers, body = small(world, f"/files/a_0?w={width}".replace("²", "%C2%B2"))
    assert (status, headers["content-type"]) == (422, JSON)
    assert b'"allowed":["64","160","320","640","1280"]' in body


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"Hello", "a.txt"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a.svg"),
        (b"%PDF-1.7", "a.pdf"),
        (picture()[:200], "cut.png"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "none.png"),
    ],
)
def test_what_is_no_picture_is_said_to_be_none(world: World, data: bytes, name: str) -> None:
    ident = attached(world, data, name)
    for _ in range(2):
        status, headers, body = small(world, f"/files/{ident}?w=64")
        assert (status, headers["content-type"], name.encode() in body) == (422, JSON, True)
    made = world.database.write_now(lambda tx: tx.all("select width, bytes, size from thumbnail"))
    assert made == ([{"width": 64, "bytes": b"", "size": 0}] if name.endswith(".png") else [])


def test_what_failed_is_tried_again_a_day_later(world: World) -> None:
    ident = attached(world, picture())
    small(world, f"/files/{ident}?w=64")
    world.database.write_now(lambda tx: tx.execute("update thumbnail set bytes = x'', size = 0"))
    assert small(world, f"/files/{ident}?w=64")[0] == 422
    world.clock.advance(24 * 3600)
    assert small(world, f"/files/{ident}?w=64")[0] == 200


def test_only_who_sees_the_file_sees_it_smaller(world: World) -> None:
    ident = attached(world, picture())
    place = f"/files/{ident}?w=64"
    etag = small(world, place)[1]["etag"]
    for who in ("gus", None):
        assert small(world, place, who)[0] == 404
        assert small(world, place, who, If_None_Match=etag)[0] == 404
    narrow = call(world, "cy", "keys.create", name="n", scopes=["issues:read"])["secret"]
    assert fetched(world, place, Authorization=f"Bearer {narrow}")[0] == 404
    assert fetched(world, place, Authorization="Bearer nobody")[0] == 404
    call(world, "cy", "attachments.delete", id=ident)
    assert small(world, place)[0] == 404
    call(world, "bo", "org.modules_set", off=["attachments"])
    assert small(world, place)[0] == 404


def test_purged_pictures_leave_no_smaller_ones(world: World) -> None:
    key = make(world)
    one, other = attached(world, picture(), subject=key), attached(world, picture(), "b.png", key)
    small(world, f"/files/{one}?w=64")
    assert small(world, f"/files/{other}?w=64")[0] == 200
    assert stored(world, "thumbnail") == 1
    for number, ident in enumerate((one, other), 1):
        call(world, "cy", "attachments.delete", id=ident)
        call(world, "bo", "trash.purge", ids=[number])
    assert (stored(world, "blob"), stored(world, "thumbnail")) == (0, 0)


def test_the_oldest_go_where_there_is_no_room(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    key = make(world)
    idents = [attached(world, picture(size=(900, 600 + n)), f"{n}.png", key) for n in range(6)]
    for ident in idents[:5]:
        small(world, f"/files/{ident}?w=64")
        world.clock.advance(1)
    each = world.database.write_now(lambda tx: tx.value("select max(size) from thumbnail"))
    monkeypatch.setattr(thumbnails, "MOST_KEPT_BYTES", each * 5)
    assert small(world, f"/files/{idents[5]}?w=64")[0] == 200
    kept = world.database.write_now(lambda tx: tx.column("select made_at from thumbnail order by made_at"))
    assert kept == [world.clock.now() - 1, world.clock.now()]


def test_a_backup_without_attachments_has_no_small_pictures(world: World, tmp_path: Path) -> None:
    ident = attached(world, picture())
    small(world, f"/files/{ident}?w=64")
    made = call(world, "bo", "backups.create", attachments=False)
    backup.unpack(archive(world, made["id"]), tmp_path / "data.db")
    with backup.opened(tmp_path / "data.db") as connection:
        assert connection.execute("select count(*) from thumbnail").get == 0
    assert stored(world, "thumbnail") == 1


def test_a_large_picture_in_pieces_is_made_smaller_and_one_that_is_too_large_is_not(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = picture("BMP", (1000, 500))
    ident = add_sent(world, "cy", make(world), data, "a.bmp")["id"]
    assert stored(world, "blob_piece") == 2
    assert shown(small(world, f"/files/{ident}?w=160")[2]).size == (160, 80)
    monkeypatch.setattr(thumbnails, "MOST_SOURCE_BYTES", len(data) - 1)
    assert small(world, f"/files/{ident}?w=160")[0] == 422


def test_several_ask_at_once(world: World) -> None:
    ident = attached(world, picture())
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda _: small(world, f"/files/{ident}?w=64"), range(5), timeout=30))
    assert {status for status, _, _ in answers} == {200}
    assert (len({body for _, _, body in answers}), stored(world, "thumbnail")) == (1, 1)


def test_where_too_many_ask_some_are_told_to_come_again(world: World) -> None:
    ident = attached(world, picture())
    taken = 0
    while thumbnails.MAKING.places.acquire(blocking=False):
        taken += 1
    try:
        status, headers, _ = small(world, f"/files/{ident}?w=64")
        assert (status, headers["retry-after"]) == (503, "2")
    finally:
        for _ in range(taken):
            thumbnails.MAKING.places.release()
    assert small(world, f"/files/{ident}?w=64")[0] == 200


def test_head_is_told_what_get_would_be(world: World) -> None:
    place = f"/files/{attached(world, picture())}?w=64"
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        connection.request("HEAD", place, headers={"Authorization": f"Bearer {world.people['cy'].key}"})
        answer = connection.getresponse()
        assert (answer.status, answer.headers["content-type"], answer.read()) == (200, "image/webp", b"")
    finally:
        connection.close()


# the program


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP"])
def test_every_format_is_read(form: str) -> None:
    image = shown(thumbnailer.made(picture(form), 64))
    assert (image.size, near(image, (8, 20), RED), near(image, (56, 20), BLUE)) == ((64, 43), True, True)


@pytest.mark.parametrize(
    ("form", "mode"),
    [("PNG", "P"), ("PNG", "RGBA"), ("PNG", "L"), ("PNG", "1"), ("JPEG", "CMYK"), ("JPEG", "L")],
)
def test_every_sort_of_pixel_is_read(form: str, mode: str) -> None:
    assert shown(thumbnailer.made(picture(form, mode=mode), 64)).size == (64, 43)


def test_sixteen_bits_become_eight() -> None:
    found = io.BytesIO()
    Image.new("I;16", (200, 100), 32_768).save(found, "PNG")
    assert near(shown(thumbnailer.made(found.getvalue(), 64)), (9, 9), (128, 128, 128))


def test_other_formats_are_not_even_tried() -> None:
    for form in ("TIFF", "PPM", "ICO", "TGA"):
        with pytest.raises(UnidentifiedImageError):
            thumbnailer.made(picture(form, (64, 64)), 64)


def test_what_is_transparent_stays_so() -> None:
    found = io.BytesIO()
    Image.new("RGBA", (200, 100), (255, 0, 0, 0)).save(found, "PNG")
    image = shown(thumbnailer.made(found.getvalue(), 64))
    assert (image.mode, image.getpixel((5, 5))[3]) == ("RGBA", 0)  # type: ignore[index]


@pytest.mark.parametrize(
    ("orientation", "size", "red"),
    [
        (1, (64, 43), (8, 20)),
        (2, (64, 43), (56, 20)),
        (3, (64, 43), (56, 20)),
        (4, (64, 43), (8, 20)),
        (5, (64, 96), (32, 8)),
        (6, (64, 96), (32, 8)),
        (7, (64, 96), (32, 88)),
        (8, (64, 96), (32, 88)),
        (9, (64, 43), (8, 20)),
    ],
)
def test_a_picture_is_turned_as_the_camera_was_held(
    orientation: int, size: tuple[int, int], red: tuple[int, int]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = shown(thumbnailer.made(picture("JPEG", exif=exif), 64))
    assert (image.size, near(image, red, RED)) == (size, True)


def test_nothing_goes_out_but_pixels() -> None:
    exif = Image.Exif()
    exif[0x010F] = "SECRET"
    exif.get_ifd(0x8825)[1] = "N"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for form in ("JPEG", "PNG", "WEBP"):
        data = picture(form, exif=exif, icc_profile=profile)
        assert b"SECRET" in data
        made = thumbnailer.made(data, 64)
        assert not any(sign in made for sign in (b"SECRET", b"EXIF", b"ICCP", b"XMP "))
        assert near(shown(made), (8, 20), RED)


def test_a_profile_that_cannot_be_read_counts_as_none() -> None:
    image = shown(thumbnailer.made(picture("JPEG", icc_profile=b"x" * 200), 64))
    assert near(image, (8, 20), RED)


def test_of_what_moves_the_first_picture_is_taken() -> None:
    later = [Image.new("RGB", (900, 600), BLUE)] * 30
    found = io.BytesIO()
    Image.new("RGB", (900, 600), RED).save(found, "GIF", save_all=True, append_images=later)
    image = shown(thumbnailer.made(found.getvalue(), 64))
    assert (near(image, (32, 20), RED), getattr(image, "n_frames", 1)) == (True, 1)


def test_a_picture_is_never_too_high() -> None:
    assert thumbnailer.fitting((10, 9000), 320, turned=False) == (3, 2560)
    assert thumbnailer.fitting((9000, 10), 320, turned=True) == (2560, 3)
    assert thumbnailer.fitting((9000, 1), 64, turned=False) == (64, 1)


def test_a_picture_that_takes_too_long_or_too_much_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    found = io.BytesIO()
    Image.new("1", (15_000, 15_000)).save(found, "PNG")
    assert len(found.getvalue()) < 100_000
    assert smaller.made_smaller(found.getvalue(), 64) == b""
    monkeypatch.setattr(smaller, "MOST_S", 0.001)
    assert smaller.made_smaller(picture(), 64) == b""


def test_the_client_has_the_scopes_of_a_key(world: World) -> None:
    ident = attached(world, picture())
    reader = call(world, "cy", "keys.create", name="n", scopes=["attachments:read", "issues:read"])["secret"]
    assert fetched(world, f"/files/{ident}?w=64", Authorization=f"Bearer {reader}")[0] == 200
    with Kbwork(world.url, reader) as client:
        assert client.call("attachments.get", {"id": ident, "as_url": True})["id"] == ident
