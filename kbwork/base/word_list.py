"""Known words in order, to find those with a beginning: many in little memory, and more at any time.

The words of titles are kept so; which of them are suggested is for `modules/search`.
"""

import threading
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable

_IN_BLOCK = 64
_MOST_LETTERS = 24_000_000
"""So long may all words be together, some two million; of more none are known."""
_MOST_LATELY = 60_000
"""So many words written last are known again at once, in 6 MB."""
_MOST_TEXTS = 2000
"""So many texts wait before they are taken apart, unless somebody asks."""


class WordList:
    """Words lie in blocks, each one text, so that a word takes about its letters; `split` makes the words of a text.

    It serves any number of threads. Words never leave it: to look for one that nothing has any more finds nothing.
    """

    def __init__(self, split: Callable[[str], list[str]]) -> None:
        self._split = split
        self._lock = threading.Lock()
        self._texts: deque[str] = deque()
        self.clear()

    def clear(self) -> None:
        """Other words are meant from now on."""
        with self._lock:
            self.taken: str | None = ""
            """All words of the data up to this one are here; None where all are."""
            self.letters = 0
            self._texts.clear()
            self._lately: set[str] = set()
            """Words that are there and were written lately: most of the next ones are among them."""
            self._blocks: list[str] = []
            self._first: list[str] = []

    def write(self, text: str) -> None:
        """The words of a text are there from now on. It is taken apart when somebody asks, or with many others."""
        self._texts.append(text)
        if len(self._texts) > _MOST_TEXTS:
            with self._lock:
                self._take_apart()

    def split(self, text: str) -> list[str]:
        """The words of a text, known or not."""
        with self._lock:
            return self._split(text)

    def take(self, words: list[str], *, after: str, last: bool) -> None:
        """The next words of the data behind one, in their order; `last`: there are no more."""
        with self._lock:
            if self.taken == after:
                self._add(words)
                self.taken = None if last else words[-1]

    def beginning(self, start: str, most: int) -> list[str] | None:
        """The words with this beginning, in order; None where they are not known, or are more than `most`."""
        with self._lock:
            self._take_apart()
            if self.taken is not None or self.letters > _MOST_LETTERS:
                return None
            found: list[str] = []
            for block in range(max(bisect_right(self._first, start) - 1, 0), len(self._blocks)):
                words = self._blocks[block].split("\n")
                at = bisect_left(words, start)
                while at < len(words) and words[at].startswith(start):
                    found.append(words[at])
                    at += 1
                if len(found) > most:
                    return None
                if at < len(words):
                    break
            return found

    def _take_apart(self) -> None:
        texts = []
        while self._texts:
            texts.append(self._texts.popleft())
        words = set(self._split("\n".join(texts))) - self._lately if texts else set()
        if words:
            self._add(sorted(words))
            if len(self._lately) > _MOST_LATELY:
                self._lately.clear()
            self._lately |= words

    def _add(self, words: Iterable[str]) -> None:
        """Words in order; those of one block at once."""
        new, at = list(words), 0
        while at < len(new) and self.letters <= _MOST_LETTERS:
            block = max(bisect_right(self._first, new[at]) - 1, 0)
            behind = self._first[block + 1] if block + 1 < len(self._first) else None
            stop = len(new) if behind is None else bisect_left(new, behind, at)
            held = self._blocks[block].split("\n") if self._blocks else []
            all_words = sorted({*held, *new[at:stop]})
            if len(all_words) > len(held):
                self._put(block, all_words)
            at = stop
        if self.letters > _MOST_LETTERS:
            self._blocks, self._first = [], []

    def _put(self, block: int, words: list[str]) -> None:
        pieces = [words]
        if len(words) > 2 * _IN_BLOCK:
            pieces = [words[at : at + _IN_BLOCK] for at in range(0, len(words), _IN_BLOCK)]
        texts = ["\n".join(piece) for piece in pieces]
        self.letters += sum(map(len, texts)) - sum(map(len, self._blocks[block : block + 1]))
        self._blocks[block : block + 1] = texts
        self._first[block : block + 1] = [piece[0] for piece in pieces]
