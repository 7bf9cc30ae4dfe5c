"""An MCP server as ground truth: what a read-only tool that the operator named answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
from mcp import Client, MCPError
from mcp_types import CONNECTION_CLOSED, CallToolResult, TextContent

from proxy.audit import NOTHING, Present, Question, Sight, Unknown
from proxy.sources import mcp_channel

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

ANSWER = 131_072
"""Bytes of an answer that is kept."""
ARGUMENTS = 65_536
OPENING = 30.0
"""Seconds that a session may take to open; looks wait for it no longer than their own timeout."""
REST = 1.0
"""Seconds before a server that did not start is tried again."""
HUNG = 3
"""Calls in a row that end by timeout: after these the session is opened anew."""
CLOSING = 3.0
KEYS = {"type", "command", "url", "tools", "timeout", "token_env"}

Channel = Callable[[], AbstractAsyncContextManager["TransportStreams"]]


@dataclass(slots=True, eq=False)
class _Asked:
    """One call on its way; its `answer` is None where the session ended before there was one."""

    tool: str
    arguments: dict[str, Any]
    answer: asyncio.Future[Sight | None]
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)


class _Session:
    """One session, opened, used and closed by one task: its cancel scopes belong to the task that entered them."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._queue: asyncio.Queue[_Asked | None] = asyncio.Queue()
        self._open: set[_Asked] = set()
        self.opened, self.over, self.hung = False, False, 0
        self.failed_at = 0.0
        self.task = asyncio.create_task(self._run())

    async def ask(self, tool: str, arguments: dict[str, Any]) -> Sight | None:
        """The tool's answer; None where the session is over. Whoever is cancelled here takes back his call alone."""
        if self.over:
            return None
        asked = _Asked(tool, arguments, asyncio.get_running_loop().create_future())
        self._open.add(asked)
        self._queue.put_nowait(asked)
        try:
            return await asked.answer
        finally:
            self._open.discard(asked)
            asked.scope.cancel()

    def stop(self) -> None:
        self.over = True
        self._queue.put_nowait(None)

    async def _run(self) -> None:
        reason = ""
        try:
            async with AsyncExitStack() as stack:
                try:
                    async with asyncio.timeout(OPENING):
                        client = await stack.enter_async_context(Client(self._channel(), cache=None))
                except TimeoutError:
                    reason = "the server did not open a session in time"
                except Exception as error:  # noqa: BLE001 - what a transport raises has no root of its own
                    reason = f"the server could not be reached: {type(_first(error)).__name__}"
                else:
                    self.opened = True
                    await self._serve(client)
                finally:
                    self._end(reason)
        except Exception:  # noqa: BLE001 - a connection that broke: those who waited for it have been told
            self.over = True

    async def _serve(self, client: Client) -> None:
        async with anyio.create_task_group() as group:
            while (asked := await self._queue.get()) is not None:
                group.start_soon(self._one, client, asked)
            group.cancel_scope.cancel()

    async def _one(self, client: Client, asked: _Asked) -> None:
        with asked.scope:
            sight = await _called(client, asked)
            if sight is None:
                self.stop()
            else:
                self.hung = 0
            if not asked.answer.done():
                asked.answer.set_result(sight)

    def _end(self, reason: str) -> None:
        """Nobody waits for a session that is over: it could not be opened for a `reason`, or had been open before."""
        if reason and not self.over:
            self.failed_at = asyncio.get_running_loop().time()
        self.over = True
        for asked in self._open:
            if not asked.answer.done():
                asked.answer.set_result(Unknown(reason) if reason else None)


async def _called(client: Client, asked: _Asked) -> Sight | None:
    try:
        result = await client.call_tool(asked.tool, asked.arguments)
    except MCPError as error:
        return None if error.code == CONNECTION_CLOSED else Unknown("the server refused the call")
    except Exception as error:  # noqa: BLE001 - an answer that fits no schema, or asks for input, in many ways
        return Unknown(f"the answer could not be read: {type(error).__name__}")
    return _sight(result)


