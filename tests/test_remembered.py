"""Names are read once, and what is no name each time."""

from __future__ import annotations

from proxy.remembered import LONGEST, MOST, remembered, remembered_with


def test_a_name_is_read_once_and_a_text_each_time() -> None:
    asked: list[str] = []
    read = remembered(lambda name: asked.append(name) or len(name))  # type: ignore[func-returns-value]
    long = "x" * (LONGEST + 1)
    assert [read(one) for one in ("a", "a", long, long)] == [1, 1, LONGEST + 1, LONGEST + 1]
    assert asked == ["a", long, long]


def test_no_more_than_so_many_are_kept() -> None:
    asked: list[str] = []
    read = remembered(lambda name: asked.append(name))
    for number in range(MOST + 1):
        read(f"name {number}")
    read("name 0")
    assert asked.count("name 0") == 2


def test_with_a_word_of_it() -> None:
    asked: list[tuple[str, str]] = []
    read = remembered_with(lambda name, word: asked.append((name, word)) or name + word)  # type: ignore[func-returns-value]
    long = "x" * (LONGEST + 1)
    assert [read("a", "b"), read("a", "b"), read("a", "c"), read(long, "")] == ["ab", "ab", "ac", long]
    assert asked == [("a", "b"), ("a", "c"), (long, "")]
