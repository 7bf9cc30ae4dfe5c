"""What an answer says that is a JSON object, as models write for programs: its values, a line each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from proxy.results import strings
from proxy.roots import name_words

CALL = frozenset({"arguments", "parameters", "args", "input", "action_input", "tool_calls", "tool", "function"})
"""Names of fields by which an object may be a call written as text."""
SENTENCE, DEPTH, LONGEST = 5, 6, 50_000
"""Words of a sentence, how deep an object is read, and code points up to which."""


def told(text: str) -> str:
    """The values of an answer that is one JSON object with sentences in it, as a list that a person would write.

    A sentence stands as it is, another value behind the words of its name. Any other text is returned as it is, and so is
    an object that may be a call.
    """
    bare = text.strip()
    if not (bare.startswith("{") and bare.endswith("}")) or len(bare) > LONGEST:
        return text
    try:
        value = orjson.loads(bare)
    except ValueError:
        return text
    if not CALL.isdisjoint(value) or not any(len(one.split()) >= SENTENCE for one in strings(value)):
        return text
    return "\n".join(_lines(value))


def _lines(value: Any, name: str = "", depth: int = DEPTH) -> Iterator[str]:
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            yield from _lines(inner, " ".join(name_words(key)), depth - 1)
    elif isinstance(value, list) and depth:
        for inner in value:
            yield from _lines(inner, name, depth - 1)
    elif isinstance(value, bool):
        yield f"- {name}: {'yes' if value else 'no'}"
    elif isinstance(value, (str, int, float)):
        yield f"- {value}" if len(str(value).split()) >= SENTENCE else f"- {name}: {value}"
