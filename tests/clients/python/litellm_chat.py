"""litellm inside the client's process, to an OpenAI-compatible server: streamed, plain, with a response format."""

import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it asks the internet for prices

import litellm
from scenes import FIRST, SECOND, SILENCE, TOOL, Done, play, tried

litellm.suppress_debug_info = True
ASKED = {
    "model": "openai/gpt-4o",
    "tools": [{"type": "function", "function": TOOL}],
    "timeout": SILENCE,
    "num_retries": 0,
    "max_retries": 0,
}


def plain(messages, **asked):
    return litellm.completion(messages=messages, **ASKED, **asked).choices[0].message


def streamed(messages, **asked):
    chunks = list(litellm.completion(messages=messages, stream=True, **ASKED, **asked))
    return litellm.stream_chunk_builder(chunks).choices[0].message


def turn(ask, messages, said, **asked):
    """Ask until the model calls no more tools; the answer."""
    messages.append({"role": "user", "content": said})
    while True:
        message = ask(messages, **asked)
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content
        for call in message.tool_calls:
            result, _ = tried(json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def conversation(ask):
    def scene(url, key):
        messages = []
        return {"answers": [turn(ask, messages, said, api_base=url, api_key=key) for said in (FIRST, SECOND)]}

    return scene


def parse(url, key):
    answer = turn(plain, [], FIRST, api_base=url, api_key=key, response_format=Done)
    return {"parsed": Done.model_validate_json(answer).model_dump()}


stream = conversation(streamed)
play("litellm", stream=stream, plain=conversation(plain), parse=parse, abort=stream, hold=stream)
