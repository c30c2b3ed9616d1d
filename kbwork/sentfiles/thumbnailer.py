"""A program: a picture from standard input, made smaller as WebP to standard output, within limits.

It is run as a process of its own: pictures may be made to take all time and memory, and to get at what reads them. What
goes out is made of the pixels alone: no metadata, no place where it was taken.
"""

import contextlib
import io
import sys

from PIL import (
    AvifImagePlugin,
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageCms,
    JpegImagePlugin,
    PngImagePlugin,
    WebPImagePlugin,
)

from kbwork.sentfiles.bounds import bound

MOST_PIXELS = 50_000_000
MOST_CPU_S = 8
MOST_MEMORY = 768 * 1024 * 1024
TALLEST = 8
"""So many times its width a small picture is high at most."""
QUALITY = 80
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP")
_ORIENTATION = 0x0112


def made(data: bytes, width: int) -> bytes:
    """The picture in WebP; of what moves the first one. What cannot be read, and what is too large, is an exception."""
    readers = (
        AvifImagePlugin,
        BmpImagePlugin,
        GifImagePlugin,
        JpegImagePlugin,
        PngImagePlugin,
        WebPImagePlugin,
    )
    assert all(readers)  # importing them is what makes them known
    with Image.open(io.BytesIO(data), formats=FORMATS) as source:
        if source.width * source.height > MOST_PIXELS:
            raise ValueError(f"{source.width} x {source.height} pixels")
        orientation = source.getexif().get(_ORIENTATION, 1)
        size = fitting(source.size, width, turned=orientation in (5, 6, 7, 8))
        source.draft("RGB", size)
        profile = source.info.get("icc_profile")
        small = plain(source).resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    small = turned(in_srgb(small, profile), orientation)
    small.info.clear()
    found = io.BytesIO()
    small.save(found, "WEBP", quality=QUALITY, exif=b"", icc_profile=b"", xmp=b"")
    return found.getvalue()


def fitting(size: tuple[int, int], width: int, *, turned: bool) -> tuple[int, int]:
    """As wide as wanted once it is turned, never larger than it was, and not too high."""
    wide, high = reversed(size) if turned else size
    scale = min(1.0, width / wide, width * TALLEST / high)
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def plain(source: Image.Image) -> Image.Image:
    """With eight bits a channel, and as many channels as it takes."""
    if source.mode.startswith("I") or source.mode == "F":
        return source.point(lambda value: value / 256).convert("L")  # sixteen bits, mostly
    if source.mode in ("RGB", "RGBA", "L", "CMYK"):
        return source
    return source.convert("RGBA" if source.has_transparency_data else "RGB")


def in_srgb(small: Image.Image, profile: bytes | None) -> Image.Image:
    """In the colours that are meant where no profile says which; one that cannot be read counts as none."""
    if profile and small.mode in ("RGB", "RGBA", "CMYK"):
        mode = "RGB" if small.mode == "CMYK" else small.mode
        with contextlib.suppress(ImageCms.PyCMSError, OSError):
            given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            found = ImageCms.profileToProfile(small, given, ImageCms.createProfile("sRGB"), outputMode=mode)
            return found or small
    return small.convert("RGB") if small.mode == "CMYK" else small


def turned(small: Image.Image, orientation: int) -> Image.Image:
    """As the camera was not held."""
    ways = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }
    way = ways.get(orientation)
    return small.transpose(way) if way is not None else small


def main(argv: list[str]) -> int:
    """Make one smaller."""
    bound(cpu_s=MOST_CPU_S, memory=MOST_MEMORY)
    sys.stdout.buffer.write(made(sys.stdin.buffer.read(), int(argv[0])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
