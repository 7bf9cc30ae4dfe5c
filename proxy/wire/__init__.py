"""Say what a wire format offers, in the few types that all of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, overload

from proxy.errors import RequestError
from proxy.transcript import Answer, Message, Transcript

Path = tuple[str | int, ...]
"""The way to a value in a JSON document: keys and array positions from the top."""

T = TypeVar("T")


class Text(NamedTuple):
    """A text that the model will read, and where it stands in the request."""

    path: Path
    text: str


class Told(NamedTuple):
    """A tool result: whose, and the text that the model will read last of it; no path where there is none to add to."""

    call_id: str
    path: Path
    text: str


class Edit(NamedTuple):
    """Replace the code points [start:end) of the string at `path` by `text`."""

    path: Path
    start: int
    end: int
    text: str


@dataclass(slots=True)
class Request:
    """What every wire format's request says.

    `choices` is how many answers are asked for. `undecorated` says why no answer to it may carry a footer ("json
    mode", "forced tool", "logprobs"), empty when one may. `follows` is the id of the answer that it goes on from, `refers`
    every id of what the provider has kept of the conversation, that one too. `lasting`: a later request may go on from
    the answer; `detached`: the answer is to be fetched later. `document` is the parsed body and belongs to the format.
    """

    model: str
    stream: bool
    transcript: Transcript
    choices: int = 1
    undecorated: str = ""
    follows: str = ""
    refers: tuple[str, ...] = ()
    lasting: bool = False
    detached: bool = False
    document: Any = None


class Lazy(Sequence[T], Generic[T]):
    """A sequence that converts each raw item when it is first read, so that the cost grows with what is read."""

    __slots__ = ("_convert", "_made", "raw")

    def __init__(self, raw: Sequence[Any], convert: Callable[[Any], T]) -> None:
        self.raw, self._convert = raw, convert
        self._made: dict[int, T] = {}

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self.raw)))]
        at = index + len(self.raw) if index < 0 else index
        if at not in self._made:
            if not 0 <= at < len(self.raw):
                raise IndexError(f"no item {index} among {len(self.raw)}")
            self._made[at] = self._convert(self.raw[at])
        return self._made[at]

    def __len__(self) -> int:
        return len(self.raw)

    def forget(self, index: int) -> None:
        """Convert that item again when it is next read: its raw form has changed."""
        self._made.pop(index, None)


class Relay(Protocol):
    """The answer on its way to the client: bytes in, the bytes that may leave out, the end held until `close`."""

    @property
    def ended(self) -> bool:
        """Whether it is time to audit: every choice has finished, or the upstream said that it is done, or is gone."""

    @property
    def done(self) -> bool:
        """Whether the upstream said that nothing more comes."""

    @property
    def answers(self) -> list[Answer]:
        """The choices as far as they came in, by rising index."""

    @property
    def incomplete(self) -> str:
        """Why some of the answer could not be read, empty when all was."""

    @property
    def broken(self) -> bool:
        """Whether the upstream broke off: it ended without a finish, or sent an error in its answer."""

    @property
    def speaking(self) -> bool:
        """Whether something has come that belongs to this answer alone: text, calls, signed thinking; not so ids and roles."""

    @property
    def calling(self) -> bool:
        """Whether the client is asked to run a tool."""

    @property
    def usage(self) -> Mapping[str, Any]:
        """The tokens that the upstream counted, by the format's own names; empty as long as it has not said."""

    def feed(self, data: bytes) -> bytes:
        """Take what the upstream sent; return what may leave now."""

    def eof(self) -> bytes:
        """The upstream has ended; return what may leave now."""

    def appendable(self, index: int) -> bool:
        """Whether `close` may append to that choice."""

    def keepalive(self) -> bytes:
        """A chunk that says nothing, for a client that waits for the held end; empty when nothing is held."""

    def close(self, append: Mapping[int, str], report: bytes | None = None) -> bytes:
        """Append to the choices named and let go of all that is held; from here `feed` passes everything.

        `report` is a JSON object, to travel with the first text appended. Without both not a byte differs.
        """


Pieces = Callable[[Any], Iterator[tuple[Path, str]]]
"""A document (a plain answer, or an event's data) → where pieces of the answer's text stand in it; in order, none empty."""


class WireFormat(Protocol):
    """One wire format; a module with these functions is one."""

    STORED: frozenset[str]
    """The keys under which a request names files and the like that are stored at the provider."""

    def read(self, body: bytes) -> Request:
        """Read a request; raises `RequestError` only where no upstream could take it either."""

    def texts(self, request: Request, having: str = "") -> Iterator[Text]:
        """The texts of every message, whatever its role, in body order; `having` keeps those that contain it."""

    def results(self, request: Request) -> Iterator[Told]:
        """Every tool result of the transcript's messages, in their order, one for one."""

    def resolve(self, request: Request, items: Mapping[str, Any]) -> None:
        """Read the transcript with items in the place of the references to them; `items` are those of answers, by id."""

    def put(self, request: Request, path: Path, text: str) -> None:
        """Replace a text in the parsed request, and so in its transcript."""

    def edit(self, body: bytes, edits: Sequence[Edit]) -> bytes:
        """Change parts of strings in the body and no other byte; raises ValueError where one cannot be found."""

    def extend(self, body: bytes, messages: Sequence[Message], before: int | None = None) -> bytes:
        """Add messages to the request's own, no other byte changed: at its end, or before the message with calls numbered so.

        Raises ValueError as `edit`.
        """

    def continued(self, head: bytes, later: bytes, usage: Mapping[str, Any], streamed: bool) -> bytes:
        """A later answer in place of the first, with `usage` as its count; `head` is what came of the first.

        What of the first has left says whose ids the later one wears.
        """

    def spoken(self, text: str, usage: Mapping[str, Any], streamed: bool) -> bytes:
        """An answer that says only this, with its count of tokens, for `continued` to give it its ids."""

    def idle(self, head: bytes) -> bytes:
        """An event that says nothing, for a client that has this `head` and waits; empty where there is none."""

    def relay(self, request: Request, streamed: bool) -> Relay:
        """The relay of the answer to this request: of a stream, or of a plain JSON body."""

    @property
    def pieces(self) -> Pieces | None:
        """What finds an answer's text, so that something can be written into it; None where it stands in several places."""

    def error(self, failure: RequestError) -> bytes:
        """The body of an error answer."""

    def stream_error(self, failure: RequestError) -> bytes:
        """The same for a client that already reads a stream."""
