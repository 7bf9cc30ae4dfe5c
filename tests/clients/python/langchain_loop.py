"""What LangChain's two drivers share: one loop over a chat model with the tool bound, streamed or invoked."""

from langchain_core.messages import HumanMessage
from langchain_core.tools import ToolException, tool
from scenes import FIRST, SECOND, Done
from scenes import write_file as really_write


@tool
def write_file(path: str, content: str) -> str:
    """Write a text to a file."""
    try:
        return really_write(path, content)
    except OSError as error:
        raise ToolException(str(error)) from error


write_file.handle_tool_error = True


def streamed(model, messages):
    whole = None
    for chunk in model.stream(messages):
        whole = chunk if whole is None else whole + chunk
    return whole


def plain(model, messages):
    return model.invoke(messages)


def turn(model, ask, messages, said):
    """Ask until the model calls no more tools; its last message."""
    messages.append(HumanMessage(said))
    while True:
        messages.append(ask(model, messages))
        if not messages[-1].tool_calls:
            return messages[-1]
        messages += [write_file.invoke(call) for call in messages[-1].tool_calls]


def conversation(open_model, ask):
    def scene(url, key):
        model, messages = open_model(url, key).bind_tools([write_file]), []
        return {"answers": [turn(model, ask, messages, said).text for said in (FIRST, SECOND)]}

    return scene


def parse(open_model):
    def scene(url, key):
        model, messages = open_model(url, key), []
        turn(model.bind_tools([write_file]), plain, messages, FIRST)
        structured = model.with_structured_output(Done, method="json_schema")
        return {"parsed": structured.invoke(messages[:-1]).model_dump()}

    return scene
