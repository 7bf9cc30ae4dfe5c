"""LangChain's ChatOpenAI, over chat completions or Responses (WIRE): streamed, invoked, with structured output."""

import os

from langchain_loop import conversation, parse, plain, streamed
from langchain_openai import ChatOpenAI
from scenes import SILENCE, play


def model(url, key):
    options = {"use_responses_api": os.environ["WIRE"] == "responses", "timeout": SILENCE, "max_retries": 0}
    return ChatOpenAI(model="gpt-4o", base_url=url, api_key=key, **options)


stream = conversation(model, streamed)
play(
    "langchain-openai",
    stream=stream,
    plain=conversation(model, plain),
    parse=parse(model),
    abort=stream,
    hold=stream,
)