class Mcp:
    """The tools of one server that may be called, over one session that is opened by the first look.

    A look asks `{"tool": name, "arguments": JSON text}`. It is answered by `Present` with the tool's answer as an
    object, or by `Unknown`: only the reader of an answer can tell that it says "absent".
    """

    def __init__(self, channel: Channel, tools: frozenset[str], *, timeout: float = 5.0) -> None:
        self._channel, self._tools, self._timeout = channel, tools, timeout
        self._session: _Session | None = None

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        tool = question.get("tool", "")
        if tool not in self._tools:
            return Unknown("the tool is not among those that may be called")
        arguments = _arguments(question.get("arguments", "{}"))
        if arguments is None:
            return Unknown("the arguments are no JSON object")
        try:
            async with asyncio.timeout(self._timeout):
                for _ in range(2):  # a session may have ended unseen since it was last asked
                    session = self._current()
                    if session is None:
                        return Unknown("the server could not be reached a moment ago")
                    sight = await session.ask(tool, arguments)
                    if sight is not None:
                        return sight
        except TimeoutError:
            self._late()
            return Unknown("the server did not answer in time")
        return Unknown("the server ended the session")

    def _current(self) -> _Session | None:
        """The session that is open or opening, else a new one; None right after one could not be opened."""
        old = self._session
        if old is not None and not old.over:
            return old
        if old is not None and old.failed_at and asyncio.get_running_loop().time() < old.failed_at + REST:
            return None
        self._session = _Session(self._channel)
        return self._session

    def _late(self) -> None:
        if self._session is not None:
            self._session.hung += 1
            if self._session.hung >= HUNG:
                self._session.stop()

    async def aclose(self) -> None:
        session, self._session = self._session, None
        if session is None:
            return
        session.stop()
        if session.opened:
            await asyncio.wait([session.task], timeout=CLOSING)
        session.task.cancel()
        await asyncio.wait([session.task], timeout=CLOSING)


def _arguments(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text) if len(text) <= ARGUMENTS else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _sight(result: CallToolResult) -> Sight:
    """What a tool answered, as an object: its structured content, the JSON in its text, else the text.

    Servers wrap what is no object into `{"result": …}`, a text with JSON in it too: that one is unwrapped.
    """
    if result.is_error:
        return Unknown("the tool reported an error")
    fields = result.structured_content
    if not isinstance(fields, dict) or (set(fields) == {"result"} and isinstance(fields["result"], str)):
        text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
        try:
            value = json.loads(text) if text.lstrip()[:1] in ("{", "[") else None
        except (ValueError, RecursionError):
            value = None
        fields = value if isinstance(value, dict) else {"result": value} if value is not None else {"text": text}
    try:
        size = len(json.dumps(fields))
    except (ValueError, RecursionError):
        return Unknown("the answer could not be read")
    return Present(fields) if size <= ANSWER else Unknown("the answer is too long")


def _first(error: BaseException) -> BaseException:
    """The exception in a group of one."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Mcp:
    """From `[sources.NAME] type = "mcp"`, `command` or `url`, `tools`, `timeout`, `token_env`.

    A token goes to a URL as a bearer's, to a command as the variable of that name. Raises ValueError("key: problem").
    """
    if unknown := set(table) - KEYS:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: {', '.join(sorted(KEYS - {'type'}))}")
    tools, timeout = table.get("tools"), table.get("timeout", 5.0)
    if not _texts(tools):
        raise ValueError("tools: is missing; name the read-only tools that may be called, such as ['pack-status']")
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0.01 <= timeout <= 60:
        raise ValueError("timeout: must be 0.01 to 60 seconds")
    variable = table.get("token_env", "")
    if not isinstance(variable, str) or (variable and not env.get(variable)):
        raise ValueError(f"token_env: the variable {variable} is not set")
    return Mcp(_channel(table, variable, env), frozenset(table["tools"]), timeout=float(timeout))


def _channel(table: Mapping[str, Any], variable: str, env: Mapping[str, str]) -> Channel:
    if ("command" in table) == ("url" in table):
        raise ValueError("command: is missing; one of command (a program and its arguments) and url is needed")
    if "command" in table:
        if not _texts(table["command"]):
            raise ValueError("command: must be a list, the program and its arguments, such as ['helmdeck', 'mcp']")
        given = {variable: env[variable]} if variable else {}
        return partial(mcp_channel.process, tuple(table["command"]), given)
    try:
        parts = urlsplit(table["url"] if isinstance(table["url"], str) else "")
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise ValueError("url: must be http:// or https://, such as 'https://tools.example.com/mcp'")
    if parts.username is not None or parts.password is not None:
        raise ValueError("url: holds a credential; put it into a variable and name that in token_env")
    return partial(mcp_channel.http, table["url"], env[variable] if variable else "")


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) and one for one in value)
