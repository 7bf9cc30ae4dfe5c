"""How an auditor asks an operator's endpoint about something that has an id, and holds an answer to what that says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import quote

from proxy.audit import Look, Present
from proxy.ledger import Call, Turn
from proxy.results import WRAPPERS, has_word

SUBJECT = "{subject}"


async def ask(
    look: Look, source: str, turn: Turn, subject: str, *, url: str, tool: str, arguments: Mapping[str, str]
) -> Mapping[str, Any] | None:
    """The object that an endpoint answers for an id; None where it has none, or could not be asked.

    With a `tool`, the source is asked to call it with `arguments`; else it is asked for `url`. In both `{subject}` is the
    id; in a URL it is percent-encoded, so that it stays one part of the path, whatever a model wrote.
    """
    if tool:
        filled = {name: value.replace(SUBJECT, subject) for name, value in arguments.items()}
        sight = await look(source, subject, {"tool": tool, "arguments": json.dumps(filled), "since": since(turn)})
    else:
        where = subject if url == SUBJECT else url.replace(SUBJECT, quote(subject, safe=""))
        sight = await look(source, where, {"since": since(turn)})
    if not isinstance(sight, Present):
        return None
    page = sight.fields.get("json", sight.fields)  # an HTTP source puts what it read beside what it knows of the page
    return page if isinstance(page, Mapping) else None


def texts(answer: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """The texts under some names of an answer, or of the object in a known wrapper."""
    for one in (answer, *(answer.get(name) for name in WRAPPERS)):
        if isinstance(one, Mapping):
            yield from (value for name in names if isinstance(value := one.get(name), str) and value)


def since(turn: Turn) -> str:
    """When an answer was asked for, and after which call: what was said before may not hold now."""
    last = turn.calls[-1] if turn.calls else None
    text = f"{turn.at}\n{len(turn.calls)}"
    if last is not None:
        text += last.raw + last.result_text
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def just_told(calls: Iterable[Call], subject: str) -> bool:
    """Whether the result of one of some calls names a subject: what it made may not be there for everybody yet."""
    return any(call.result is not None and has_word(call.result.text, subject) for call in calls)


def word(value: Any) -> str:
    """A value of a service or a database as an answer spells it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def same_number(found: Any, wanted: str) -> bool:
    """Whether a value and a text are one number, however it is written."""
    number = None if isinstance(found, bool) else _number(str(found))
    return number is not None and number == _number(wanted)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip().replace(",", ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
