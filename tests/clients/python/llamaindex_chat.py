"""LlamaIndex's OpenAILike in its own agent: streamed and plain; structured by `as_structured_llm`."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.memory import Memory
from llama_index.llms.openai_like import OpenAILike
from scenes import FIRST, SECOND, SILENCE, Done, play, write_file


def model(url, key):
    chat = {"is_chat_model": True, "is_function_calling_model": True, "should_use_structured_outputs": True}
    return OpenAILike(model="gpt-4o", api_base=url, api_key=key, timeout=SILENCE, max_retries=0, **chat)


async def talk(url, key, said, memory, streaming):
    agent = FunctionAgent(tools=[write_file], llm=model(url, key), streaming=streaming)
    return str(await agent.run(said, memory=memory))


def conversation(streaming):
    async def both(url, key):
        memory = Memory.from_defaults()
        return {"answers": [await talk(url, key, said, memory, streaming) for said in (FIRST, SECOND)]}

    return lambda url, key: asyncio.run(both(url, key))


def parse(url, key):
    memory = Memory.from_defaults()
    asyncio.run(talk(url, key, FIRST, memory, False))
    llm = model(url, key).as_structured_llm(Done)
    return {"parsed": llm.chat(memory.get_all()[:-1]).raw.model_dump()}


stream = conversation(True)
play(
    "llama-index-llms-openai-like",
    stream=stream,
    plain=conversation(False),
    parse=parse,
    abort=stream,
    hold=stream,
)
