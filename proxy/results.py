"""Read a tool result: its text, the JSON in it, and what it complains of."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import orjson

from proxy.remembered import remembered

EACH = "[]."
"""How a path into each object of a list begins."""
EDGE = 2_000
"""Code points at either end of a result in which its own words about the outcome are looked for."""

WRAPPERS = ("output", "result", "structuredContent", "data", "response")
"""Keys under which a server puts the tool's own object: `{pack, version, output}` and its like."""

JSON = re.compile(r"\s*(?:\{\s*(?:[\"}]|$)|\[\s*(?:[\[{\"\]]|-?\d|$))")
"""How JSON begins; `[main 1a2b3c4] …` does not."""

SAYS = 3
"""Fields of an object that may say in one sentence all there is."""
LINE = re.compile(r"( {0,12})([A-Za-z_][\w.-]{0,40}(?: [\w.-]{1,20}){0,2}):(?: +(\S.{0,119}))? *")
"""A line that gives a value its name."""
PAIR = re.compile(r"(?<![\w.?&/-])([A-Za-z_]\w{1,40})=(\"[^\"\n]{0,80}\"|[^\s,;=]{1,80}?)(?=[.,;]?(?:\s|$))")
"""A name and its value within a sentence: "accepted. job_id=j-7702 state=QUEUED"."""
PLAIN = re.compile(r"-?\d{1,15}(?:\.\d{1,6})?|true|false|null|\"[^\"\\]*\"")

COMPLAINTS = ("error", "error_message", "errorMessage", "stderr", "message", "detail", "reason", "failure_message")
WORDS_OF = ("message", "text", "detail", "description", "reason")
"""Keys under which an object that tells of an error has its words."""


MISSING: Any = object()

T = TypeVar("T")


def one_line(text: str, limit: int = 180) -> str:
    """A text on one line of at most `limit` code points, an ellipsis where it was cut."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def line_at(text: str, at: int, limit: int = 200) -> str:
    """The line of a text that holds a place in it, blanks and length as `one_line` has them."""
    end = text.find("\n", at)
    return one_line(text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)], limit)


def has_word(text: str, word: str) -> bool:
    """Whether a text has a word, or a name of several, with no word running on at either end; case counts."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_runs_on(text[at - 1 : at]) or _runs_on(text[end : end + 1])):
            return True
        at = text.find(word, at + 1)
    return False


def has_name(text: str, name: str) -> bool:
    """Whether a text has a name with no letter, digit, underscore or hyphen running on at either end; case counts."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _runs_on(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


class Result:
    """What a tool answered, parsed at most once and only when somebody asks.

    `flag` is the wire format's own error flag, None where the format has none.
    """

    __slots__ = ("_edges", "_made", "_names", "_parsed", "_value", "_wrapped", "flag", "text")

    def __init__(self, text: str, flag: bool | None = None) -> None:
        self.text, self.flag = text, flag
        self._parsed = False
        self._value: Any = None
        self._wrapped: dict[str, Any] | None = None
        self._edges: str | None = None
        self._names: frozenset[str] | None = None
        self._made: dict[Callable[[Result], Any], Any] = {}

    def once(self, make: Callable[[Result], T]) -> T:
        """What a function makes of the result; it is called when somebody first asks, since several auditors do."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made

    @property
    def whole(self) -> Any:
        """The JSON value that the text is, as it is; None when it is none."""
        return _parse(self.text)

    @property
    def value(self) -> Any:
        """The JSON value that the text is, MCP's content envelope taken off; None when it is none."""
        if not self._parsed:
            self._value = _unwrap(_parse(self.text))
            self._parsed = True  # last: an audit that was not waited for may ask meanwhile, in its thread
        return self._value

    @property
    def lines(self) -> dict[str, Any] | None:
        """The object that a text of `name: value` lines is; None for any other."""
        return self.once(_lines)

    @property
    def said(self) -> Any:
        """The value, or the lines, with what a sentence has as names and values: {"result": "… state=QUEUED position=4"}."""
        return self.once(_said)

    @property
    def truncated(self) -> bool:
        """Whether the text begins as a JSON object or array and cannot be read as one."""
        return self.text.lstrip()[:1] in ("{", "[") and self.value is None and JSON.match(self.text) is not None

    @property
    def edges(self) -> str:
        """The first and the last of the text: where tools say how it went. Bounded, however long the text is."""
        if self._edges is None:
            whole = len(self.text) <= 2 * EDGE
            self._edges = self.text if whole else self.text[:EDGE] + "\n" + self.text[-EDGE:]
        return self._edges

    @property
    def names(self) -> frozenset[str]:
        """The names of the fields at the top and inside a known wrapper, folded."""
        if self._names is None:
            value = self.value
            own = (*value, *self._inside(value)) if isinstance(value, dict) else ()
            self._names = frozenset(map(folded, own))
        return self._names

    def fields(self, path: str) -> Sequence[Any]:
        """Every value at a path such as `error.message`, `files[].path` or `[].code`, at the top or inside a known wrapper.

        Names are the same however they are spelled: `status_code`, `statusCode`, `StatusCode`.
        """
        value = self.value
        if isinstance(value, list) and path.startswith(EACH):
            return [found for one in value for found in walk(one, path.removeprefix(EACH), get=like)]
        if not isinstance(value, dict):
            return ()
        if path in value:  # what nearly every path is: one key at the top
            return (value[path],)
        if folded(top(path)) not in self.names:
            return ()
        if found := tuple(walk(value, path, get=like)):
            return found
        inside = self._inside(value)
        return tuple(walk(inside, path, get=like)) if inside else ()

    @property
    def inside(self) -> dict[str, Any]:
        """The object in a known wrapper; empty where there is none."""
        return self._inside(self.value) if isinstance(self.value, dict) else {}

    def _inside(self, value: dict[str, Any]) -> dict[str, Any]:
        """The object in the first wrapper that holds one; empty where none does."""
        if self._wrapped is None:
            held = {folded(name): one for name, one in value.items() if isinstance(one, dict)}
            self._wrapped = next((held[name] for name in map(folded, WRAPPERS) if name in held), {})
        return self._wrapped

    def complaint(self) -> str:
        """The tool's own words about what went wrong: its JSON error where there is one, else its text."""
        for key in COMPLAINTS:
            for value in self.fields(key):
                if isinstance(value, str) and value.strip():
                    return value
                if isinstance(value, dict):
                    for own in WORDS_OF:
                        if isinstance(value.get(own), str) and value[own].strip():
                            return str(value[own])
        words = "\n".join(one for one in self.fields("content[].text") if isinstance(one, str) and one.strip())
        return re.sub(r"</?tool_use_error>", "", words or self.text)


