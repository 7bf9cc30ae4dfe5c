"""anthropic-python, messages: by `messages.stream`, by `create` plain and streamed, by `parse`."""

from anthropic import Anthropic
from scenes import FIRST, PARAMETERS, SECOND, SILENCE, Done, play, tried

TOOLS = [{"name": "write_file", "description": "Write a text to a file.", "input_schema": PARAMETERS}]
ASKED = {"model": "claude-sonnet-4-5", "max_tokens": 1000, "tools": TOOLS}


def helper(client, messages):
    with client.messages.stream(messages=messages, **ASKED) as stream:
        return stream.get_final_message()


def plain(client, messages):
    return client.messages.create(messages=messages, **ASKED)


def parsed(client, messages):
    return client.messages.parse(messages=messages, output_format=Done, **ASKED)


def turn(client, ask, messages, said):
    """Ask until the model calls no more tools; its last message."""
    messages.append({"role": "user", "content": said})
    while True:
        message = ask(client, messages)
        messages.append({"role": "assistant", "content": message.content})
        if message.stop_reason != "tool_use":
            return message
        results = []
        for block in message.content:
            if block.type == "tool_use":
                text, failed = tried(block.input)
                results.append({"type": "tool_result", "tool_use_id": block.id, "content": text, "is_error": failed})
        messages.append({"role": "user", "content": results})


def texts(message):
    return "".join(block.text for block in message.content if block.type == "text")


def opened(url, key):
    return Anthropic(base_url=url.removesuffix("/v1"), api_key=key, timeout=SILENCE, max_retries=0)


def conversation(ask):
    def scene(url, key):
        client, messages = opened(url, key), []
        return {"answers": [texts(turn(client, ask, messages, said)) for said in (FIRST, SECOND)]}

    return scene


def parse(url, key):
    return {"parsed": turn(opened(url, key), parsed, [], FIRST).parsed_output.model_dump()}


stream = conversation(helper)
play("anthropic", stream=stream, plain=conversation(plain), parse=parse, abort=stream, hold=stream)
