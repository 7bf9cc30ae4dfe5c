"""Cut our own footers out of a request before a model or an auditor reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from proxy.footer import KEY, LONGEST, Found, Seals, without
from proxy.wire import Edit, Path, Request, WireFormat, spans

RAW_SEAL = re.compile(KEY.encode() + rb" [a-z0-9]{1,40} [0-9]{1,5} ([0-9]{1,5}) [0-9a-f]{20}\)")


class Cut(NamedTuple):
    """A footer in the raw body: its span in bytes, and the audit that it tells of."""

    start: int
    end: int
    audit_id: str


def clean(body: bytes, request: Request, wire: WireFormat, seals: Seals) -> bytes:
    """The body without our footers, every other byte as it was; the parsed request loses them too.

    A cut that would leave a text empty is not made. Where the body cannot be edited, nothing is cut at all.
    """
    if body.find(KEY.encode()) < 0:
        return body
    texts: list[tuple[Path, str, list[Found]]] = []
    for path, text in wire.texts(request, KEY):
        found = seals.find(text)
        if found and (left := without(text, found)).strip():
            texts.append((path, left, found))
    if not texts:
        return body
    try:
        cleaned = _cut(body, texts, seals, wire)
    except ValueError:
        return body
    for path, left, _ in texts:
        wire.put(request, path, left)
    return cleaned


def _cut(body: bytes, texts: Sequence[tuple[Path, str, list[Found]]], seals: Seals, wire: WireFormat) -> bytes:
    """By the raw bytes where they show just the footers that the texts do; else by the way to each text.

    A raw hit may lie in a file that a tool call writes, which is no message's text: then the two differ.
    """
    cuts = list(_raw_cuts(body, seals))
    if [cut.audit_id for cut in cuts] == [one.audit_id for _, _, found in texts for one in found]:
        return spans.splice(body, [(cut.start, cut.end, b"") for cut in cuts])
    return wire.edit(body, [Edit(path, one.start, one.end, "") for path, _, found in texts for one in found])


def _raw_cuts(body: bytes, seals: Seals) -> Iterator[Cut]:
    floor = 0  # no footer reaches over the seal before it, so no byte is read for two
    for seal in RAW_SEAL.finditer(body):
        total = int(seal[1])
        if total <= LONGEST:
            cut = _raw_cut(body, floor, seal.end(), total, seals)
            if cut is not None:
                yield cut
        floor = seal.end()


def _raw_cut(body: bytes, floor: int, end: int, total: int, seals: Seals) -> Cut | None:
    """The bytes of the footer of `total` code points that ends at a byte of a JSON string, if it is ours.

    Only a tail of the string is decoded, as much as it takes: its head may be very long.
    """
    size = total + 64
    while True:
        start = max(floor, _aligned(body, max(floor, end - size)))
        quote = _quote_between(body, start, end)
        start = start if quote < 0 else quote + 1
        try:
            text = spans.decode_text(body[start:end])
        except ValueError:
            return None
        if len(text) >= total:
            found = [one for one in seals.find(text) if one.end == len(text)]
            if not found:
                return None
            offset = spans.offset_of(body, (start - 1, end + 1), found[-1].start)
            return Cut(offset, end, found[-1].audit_id)
        if quote >= 0 or start == floor:
            return None  # the string began, or another seal stood there, and it is too short
        size *= 4


def _aligned(body: bytes, at: int) -> int:
    """The nearest byte at or before `at` where a character, an escape or a pair of escapes begins."""
    while at and body[at] & 0xC0 == 0x80:
        at -= 1
    for back in range(1, 12):  # a pair of escapes is twelve bytes long
        start = at - back
        if start >= 0 and body[start] == 0x5C and _starts_escape(body, start):
            escape = spans.escape_at(body, start)
            if start + escape > at:
                return start
    return at


def _starts_escape(body: bytes, at: int) -> bool:
    """Whether a backslash is the first of its escape: an even number of them stands before it."""
    first = at
    while first and body[first - 1] == 0x5C:
        first -= 1
    return (at - first) % 2 == 0


def _quote_between(body: bytes, start: int, end: int) -> int:
    """The last quote in a stretch that is not escaped, so that it begins the string; -1 when there is none."""
    at = end
    while (at := body.rfind(b'"', start, at)) >= 0:
        if at == 0 or body[at - 1] != 0x5C or not _starts_escape(body, at - 1):
            return at
    return -1
