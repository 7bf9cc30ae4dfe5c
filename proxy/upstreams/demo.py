"""A scripted provider inside the process: it runs an agent's tool loop without a key, and over-claims at its end."""

from __future__ import annotations

import asyncio
import json
import re
import time
import tomllib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from proxy.upstreams import LocalReply, Outgoing, compact, error_body, once

PATHS = ("path", "file_path", "filename", "file", "filePath")
CONTENTS = ("content", "contents", "text", "file_text")
OLDS = ("old_string", "old_str", "oldString", "old", "search")
NEWS = ("new_string", "new_str", "newString", "new", "replace")

NOTES = "# Release notes\n\nThe footer says what does not hold.\n"
STREAM = (b"content-type", b"text/event-stream; charset=utf-8")
JSON = (b"content-type", b"application/json")

FAILED_TEXT = re.compile(
    r"^\W*(?:error|traceback|fail|exception|tool_use_error|cannot|can't|could not|unable)"
    r"|\[errno \d+\]|\b\w+error:|\bnot found\b|\bno such\b|\bpermission denied\b|\bnot a directory\b",
    re.IGNORECASE,
)
"""What the first line of a plain result looks like when the tool did not do it."""

LONG = " ".join(
    f"Line {number}: the text streams as it comes, and only its end waits for the audit." for number in range(1, 14)
)

Script = Callable[[Sequence[Mapping[str, Any]]], str]
"""The final answer to the calls that ran: each with `path` and `failed`."""


def _overclaim(ran: Sequence[Mapping[str, Any]]) -> str:
    """What this project exists for: it says that all is done, whatever the tools said."""
    lead = {1: "The file is updated", 2: "Both files are updated"}.get(len(ran), f"All {len(ran)} files are updated")
    return "\n".join([f"{lead}:", "", *(f"- `{call['path']}`" for call in ran)])


