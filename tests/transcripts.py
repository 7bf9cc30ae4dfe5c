"""Build transcripts for tests as a client would send them, and read them as the proxy does."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from proxy import ledger
from proxy.ledger import Marks, Turn
from proxy.lexicon import Lexicon, parse_words
from proxy.patterns import Pattern
from proxy.runners import parse_runners
from proxy.signatures import parse_signatures
from proxy.transcript import Transcript
from proxy.wire import chat

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
"""Real labelled transcripts; not part of the project, read only where they are."""

Ran = tuple[str, Any, Any]
"""A call: its name, its arguments (an object or the text as written), its result (None: none came)."""


@cache
def marks() -> Marks:
    """What the coding-agents pack knows."""
    pack, base = (
        tomllib.loads((ROOT / f"policies/packs/{name}.toml").read_text()) for name in ("coding-agents", "base")
    )
    return Marks(
        parse_signatures([*pack["signatures"], *base["signatures"]]),
        tuple(Pattern(one) for one in base["nudges"]),
        tuple(Pattern(one) for one in base["summaries"]),
        tuple(Pattern(one) for one in base["cwd"]),
        runners=parse_runners(pack.get("runners", [])),
    )


@cache
def lexicon() -> Lexicon:
    tables = [tomllib.loads((ROOT / f"policies/words/{name}.toml").read_text()) for name in ("any", "en")]
    return parse_words(tables)


def spoken(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def messages(ran: Sequence[Ran], *, user: str = "Please do it.", first: int = 0) -> list[dict[str, Any]]:
    """A user's request and the calls that followed, each with its result."""
    out: list[dict[str, Any]] = [{"role": "user", "content": user}]
    for number, (name, arguments, result) in enumerate(ran, first):
        function = {"name": name, "arguments": spoken(arguments)}
        out.append({"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]})
        if result is not None:
            out.append({"role": "tool", "tool_call_id": f"c{number}", "content": spoken(result)})
    return out


def transcript(raw: Sequence[Any], **more: Any) -> Transcript:
    return chat.read(json.dumps({"model": "m", "messages": list(raw), **more}).encode()).transcript


def turn(raw: Sequence[Any], *tools: str) -> Turn:
    """The last turn of messages, of a request that declares some tools by name."""
    declared = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in tools]
    return ledger.read_turn(transcript(raw, tools=declared), marks())
