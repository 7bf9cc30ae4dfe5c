"""openai-python, Responses: streamed, plain, by the `.stream()` helper, by `parse`; the history sent whole, or named by an id."""

import json

from openai import OpenAI
from scenes import FIRST, SECOND, SILENCE, TOOL, Done, play, tried

ASKED = {"model": "gpt-4o", "tools": [{"type": "function", **TOOL}]}


def streamed(client, items):
    for event in client.responses.create(input=items, stream=True, store=False, **ASKED):
        if event.type == "response.completed":
            return event.response
    raise EOFError("no response.completed")


def plain(client, items):
    return client.responses.create(input=items, store=False, **ASKED)


def helper(client, items):
    with client.responses.stream(input=items, store=False, **ASKED) as events:
        return events.get_final_response()


def parsed(client, items):
    return client.responses.parse(input=items, text_format=Done, store=False, **ASKED)


def turn(client, ask, items, said):
    """Ask until the model calls no more tools; its last response."""
    items.append({"role": "user", "content": said})
    while True:
        response = ask(client, items)
        calls = [item for item in response.output if item.type == "function_call"]
        kept = {"exclude_none": True, "exclude": {"parsed_arguments": True, "content": {"__all__": {"parsed"}}}}
        items += [item.model_dump(**kept) for item in response.output]
        if not calls:
            return response
        for call in calls:
            result, _ = tried(json.loads(call.arguments))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": result})


def conversation(ask):
    def scene(url, key):
        client, items = OpenAI(base_url=url, api_key=key, timeout=SILENCE, max_retries=0), []
        return {"answers": [turn(client, ask, items, said).output_text for said in (FIRST, SECOND)]}

    return scene


def kept(url, key):
    """The provider keeps the history: each request brings what is new, and the id of the response before it."""
    client, answers, asked = OpenAI(base_url=url, api_key=key, timeout=SILENCE, max_retries=0), [], dict(ASKED)
    for said in (FIRST, SECOND):
        items = [{"role": "user", "content": said}]
        while items:
            response = client.responses.create(input=items, **asked)
            asked["previous_response_id"] = response.id
            calls = [item for item in response.output if item.type == "function_call"]
            results = [(call.call_id, tried(json.loads(call.arguments))[0]) for call in calls]
            items = [{"type": "function_call_output", "call_id": name, "output": text} for name, text in results]
        answers.append(response.output_text)
    return {"answers": answers}


def parse(url, key):
    client = OpenAI(base_url=url, api_key=key, max_retries=0)
    return {"parsed": turn(client, parsed, [], FIRST).output_parsed.model_dump()}


stream = conversation(streamed)
play(
    "openai",
    stream=stream,
    plain=conversation(plain),
    helper=conversation(helper),
    kept=kept,
    parse=parse,
    abort=stream,
    hold=stream,
)