@remembered
def folded(name: str) -> str:
    """A field's name without what interfaces vary: case, `_` and `-`."""
    return name.replace("_", "").replace("-", "").lower()


def same(value: Mapping[str, Any], name: str) -> Any:
    """What an object has under just this name; MISSING where it has nothing."""
    return value.get(name, MISSING)


def like(value: Mapping[str, Any], name: str) -> Any:
    """What an object has under a name however it is spelled; MISSING where it has nothing."""
    if name in value:
        return value[name]
    wanted = folded(name)
    return next((one for key, one in value.items() if folded(key) == wanted), MISSING)


def walk(value: Any, path: str, get: Callable[[Mapping[str, Any], str], Any] = same) -> Iterator[Any]:
    """The values at a dotted path; `[]` after a name means each item of the list there."""
    name, _, rest = path.partition(".")
    each = name.endswith("[]")
    found = get(value, name.removesuffix("[]")) if isinstance(value, dict) else MISSING
    if found is MISSING:
        return
    items = found if each and isinstance(found, list) else [found]
    for item in items:
        if rest:
            yield from walk(item, rest, get)
        else:
            yield item


def top(path: str) -> str:
    """The key at the top that a path begins with."""
    return path.partition(".")[0].removesuffix("[]")


def strings(value: Any) -> Iterator[str]:
    """The texts in a JSON value, in order; not the names of its fields."""
    return (text for _, text in named_strings(value))


def named_strings(value: Any, name: str = "", depth: int = 6) -> Iterator[tuple[str, str]]:
    """The texts in a JSON value, in order, each with the name of the field that holds it."""
    if isinstance(value, str):
        yield name, value
    elif depth and isinstance(value, dict):
        for key, inner in value.items():
            yield from named_strings(inner, key, depth - 1)
    elif depth and isinstance(value, list):
        for inner in value:
            yield from named_strings(inner, name, depth - 1)


def objects(value: Any, depth: int = 5) -> Iterator[dict[str, Any]]:
    """The objects in a JSON value, outer ones first."""
    waiting = [(value, depth)]
    while waiting:
        one, left = waiting.pop()
        if isinstance(one, dict):
            yield one
        elif not isinstance(one, list):
            continue
        if left:
            inner = one.values() if isinstance(one, dict) else one
            waiting += [(each, left - 1) for each in reversed(inner) if isinstance(each, (dict, list))]


