"""Relay a plain JSON answer: it is one value, so all of it is the end that is held, and is patched in place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from proxy.transcript import Answer
from proxy.wire import Path, Request, spans


class PlainRelay(ABC):
    """See `proxy.wire.Relay`. A format says under which key the answers stand, and reads them."""

    KEY: ClassVar[str]
    """The key of the list that an answer is read from; a document without it says nothing."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._body = bytearray()
        self._answers: dict[int, Answer] = {}
        self._ends: dict[int, Path | None] = {}
        """Of each answer the string that its text ends in; None where nobody may add to it."""
        self.ended = self.done = False
        self.incomplete = ""
        self.broken = False
        self.usage: Mapping[str, Any] = {}

    @abstractmethod
    def _read(self, found: Sequence[Any], document: Mapping[str, Any]) -> Iterator[tuple[Answer, Path | None]]:
        """The answers of the list under the key, each with its end: None unless it finished and has text."""

    def _failed(self, document: Mapping[str, Any]) -> bool:
        """Whether the document says that there is no answer."""
        return bool(document.get("error"))

    @property
    def speaking(self) -> bool:
        return self.ended

    @property
    def calling(self) -> bool:
        return any(answer.calls for answer in self._answers.values())

    @property
    def answers(self) -> list[Answer]:
        return [self._answers[index] for index in sorted(self._answers)]

    def feed(self, data: bytes) -> bytes:
        self._body += data
        return b""

    def eof(self) -> bytes:
        self.ended = True
        try:
            parsed = spans.parse(bytes(self._body))
        except ValueError:
            self.incomplete = "the answer is not JSON"
            return b""
        document: Mapping[str, Any] = parsed if isinstance(parsed, dict) else {}
        found = document.get(self.KEY)
        if not isinstance(found, list):
            self.incomplete = f"the answer has no {self.KEY}"
        else:
            for answer, end in self._read(found, document):
                self._answers[answer.index], self._ends[answer.index] = answer, end
        self.broken = self._failed(document)
        self.usage = spans.tokens(document.get("usage"))
        return b""

    def appendable(self, index: int) -> bool:
        if self._ends.get(index) is None or self._request.undecorated or self.broken:
            return False
        return not self._answers[index].calls and not self._answers[index].refused

    def keepalive(self) -> bytes:
        return b""

    def close(self, append: Mapping[int, str], report: bytes | None = None) -> bytes:
        body, self._body = bytes(self._body), bytearray()
        patches = []
        try:
            text = body.decode("latin-1")
            for index, more in append.items():
                if (path := self._ends.get(index)) is not None:
                    start, end = spans.locate(text, path)
                    if text[start] != '"':
                        raise ValueError("the answer has no text to append to")
                    patches.append((end - 1, end - 1, spans.encode_text(more)))
            if report is not None:
                _, end = spans.locate(text, ())
                patches.append((end - 1, end - 1, b',"groundwire":' + report))
            return spans.splice(body, patches)
        except ValueError:  # a body that we cannot edit safely leaves as it came
            self.incomplete = "the answer could not be edited"
            return body
