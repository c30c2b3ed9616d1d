"""Text to tokens: one pass, one expression, every token with its place."""

import re
from enum import StrEnum

from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.patterns import pattern
from kbwork.tql.errors import Fault, SuggestedFix, TextSpan

LONGEST = 20_000
"""Characters of a text."""
_DIGITS = 15  # of a number: what a float holds exactly


class TokenKind(StrEnum):
    """What a token is."""

    STRING = "text in quotes"
    NUMBER = "number"
    DURATION = "length of time"
    MOMENT = "time"
    KEY = "key"
    HANDLE = "handle"
    LABEL = "label"
    WORD = "word"
    LOOSE = "value"
    """Begins with a digit and is nothing else: `1.2.3`, `30m`, `31.12.2026`."""
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is what is written, `value` what it says: without quotes, variants of a sign as one."""

    kind: TokenKind
    text: str
    value: str
    span: TextSpan
    glued: bool
    """No blank stands before it."""

    def is_sign(self, *signs: str) -> bool:
        return self.kind is TokenKind.SIGN and self.text in signs

    def is_word(self, *words: str) -> bool:
        return self.kind is TokenKind.WORD and self.value.lower() in words


# A word begins with a letter; beyond ASCII every sign but blanks and typographic quotes counts as one, since
# many scripts put signs into words that are letters to nobody's table.
_LETTER = r"(?:[A-Za-z_]|[^\x00-\x7f\s\u2018-\u201f])"
_SIGN_OF_WORD = r"(?:\w|[^\x00-\x7f\s\u2018-\u201f])"
_ENDS = rf"(?!{_SIGN_OF_WORD})(?!\.\w)"  # what begins with a digit ends where its word ends
_UNIT = r"(?:min|mo|wd|h|d|w|q|y)"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

_TOKEN = rf"""
      (?P<BLANK>   \s+ | --[^\n]* )
    | (?P<STRING>  "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' )
    | (?P<MOMENT>  (?: {_DAY}T[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?:Z|[+-][0-9]{{2}}:[0-9]{{2}})?
                     | {_DAY} | [0-9]{{4}}-W[0-9]{{2}} | [0-9]{{4}}-Q[0-9] | [0-9]{{4}}-[0-9]{{2}}(?!-) ) {_ENDS} )
    | (?P<DATED>   (?: [0-9]{{4}}(?P<a>[./-])[0-9]{{1,2}}(?P=a)[0-9]{{1,2}}
                     | [0-9]{{1,2}}(?P<b>[./-])[0-9]{{1,2}}(?P=b)[0-9]{{4}} ) {_ENDS} )
    | (?P<DURATION> (?:[0-9]+{_UNIT})+ {_ENDS} )
    | (?P<NUMBER>  [0-9]+(?:\.[0-9]+)? {_ENDS} )
    | (?P<LOOSE>   [0-9](?:{_SIGN_OF_WORD}|[.-](?=\w))* )
    | (?P<KEY>     [A-Z][A-Z0-9_]*-[0-9]+(?![\w-]) )
    | (?P<HANDLE>  @\w(?:\w|[.-](?=\w))* )
    | (?P<LABEL>   \#\w(?:\w|[./:-](?=\w))* )
    | (?P<WORD>    {_LETTER}{_SIGN_OF_WORD}*(?:-{_SIGN_OF_WORD}+)* )
    | (?P<SIGN>    \.\. | <= | >= | != | !~ | == | <> | && | \|\| | [=<>:~!()\[\],.+*/-] )
    """

_ONE_SIGN = {"==": "=", "<>": "!="}
_AS_WORD = {"&&": "and", "||": "or"}
_QUOTES = str.maketrans("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f", "''''\"\"\"\"")
_NEXT = pattern(_TOKEN, re.VERBOSE | re.IGNORECASE | re.DOTALL)
"""It takes 3 ms, which the first text waits for and no start."""
_ESCAPED = re.compile(r"\\([\"'\\])")


def tokens(text: str) -> tuple[list[Token], list[Fault]]:
    """All tokens, the last of kind END, and what could not be read; reading goes on behind each fault."""
    if len(text) > LONGEST:
        fault = Fault(
            TextSpan(LONGEST, len(text)),
            f"A text has at most {LONGEST:,} characters; this has {len(text):,}.",
        )
        return [_end(text)], [fault]
    found: list[Token] = []
    faults: list[Fault] = []
    at, glued = 0, False
    next_token = _NEXT.match
    while at < len(text):
        match = next_token(text, at)
        if match is None:
            fault = _unreadable(text, at)
            faults.append(fault)
            if text[at] in "\"'":
                found.append(Token(TokenKind.STRING, text[at:], text[at + 1 :], fault.span, glued))
            at, glued = fault.span.end, False
        elif match["BLANK"]:
            at, glued = match.end(), False
        else:
            token = _token(match, glued)
            if _too_long(token):
                faults.append(Fault(token.span, f"A number has at most {_DIGITS} digits."))
                token = replace(token, kind=TokenKind.LOOSE)
            found.append(token)
            at, glued = match.end(), True
    return [*found, _end(text)], faults


def _end(text: str) -> Token:
    return Token(TokenKind.END, "", "", TextSpan(len(text), len(text)), False)


def _token(match: re.Match[str], glued: bool) -> Token:
    name, text, span = str(match.lastgroup), match[0], TextSpan(*match.span())
    if name == "STRING":
        return Token(TokenKind.STRING, text, _ESCAPED.sub(r"\1", text[1:-1]), span, glued)
    if name == "DATED" or match["DATED"]:
        return Token(TokenKind.LOOSE, text, text, span, glued)
    if name in {"HANDLE", "LABEL"}:
        return Token(TokenKind[name], text, text[1:], span, glued)
    if text in _AS_WORD:
        return Token(TokenKind.WORD, _AS_WORD[text], _AS_WORD[text], span, glued)
    if name == "SIGN":
        sign = _ONE_SIGN.get(text, text)
        return Token(TokenKind.SIGN, sign, sign, span, glued)
    return Token(TokenKind[name], text, text, span, glued)


def _unreadable(text: str, at: int) -> Fault:
    sign = text[at]
    if sign in "\"'":
        return Fault(
            TextSpan(at, len(text)), f"The text that begins here with {sign} is not closed.", expected=(sign,)
        )
    plain = sign.translate(_QUOTES)
    if plain != sign:
        note = "straight quotes are read"
        return Fault(
            TextSpan(at, at + 1), f"Write {plain} for {sign}.", suggestions=(SuggestedFix(sign, plain, note),)
        )
    shown = sign if sign.isprintable() else f"U+{ord(sign):04X}"
    return Fault(
        TextSpan(at, at + 1), f"The sign {shown} means nothing here; to search for it, put it in quotes."
    )


def _too_long(token: Token) -> bool:
    numeric = token.kind in {TokenKind.NUMBER, TokenKind.DURATION}
    return numeric and sum(sign.isdigit() for sign in token.text) > _DIGITS
