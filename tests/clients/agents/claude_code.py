"""Claude Code without its terminal: `claude -p`, then `--continue`; messages, streamed."""

from terminal import Failed, play, run

QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK": "1",
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "DISABLE_AUTOUPDATER": "1",
}


def ask(url, key, said, goes_on):
    options = ["--output-format", "json", "--permission-mode", "acceptEdits", *(["--continue"] if goes_on else [])]
    place = {"ANTHROPIC_BASE_URL": url.removesuffix("/v1"), "ANTHROPIC_API_KEY": key}
    (last,) = run("claude", "-p", said, *options, **QUIET, **place)
    if last["is_error"]:
        raise Failed(last["result"])
    return last["result"]


play("@anthropic-ai/claude-code", ask)
