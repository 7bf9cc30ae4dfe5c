"""openai-python, chat completions: streamed, plain, by the `.stream()` helper, by `parse`."""

import json

from openai import OpenAI
from scenes import FIRST, SECOND, SILENCE, TOOL, Done, play, tried

ASKED = {"model": "gpt-4o", "tools": [{"type": "function", "function": TOOL}]}


def streamed(client, messages):
    text, calls = "", {}
    for chunk in client.chat.completions.create(
        messages=messages, stream=True, stream_options={"include_usage": True}, **ASKED
    ):
        for choice in chunk.choices:
            text += choice.delta.content or ""
            for call in choice.delta.tool_calls or []:
                known = calls.setdefault(call.index, call)
                if known is not call:
                    known.function.arguments += call.function.arguments
    return text, list(calls.values())


def plain(client, messages):
    message = client.chat.completions.create(messages=messages, **ASKED).choices[0].message
    return message.content, message.tool_calls


def helper(client, messages):
    with client.chat.completions.stream(messages=messages, **ASKED) as events:
        message = events.until_done().get_final_completion().choices[0].message
    return message.content, message.tool_calls


def parsed(client, messages):
    message = client.chat.completions.parse(messages=messages, response_format=Done, **ASKED).choices[0].message
    return message.parsed, message.tool_calls


def turn(client, ask, messages, said):
    """Ask until the model calls no more tools; the answer."""
    messages.append({"role": "user", "content": said})
    while True:
        answer, calls = ask(client, messages)
        if not calls:
            messages.append({"role": "assistant", "content": answer})
            return answer
        made = [
            {"id": call.id, "type": "function", "function": call.function.model_dump(include={"name", "arguments"})}
            for call in calls
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": made})
        for call in calls:
            result, _ = tried(json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def conversation(ask):
    def scene(url, key):
        client, messages = OpenAI(base_url=url, api_key=key, timeout=SILENCE, max_retries=0), []
        return {"answers": [turn(client, ask, messages, FIRST), turn(client, ask, messages, SECOND)]}

    return scene


def parse(url, key):
    client = OpenAI(base_url=url, api_key=key, max_retries=0)
    return {"parsed": turn(client, parsed, [], FIRST).model_dump()}


stream = conversation(streamed)
play(
    "openai",
    stream=stream,
    plain=conversation(plain),
    helper=conversation(helper),
    parse=parse,
    abort=stream,
    hold=stream,
)
