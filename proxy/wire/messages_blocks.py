"""Read the content blocks of Anthropic's messages: their text, the tool calls, the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proxy.transcript import Answer, Message, Role, ToolCall, ToolResult, attached
from proxy.wire import spans

CLIENT_CALL = "tool_use"
"""The block by which the model asks its client to run a tool; what else is called, the provider ran itself."""

HOSTED_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})
RESULT = "tool_result"
HOSTED_RESULT = "_tool_result"
"""How the types of the provider's own results end: `web_search_tool_result`, `mcp_tool_result`, …"""

PAGES = frozenset({"web_search_tool_result", "web_fetch_tool_result"})
"""Results whose text comes encrypted, or as a document."""

THINKING = frozenset({"thinking", "redacted_thinking"})

PAUSES = frozenset({"pause_turn", "compaction"})
"""Stop reasons after which the client sends the answer back for the model to go on: it is none yet."""


def string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def kind(block: Any) -> str:
    """The type of a block; empty where it has none. A bare string in a list of blocks is a text."""
    if isinstance(block, str):
        return "text"
    return string(block.get("type")) if isinstance(block, dict) else ""


def text_of(block: Any) -> str | None:
    """The text of a text block; None where it is no such block."""
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and block.get("type", "text") == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    return None


def blocks_of(content: Any) -> Sequence[Any]:
    """The blocks of a message's content, of which a string is one."""
    if isinstance(content, str):
        return (content,)
    return content if isinstance(content, list) else ()


def said(blocks: Sequence[Any]) -> str:
    """What a model said in its text blocks. Citations part a sentence into blocks that follow each other at once."""
    pieces: list[str] = []
    apart = False
    for block in blocks:
        text = text_of(block)
        if text is None:
            apart = bool(pieces)
        elif text:
            pieces += ["\n\n", text] if apart else [text]
            apart = False
    return "".join(pieces)


def joined(content: Any) -> str:
    """The text blocks of a content, a newline between them."""
    if isinstance(content, str):
        return content
    return "\n".join(text for block in blocks_of(content) if (text := text_of(block)) is not None)


def calls(blocks: Sequence[Any], hosted: bool) -> Iterator[ToolCall]:
    """The tool calls in blocks: those that the client is to run, or those that the provider ran itself."""
    for block in blocks:
        named = kind(block)
        if named == CLIENT_CALL and not hosted:
            yield ToolCall(string(block.get("id")), string(block.get("name")), _arguments(block.get("input")))
        elif named in HOSTED_CALLS and hosted:
            name, server = string(block.get("name")), string(block.get("server_name"))
            name = f"mcp__{server}__{name}" if server else name
            yield ToolCall(string(block.get("id")), name, _arguments(block.get("input")))


def _arguments(value: Any) -> str:
    if isinstance(value, str):  # a stream's own pieces, joined
        return value
    return spans.written({} if value is None else value)


def results(blocks: Sequence[Any]) -> Iterator[ToolResult]:
    """The results in blocks, in order: what the client's tools answered, and what the provider's own did."""
    for block in blocks:
        named = kind(block)
        if named == RESULT or named == "mcp_tool_result":
            identifier = string(block.get("tool_use_id"))
            yield ToolResult(identifier, result_text(block.get("content")), block.get("is_error") is True)
        elif named.endswith(HOSTED_RESULT):
            yield _hosted(block)


def result_text(content: Any) -> str:
    """The readable text of a result: its text parts, and the texts of the search results in it."""
    if isinstance(content, str):
        return content
    texts = []
    for part in blocks_of(content):
        text = joined(part.get("content")) if kind(part) == "search_result" else text_of(part)
        if text is not None:
            texts.append(text)
    return "\n".join(texts)


def _hosted(block: Mapping[str, Any]) -> ToolResult:
    """A result of a tool of the provider's own: an object under `content`, or a list of pages found."""
    content = block.get("content")
    identifier = string(block.get("tool_use_id"))
    if isinstance(content, list):
        found = [part for part in content if isinstance(part, dict)]
        pages = [f"{string(part.get('title'))} {string(part.get('url'))}".strip() for part in found]
        return ToolResult(identifier, "\n".join(page for page in pages if page), False)
    if not isinstance(content, dict):
        return ToolResult(identifier, string(content), False)
    code = content.get("error_code")
    if isinstance(code, str):
        return ToolResult(identifier, _arguments({"error": code, **content}), True)
    document = content.get("content")
    if isinstance(document, dict):  # a page that was fetched: its text, where it is one, is the answer
        source = document.get("source")
        data = string(source.get("data")) if isinstance(source, dict) and source.get("type") == "text" else ""
        return ToolResult(identifier, f"{string(content.get('url'))}\n{data}".strip(), False)
    returned = content.get("return_code")
    failed = isinstance(returned, int) and returned != 0
    kept = {key: value for key, value in content.items() if key not in ("encrypted_content", "encrypted_stdout")}
    return ToolResult(identifier, _arguments(kept), failed)


def message(raw: Any) -> Message:
    """One message, however odd. What has no role that we know is read as the user's words."""
    if not isinstance(raw, dict):
        return Message("user", "")
    content = raw.get("content")
    role: Role = "assistant" if raw.get("role") == "assistant" else "system" if raw.get("role") == "system" else "user"
    if isinstance(content, str):
        return Message(role, content)
    blocks = blocks_of(content)
    found = tuple(results(blocks))
    if role == "assistant":
        text = "\n\n".join(part for part in (*_summaries(blocks), said(blocks)) if part)
        return Message("assistant", text, (*calls(blocks, False), *calls(blocks, True)), found, _unread(blocks))
    return Message(role, joined(content), (), found, _unread(blocks))


def _unread(blocks: Sequence[Any]) -> bool:
    """Whether blocks have attachments, or results that do, or pages whose text the provider keeps to the model."""
    own = (block for block in blocks if kind(block).endswith(RESULT))
    return attached(blocks) or any(attached(one.get("content")) or kind(one) in PAGES for one in own)


def _summaries(blocks: Sequence[Any]) -> Iterator[str]:
    """What a compaction by the provider left of the history, marked as such."""
    for block in blocks:
        if kind(block) == "compaction" and isinstance(block.get("content"), str):
            yield f"<summary>{block['content']}</summary>"


def answer(blocks: Sequence[Any], stop: str, container: Any = None) -> Answer:
    """An answer, from its blocks, its stop reason, and the container that its code ran in."""
    made = string(container.get("id")) if isinstance(container, dict) else ""
    ran = Message("assistant", "", tuple(calls(blocks, True)), tuple(results(blocks)), _unread(blocks))
    return Answer(
        index=0,
        text=said(blocks),
        finish=stop,
        calls=list(calls(blocks, False)),
        refused=stop == "refusal",
        paused=stop in PAUSES,
        hosted=ran if ran.calls or ran.results else None,
        made=(made,) if made else (),
    )
