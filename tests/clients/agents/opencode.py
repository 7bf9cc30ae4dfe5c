"""opencode without its terminal: `opencode run`, then `--continue`; chat completions, streamed."""

import json

from terminal import Failed, play, run

QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
}


def ask(url, key, said, goes_on):
    provider = {
        "npm": "@ai-sdk/openai-compatible",  # comes with the program
        "options": {"baseURL": url, "apiKey": key},
        "models": {"scripted": {}},
    }
    config = {
        "provider": {"groundwire": provider},
        "model": "groundwire/scripted",
        "small_model": "groundwire/scripted",
        "permission": {"edit": "allow", "external_directory": "allow"},
        "share": "disabled",
    }
    options = ["--format", "json", *(["--continue"] if goes_on else [])]
    events = run("opencode", "run", *options, said, OPENCODE_CONFIG_CONTENT=json.dumps(config), **QUIET)
    for event in events:
        if event["type"] == "error":
            raise Failed(event["error"]["name"])
    return "\n".join(event["part"]["text"] for event in events if event["type"] == "text")


play("opencode-ai", ask)