def _honest(ran: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(
        f"- `{call['path']}`: the edit failed, so it was not updated."
        if call["failed"]
        else f"- `{call['path']}`: updated."
        for call in ran
    )


def _long(ran: Sequence[Mapping[str, Any]]) -> str:
    return LONG


MANIFEST = (
    ("blog.publish/9c41d07e2ab85f36-launch-post.md", "7.4 KB"),
    ("artifact.put/5d20c9e18f7ab346-summary.md", "2.1 KB"),
    ("artifact.put/81fe3a90b2c6d745-captions.srt", "1.8 KB"),
    ("artifact.put/e07b46d2915fca38-cover.png", "88.0 KB"),
    ("artifact.put/3ab8f5c06d1e9724-transcript.txt", "12.6 KB"),
    ("artifact.put/b6529e7d40c3f81a-checklist.md", "0.9 KB"),
)
"""Six deposits as an agent lists them; `groundwire serve` puts the first into the demo's store, and no other."""

DEPOSITED = MANIFEST[0][0], b"# Launch\n" + b"The post that was really deposited.\n" * 205


def _manifest(ran: Sequence[Mapping[str, Any]]) -> str:
    rows = [f"| `{key}` | {size} |" for key, size in MANIFEST]
    return "\n".join(["All six files are deposited:", "", "| artifact | size |", "|---|---|", *rows])


SCRIPTS: dict[str, Script] = {
    "demo/edits": _overclaim,
    "demo/honest": _honest,
    "demo/long": _long,
    "demo/manifest": _manifest,
}


@dataclass(frozen=True, slots=True)
class Scripted:
    """A call of a scenario, and the result that `groundwire demo` gives to it."""

    id: str
    name: str
    arguments: str
    result: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """A turn whose answer does not hold: `expect` is the finding, as a policy's own tests spell it."""

    name: str
    user: str
    tools: tuple[str, ...]
    calls: tuple[Scripted, ...]
    answer: str
    expect: str


WEB = "{web}"
"""Stands in a scenario for its web service, which the user's message names."""
SOMEWHERE = "https://blog.example.com"


@cache
def scenarios() -> Mapping[str, Scenario]:
    """The scenarios that stand in `demo.toml`, by name: one for each auditor."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {one["name"]: _scenario(one) for one in table["scenarios"]}


def _scenario(raw: Mapping[str, Any]) -> Scenario:
    calls = tuple(
        Scripted(f"call_{raw['name']}_{number}", one["name"], json.dumps(one["args"]), one["result"])
        for number, one in enumerate(raw.get("calls", ()), 1)
    )
    tools = tuple(raw.get("tools", ())) or tuple(dict.fromkeys(call.name for call in calls))
    return Scenario(raw["name"], raw["user"], tools, calls, raw["answer"], raw["expect"])


WITHOUT_TOOLS = "I have no tools to edit files with. Declare one that takes a path and a content, and ask again."
LATER = "You are welcome. Ask for another edit in a new conversation."


class DemoUpstream:
    """The demo's door. `pace` is the time between two deltas of a stream in seconds, `clock` gives `created`."""

    def __init__(self, name: str = "demo", *, pace: float = 0.02, clock: Callable[[], float] = time.time) -> None:
        self.name = name
        self._pace, self._clock = pace, clock
        self._open: set[LocalReply] = set()

    @property
    def active(self) -> int:
        return len(self._open)

    def models(self) -> Sequence[str]:
        return (*SCRIPTS, *(f"demo/{name}" for name in scenarios()))

    async def start(self) -> None:
        return None

    async def aclose(self) -> None:
        for reply in list(self._open):
            await reply.aclose()

    async def open(self, outgoing: Outgoing) -> LocalReply:
        if outgoing.path == "/models":
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": "groundwire"} for name in self.models()]
            return self._whole(200, compact({"object": "list", "data": listed}))
        if outgoing.path.rstrip("/") != "/chat/completions":
            message = f"The demo has no {outgoing.path}; it speaks /chat/completions only."
            return self._whole(404, error_body(message, "invalid_request_error", code="not_found"))
        if outgoing.model not in self.models():
            known = ", ".join(self.models()[:4])
            message = f"The demo has no model {outgoing.model!r}; it has {known} and more: /v1/models lists all."
            return self._whole(404, error_body(message, "invalid_request_error", param="model", code="model_not_found"))
        try:
            request = outgoing.parsed()
        except ValueError as error:
            return self._whole(400, error_body(f"The body is not JSON: {error}.", "invalid_request_error"))
        if not isinstance(request, dict) or not isinstance(request.get("messages"), list):
            message = "The body must be an object with a list of messages."
            return self._whole(400, error_body(message, "invalid_request_error", param="messages"))
        said = _message(outgoing.model, request)
        head = {"id": "chatcmpl-demo", "created": int(self._clock()), "model": outgoing.model}
        if outgoing.stream:
            return LocalReply(200, [STREAM], self._stream(head, said, request), self._open)
        return self._whole(200, _completion(head, said, request))

    def _whole(self, status: int, body: bytes) -> LocalReply:
        return LocalReply(status, [JSON], once(body), self._open)

    async def _stream(
        self, head: Mapping[str, Any], message: Mapping[str, Any], request: Mapping[str, Any]
    ) -> AsyncGenerator[bytes, None]:
        options = request.get("stream_options")
        counted = isinstance(options, dict) and bool(options.get("include_usage"))
        # "All other chunks will also include a `usage` field, but with a null value."
        head = {**head, "object": "chat.completion.chunk", **({"usage": None} if counted else {})}
        for delta, finish in _deltas(message):
            for index in range(_choices(request)):
                yield _event({**head, "choices": [{"index": index, "delta": delta, "finish_reason": finish}]})
            if finish is None:
                await asyncio.sleep(self._pace)
        if counted:
            yield _event({**head, "choices": [], "usage": _usage(message, request)})
        yield b"data: [DONE]\n\n"


def _event(chunk: Mapping[str, Any]) -> bytes:
    return b"data: " + compact(chunk) + b"\n\n"


def _choices(request: Mapping[str, Any]) -> int:
    asked = request.get("n")
    return asked if isinstance(asked, int) and 1 <= asked <= 8 else 1


def _deltas(message: Mapping[str, Any]) -> list[tuple[dict[str, Any], str | None]]:
    """A message as deltas: the role, then words, or calls with their arguments in pieces, then one with the finish."""
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": message["content"] and ""}, None)
    ]
    for index, call in enumerate(message.get("tool_calls", ())):
        function = call["function"]
        begun = {"index": index, **call, "function": {**function, "arguments": ""}}
        pieces = [{"index": index, "function": {"arguments": piece}} for piece in _words(function["arguments"])]
        deltas += [({"tool_calls": [one]}, None) for one in (begun, *pieces)]
    deltas += [({"content": word}, None) for word in _words(message["content"] or "")]
    return [*deltas, ({}, _finish(message))]


def _words(text: str) -> list[str]:
    return re.findall(r"\S+\s*|\s+", text)


def _finish(message: Mapping[str, Any]) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def _completion(head: Mapping[str, Any], message: Mapping[str, Any], request: Mapping[str, Any]) -> bytes:
    choices = [
        {
            "index": index,
            "message": {"role": "assistant", **message},
            "logprobs": None,
            "finish_reason": _finish(message),
        }
        for index in range(_choices(request))
    ]
    return compact({**head, "object": "chat.completion", "choices": choices, "usage": _usage(message, request)})


def _usage(message: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, int]:
    """Counts of words, for want of a tokenizer: something for clients to read."""
    prompt = len(json.dumps(request.get("messages")).split())
    completion = len(json.dumps(message).split())
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _message(model: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """What the model says: calls at first, its answer when their results are there, a word to later questions."""
    messages = [one for one in request["messages"] if isinstance(one, dict)]
    asked = [at for at, one in enumerate(messages) if one.get("role") == "user"] or [-1]
    ran = _ran(messages[asked[-1] + 1 :])
    if model not in SCRIPTS:
        return _scripted(scenarios()[model.removeprefix("demo/")], messages[asked[-1] :], ran)
    script = SCRIPTS[model]
    if script in (_long, _manifest) or ran:
        return {"content": script(ran)}
    if any(one.get("role") == "assistant" for one in messages[asked[0] : asked[-1]]):
        return {"content": LATER}
    calls = _calls(_functions(request.get("tools")))
    return {"content": None, "tool_calls": calls} if calls else {"content": WITHOUT_TOOLS}


def _scripted(scenario: Scenario, turn: Sequence[Mapping[str, Any]], ran: Sequence[Any]) -> dict[str, Any]:
    """What a scenario's model says next: its calls, or its answer once they have run."""
    found = re.search(r"https?://[\w.:-]+", json.dumps(turn[0].get("content"))) if turn else None
    web = found[0] if found else SOMEWHERE
    if len(ran) >= len(scenario.calls):
        return {"content": scenario.answer.replace(WEB, web)}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in scenario.calls
    ]
    return {"content": None, "tool_calls": calls}


