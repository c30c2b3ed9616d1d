"""Answers that are kept: those of one version of the data, and so many bytes of them."""

import hashlib

from kbwork.core.operations import etag
from kbwork.core.operations.declare import Rendered
from kbwork.db.documents import Entry

ASKED = ("ana", "issues.get", b'{"key":"A-1"}')
NOW, LATER = (7, 100), (8, 100)
MADE = Rendered(b"a", b"{}")


def kept() -> etag.Answers:
    """Answers that hold one of the present version."""
    answers = etag.Answers()
    assert answers.get(ASKED, NOW) is None
    answers.put(ASKED, NOW, MADE, b"{}")
    return answers


def test_an_answer_is_kept_for_its_caller_and_input_until_the_next_version() -> None:
    answers = kept()
    assert answers.get(ASKED, NOW) is MADE
    assert answers.get(("bob", *ASKED[1:]), NOW) is None
    assert answers.get(ASKED, LATER) is None
    assert answers.get(ASKED, NOW) is None, "what is of an older version takes no memory"


def test_a_long_answer_is_kept_with_its_text_and_another_without() -> None:
    answers, made = kept(), list[bytes]()
    for text in (b" " * etag.LONG_TEXT_BYTES, b" " * (etag.LONG_TEXT_BYTES + 1)):
        answers.put(ASKED, NOW, put_together(text, made), text)
        found = answers.get(ASKED, NOW)
        assert found is not None
        assert found.text() == text
    assert made == [b" " * etag.LONG_TEXT_BYTES]


def test_an_answer_that_was_overtaken_while_it_was_made_is_not_kept() -> None:
    answers = kept()
    assert answers.get(ASKED, LATER) is None
    answers.put(ASKED, NOW, MADE, b"{}")
    assert answers.get(ASKED, LATER) is None


def test_the_least_used_answers_go_when_there_are_too_many() -> None:
    answers = kept()
    text = b" " * (etag.MOST_BYTES // 4)
    for number in range(3):
        answers.put(("ana", "issues.list", b"%d" % number), NOW, MADE, text)
    assert answers.get(ASKED, NOW) is not None
    answers.put(("ana", "issues.list", b"3"), NOW, MADE, text)
    found = [answers.get(("ana", "issues.list", b"%d" % number), NOW) is not None for number in range(4)]
    assert (found, answers.get(ASKED, NOW) is not None) == ([False, True, True, True], True)


def test_an_answer_that_is_larger_than_all_that_is_kept_is_not_kept() -> None:
    answers = kept()
    answers.put(("ana", "issues.list", b""), NOW, MADE, b" " * etag.MOST_BYTES)
    assert answers.get(("ana", "issues.list", b""), NOW) is None


def put_together(text: bytes, made: list[bytes]) -> Rendered:
    """An answer that notes when it is put together."""

    def body() -> bytes:
        made.append(text)
        return text

    return Rendered(hashlib.sha256(text).digest(), body)


def test_an_answer_with_the_same_tag_is_put_together_once_for_a_caller_and_an_operation() -> None:
    texts, made = etag.AnswerTexts(), list[bytes]()
    text = texts.of("ana", "issues.list", put_together(b"[1]", made))
    assert (text, made) == (b"[1]", [b"[1]"])
    assert texts.of("ana", "issues.list", put_together(b"[1]", made)) is text
    assert made == [b"[1]"]
    texts.of("bob", "issues.list", put_together(b"[1]", made))
    texts.of("ana", "flags.list", put_together(b"[1]", made))
    assert texts.of("ana", "issues.list", put_together(b"[2]", made)) == b"[2]"
    assert made == [b"[1]", b"[1]", b"[1]", b"[2]"]
    texts.clear()
    texts.of("ana", "issues.list", put_together(b"[1]", made))
    assert made[4:] == [b"[1]"]


def test_the_least_used_texts_go_when_there_are_too_many() -> None:
    texts, made = etag.AnswerTexts(), list[bytes]()
    some = [bytes([number]) * (etag.MOST_TEXT_BYTES // 9) for number in range(10)]

    def ask(*numbers: int) -> None:
        for number in numbers:
            assert texts.of("ana", "issues.list", put_together(some[number], made)) == some[number]

    ask(*range(8), 0, 8, 0, 2, 1)
    assert made == [*some[:9], some[1]]


def test_a_long_text_takes_the_place_of_no_others() -> None:
    texts, made = etag.AnswerTexts(), list[bytes]()
    long = b" " * etag.MOST_TEXT_BYTES
    for text in (b"[1]", long, long, b"[1]"):
        assert texts.of("ana", "comments.list", put_together(text, made)) == text
    assert made == [b"[1]", long, long]


def documents(entry: Entry) -> etag.DocumentAnswers:
    """Answers that hold one of this document, made at the third state of access."""
    answers = etag.DocumentAnswers()
    answers.put(ASKED, 3, MADE._replace(entry=entry))
    return answers


def test_an_answer_that_is_a_document_is_kept_as_long_as_that() -> None:
    entry = Entry("issue", 1, None, 0)
    answers = documents(entry)
    assert answers.get(ASKED, 3, lambda one: one is entry) == MADE._replace(entry=entry)
    assert answers.get(("bob", *ASKED[1:]), 3, lambda _: True) is None
    assert answers.get(ASKED, 3, lambda _: False) is None
    assert answers.get(ASKED, 3, lambda _: True) is None, "what does not hold takes no memory"


def test_an_answer_that_is_a_document_ends_with_the_state_of_access() -> None:
    assert documents(Entry("issue", 1, None, 0)).get(ASKED, 4, lambda _: True) is None


def test_the_least_used_answers_of_documents_go_when_there_are_too_many() -> None:
    entry = Entry("issue", 1, None, 0)
    answers = documents(entry)
    for number in range(etag.MOST_DOCUMENTS):
        if number == 1:
            assert answers.get(ASKED, 3, lambda _: True) is not None
        answers.put(("ana", "issues.get", b"%d" % number), 3, MADE._replace(entry=entry))
    assert answers.get(ASKED, 3, lambda _: True) is not None
    assert answers.get(("ana", "issues.get", b"0"), 3, lambda _: True) is None