def lists(value: Any, most: int | None = None) -> Iterator[tuple[str, list[Any]]]:
    """The lists in a value with the names of the fields that hold them, the value itself among them; of so many objects."""
    if isinstance(value, list):
        yield "", value
    for one in islice(objects(value), most):
        yield from ((name, inner) for name, inner in one.items() if isinstance(inner, list))


def scalars(value: Any, name: str = "", depth: int = 4) -> Iterator[tuple[str, str]]:
    """The plain values in a JSON value as texts, each with the name of the field that holds it; no true, false or null."""
    if not isinstance(value, (dict, list)):
        value, depth = [value], 1
    for key, inner in (value.items() if isinstance(value, dict) else ((name, one) for one in value)) if depth else ():
        if isinstance(inner, str):
            yield key, inner
        elif isinstance(inner, (dict, list)):
            yield from scalars(inner, key, depth - 1)
        elif isinstance(inner, (int, float)) and not isinstance(inner, bool):
            yield key, str(inner)


def _parse(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return lenient(text)
    except (ValueError, RecursionError):
        return None


def _lines(result: Result) -> dict[str, Any] | None:
    """The object that a text of `name: value` lines is, indented ones inside the one above; None for any other text."""
    text = result.text
    lines = [one for one in text.splitlines() if one.strip()] if len(text) <= EDGE and ":" in text else []
    found: dict[str, Any] = {}
    open_ = [(0, found)]
    for line in lines:
        if (read := LINE.fullmatch(line)) is None:
            return None
        indent, name, value = len(read[1]), read[2], (read[3] or "").strip()
        while len(open_) > 1 and indent < open_[-1][0]:
            open_.pop()
        if indent > open_[-1][0]:
            own = open_[-1][1]
            last = next(reversed(own), "")
            if own.get(last) != "":
                return None
            inner: dict[str, Any] = {}
            own[last] = inner
            open_.append((indent, inner))
        if name in open_[-1][1]:
            return None
        open_[-1][1][name] = _plain(value)
    return found if len(lines) > 1 else None


def paired(text: str) -> dict[str, Any]:
    """What a sentence has as names with values, where it has several, each of them once; empty else."""
    pairs = PAIR.findall(text) if "=" in text and len(text) <= EDGE else []
    found = {name: _plain(value) for name, value in pairs}
    return found if 1 < len(found) == len(pairs) else {}


def _said(result: Result) -> Any:
    value = result.value
    if value is None:
        return result.lines or paired(result.text) or None
    if not isinstance(value, dict) or len(value) > SAYS:
        return value
    told = (one for one in value.values() if isinstance(one, str))
    pairs = next((own for one in told if (own := paired(one))), {})
    return {**pairs, **value} if pairs else value


def _plain(text: str) -> Any:
    """A value as such lines have it: a number, true, false, null, or a text, in quotes or not."""
    try:
        return orjson.loads(text) if PLAIN.fullmatch(text) else text
    except ValueError:
        return text


def lenient(text: str) -> Any:
    """JSON as tools and models write it, with line ends inside strings; raises ValueError and RecursionError.

    A number that no float holds is a text, as it was written.
    """
    try:
        return orjson.loads(text)
    except ValueError:
        return LENIENT.decode(text)


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= sys.float_info.max_10_exp else digits


def _real(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits


LENIENT = json.JSONDecoder(strict=False, parse_int=_integer, parse_float=_real, parse_constant=str)


def _unwrap(value: Any) -> Any:
    """Take off MCP's `{"content": [{"type": "text", "text": …}], "isError": …}` where the text is JSON itself.

    Some clients hand on its blocks alone, a list of them or one, and the error as a flag of the block.
    """
    if _is_block(value) or (isinstance(value, list) and value and all(map(_is_block, value))):
        blocks = value if isinstance(value, list) else [value]
        failed = any(one.get("error") is True or one.get("isError") is True for one in blocks)
        value = {"content": blocks, **({"isError": True} if failed else {})}
    if not isinstance(value, dict) or not isinstance(value.get("content"), list):
        return value
    texts = [part.get("text") for part in value["content"] if isinstance(part, dict) and part.get("type") == "text"]
    if len(texts) != 1 or not isinstance(texts[0], str):
        return value
    inner = _parse(texts[0])
    if isinstance(inner, dict) and "isError" in value:
        return {"isError": value["isError"], **inner}
    return inner if isinstance(inner, dict) else value


def _is_block(value: Any) -> bool:
    """Whether a value is a block of text as MCP's results have them."""
    return isinstance(value, dict) and value.get("type") == "text" and isinstance(value.get("text"), str)
