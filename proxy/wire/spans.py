"""Read JSON leniently, and find and change values in its bytes without touching any other byte.

Offsets come from the standard library's C scanner, run over the body decoded as Latin-1: there a character is a byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from json import JSONDecoder
from typing import Any, TypeAlias

import orjson

from proxy.wire import Edit, Path

Span = tuple[int, int]
"""Where a value stands: the byte offset of its first byte, and of the first one after it; quotes belong to it."""

_Tree: TypeAlias = "dict[str | int, _Tree]"
"""Paths by their steps, those that begin alike together."""

_BOM = "\xef\xbb\xbf"  # as Latin-1 reads it
_SPACE = re.compile(r"[ \t\n\r]*")

# A run without escapes; a run of escapes of one code point each; a surrogate pair; half of one, or a short escape.
_RUN = re.compile(
    rb"([^\\]+)|((?:\\u(?:[^dD]...|[dD][0-7]..))+)|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.", re.DOTALL
)


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) < 4000 else float(digits)  # Python refuses an int of over 4300 digits


_LENIENT = JSONDecoder(strict=False, parse_int=_number)
_SCANNER = JSONDecoder(strict=False, parse_int=str, parse_float=str)


def parse(data: bytes) -> Any:
    """Read JSON as real clients and providers send it.

    What orjson refuses (half a surrogate pair, NaN, a control character in a string, a BOM) is read again by the
    standard library. Raises ValueError when it is no JSON, and when it nests too deep to be read.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            return _LENIENT.decode(data.decode("utf-8-sig", "surrogatepass"))
        except RecursionError:
            raise ValueError("it is nested too deep") from None


