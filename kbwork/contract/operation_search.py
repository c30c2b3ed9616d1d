"""Finding an operation by what somebody wants to do: words, their kin, and how rare they are (BM25)."""

import math
import re
from collections.abc import Container, Mapping
from typing import Generic, NamedTuple, TypeVar

_WORD = re.compile(r"[a-z0-9]+")
_K, _B = 1.2, 0.4
_WEIGHTS = {"id": 6.0, "summary": 2.0, "doc": 0.6, "fields": 0.5}
_SAME, _NEAR = 0.95, 0.6
_MOST_WORDS = 32
_STOP = frozenset(
    _WORD.findall("""
    a an and any are as at be by can do for from give have how i if in into is it its me my of on one or our
    please so some somebody someone something that the their them then there these this to up want we what
    when where which with you your
    """)
)
_PHRASES = {
    "who am i": "whoami",
    "what may i do": "whoami",
    "my permissions": "whoami access",
    "sign in": "login",
    "log in": "login",
    "sign out": "logout",
    "log out": "logout",
    "log (?:[a-z0-9]+ )?(?:time|work|hours?|minutes?)": "worklog add",
    "(?:change|set|move) (?:the )?(?:status|state)": "transition issue",
    "(?:move|set) to (?:done|progress|review)": "transition issue",
    "turn (?:on|off)|switch (?:on|off)": "set",
    "feature (?:flag|toggle)": "flag",
    "on call": "oncall",
    "at once|in one go": "batch",
    "about .*": "query",
    "what changed": "changes activity history",
}
"""What is meant by words that go together; patterns over lower-case words."""
_SAME_AS = {
    "create": "make new open file raise report",
    "update": "change edit modify alter adjust rename",
    "delete": "remove erase drop destroy",
    "list": "show all browse enumerate",
    "get": "read show fetch look detail",
    "query": "search find grep lookup",
    "transition": "status state close reopen finish",
    "issue": "bug ticket task story todo defect card",
    "page": "doc document wiki article",
    "member": "user person people colleague teammate",
    "comment": "reply remark discuss",
    "label": "tag",
    "attachment": "file upload image screenshot",
    "sprint": "iteration",
    "worklog": "time hour timesheet",
    "release": "version ship",
    "goal": "okr objective",
    "key": "token credential",
    "relation": "block depend dependency relate",
    "watch": "follow subscribe",
    "notification": "inbox notice alert unread",
    "invite": "onboard",
    "batch": "bulk several multiple many operation",
    "undo": "revert",
    "me": "whoami",
    "call": "oncall",
    "burn": "burndown burnup",
    "workflow": "process",
    "tql": "filter jql sql",
}
"""What the catalogue calls it, and what else people say."""
_NEAR_TO = {
    "create": "save add",
    "add": "create save",
    "update": "save set",
    "delete": "revoke",
    "set": "update",
    "get": "list",
    "list": "query",
    "query": "list",
    "activity": "history changes",
    "history": "activity",
    "export": "fetch create",
    "import": "run open",
}


class OperationText(NamedTuple):
    """What is said of an operation."""

    id: str
    summary: str
    doc: str
    fields: str
    """The names of its fields, one after the other."""


T = TypeVar("T")


class OperationIndex(Generic[T]):
    """The words of every operation, each found as what stands for it. Made once."""

    def __init__(self, texts: Mapping[T, OperationText]) -> None:
        self._names = {one: text.id.replace(".", "_") for one, text in texts.items()}
        self._words = {one: _document(text) for one, text in texts.items()}
        lengths = [sum(words.values()) for words in self._words.values()]
        self._mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._having: dict[str, set[T]] = {}
        for one, words in self._words.items():
            for word in words:
                self._having.setdefault(word, set()).add(one)
        total = len(self._words) + 0.5
        self._rare = {
            word: math.log(1 + total / (len(having) + 0.5)) for word, having in self._having.items()
        }

    def find(self, query: str, among: Container[T], limit: int) -> list[T]:
        """Those that fit best, best first; none that share no word with the query or its kin."""
        wanted = _wanted(query)[:_MOST_WORDS]
        near = {one for kin in wanted for word in kin for one in self._having.get(word, ()) if one in among}
        found = sorted(near, key=lambda one: (-self._score(self._words[one], wanted), self._names[one]))
        return found[:limit]

    def _score(self, words: dict[str, float], wanted: list[dict[str, float]]) -> float:
        """BM25 over the asked words, each counted by the best of its kin; more where all of them fit."""
        spread = _K * (1 - _B + _B * sum(words.values()) / self._mean)
        score, met = 0.0, 0
        for kin in wanted:
            rare = min((self._rare[word] for word in kin if word in self._rare), default=0.0)
            fits = [
                weight * words[word] / (words[word] + spread) for word, weight in kin.items() if word in words
            ]
            score += rare * (_K + 1) * max(fits, default=0.0)
            met += bool(fits)
        return score * (1 + met / len(wanted))


def _document(text: OperationText) -> dict[str, float]:
    """How heavily each stem stands for this operation."""
    parts = {
        "id": text.id.replace("_", " "),
        "summary": text.summary,
        "doc": text.doc,
        "fields": text.fields.replace("_", " "),
    }
    words: dict[str, float] = {}
    for part, said in parts.items():
        stems = set(_stems(said))
        # a short name is the plainer thing: issues.create before issues.create_tree
        weight = _WEIGHTS[part] * (math.sqrt(2 / len(stems)) if part == "id" and stems else 1.0)
        for stem in stems:
            words[stem] = words.get(stem, 0.0) + weight
    return words


def _wanted(query: str) -> list[dict[str, float]]:
    """For each asked word its stem and the stems of its kin, with weights."""
    text = " ".join(_WORD.findall(query.lower()))
    for phrase, meaning in _PHRASES.items():
        text = re.sub(rf"\b(?:{phrase})\b", meaning, text)
    return [_KIN.get(stem, {}) | {stem: 1.0} for stem in dict.fromkeys(_stems(text))]


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP or word == "me"]


def _stem(word: str) -> str:
    """Without the ending, so that `issues`, `moved` and `closing` count as `issue`, `move` and `close`."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _kin() -> dict[str, dict[str, float]]:
    """For the stem of each word somebody may say: the stems the catalogue may have for it, with weights."""
    found: dict[str, dict[str, float]] = {}
    for word, others in _NEAR_TO.items():
        found.setdefault(_stem(word), {}).update((_stem(other), _NEAR) for other in others.split())
    for word, others in _SAME_AS.items():
        near = found.get(_stem(word), {})
        for other in others.split():
            mine = found.setdefault(_stem(other), {})
            mine.update({stem: max(mine.get(stem, 0.0), weight * _SAME) for stem, weight in near.items()})
            mine[_stem(word)] = _SAME
    return found


_KIN = _kin()
