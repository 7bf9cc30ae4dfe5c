"""What every driver shares: the two questions, the one tool, which really fails, and a line of JSON for each scene."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import BaseModel

FIRST = "Turn debugging off in settings/config.py."
SECOND = "Thanks."
SILENCE = 15.0
"""Seconds that a client waits for the next byte: less than the long hold."""

PARAMETERS = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
    "required": ["path", "content"],
    "additionalProperties": False,
}
TOOL = {"name": "write_file", "description": "Write a text to a file.", "parameters": PARAMETERS, "strict": True}

Scene = Callable[[str, str], dict[str, Any]]
"""Plays a scene with a base URL and a key, and returns what the client showed: `answers`, or `parsed`."""


class Done(BaseModel):
    """What the structured answer says."""

    path: str
    summary: str


def write_file(path: str, content: str) -> str:
    """Write a text to a file."""
    return f"Wrote {Path(path).write_text(content)} bytes to {path}."


def tried(arguments: dict[str, Any]) -> tuple[str, bool]:
    """The tool's result as a plain agent loop reports it, and whether it is an error."""
    try:
        return write_file(**arguments), False
    except OSError as error:
        return f"Error: {error}", True


def play(package: str, **scenes: Scene) -> None:
    """Play the scenes named on the command line; a client's error is what it showed."""
    for name in sys.argv[1:]:
        try:
            shown = scenes[name](os.environ["BASE_URL"], f"{name}.{os.environ['RUN']}")
        except Exception as error:
            traceback.print_exc()
            shown = {"error": type(error).__name__}
        print(json.dumps({"scene": name, "version": version(package), **shown}), flush=True)
