"""The real process: `groundwire serve`, the real openai client with tools that write files, and a drain on SIGTERM."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
import uvicorn

from proxy import app, config, startup
from tests.transcripts import ROOT


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A server process in a folder of its own, with the example's configuration: the process, its URL, what it printed."""
    example = (
        (ROOT / "config.example.toml").read_text().replace('policies = "policies"', f'policies = "{ROOT}/policies"')
    )
    (tmp_path / "config.toml").write_text(example.replace('type = "demo"', 'type = "demo"\npace = 0.01'))
    command = [str(Path(sys.executable).with_name("groundwire")), "serve", "--config", "config.toml", "--port", "0"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = ""
    while "curl -s" not in printed:
        line = process.stdout.readline()
        assert line, printed
        printed += line
    found = re.search(r"http://127\.0\.0\.1:\d+", printed)
    assert found
    yield process, f"{found[0]}/v1", printed
    process.kill()
    process.wait()
    process.stdout.close()


def parameters(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": list(names)}


TOOLS: list[Any] = [
    {"type": "function", "function": {"name": "write_file", "parameters": parameters("path", "content")}},
    {"type": "function", "function": {"name": "patch", "parameters": parameters("path", "old_string", "new_string")}},
]


def run(folder: Path, name: str, arguments: dict[str, str]) -> str:
    """The client's tools: they really write files."""
    path = folder / arguments["path"]
    try:
        if name == "write_file":
            return json.dumps({"bytes_written": path.write_text(arguments["content"])})
        text = path.read_text()
    except OSError as error:
        return json.dumps({"success": False, "error": str(error)})
    if arguments["old_string"] not in text:
        return json.dumps({"success": False, "error": "old_string not found"})
    path.write_text(text.replace(arguments["old_string"], arguments["new_string"]))
    return json.dumps({"success": True, "files_modified": [str(path)]})


def ask(client: openai.OpenAI, messages: list[Any], stream: bool) -> Any:
    if not stream:
        return client.chat.completions.create(model="demo/edits", messages=messages, tools=TOOLS).choices[0].message
    with client.chat.completions.stream(model="demo/edits", messages=messages, tools=TOOLS) as events:
        for _ in events:
            pass
        return events.get_final_completion().choices[0].message


@pytest.mark.parametrize("stream", [False, True])
def test_the_openai_client_runs_its_tools_and_reads_the_footer(
    served: tuple[Any, str, str], tmp_path: Path, stream: bool
) -> None:
    _, url, _ = served
    (tmp_path / "CHANGELOG.md").write_text("# Log\n")
    with openai.OpenAI(base_url=url, api_key="mine") as client:
        messages: list[Any] = [{"role": "user", "content": "Update the notes and the log."}]
        while (message := ask(client, messages, stream)).tool_calls:
            messages.append(message.model_dump(include={"role", "content", "tool_calls"}))
            for call in message.tool_calls:
                result = run(tmp_path, call.function.name, json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
        assert (tmp_path / "notes.md").exists()
        assert message.content.count("`CHANGELOG.md` — contradicted: `the edit call failed: old_string not found`") == 1
        messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": "Thanks."}]
        assert "Groundwire" not in ask(client, messages, stream).content


def test_the_printed_curl_shows_a_footer_at_once(served: tuple[Any, str, str]) -> None:
    _, _, printed = served
    assert "tenant anonymous" in printed
    assert "sources: artifacts (objects)" in printed
    command = next(line for line in printed.splitlines() if line.startswith("curl"))
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
    assert "contradicted" in json.loads(answer)["choices"][0]["message"]["content"]


def test_the_manifest_of_six_with_one_artifact(served: tuple[Any, str, str]) -> None:
    _, url, _ = served
    with openai.OpenAI(base_url=url, api_key="mine") as client:
        tools: Any = [{"type": "function", "function": {"name": "artifact.put"}}]
        asked: Any = [{"role": "user", "content": "Deposit all six."}]
        answer = (
            client.chat.completions.create(model="demo/manifest", messages=asked, tools=tools)
            .choices[0]
            .message.content
        )
    assert answer is not None
    assert answer.count("— contradicted: `not in the store") == 5
    assert "`blog.publish/9c41d07e2ab85f36-launch-post.md` — contradicted" not in answer


def test_a_running_answer_is_finished_on_sigterm(served: tuple[subprocess.Popen[str], str, str]) -> None:
    process, url, _ = served
    body = {"model": "demo/long", "stream": True, "messages": [{"role": "user", "content": "go"}]}
    with httpx.stream("POST", f"{url}/chat/completions", json=body, timeout=30) as reply:
        pieces = reply.iter_bytes()
        next(pieces)
        os.kill(process.pid, signal.SIGTERM)
        rest = b"".join(pieces)
    assert rest.endswith(b"data: [DONE]\n\n")
    began = time.monotonic()
    process.wait(10)
    assert process.returncode in (0, -signal.SIGTERM)
    assert time.monotonic() - began < 10


def test_a_connection_is_kept_for_longer_than_balancers_keep_theirs(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "config.toml").write_text('[upstreams.demo]\ntype = "demo"\n')
    options = startup.server_options(config.load(tmp_path / "config.toml", {}))
    assert uvicorn.Config("", **options).timeout_keep_alive > 60


async def test_a_stopped_server_leaves_the_collector_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "config.toml").write_text('[upstreams.demo]\ntype = "demo"\n')
    router = app.create(startup.service(config.load(tmp_path / "config.toml", {}), {}), alone=True)
    thresholds = gc.get_threshold()
    gc.unfreeze()
    async with router.lifespan_context(router):
        assert gc.get_freeze_count() > 10_000
    assert (gc.get_freeze_count(), gc.get_threshold()) == (0, thresholds)
    gc.freeze()
    async with router.lifespan_context(router):
        pass
    assert gc.get_freeze_count() > 10_000  # what a program around it had frozen


WORKERS = """
upstream = "main"
[server]
host = "0.0.0.0"  # the command line's goes before it, in each process
workers = 2
secrets_env = "SECRETS"
[upstreams.main]
type = "http"
base_url = "http://127.0.0.1:1/v1"
api_key_env = "OURS"
"""


@pytest.fixture
def several(tmp_path: Path) -> list[str]:
    """The command that serves with two processes, in a folder of their own, on a free port."""
    (tmp_path / "config.toml").write_text(WORKERS)
    (tmp_path / "policies").mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = str(Path(sys.executable).with_name("groundwire"))
    return [command, "serve", "--config", "config.toml", "--host", "127.0.0.1", "--port", port]


def test_several_workers_start_none_without_the_upstream_s_key(several: list[str], tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "SECRETS": "s" * 16}
    ended = subprocess.run(several, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=20)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "groundwire: config.toml: upstreams.main.api_key_env: $OURS is not set\n"


def test_several_workers_log_as_one_does(several: list[str], tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "SECRETS": "s" * 16, "OURS": "sk-ours"}
    process = subprocess.Popen(several, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        await_health(f"http://127.0.0.1:{several[-1]}/healthz")
        (tmp_path / "policies/default.toml").write_text("deadline = 0")
        line = process.stderr.readline()
    finally:
        process.terminate()
        process.communicate(timeout=20)
    assert line.startswith("ERROR groundwire: the changed configuration is not used")
    assert "policies/default.toml: deadline: must be " in line


def await_health(url: str) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(url, timeout=2).status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError(url)


def test_a_wrong_configuration_exits_2_and_says_where(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[upstreams.main]\ntype = 'http'\nbase_url = 'x'\n")
    (tmp_path / "policies").mkdir()
    command = [str(Path(sys.executable).with_name("groundwire")), "serve", "--config", "config.toml"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "config.toml: upstreams.main.base_url" in ended.stderr


@pytest.mark.parametrize("more", ["", "workers = 2\n"])
def test_a_port_that_is_taken_is_one_line_and_exits_2(tmp_path: Path, more: str) -> None:
    text = f'[server]\nsecrets_env = "SECRETS"\n{more}[upstreams.demo]\ntype = "demo"\n'
    (tmp_path / "config.toml").write_text(text)
    (tmp_path / "policies").mkdir()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        command = [str(Path(sys.executable).with_name("groundwire")), "serve", "--config", "config.toml"]
        env = {**os.environ, "SECRETS": "s" * 16}
        command += ["--port", str(port)]
        ended = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=20)
    said = f"groundwire: 127.0.0.1:{port} is taken; --port or [server] port names another\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", said)


def test_an_address_of_another_machine_is_told_so() -> None:
    assert startup.unusable(config.ServerTable(host="192.0.2.1")).startswith("192.0.2.1:8484 cannot be listened on (")


def test_a_source_s_folder_that_is_not_there_is_shown_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    folders = "".join(f'[sources.{one}]\ntype = "files"\nroot = "{tmp_path}/{one}"\n' for one in ("here", "gone"))
    path.write_text(f'policies = "{ROOT}/policies"\n[upstreams.d]\ntype = "demo"\n' + folders)
    (tmp_path / "here").mkdir()
    shown = startup.banner(config.load(path, {}), "http://h")
    assert f"sources: here (files), gone (files, there is no folder {tmp_path}/gone)" in shown