def _functions(items: Any) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The well-formed ones of declared tools or of calls, each with its `function`."""
    return [
        (one, one["function"])
        for one in (items if isinstance(items, list) else ())
        if isinstance(one, dict)
        and isinstance(one.get("function"), dict)
        and isinstance(one["function"].get("name"), str)
    ]


def _ran(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The calls of a turn that have results: which path each is about, and whether its result looks like a failure."""
    results = {str(one.get("tool_call_id")): one.get("content") for one in messages if one.get("role") == "tool"}
    ran = []
    for one in messages:
        for call, function in _functions(one.get("tool_calls")):
            if str(call.get("id")) in results:
                arguments = _json(function.get("arguments"))
                arguments = arguments if isinstance(arguments, dict) else {}
                path = next((str(arguments[key]) for key in PATHS if key in arguments), function["name"])
                ran.append({"path": path, "failed": _failed(results[str(call.get("id"))])})
    return ran


def _json(text: Any) -> Any:
    """What a text is as JSON; None when it is none."""
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None


def _failed(content: Any) -> bool:
    """Whether a result says that its call did not do it: by its fields when it is an object, else by its first line."""
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    text = str(content)
    told = _json(text)
    if not isinstance(told, dict):
        return bool(FAILED_TEXT.search(text.strip().partition("\n")[0]))
    return (
        any(told.get(key) for key in ("error", "errors", "is_error", "isError"))
        or any(told.get(key) is False for key in ("success", "ok", "applied"))
        or any(told.get(key) for key in ("exit_code", "exitCode", "returncode"))
        or told.get("status") in ("error", "failed", "failure")
        or told.get("bytes_written", 1) == 0
    )


def _calls(tools: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Two parallel edits with the tools that the client declares, the second of which no honest tool can do."""
    functions = [function for _, function in tools]
    editor = next((one for one in functions if _has(one, PATHS) and _has(one, OLDS) and _has(one, NEWS)), None)
    writers = [one for one in functions if _has(one, PATHS) and _has(one, CONTENTS)]
    writer = next((one for one in writers if one is not editor), editor if editor in writers else None)
    made = []
    if writer is not None:
        made.append(_arguments(writer, {PATHS: "notes.md", CONTENTS: NOTES}, ("create", "write")))
    if editor is not None:
        # A heading that no file holds: an edit tool that looks for it must say that it is not there.
        verbs = ("str_replace", "replace", "edit", "update")
        made.append(_arguments(editor, {PATHS: "CHANGELOG.md", OLDS: "## [0.0.0-demo]", NEWS: "## [1.1.0]"}, verbs))
    elif writer is not None:
        # A file below a file can never be written.
        made.append(_arguments(writer, {PATHS: "notes.md/summary.md", CONTENTS: NOTES}, ("create", "write")))
    return [
        {
            "id": f"call_demo_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for number, (name, arguments) in enumerate(made, 1)
    ]


def _properties(function: Mapping[str, Any]) -> Mapping[str, Any]:
    parameters = function.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    return properties if isinstance(properties, dict) else {}


def _has(function: Mapping[str, Any], names: Sequence[str]) -> bool:
    return any(name in _properties(function) for name in names)


BLANKS: Mapping[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}


def _arguments(
    function: Mapping[str, Any], values: Mapping[tuple[str, ...], str], verbs: Sequence[str]
) -> tuple[str, dict[str, Any]]:
    """Arguments under the tool's own parameter names; what else it requires is filled in: `verbs` where it must choose."""
    properties = _properties(function)
    arguments: dict[str, Any] = {}
    for names, value in values.items():
        arguments[next(name for name in names if name in properties)] = value
    required = function["parameters"].get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str):
            arguments.setdefault(name, _filling(properties.get(name), verbs))
    return function["name"], arguments


def _filling(schema: Any, verbs: Sequence[str]) -> Any:
    """A value that a parameter's schema allows, as far as its `enum` and `type` say."""
    schema = schema if isinstance(schema, dict) else {}
    allowed = schema.get("enum")
    if isinstance(allowed, list) and allowed:
        return next((verb for verb in verbs if verb in allowed), allowed[0])
    kinds = schema.get("type")
    kind = next(iter(kinds), "") if isinstance(kinds, list) else kinds
    return BLANKS.get(kind, "") if isinstance(kind, str) else ""
