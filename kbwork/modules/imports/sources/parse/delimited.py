"""A table in text: its encoding and delimiter are found out, its rows are read one after the other, within bounds."""

import codecs
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.refusal import SourceRefused

_SAMPLE_BYTES = 64_000
_MOST_LINE = 16_000_000
_MOST_CELL = 8_000_000
_MOST_COLUMNS = 2_000
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DELIMITERS = ",;\t|"
_QUOTE = '"'


class DelimitedTable:
    """`header` is the first row that is not empty; `rows` may be asked for again. Both raise Refused with the place."""

    def __init__(self, path: Path, into: RecordCollector) -> None:
        self._path = path
        self._into = into
        self._cut = False
        self._encoding = _encoding(path, into)
        self._delimiter, self._skip = self._dialect()
        self._header_row, self.header = self._first()
        if len(self.header) > _MOST_COLUMNS:
            raise SourceRefused(
                f"row {self._header_row}: {len(self.header):,} columns; at most {_MOST_COLUMNS:,}"
            )

    def rows(self, *, tell: bool = True) -> Iterator[tuple[int, list[str]]]:
        """Each row below the header with its number, as wide as the header; empty ones are left out.

        Tells of short rows. One at an end without a line break is where a file was cut off.
        """
        width = len(self.header)
        for number, cells in self._all():
            if number <= self._header_row or not any(cells):
                continue
            if len(cells) > width:
                raise SourceRefused(f"row {number}: {len(cells):,} cells under {width:,} columns")
            if len(cells) < width:
                if self._cut:
                    raise SourceRefused(
                        f"row {number}: the file ends after {len(cells)} of {width:,} columns"
                    )
                if tell:
                    self._into.lose(
                        "rows with fewer cells than the header end in empty ones", f"row {number}"
                    )
                cells.extend([""] * (width - len(cells)))
            yield number, cells

    def _first(self) -> tuple[int, list[str]]:
        for number, cells in self._all():
            if any(cell.strip() for cell in cells):
                return number, [cell.strip() for cell in cells]
        raise SourceRefused("the file holds no rows")

    def _all(self) -> Iterator[tuple[int, list[str]]]:
        csv.field_size_limit(_MOST_CELL)
        number = 0
        with self._open() as file:
            lines = self._noted(file)
            for _ in range(self._skip):
                next(lines, "")
            reader = csv.reader(lines, delimiter=self._delimiter, quotechar=_QUOTE, strict=True)
            while True:
                number += 1
                try:
                    cells = next(reader, None)
                except csv.Error as error:
                    raise SourceRefused(f"row {number} (line {reader.line_num}): {_told(error)}") from None
                except UnicodeDecodeError as error:
                    raise SourceRefused(f"row {number}: not {error.encoding}: {error.reason}") from None
                if cells is None:
                    return
                yield number, cells

    def _noted(self, file: IO[str]) -> Iterator[str]:
        for line in _lines(file):
            self._cut = not line.endswith(("\n", "\r"))
            yield line

    def _open(self) -> IO[str]:
        return self._path.open(encoding=self._encoding, newline="")

    def _dialect(self) -> tuple[str, int]:
        """The delimiter, and how many lines before the header only name it (`sep=;`, as spreadsheets write)."""
        try:
            with self._open() as file:
                for line in _lines(file):
                    plain = line.strip("\r\n ")
                    if len(plain) == 5 and plain.lower().startswith("sep="):
                        return plain[4], 1
                    if plain:
                        return _delimiter(plain), 0
        except UnicodeDecodeError as error:
            raise SourceRefused(f"row 1: not {error.encoding}: {error.reason}") from None
        raise SourceRefused("the file holds no rows")


def _lines(file: IO[str]) -> Iterator[str]:
    number = 0
    while line := file.readline(_MOST_LINE + 1):
        number += 1
        if len(line) > _MOST_LINE:
            raise SourceRefused(f"line {number} is longer than {_MOST_LINE:,} characters")
        yield line


def _delimiter(line: str) -> str:
    """What stands most often outside quotes; the comma where nothing does."""
    outside = "".join(line.split(_QUOTE)[::2])
    return max(_DELIMITERS, key=lambda sign: (outside.count(sign), sign == ","))


def _told(error: csv.Error) -> str:
    text = str(error)
    if "field larger" in text:
        return f"a cell of more than {_MOST_CELL:,} characters; is a quote not closed?"
    if "end of data" in text:
        return "the file ends inside a quoted cell"
    return f"{text} (a quote inside a cell is written twice)" if "expected after" in text else text


def _encoding(path: Path, into: RecordCollector) -> str:
    with path.open("rb") as file:
        sample = file.read(_SAMPLE_BYTES)
    if sample.startswith(b"PK\x03\x04"):
        raise SourceRefused("the file is a workbook or an archive, no table in text: save it as CSV")
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return name
    if wide := _wide(sample):
        return wide
    control = sum(sample.count(sign) for sign in range(32) if sign not in b"\t\n\v\f\r\0\x1b")
    if control + sample.count(0) > len(sample) // 20 + 4:
        raise SourceRefused("the file is no table in text")
    broken = _broken(path)
    if broken is None:
        return "utf-8"
    into.lose("the file is not UTF-8; it is read as Windows-1252", f"byte {broken}")
    return "cp1252"


def _wide(sample: bytes) -> str | None:
    """UTF-16 without a mark: Latin letters with a zero byte each."""
    half = len(sample) // 2
    if half < 2:
        return None
    odd, even = sample[1::2].count(0), sample[::2].count(0)
    if odd > half * 0.6 and even < half * 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.6 and odd < half * 0.1 else None


def _broken(path: Path) -> int | None:
    """The first byte that is not UTF-8. Raises SourceRefused where the file ends in the middle of a character."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    read = 0
    with path.open("rb") as file:
        while True:
            block = file.read(1_000_000)
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                if not block and read > pending:
                    raise SourceRefused(f"byte {read}: the file ends in the middle of a character") from None
                return read - pending + error.start
            if not block:
                return None
            read += len(block)
