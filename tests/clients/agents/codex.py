"""Codex CLI without its terminal: `codex exec`, then `resume --last`; Responses, streamed."""

import json

from terminal import Failed, play, run

PROVIDER = {
    "name": "groundwire",
    "env_key": "GROUNDWIRE_KEY",
    "wire_api": "responses",
    "stream_max_retries": 0,
    "request_max_retries": 0,
}


def ask(url, key, said, goes_on):
    settings = {
        "model": "gpt-5.1-codex",
        "model_provider": "groundwire",
        "analytics.enabled": False,
        "check_for_update_on_startup": False,
        **{f"model_providers.groundwire.{name}": value for name, value in {**PROVIDER, "base_url": url}.items()},
    }
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={json.dumps(value)}")]
    free = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    after = ["resume", "--last"] if goes_on else []
    events = run("codex", "exec", *free, *options, *after, said, GROUNDWIRE_KEY=key)
    for event in events:
        if event["type"] == "turn.failed":
            raise Failed(event["error"]["message"])
    items = [event["item"] for event in events if event["type"] == "item.completed"]
    return "\n".join(item["text"] for item in items if item["type"] == "agent_message")


play("@openai/codex", ask)
