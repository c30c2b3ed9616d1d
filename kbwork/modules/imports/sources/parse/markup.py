"""Wiki text of other tools as Markdown: headings, emphasis, code and links; all else stays as it was written."""

import re
from collections.abc import Callable, Iterator

_Rules = tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]

_TRAC: _Rules = (
    (
        re.compile(r"^(={1,6}) (.{1,300}?)(?: ={1,6})?[ \t]{0,9}$", re.MULTILINE),
        lambda m: f"{'#' * len(m[1])} {m[2]}",
    ),
    (re.compile(r"'''(?!')([^'\n]{1,2000})'''"), lambda m: f"**{m[1]}**"),
    (re.compile(r"''(?!')([^'\n]{1,2000})''"), lambda m: f"*{m[1]}*"),
    (re.compile(r"\[(https?://[^\s\[\]]{1,2000}) ([^\]\n]{1,500})\]"), lambda m: f"[{m[2]}]({m[1]})"),
)
_TEXTILE: _Rules = (
    (re.compile(r"^(\*{2,6}) ", re.MULTILINE), lambda m: f"{'  ' * (len(m[1]) - 1)}* "),
    (re.compile(r"^#{1,6} ", re.MULTILINE), lambda m: f"{'   ' * (len(m[0]) - 2)}1. "),
    (re.compile(r"(?<![\w*])\*([^\s*][^*\n]{0,2000}?)\*(?![\w*])"), lambda m: f"**{m[1]}**"),
    (re.compile(r"(?<!\w)@([^@\n]{1,500})@(?!\w)"), lambda m: f"`{m[1]}`"),
    (re.compile(r"\"([^\"\n]{1,500})\":(https?://[^\s)]{1,2000})"), lambda m: f"[{m[1]}]({m[2]})"),
    # last, since `# ` begins a numbered line there
    (re.compile(r"^h([1-6])\. +", re.MULTILINE), lambda m: f"{'#' * int(m[1])} "),
)
_LANGUAGE = re.compile(r"\s{0,9}#!([\w+-]{1,30})[^\n]{0,200}\n")
_INNER = re.compile(r"\s{0,9}<code(?: class=\"([\w+-]{0,30})\")?>")


def as_it_is(text: str) -> str:
    """Of tools that write Markdown."""
    return text.replace("\r\n", "\n")


def from_trac(text: str) -> str:
    """Trac's wiki text."""
    return _converted(text, ("{{{", "}}}"), _TRAC)


def from_textile(text: str) -> str:
    """Textile, as Redmine has it."""
    return _converted(text, ("<pre>", "</pre>"), _TEXTILE)


def _converted(text: str, marks: tuple[str, str], rules: _Rules) -> str:
    """Code becomes code, and nothing in it is changed."""
    done = ""
    parts: list[str] = []
    for part, is_code in _split(as_it_is(text), marks):
        if not is_code:
            done = part
            for pattern, new in rules:
                done = pattern.sub(new, done)
        else:
            done = _code(part, alone=not parts or done.endswith("\n"))
        parts.append(done)
    return "".join(parts)


def _split(text: str, marks: tuple[str, str]) -> Iterator[tuple[str, bool]]:
    """Prose and code by turns. A mark that is not closed is prose."""
    at = 0
    while True:
        begin = text.find(marks[0], at)
        end = text.find(marks[1], begin + len(marks[0])) if begin >= 0 else -1
        if end < 0:
            yield text[at:], False
            return
        yield text[at:begin], False
        yield text[begin + len(marks[0]) : end], True
        at = end + len(marks[1])


def _code(text: str, *, alone: bool) -> str:
    language = ""
    if found := _LANGUAGE.match(text) or _INNER.match(text):
        language = found[1] or ""
        text = text[found.end() :].rstrip().removesuffix("</code>")
    if "\n" not in text and "`" not in text and not alone:
        return f"`{text}`" if text.strip() else text
    fence = "```" if "```" not in text else "`" * 8
    before = "" if alone else "\n"
    inner = text.strip("\n")
    return f"{before}{fence}{language}\n{inner}\n{fence}"
