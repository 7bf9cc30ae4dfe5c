"""Insert into an answer at places of its text, and change no other byte of the bytes that carry it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proxy.wire import Edit, Path, Pieces, spans
from proxy.wire.sse import events


class _Places:
    """Insertions into a text that comes in pieces; each goes into the piece that its place ends in."""

    def __init__(self, text: str, insertions: Sequence[tuple[int, str]]) -> None:
        self._text, self._left = text, sorted(insertions)
        self._at = 0

    @property
    def over(self) -> bool:
        """Whether nothing is left to be inserted."""
        return not self._left

    def edits(self, path: Path, piece: str) -> Iterator[Edit]:
        """The edits of the next piece. Raises ValueError where it is not the text's next."""
        start = self._at if self._fits(piece, self._at) else self._at + 2
        if not self._fits(piece, start) or self._text[self._at : start].strip("\n"):
            raise ValueError("the answer's text is not where it was read")
        self._at = start + len(piece)
        while self._left and self._left[0][0] <= self._at:
            at, new = self._left.pop(0)
            if at < start:
                raise ValueError("a place between two pieces")
            yield Edit(path, at - start, at - start, new)

    def _fits(self, piece: str, start: int) -> bool:
        """Whether a piece is what comes next; the last one may have more behind it, which we appended."""
        return self._text.startswith(piece, start) or (
            0 <= len(self._text) - start < len(piece) and piece.startswith(self._text[start:])
        )


def insert(data: bytes, streamed: bool, text: str, insertions: Sequence[tuple[int, str]], pieces: Pieces) -> bytes:
    """The bytes of an answer whose text is `text`, with insertions at offsets of it. Raises ValueError."""
    places = _Places(text, insertions)
    if not streamed:
        made = _document(data, places, pieces)
    else:
        out = []
        for event in events(data):
            if places.over or event.data is None or not event.data.startswith(b"{"):
                out.append(event.raw)
                continue
            new = _document(event.data, places, pieces)
            if event.data not in event.raw:
                raise ValueError("an event of several lines")
            out.append(event.raw if new is event.data else event.raw.replace(event.data, new, 1))
        made = b"".join(out)
    if not places.over:
        raise ValueError("the answer's text ends before a place in it")
    return made


def _document(data: bytes, places: _Places, pieces: Pieces) -> bytes:
    edits: list[Edit] = []
    for path, piece in pieces(spans.parse(data)):
        if places.over:
            break
        edits += places.edits(path, piece)
    return spans.edit(data, edits) if edits else data
