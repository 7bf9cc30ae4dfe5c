"""A scripted provider on loopback: a tool call, an answer that falsely claims success, a word to the second question."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.clients import wires
from tests.clients.wires import Asked, Document, Saying

FILE = "settings/config.py"
"""The file that the model sets out to write. `settings` is a file in the client's folder, so no honest tool can."""
CLAIM = f"I updated `{FILE}`: debugging is off now, and nothing else has changed."
LATER = "You are welcome."
PARSED = {"path": FILE, "summary": CLAIM}
SECONDS = 90
"""How long the slow source thinks: longer than any deadline."""

Formats = Mapping[str, tuple[Callable[[Any], Asked], Callable[..., bytes], Callable[..., Iterator[bytes]]]]
FORMATS: Formats = {
    "/v1/chat/completions": (wires.read_chat, wires.chat, wires.chat_stream),
    "/v1/messages": (wires.read_messages, wires.messages, wires.messages_stream),
    "/v1/responses": (wires.read_responses, wires.responses, wires.responses_stream),
}


def script(asked: Asked, scene: str, folder: str) -> Saying:
    """What the model says, by the tool results that it sees; to a client's side questions, which bring no tools, a title."""
    if not asked.tools and not asked.results:
        return Saying("Debugging off")
    if asked.forced:  # structured output by way of a tool
        return Saying(tool=asked.forced, arguments=PARSED)
    if not asked.results and not asked.remembered:
        return edit(asked.tools, folder)
    if not asked.ends_with_result:
        return Saying(LATER)
    return Saying(json.dumps(PARSED) if scene == "parse" else CLAIM)


def edit(tools: Mapping[str, Document], folder: str) -> Saying:
    """The call by which a model edits the file, with the tools that this client declares."""
    old, new, path = "debug = True", "debug = False", f"{folder}/{FILE}"
    patch = f"*** Begin Patch\n*** Update File: {FILE}\n@@\n-{old}\n+{new}\n*** End Patch"
    calls: dict[str, Document | str] = {
        "write_file": {"path": FILE, "content": new},
        "Edit": {"file_path": path, "old_string": old, "new_string": new},
        "edit": {"filePath": path, "oldString": old, "newString": new},
        "apply_patch": patch,
        "exec_command": {"cmd": f"apply_patch <<'EOF'\n{patch}\nEOF"},
        "shell_command": {"command": f"apply_patch <<'EOF'\n{patch}\nEOF"},
    }
    name = next((name for name in calls if name in tools), "")
    if "patchText" in tools.get(name, {}).get("parameters", {}).get("properties", {}):
        return Saying(tool=name, arguments={"patchText": patch})
    return Saying(tool=name, arguments=calls[name]) if name else Saying("There is no tool to edit with.")


class Upstream:
    """The provider in a thread. A request's key says which scene it plays and which run it belongs to: `scene.run`."""

    def __init__(self) -> None:
        self.bodies: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
        """What each key has sent: path and body, in order."""
        self.folders: dict[str, str] = {}
        """The working folder of the client of each run."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Door", (Door,), {"upstream": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Upstream:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"


class Door(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    upstream: Upstream

    def log_message(self, *_: object) -> None:
        return None

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client has left
            super().handle()

    def do_HEAD(self) -> None:
        self._whole(200, b"")

    def do_GET(self) -> None:
        if self.path.startswith("/slow/"):
            time.sleep(SECONDS)
        self._whole(200, json.dumps({"object": "list", "data": [], "has_more": False}).encode())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.partition("?")[0]
        if path not in FORMATS:
            return self._whole(404, b'{"error": {"message": "not in the script", "type": "not_found_error"}}')
        key = self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")
        self.upstream.bodies[key].append((path, body))
        read, plain, stream = FORMATS[path]
        document = json.loads(body)
        scene, _, run = key.partition(".")
        asked = read(document)
        saying = script(asked, scene, self.upstream.folders.get(run, ""))
        if not document.get("stream"):
            return self._whole(200, plain(document, saying))
        return self._stream(list(stream(document, saying)), scene == "abort" and asked.ends_with_result)

    def _whole(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _stream(self, events: list[bytes], broken: bool) -> None:
        """All events, or, broken off, the first half of them and no end."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in events[: len(events) // 2] if broken else events:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        if broken:
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")
