"""LangChain's ChatAnthropic: streamed, invoked, with structured output."""

from langchain_anthropic import ChatAnthropic
from langchain_loop import conversation, parse, plain, streamed
from scenes import SILENCE, play


def model(url, key):
    root = url.removesuffix("/v1")
    return ChatAnthropic(model="claude-sonnet-4-5", base_url=root, api_key=key, timeout=SILENCE, max_retries=0)


stream = conversation(model, streamed)
play(
    "langchain-anthropic",
    stream=stream,
    plain=conversation(model, plain),
    parse=parse(model),
    abort=stream,
    hold=stream,
)
