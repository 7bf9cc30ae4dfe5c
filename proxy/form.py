"""Read, as a multipart body goes by, which stored ids its fields name."""

from __future__ import annotations

import re
from collections.abc import Callable

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

WORD = re.compile(r"\w+")
LONGEST = 512
"""Bytes of an id; a field for one that holds more is refused."""
PLAIN = frozenset({b"7bit", b"8bit", b"binary"})


def boundary_of(content_type: bytes) -> bytes:
    """What parts a multipart body, by its header. Raises ValueError where it names nothing."""
    found = parse_options_header(content_type)[1].get(b"boundary", b"")
    if not found:
        raise ValueError("its content-type names no boundary")
    return found


class Fields:
    """The ids of one body. What two readers may read in two ways is refused, for the upstream is the other one."""

    def __init__(self, boundary: bytes, names_ids: Callable[[str], bool]) -> None:
        self._names_ids = names_ids
        self._header, self._value = b"", b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._held: bytearray | None = None
        self._named: list[str] = []
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._field,
                "on_header_value": self._text,
                "on_header_end": self._line,
                "on_headers_finished": self._known,
                "on_part_data": self._data,
                "on_part_end": self._end,
            },
        )

    def feed(self, data: bytes) -> list[str]:
        """The ids whose fields end in this piece. Raises ValueError where the body cannot be read, or is read in two ways."""
        try:
            self._parser.write(data)
        except MultipartParseError as error:
            raise ValueError(f"it is no multipart body: {error}") from None
        named, self._named = self._named, []
        return named

    def _begin(self) -> None:
        self._headers, self._header, self._value, self._held = [], b"", b"", None

    def _field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _text(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _line(self) -> None:
        self._headers.append((self._header.lower(), self._value))
        self._header = self._value = b""

    def _known(self) -> None:
        told = [value for key, value in self._headers if key == b"content-disposition"]
        if len(told) != 1 or b"name*" in told[0].lower() or told[0].lower().count(b" name=") > 1:
            raise ValueError("a part of it is not named once, and plainly")
        if any(key == b"content-transfer-encoding" and value.lower() not in PLAIN for key, value in self._headers):
            raise ValueError("a part of it is encoded")
        name = parse_options_header(told[0])[1].get(b"name", b"").decode("latin-1")
        if any(self._names_ids(word) for word in WORD.findall(name)):  # `file_ids[]`, `tool[file_id]`
            self._held = bytearray()

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._held is None:
            return
        self._held += data[start:end]
        if len(self._held) > LONGEST:
            raise ValueError(f"a field for an id holds over {LONGEST} bytes")

    def _end(self) -> None:
        if self._held is not None:
            self._named.append(self._held.decode("utf-8", "replace"))
