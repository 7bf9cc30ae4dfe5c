"""pydantic-ai's agent, over chat completions or Responses (WIRE): streamed, plain, with a native structured output."""

import asyncio
import os

from openai import AsyncOpenAI
from pydantic_ai import Agent, ModelRetry, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider
from scenes import FIRST, SECOND, SILENCE, Done, play
from scenes import write_file as really_write


def write_file(path: str, content: str) -> str:
    """Write a text to a file."""
    try:
        return really_write(path, content)
    except OSError as error:
        raise ModelRetry(str(error)) from error


def agent(url, key, **options):
    kind = OpenAIChatModel if os.environ["WIRE"] == "chat" else OpenAIResponsesModel
    client = AsyncOpenAI(base_url=url, api_key=key, timeout=SILENCE, max_retries=0)
    model = kind("gpt-4o", provider=OpenAIProvider(openai_client=client))
    return Agent(model, tools=[write_file], **options)


def plain(url, key):
    first = agent(url, key).run_sync(FIRST)
    second = agent(url, key).run_sync(SECOND, message_history=first.all_messages())
    return {"answers": [first.output, second.output]}


def stream(url, key):
    async def run(said, history):
        async with agent(url, key).run_stream(said, message_history=history) as result:
            return "".join([text async for text in result.stream_text(delta=True)]), result.all_messages()

    async def both():
        first, history = await run(FIRST, None)
        return {"answers": [first, (await run(SECOND, history))[0]]}

    return asyncio.run(both())


def parse(url, key):
    return {"parsed": agent(url, key, output_type=NativeOutput(Done)).run_sync(FIRST).output.model_dump()}


play("pydantic-ai-slim", stream=stream, plain=plain, parse=parse, abort=stream, hold=stream)