def parse_object(data: bytes) -> dict[str, Any]:
    """The object that JSON holds; empty where it holds none, or cannot be read."""
    try:
        value = parse(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def dump(value: Any) -> bytes:
    """The value as compact JSON in ASCII, which any text survives, half a surrogate pair too.

    Raises ValueError when it nests too deep to be written.
    """
    try:
        return json.dumps(value, separators=(",", ":")).encode("ascii")
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def written(value: Any) -> str:
    """A value that was read from JSON, as a text of JSON again; empty where it nests too deep to be written."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # half a surrogate pair, an integer over 64 bits, more than 254 values in each other
        try:
            return dump(value).decode()
        except ValueError:
            return ""


def encode_text(text: str) -> bytes:
    """The text as it stands inside a JSON string, without the quotes."""
    return json.dumps(text)[1:-1].encode("ascii")


def decode_text(data: bytes) -> str:
    """The text that stands inside a JSON string, quotes not included; raises ValueError where it is none."""
    text, end = _SCANNER.raw_decode('"' + data.decode("utf-8", "surrogatepass") + '"')
    if end != len(data.decode("utf-8", "surrogatepass")) + 2:
        raise ValueError("the string ends early")
    return str(text)


def locate(text: str, path: Path) -> Span:
    """The span of the value at `path` in a body decoded as Latin-1; raises ValueError when there is none."""
    try:
        return find(text, (path,))[path]
    except KeyError:
        raise ValueError(f"there is nothing at {path}") from None


def find(text: str, paths: Iterable[Path]) -> dict[Path, Span]:
    """The spans of those paths that exist, in one walk; of a key that is there twice the last one counts.

    Raises ValueError where the walk meets something that is no JSON, or that is nested too deep.
    """
    wanted: _Tree = {}
    for path in paths:
        below = wanted
        for step in path:
            below = below.setdefault(step, {})
    start = len(_BOM) if text.startswith(_BOM) else 0
    try:
        found = dict(_walk(text, _space(text, start), (), wanted)[1])
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return {path: found[path] for path in paths if path in found}


def _walk(text: str, start: int, path: Path, wanted: _Tree) -> tuple[int, list[tuple[Path, Span]]]:
    """The end of the value that starts there, its span, and those of the wanted ones in it."""
    inner: list[tuple[Path, Span]] = []
    if wanted and text.startswith(("{", "["), start):
        end, inner = _walk_inside(text, start, path, wanted)
    else:
        _, end = _SCANNER.raw_decode(text, start)
    return end, [(path, (start, end)), *inner]


def _walk_inside(text: str, start: int, path: Path, wanted: _Tree) -> tuple[int, list[tuple[Path, Span]]]:
    keyed = text[start] == "{"
    closing = "}" if keyed else "]"
    position = 0
    at = _space(text, start + 1)
    found: dict[str | int, list[tuple[Path, Span]]] = {}
    while not text.startswith(closing, at):
        if position:
            at = _after(text, at, ",")
        step: str | int = position
        if keyed:
            step, at = _key(text, at)
            at = _after(text, at, ":")
        if step in wanted:
            at, found[step] = _walk(text, at, (*path, step), wanted[step])  # of the same key again, the last counts
        else:
            _, at = _SCANNER.raw_decode(text, at)
        at = _space(text, at)
        position += 1
    return at + 1, [one for below in found.values() for one in below]


def _key(text: str, start: int) -> tuple[str, int]:
    key, end = _SCANNER.raw_decode(text, start)
    if text[start] != '"':
        raise ValueError(f"no key at byte {start}")
    if not key.isascii():  # Latin-1 was for the offsets only
        key = _SCANNER.decode(text[start:end].encode("latin-1").decode("utf-8", "surrogatepass"))
    return key, end


def _after(text: str, at: int, mark: str) -> int:
    at = _space(text, at)
    if not text.startswith(mark, at):
        raise ValueError(f"no {mark!r} at byte {at}")
    return _space(text, at + 1)


def _space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def offset_of(body: bytes, span: Span, code_points: int) -> int:
    """The byte offset of the code point of that number in the JSON string at `span`; its length is an end.

    `"\\ud83d\\ude00"` is one code point, as are four bytes of UTF-8 and half a surrogate pair that stands alone.
    Raises ValueError when the string is shorter.
    """
    return offsets_of(body, span, (code_points,))[code_points]


def offsets_of(body: bytes, span: Span, code_points: Iterable[int]) -> dict[int, int]:
    """The same of several code points, in one pass over the string."""
    waiting = sorted(set(code_points), reverse=True)
    found: dict[int, int] = {}
    before, at = 0, span[0] + 1
    runs = _RUN.finditer(body, span[0] + 1, span[1] - 1)
    while waiting:
        if waiting[-1] <= before:
            found[waiting.pop()] = at
            continue
        run = next(runs, None)
        if run is None:
            raise ValueError(f"the string at byte {span[0]} has no code point {waiting[-1]}")
        plain = run[1].decode("utf-8", "surrogatepass") if run.lastindex == 1 else ""
        size = len(plain) if plain else len(run[2]) // 6 if run.lastindex == 2 else 1
        past = start = run.start()
        told = 0
        while waiting and waiting[-1] < before + size:
            inside = waiting.pop() - before
            past += len(plain[told:inside].encode("utf-8", "surrogatepass"))
            told = inside
            found[before + inside] = past if plain else start + inside * 6
        before, at = before + size, run.end()
    return found


def edit(body: bytes, edits: Iterable[Edit]) -> bytes:
    """Make the edits and leave every other byte as it is.

    Raises ValueError when a path leads to no string, when a string is too short for an edit, and when edits overlap.
    The rest of the body is not checked.
    """
    by_path: dict[Path, list[Edit]] = {}
    for one in edits:
        by_path.setdefault(one.path, []).append(one)
    spans = find(body.decode("latin-1"), by_path)
    patches = []
    for path, own in by_path.items():
        span = spans.get(path)
        if span is None or body[span[0]] != 0x22:
            raise ValueError(f"there is no string at {path}")
        places = offsets_of(body, span, (place for one in own for place in (one.start, one.end)))
        patches += [(places[one.start], places[one.end], encode_text(one.text)) for one in own]
    return splice(body, patches)


def splice(body: bytes, patches: Iterable[tuple[int, int, bytes]]) -> bytes:
    """Replace byte ranges, given in any order; raises ValueError when two overlap."""
    pieces = []
    done = 0
    for start, end, new in sorted(patches, key=lambda patch: patch[:2]):
        if start < done:
            raise ValueError(f"two edits overlap at byte {start}")
        pieces += [body[done:start], new]
        done = end
    return b"".join((*pieces, body[done:]))


def tokens(usage: Any) -> Mapping[str, Any]:
    """What an answer says of its tokens; nothing where that is no object, or nests deeper than anybody counts."""
    return usage if isinstance(usage, dict) and _shallow(usage, 8) else {}


def _shallow(value: Any, depth: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_shallow(one, depth - 1) for one in inner)


def counted(text: str, at: Path, usage: Mapping[str, Any]) -> Iterator[tuple[int, int, bytes]]:
    """The patches that give the numbers of the object at a path the values of `usage`, where both have them.

    None where the document cannot be walked.
    """
    wanted = {(*at, *path): value for path, value in _numbers(usage, ())}
    try:
        found = find(text, wanted)
    except ValueError:
        return
    for path, (start, end) in found.items():
        if text[start:end].isdecimal():
            yield start, end, b"%d" % wanted[path]


def identity(data: bytes, keys: Iterable[str]) -> dict[Path, bytes]:
    """The values of those keys of an object, in its own bytes; none where it cannot be walked."""
    try:
        found = find(data.decode("latin-1"), [(key,) for key in keys])
    except ValueError:
        return {}
    return {path: data[start:end] for path, (start, end) in found.items()}


def worn(data: bytes, own: Mapping[Path, bytes], usage: Mapping[str, Any]) -> bytes:
    """An object with that identity in place of its own, and that count of tokens; as it is where it cannot be walked."""
    text = data.decode("latin-1")
    try:
        patches = [(start, end, own[path]) for path, (start, end) in find(text, own).items()]
        return splice(data, [*patches, *counted(text, ("usage",), usage)])
    except ValueError:
        return data


def _numbers(value: Mapping[str, Any], above: Path) -> Iterator[tuple[Path, int]]:
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _numbers(inner, (*above, key))
        elif isinstance(inner, int) and not isinstance(inner, bool):
            yield (*above, key), inner


def escape_at(body: bytes, at: int) -> int:
    """How many bytes the escape has that begins at a backslash: 2, 6, or 12 for a surrogate pair."""
    found = _RUN.match(body, at)
    if found is None:
        return 1
    return 6 if found.lastindex == 2 else found.end() - at
