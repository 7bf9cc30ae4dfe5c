"""What results say of things, field by field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.fields import fields
from proxy.results import Result


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            '{"a": {"total": 3, "on": true}, "rows": [{"id": "x"}, {"id": "y"}]}',
            [("a total", "3"), ("a on", "true"), ("id", "x"), ("id", "y")],
        ),
        ('{"variants": {"8124": {"price": 3}}}', [("id", "8124"), ("price", "3")]),
        ("name: Flex M\ndata_gb: 30\n\n=== 3 failed ===", [("name", "Flex M"), ("data_gb", "30")]),
        ('<rma no="7"><boxes>3</boxes></rma>', [("no", "7"), ("boxes", "3")]),
        ("<a><b x=\"1\"/><b x='2'></b><c>d</c></a>", [("x", "1"), ("x", "2"), ("c", "d")]),
        ('<!DOCTYPE html><div class="x">1</div>', []),
        ("</a><b><b><b", []),
        ("|  id | name |\n|----|-----|\n| 1 | Ann |", [("id", "1"), ("name", "Ann")]),
        (" id | paid\n----+-----\n  1 | t\n(1 row)", [("id", "1"), ("paid", "t")]),
        ('id,name\n1,"Ann, B"\n2', [("id", "1"), ("name", "Ann, B")]),
        ("NAME   AGE\nweb-1  3d\nweb-2", [("NAME", "web-1"), ("AGE", "3d")]),
        ('{"out": "NAME  AGE\\nweb-1  3d"}', [("out", "NAME  AGE\nweb-1  3d"), ("NAME", "web-1"), ("AGE", "3d")]),
        ("a | b\n1 | 2", []),
        ("Dear Ann,\nthe 2 pans, a pot and a kettle are here.\nBob", []),
        ("INSERT 0 1284", []),
    ],
)
def test_fields_of_results(text: str, read: list[tuple[str, str]]) -> None:
    assert [(one.name, one.value) for one in fields(Result(text))] == read


@given(st.text(alphabet='<a b="1/>|-,\n\t\x00x', max_size=80))
def test_any_text_has_fields(text: str) -> None:
    assert all(one.name for one in fields(Result(text)))
