"""What the drivers of coding agents share: the two questions, their program as a process, a line of JSON for each scene."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

FIRST, SECOND = "Turn debugging off in settings/config.py.", "Thanks."
HERE = Path(__file__).parent / "node_modules"


class Failed(Exception):
    """What the agent said instead of an answer."""


def run(program: str, *arguments: str, **env: str) -> list[dict]:
    """The lines of JSON that the program prints."""
    command = [str(HERE / ".bin" / program), *arguments]
    ended = subprocess.run(
        command,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    print(ended.stdout, ended.stderr, sep="\n", file=sys.stderr)
    return [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]


def play(package: str, ask: Callable[[str, str, str, bool], str]) -> None:
    """Play the scenes named on the command line. `ask` takes a base URL, a key, what is said, and whether it goes on."""
    version = json.loads((HERE / package / "package.json").read_text())["version"]
    for scene in sys.argv[1:]:
        url, key = os.environ["BASE_URL"], f"{scene}.{os.environ['RUN']}"
        shown: Mapping[str, object]
        try:
            shown = {"answers": [ask(url, key, FIRST, False), ask(url, key, SECOND, True)]}
        except Failed as error:
            shown = {"error": str(error)}
        print(json.dumps({"scene": scene, "version": version, **shown}), flush=True)
