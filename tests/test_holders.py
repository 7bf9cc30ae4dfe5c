"""Who holds all of some texts is found by the rarest of them."""

from __future__ import annotations

from proxy.holders import Holders


def test_the_last_that_holds_all_of_some_texts_is_found() -> None:
    held = Holders([(0, frozenset("ab")), (2, frozenset("abc")), (5, frozenset("ac"))])
    assert held.last(frozenset("ab")) == 2
    assert held.last(frozenset("a")) == 5
    assert held.last(frozenset("bc")) == held.last(frozenset("bc")) == 2
    assert held.last(frozenset("ad")) == -1
