"""What small named lists share."""

from kbwork.base.text import did_you_mean


def test_a_sentence_ends_with_the_nearest_name() -> None:
    assert did_you_mean("labls", ["lanes", "labels"]) == " Did you mean labels?"


def test_a_sentence_ends_with_the_name_as_it_is_written_there() -> None:
    assert did_you_mean("labls", ["labels"], repr) == " Did you mean 'labels'?"
    assert did_you_mean("an", ["ana"], "@{}".format) == " Did you mean @ana?"


def test_a_sentence_ends_with_nothing_where_no_name_is_near() -> None:
    assert did_you_mean("xyz", ["labels"]) == ""
    assert did_you_mean("labels", []) == ""
