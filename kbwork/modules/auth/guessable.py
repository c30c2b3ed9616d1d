"""Passwords that are tried first: common words, rows of the keyboard, years, and the person's own words.

A password is taken apart into as few pieces as can be. A common or own word is one piece, spelt with `0` for `o` and
`@` for `a` or not, and so is `qwerty`, `1234` or `!!!!`; of what is none of these each sign is one.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator

_FEWEST = 6
"""Pieces that a password has at least."""
_SHORTEST = 3
"""Signs of an own word that counts, and of a run."""
_DIGITS_OF_A_PIECE = 4
_COMMON = """
access account admin administrator adobe alexander alpha amanda america andrea andrew angel angela animal anthony
apple april arsenal ashley asshole august austin autumn azerty
baby bailey banana barcelona baseball basketball batman beautiful berlin bitch blink blue bond bonjour boston
brandon buster butterfly
calvin camaro captain carlos change changeme charlie cheese chelsea chicago chicken chocolate chris christmas
coffee company computer consumer cookie cooper corvette cowboy crystal customer
dakota dallas daniel david december default demo diamond dolphin donald dragon dummy
eagle elephant email enter eminem england example
facebook falcon family february ferrari flower football forever france freedom friday friend friends fuck fucking
fuckyou
gandalf garfield george gewinner ginger girl google guest guitar
hallo hammer hannah happy harley harry heaven hello hockey holiday home honey horny hottie house hunter
iceman iloveyou india internet ihateyou
jackson jaguar january jasmine jasper jennifer jessica jesus jordan joshua julia july june justin
kbwork kennwort keyboard killer king knight
laura lauren letmein letmeintoo linkedin lion liverpool login london louise love lovely loveme lover lucky
madison maggie magic manager manchester march marina marlboro marseille martin master matrix matthew maverick
mercedes merlin michael michelle microsoft midnight mobile monday money monkey monster morgan motdepasse mother
mountain murphy music mustang mypass mypassword
naruto nathan nicole nintendo nirvana november number
october office oliver orange owner
packers panther paris parola pass passe passphrase passw passwd password passwords passwort pepper phoenix picture
player please pokemon police porsche power prince princess private purple pussy
querty
rabbit rachel rainbow ranger raven rebecca robert rocket root rosebud runner
samantha samsung saturday schalke schatz scooter scooby secret secure security senha september server service
sesame sex sexy shadow silver slayer smokey snoopy soccer sommer sophie spider spiderman spring squirt star
starwars steelers stella steven summer summertime sunday sunflower sunshine super superman superuser support
sweet sydney system
taylor teacher team temp temporary tennis test tester testing thanks thomas thunder thursday tiger tigger today
trust trustno trustnoone tuesday turtle tweety twitter
user username
vanessa victor victoria vampire vikings
warrior wednesday welcome whatever william willkommen wilson windows winner winston winter wizard wolf work
wordpass
yamaha yankees yellow youtube
zaq
"""
_WORDS = frozenset(_COMMON.split())
_ROWS = (
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "yxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "wxcvbn",
    "1234567890",
    "!@#$%^&*()",
    '!"§$%&/()=',
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "qazwsxedcrfvtgbyhnujmikolp",
    "abcdefghijklmnopqrstuvwxyz",
    "a1b2c3d4e5f6g7h8i9j0",
)
_BOTH_WAYS = _ROWS + tuple(row[::-1] for row in _ROWS)
_MEANT = {
    "0": "o",
    "1": "il",
    "2": "z",
    "3": "e",
    "4": "a",
    "5": "s",
    "6": "g",
    "7": "t",
    "8": "b",
    "9": "g",
    "@": "a",
    "$": "s",
    "!": "il",
    "|": "il",
    "+": "t",
    "(": "c",
    "€": "e",
    "ß": "s",
}
"""A sign -> the letters that it stands for."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_DIGITS = re.compile(r"[0-9]+")
_SIGNS = re.compile(r"[\W_]*")
_AGAIN = re.compile(r"(.+?)\1+", re.DOTALL)


def is_guessable(password: str, own: Collection[str]) -> bool:
    """Whether it is soon guessed by who knows the person. `own` is what names them: name, handle, address, org."""
    text = _plain(password)
    repeated = _AGAIN.fullmatch(text)
    if repeated is not None:
        return _pieces(repeated[1], own) + 1 < _FEWEST
    return _pieces(text, own) < _FEWEST


def _pieces(text: str, own: Collection[str]) -> int:
    """The fewest pieces that the text is made of."""
    words = _by_first(_WORDS.union(*map(_words_of, own)))
    fewest = [0] * (len(text) + 1)
    """Of what begins at each place."""
    for start in range(len(text) - 1, -1, -1):
        fewest[start] = min(cost + fewest[end] for cost, end in _pieces_at(text, start, words))
    return fewest[0]


def _pieces_at(text: str, start: int, words: dict[str, list[str]]) -> Iterator[tuple[int, int]]:
    """(how many pieces it counts as, where it ends) of what may begin here."""
    yield 1, start + 1
    yield 1, _end_of_run(text, start)
    if found := _YEAR.match(text, start):
        yield 1, found.end()
    if found := _DIGITS.match(text, start):
        yield 1 + len(found[0]) // _DIGITS_OF_A_PIECE, found.end()
    for letter in text[start] + _MEANT.get(text[start], ""):
        for word in words.get(letter, ()):
            if _is_spelt(text, start, word):
                signs = _SIGNS.match(text, start + len(word))
                yield 1, start + len(word)
                yield 1, signs.end() if signs else start + len(word)


def _is_spelt(text: str, start: int, word: str) -> bool:
    if start + len(word) > len(text):
        return False
    return all(
        letter == sign or letter in _MEANT.get(sign, "")
        for letter, sign in zip(word, text[start : start + len(word)], strict=True)
    )


def _end_of_run(text: str, start: int) -> int:
    """Where the same sign again and again, or a row of the keyboard, ends that begins here; the next place for none."""
    end = start + 1
    while end < len(text) and text[end] == text[start]:
        end += 1
    longest = end
    for row in _BOTH_WAYS:
        end = start + _SHORTEST
        while end <= len(text) and text[start:end] in row:
            longest = max(longest, end)
            end += 1
    return longest


def _words_of(told: str) -> set[str]:
    """The words of a name or an address, and all of them as one."""
    words = re.findall(r"[^\W_]+", _plain(told))
    return {word for word in (*words, "".join(words)) if len(word) >= _SHORTEST}


def _by_first(words: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[0], []).append(word)
    return found


def _plain(text: str) -> str:
    """In small letters, without accents."""
    apart = unicodedata.normalize("NFD", text.lower())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
