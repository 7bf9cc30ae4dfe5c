"""Multipart bodies as they go by: which stored ids their fields name, and which are refused."""

from __future__ import annotations

import pytest

from proxy.form import Fields, boundary_of
from proxy.store import names_ids

LINE = b"\r\n"


def part(head: bytes, value: bytes) -> bytes:
    return b"--b" + LINE + head + LINE + LINE + value + LINE


def named(name: str, value: bytes, more: bytes = b"") -> bytes:
    return part(f'Content-Disposition: form-data; name="{name}"'.encode() + more, value)


END = b"--b--" + LINE
BODIES = [
    (named("purpose", b"batch") + named("file", b"\x00 file_id\r\n\r\n--x", b'; filename="a.bin"') + END, []),
    (named("file_id", b"file-1") + END, ["file-1"]),
    (named("file_ids[]", b"file-1") + named("file_ids[]", b"file-2") + END, ["file-1", "file-2"]),
    (named("tool[file_id]", b"file-1") + named("container", b"c-1") + END, ["file-1", "c-1"]),
    (part(b"content-disposition:form-data;name=input_file_id", b"file-1") + END, ["file-1"]),
    (named("file_id", b"file-1", b'; filename="x"') + END, ["file-1"]),
    (named("user_id", b"me") + named("tool_call_id", b"c") + named("prompt", b'name="file_id"') + END, []),
    (named("file_id", b"") + END, [""]),
]


@pytest.mark.parametrize(("body", "expected"), BODIES)
def test_ids_are_named_wherever_the_body_is_cut(body: bytes, expected: list[str]) -> None:
    def read(*pieces: bytes) -> list[str]:
        fields = Fields(b"b", names_ids)
        return [one for piece in pieces for one in fields.feed(piece)]

    assert read(body) == expected
    assert all(read(body[:at], body[at:]) == expected for at in range(len(body)))
    assert read(*(body[at : at + 1] for at in range(len(body)))) == expected


@pytest.mark.parametrize(
    "body",
    [
        b"no boundary at all, and more than one byte of it",
        part(b"Content-Type: text/plain", b"file-1") + END,  # of no name
        part(b"Content-Disposition: form-data; name=\"x\"\r\nContent-Disposition: form-data; name=\"file_id\"", b"1") + END,
        part(b"Content-Disposition: form-data; name=\"x\"; name=\"file_id\"", b"1") + END,
        part(b"Content-Disposition: form-data; name*=UTF-8''file_id", b"1") + END,
        part(b"Content-Disposition: form-data; name=\"file_id\"\r\nContent-Transfer-Encoding: base64", b"Zg==") + END,
        named("file_id", b"f" * 513) + END,
    ],
)  # fmt: skip
def test_what_may_be_read_in_two_ways_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"part|field|multipart"):
        Fields(b"b", names_ids).feed(body)


def test_the_boundary_is_the_header_s() -> None:
    assert boundary_of(b'multipart/form-data; boundary="a b"') == b"a b"
    with pytest.raises(ValueError, match="boundary"):
        boundary_of(b"multipart/form-data")
