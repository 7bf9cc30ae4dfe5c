"""openai-agents, over chat completions or Responses (WIRE): streamed, plain, with an output type."""

import asyncio
import os

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from scenes import FIRST, SECOND, SILENCE, Done, play, write_file

set_tracing_disabled(True)


def agent(url, key, **options):
    kind = OpenAIChatCompletionsModel if os.environ["WIRE"] == "chat" else OpenAIResponsesModel
    client = AsyncOpenAI(base_url=url, api_key=key, timeout=SILENCE, max_retries=0)
    return Agent(name="coder", model=kind("gpt-4o", client), tools=[function_tool(write_file)], **options)


async def plain(asked, said):
    return await Runner.run(asked, said)


async def streamed(asked, said):
    result = Runner.run_streamed(asked, said)
    async for _ in result.stream_events():
        pass
    return result


def conversation(run):
    async def both(url, key):
        asked = agent(url, key)
        first = await run(asked, FIRST)
        second = await run(asked, [*first.to_input_list(), {"role": "user", "content": SECOND}])
        return {"answers": [first.final_output, second.final_output]}

    return lambda url, key: asyncio.run(both(url, key))


def parse(url, key):
    result = asyncio.run(plain(agent(url, key, output_type=Done), FIRST))
    return {"parsed": result.final_output.model_dump()}


stream = conversation(streamed)
play("openai-agents", stream=stream, plain=conversation(plain), parse=parse, abort=stream, hold=stream)
