"""Finding an operation by what somebody wants to do: the words said of it, their kin, how rare they are (BM25), the
phrases declared beside it, and whether somebody asks or wants something done."""

import math
import re
from collections.abc import Container, Mapping
from typing import Generic, NamedTuple, TypeVar

_WORD = re.compile(r"[a-z0-9]+")
_K, _B = 1.2, 0.4
_WEIGHTS = {"id": 6.0, "words": 3.0, "summary": 2.0, "doc": 0.3, "fields": 0.4}
_SAME, _NEAR = 0.95, 0.6
_PHRASE = 1.6
"""What a phrase that is said as a whole counts beside its words."""
_OTHER = 0.75
"""What is left of the score of a change for somebody who asks, and of a look for somebody who wants a change."""
_MOST_WORDS = 32
_STOP = frozenset(
    _WORD.findall("""
    a an and are as at be by can could do does for from get gets got have has i if in into is it its just let me my of
    one or our please s she he so some somebody someone something t than that the their them then there these they this
    to up us want was we with would you your her him his hers
    """)
)
"""Words that tell nothing of what is wanted."""
_ASKED = frozenset(_WORD.findall("any how on what when where which who whom whose why many much often long"))
"""Words that tell something in a phrase that people say, and nothing in a text that tells of an operation."""
_LOOKS = frozenset(
    _WORD.findall("""
    what which who whom whose where when why is are does did has show list find search see look view read count check
    tell compare display give browse
    """)
)
_ASKS = frozenset({"many", "much", "often", "long", "far", "is", "are", "was", "does", "did", "come"})
"""What comes after `how` where somebody asks for a fact, and not for a way."""
_PRELUDE = frozenset(_WORD.findall("i we want need to would like please can could you let us me help d ll"))
"""What people say before they say what they want."""
_DOES = frozenset(
    _WORD.findall("""
    create make new open file raise report add update change edit modify set put move delete remove erase drop close
    reopen finish assign invite turn switch enable disable stop start begin give hand take bring send post write mark
    merge split copy rename restore undo revert archive attach upload connect link lock hide schedule cancel approve
    reject define register record revoke rotate apply tick import migrate export back enforce require roll convert
    prioritize reorder
    """)
)
_SAME_AS = {
    "create": "make new open file raise report generate start",
    "update": "change edit modify alter adjust rename amend revise",
    "delete": "remove erase drop destroy discard",
    "list": "show all browse enumerate",
    "get": "read show fetch look detail",
    "query": "search find grep lookup",
    "search": "find",
    "transition": "status state close reopen finish",
    "issue": "bug ticket task story todo defect card incident",
    "page": "doc document wiki article",
    "member": "user person people colleague teammate employee",
    "comment": "reply remark discuss",
    "label": "tag",
    "attachment": "file upload image screenshot",
    "sprint": "iteration",
    "priority": "severity urgency",
    "due": "deadline",
    "raise": "bump increase lower decrease",
    "postpone": "shift delay defer",
    "empty": "clear purge",
    "reorder": "rearrange sort order",
    "lane": "column stage swimlane",
    "device": "computer laptop equipment hardware machine",
    "required": "mandatory obligatory",
    "color": "colour",
    "enable": "activate on",
    "disable": "deactivate off",
    "flag": "toggle switch",
    "environment": "production staging",
    "team": "department squad",
    "merge": "combine join fold unite",
    "finish": "finished complete done",
    "backup": "snapshot dump",
    "everybody": "everyone all",
    "duplicate": "dupe",
    "2fa": "mfa",
    "find": "locate",
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
    words: str = ""
    """What people say who want it: phrases between commas."""
    looks: bool = False
    """It changes nothing."""


T = TypeVar("T")


class OperationIndex(Generic[T]):
    """The words of every operation, each found as what stands for it. Made once."""

    def __init__(self, texts: Mapping[T, OperationText]) -> None:
        self._names = {one: text.id.replace(".", "_") for one, text in texts.items()}
        self._looks = {one: text.looks for one, text in texts.items()}
        self._words = {one: _document(text) for one, text in texts.items()}
        self._phrases = {one: _phrases(text) for one, text in texts.items()}
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
        looks = _looks(query)
        near = {one for kin in wanted for word in kin for one in self._having.get(word, ()) if one in among}
        scores = {one: self._score(one, wanted) * self._meant(one, looks) for one in near}
        return sorted(near, key=lambda one: (-scores[one], self._names[one]))[:limit]

    def _meant(self, one: T, looks: bool | None) -> float:
        return 1.0 if looks is None or looks == self._looks[one] else _OTHER

    def _score(self, one: T, wanted: list[dict[str, float]]) -> float:
        """BM25 over the asked words, each counted by the best of its kin, and the phrase that is said most fully; more
        where all of the words fit."""
        words = self._words[one]
        spread = _K * (1 - _B + _B * sum(words.values()) / self._mean)
        score, met, whole = 0.0, 0.0, 0.0
        for kin in wanted:
            rare = self._rareness(kin)
            fits = [
                weight * words[word] / (words[word] + spread) for word, weight in kin.items() if word in words
            ]
            score += rare * (_K + 1) * max(fits, default=0.0)
            met += rare * bool(fits)
            whole += rare
        said = max((self._said(phrase, wanted) for phrase in self._phrases[one]), default=0.0)
        return (score + _PHRASE * said) * (1 + met / whole if whole else 1.0)

    def _said(self, phrase: frozenset[str], wanted: list[dict[str, float]]) -> float:
        """How much of a phrase the query says, rare words counting more: a half of it is worth little."""
        whole = sum(self._rare[word] for word in phrase)
        said = sum(
            self._rare[word] * max((kin[word] for kin in wanted if word in kin), default=0.0)
            for word in phrase
        )
        return said * (said / whole) ** 2 if whole else 0.0

    def _rareness(self, kin: dict[str, float]) -> float:
        return min((self._rare[word] for word in kin if word in self._rare), default=0.0)


def _document(text: OperationText) -> dict[str, float]:
    """How heavily each stem stands for this operation."""
    parts = {
        "id": _told(text.id.replace("_", " ")),
        "words": _stems(text.words),
        "summary": _told(text.summary),
        "doc": _told(text.doc),
        "fields": _told(text.fields.replace("_", " ")),
    }
    words: dict[str, float] = {}
    for part, said in parts.items():
        stems = set(said)
        # a short name is the plainer thing: issues.create before issues.create_tree
        weight = _WEIGHTS[part] * (math.sqrt(2 / len(stems)) if part == "id" and stems else 1.0)
        for stem in stems:
            words[stem] = words.get(stem, 0.0) + weight
    return words


def _phrases(text: OperationText) -> frozenset[frozenset[str]]:
    """What people say, its name and its summary, each as a set of stems."""
    said = [_stems(phrase) for phrase in text.words.split(",")]
    told = [_told(text.id.replace("_", " ")), _told(text.summary)]
    return frozenset(frozenset(stems) for stems in (*said, *told) if stems)


def _wanted(query: str) -> list[dict[str, float]]:
    """For each asked word its stem and the stems of its kin, with weights."""
    return [_KIN.get(stem, {}) | {stem: 1.0} for stem in dict.fromkeys(_stems(query))]


def _looks(query: str) -> bool | None:
    """Whether somebody asks, or wants something done; None where the words do not say."""
    words = [word for word in _WORD.findall(query.lower()) if word not in _PRELUDE]
    first, second = (*words, "", "")[:2]
    if first == "how":
        return second in _ASKS or None
    if first in _LOOKS:
        return True
    return False if first in _DOES else None


def _told(text: str) -> list[str]:
    """The stems of a text that tells of an operation; all that people may say where nothing else is left of it."""
    said = [word for word in _WORD.findall(text.lower()) if word not in _STOP]
    return [_stem(word) for word in said if word not in _ASKED] or [_stem(word) for word in said]


def _stems(text: str) -> list[str]:
    """The stems of what people say."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP]


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
