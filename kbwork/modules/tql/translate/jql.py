"""JQL as texts of this language, as far as it goes."""

import re

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.patterns import pattern

_TOKEN = pattern(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<sign>!=|!~|<=|>=|&&|\|\||[=<>~!(),])|(?P<word>[^\s=<>~!(),"']+))"""
)
_FIELDS = {
    "issuekey": "key",
    "issue": "key",
    "id": "key",
    "issuetype": "type",
    "resolutiondate": "closed",
    "resolved": "closed",
    "duedate": "due",
    "createddate": "created",
    "updateddate": "updated",
    "lastviewed": "viewed",
    "statuscategory": "category",
    "originalestimate": "estimate",
    "story points": "estimate",
    "timespent": "spent",
    "remainingestimate": "left",
    "epic link": "parent",
    "parentepic": "epic",
    "affectedversion": "affects",
    "fixversion": "release",
    "voter": "voter",
    "watcher": "watcher",
    "hierarchylevel": "level_no",
    "statuscategorychangeddate": "status_since",
}
_FUNCTIONS = {
    "currentuser": "me",
    "now": "now",
    "membersof": "membersOf",
    "opensprints": "openSprints",
    "closedsprints": "closedSprints",
    "futuresprints": "nextSprint",
    "unreleasedversions": "unreleased",
    "releasedversions": "released",
    "issuehistory": "recent",
    "currentlogin": "lastVisit",
    "lastlogin": "lastVisit",
}
_EDGE = pattern(r"(startof|endof)(day|week|month|year)", re.IGNORECASE)
_CATEGORIES = {
    "to do": "todo",
    "new": "todo",
    "in progress": "in_progress",
    "indeterminate": "in_progress",
    "done": "done",
}
_DATE = pattern(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?: (\d{1,2}:\d\d))?")
_AGO = pattern(r"([-+]?)((?:\d+[wdhmMy]\s*)+)")
_PRIORITIES = {
    "highest": "urgent",
    "blocker": "urgent",
    "critical": "urgent",
    "major": "high",
    "minor": "low",
    "lowest": "low",
    "trivial": "low",
}


@dataclass
class Translation:
    """What came out, and what could not be carried over."""

    said: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        text = " ".join(self.said)
        text = re.sub(r"\( ", "(", text)
        return re.sub(r" ([),])", r"\1", text).strip()


def translated(text: str) -> Translation:
    """The condition and order of a JQL text."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = [match[0].strip() for match in _TOKEN.finditer(text.strip())]
        self._at = 0
        self.found = Translation()

    def read(self) -> Translation:
        while self._here():
            if self._take_words("order", "by"):
                self._order()
                break
            self._term()
        return self.found

    def _here(self, ahead: int = 0) -> str:
        return self._tokens[self._at + ahead] if self._at + ahead < len(self._tokens) else ""

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _take_words(self, *words: str) -> bool:
        if all(self._here(at).lower() == word for at, word in enumerate(words)):
            self._at += len(words)
            return True
        return False

    def _term(self) -> None:
        said, here = self.found.said, self._here().lower()
        if here in ("and", "or", "not", "(", ")", "&&", "||", "!"):
            said.append({"&&": "and", "||": "or", "!": "not"}.get(self._take(), here))
            return
        name = self._take()
        if self._here() == "(":
            self._condition_call(name)
            return
        self._comparison(name)

    def _condition_call(self, name: str) -> None:
        self._arguments()
        self.found.notes.append(f"{name}() has no counterpart as a condition and was left out.")
        self._drop()

    def _drop(self) -> None:
        """Takes a condition out together with the word that joined it."""
        said = self.found.said
        if said and said[-1] in ("and", "or", "not"):
            said.pop()
        elif self._here().lower() in ("and", "or"):
            self._take()

    def _comparison(self, name: str) -> None:
        plain = _bare(name).lower()
        if plain.startswith("cf["):
            self.found.notes.append(f"{name}: own fields are named by their key here; write cf.<key>.")
            shown = _quoted(name)
        else:
            shown = _FIELDS.get(plain, _quoted(_bare(name)) if " " in plain else plain)
        operator = self._operator()
        if plain == "resolution":
            self._resolution(operator)
            return
        if operator in ("is", "is not"):
            self._take()
            self.found.said += [shown, operator, "empty"]
        elif operator in ("in", "not in"):
            self.found.said += [shown, operator, self._set(shown)]
        elif operator == "changed":
            self.found.said += [shown, "changed", *self._history(shown)]
        else:
            value = self._value(shown)
            empty = value == "empty" and operator in ("=", "!=")
            said = ["is" if operator == "=" else "is not", "empty"] if empty else [operator, value]
            self.found.said += [shown, *said]
            if operator.startswith("was"):
                self.found.said += self._history(shown)

    def _operator(self) -> str:
        words = [self._take().lower()] if self._here() else [""]
        while (words[-1], self._here().lower()) in {
            ("is", "not"),
            ("was", "not"),
            ("was", "in"),
            ("not", "in"),
        }:
            words.append(self._take().lower())
        return " ".join(words)

    def _resolution(self, operator: str) -> None:
        value = (
            self._set("resolution")
            if operator.endswith("in")
            else _bare(self._take()).lower()
            if self._here()
            else ""
        )
        unresolved = value in ("unresolved", "empty", "null")
        negated = operator in ("!=", "is not", "not in")
        if not unresolved and value not in ("done", "fixed"):
            self.found.notes.append(f"resolution {value}: written as done; see the field outcome.")
        self.found.said.append("open" if unresolved != negated else "done")

    def _history(self, name: str) -> list[str]:
        """from, to, by, before, after, on, during as they are."""
        said: list[str] = []
        while (word := self._here().lower()) in ("from", "to", "by", "before", "after", "on", "during"):
            self._take()
            if word == "during" and self._here() == "(":
                times = self._arguments()
                said += [word, f"{times[0]}..{times[-1]}" if times else ""]
            else:
                said += [word, self._value("by" if word == "by" else name)]
        return said

    def _set(self, name: str) -> str:
        if self._here() != "(":
            return self._value(name)
        return f"({', '.join(self._arguments(name))})"

    def _arguments(self, name: str = "") -> list[str]:
        self._take()
        found = []
        while self._here() and self._here() != ")":
            if self._here() == ",":
                self._take()
            else:
                found.append(self._value(name))
        if self._here():
            self._take()
        return found

    def _value(self, name: str) -> str:
        if not self._here():
            return ""
        value = self._take()
        if self._here() == "(" and not value.startswith(('"', "'")):
            return self._call(value)
        return said_value(name, value)

    def _call(self, name: str) -> str:
        given = self._arguments()
        edge = _EDGE.fullmatch(name)
        if edge is not None:
            side = "startOf" if edge[1].lower() == "startof" else "endOf"
            return f"{side}({', '.join([edge[2].lower(), *given])})"
        known = _FUNCTIONS.get(name.lower())
        if known is None:
            self.found.notes.append(f"{name}() is not known here.")
        return f"{known or name}({', '.join(given)})"

    def _order(self) -> None:
        said = []
        while self._here():
            name = self._take()
            plain = _bare(name).lower()
            shown = _FIELDS.get(plain, plain)
            direction = self._take().lower() if self._here().lower() in ("asc", "desc") else ""
            said.append(f"{shown} {direction}".strip())
            if self._here() == ",":
                self._take()
        if said:
            self.found.said += ["order by", ", ".join(said)]


def said_value(name: str, value: str) -> str:
    """A value as it is written here: dates with dashes, minutes as `min`, names in quotes where they need them."""
    plain = _bare(value)
    low = plain.lower()
    if low in ("empty", "null"):
        return "empty"
    if name == "category":
        return _CATEGORIES.get(low, _quoted(plain))
    if name == "priority":
        return _PRIORITIES.get(low, _quoted(plain))
    date = _DATE.fullmatch(plain)
    if date is not None:
        day = f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}"
        return f"{day}T{date[4].zfill(5)}" if date[4] else day
    ago = _AGO.fullmatch(plain)
    if ago is not None:
        return (ago[1] or "+") + re.sub(r"\s", "", ago[2]).replace("m", "min").replace("M", "mo")
    return _quoted(plain)


def _bare(text: str) -> str:
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _quoted(text: str) -> str:
    if re.fullmatch(r"[A-Za-z_]\w*(?:-\w+)*|-?\d+(?:\.\d+)?", text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
