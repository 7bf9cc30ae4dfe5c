"""Words by their roots, and tools by the words of their names."""

from __future__ import annotations

import pytest

from proxy.roots import root, similar, tokens, vocabulary


@pytest.mark.parametrize(
    ("one", "other"),
    [("added", "add"), ("notified", "notify"), ("tickets", "ticket"), ("sent", "send"), ("planned", "plan")],
)
def test_the_forms_of_a_word_have_one_root(one: str, other: str) -> None:
    assert root(one) == root(other)


def test_a_field_that_says_no_tells_of_no_deed() -> None:
    assert "notif" not in tokens('{"notify": false, "seat": "14C"}')
    assert {"seat", "14"} <= tokens('{"notify": false, "seat": "14C"}')
    assert tokens("moved it to Monday", 2) == tokens("moved it")


def test_words_that_begin_alike_are_similar() -> None:
    assert similar("baggag", {"bag"})
    assert not similar("to", {"token"})


def test_a_tool_is_read_by_the_words_of_its_name() -> None:
    words = vocabulary((("open", "create"),), ("send", "notify"), ("the",))
    named = words.read("mcp__desk__add_note_to_order")
    assert (named.verb, named.things) == ("add", (root("note"),))
    assert words.read("linear.createComment").things == (root("comment"),)
    assert words.alike(root("created"), root("opened"))
    assert not words.alike(root("created"), root("sent"))
