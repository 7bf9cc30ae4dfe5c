"""Measure what a streamed chunk costs in each wire format's relay, in this process and side by side."""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

from bench.upstream import chunk
from proxy.wire import Relay, WireFormat, chat, messages, responses

CHUNKS, ROUNDS = 20_000, 9
TARGET = 1.5
"""How many times what a chunk of chat's costs another format's may."""


def event(named: str, **more: Any) -> bytes:
    """An event as Anthropic and the responses API name it."""
    return f"event: {named}\ndata: {json.dumps({'type': named, **more})}\n\n".encode()


def streams() -> dict[str, tuple[WireFormat, dict[str, Any], list[bytes]]]:
    """By format: a request, and the events of a stream of text before its end."""
    words = [f"word{number} " for number in range(CHUNKS)]
    said = [event("content_block_delta", index=0, delta={"type": "text_delta", "text": word}) for word in words]
    place = {
        "item_id": "msg_" + "0" * 48,
        "output_index": 0,
        "content_index": 0,
        "logprobs": [],
        "obfuscation": "abcdef",
    }
    told = [
        event("response.output_text.delta", sequence_number=number, delta=word, **place)
        for number, word in enumerate(words)
    ]
    return {
        "chat": (chat, {"messages": []}, [chunk({"role": "assistant"}), *(chunk({"content": word}) for word in words)]),
        "messages": (
            messages,
            {"messages": []},
            [event("content_block_start", index=0, content_block={"type": "text"}), *said],
        ),
        "responses": (responses, {"input": ""}, [event("response.created", response={"id": "resp_0"}), *told]),
    }


def cost(relay: Relay, events: list[bytes]) -> float:
    """CPU microseconds of one event."""
    began = time.process_time_ns()
    for one in events:
        relay.feed(one)
    return (time.process_time_ns() - began) / 1e3 / len(events)


def main() -> None:
    """Print the table."""
    found: dict[str, list[float]] = {}
    loads = streams()
    for turn in range(ROUNDS + 1):
        for name, (wire, more, events) in loads.items():
            asked = wire.read(json.dumps({"model": "m", "stream": True, **more}).encode())
            value = cost(wire.relay(asked, True), events)
            if turn:  # the first round warms up
                found.setdefault(name, []).append(value)
    for name, values in found.items():
        ratio = statistics.median(value / chats for value, chats in zip(values, found["chat"], strict=True))
        met = "" if name == "chat" else f"   <= {TARGET:g}x  {'met' if ratio <= TARGET else 'SHORT OF TARGET'}"
        print(f"CPU/chunk, {name:<12}{statistics.median(values):6.2f} µs {ratio:6.2f}x{met}")


if __name__ == "__main__":
    main()
