"""The matrix of clients as a document: a row for each client, a column for each assertion."""

from __future__ import annotations

from tests.clients.runs import DEADLINE, Client

Cells = dict[Client, dict[str, str]]
"""By client, what came of each test (passed, failed, skipped), and under `version` its version."""

COLUMNS = {
    "footer once": "test_the_footer_is_shown_once_in_the_answer",
    "text whole": "test_no_word_of_the_answers_is_lost",
    "next request": "test_what_the_client_sends_next_reaches_the_upstream_byte_for_byte",
    "structured output": "test_structured_output_is_unharmed",
    "broken stream": "test_an_answer_that_breaks_off_looks_broken_to_the_client",
    "long hold": "test_an_end_that_is_held_for_a_minute_is_waited_for",
}
SIGNS = {"passed": "✓", "failed": "✗", "skipped": "not run", "": "–"}
HEAD = """# Clients

Written by `make test-clients`, which drives real clients from PyPI and npm, as pinned in `tests/clients`, through
`groundwire serve` to a scripted upstream. In a conversation the client runs a tool that really fails, the model says that the
file was updated, and the user says a second thing. Each runs straight to the upstream too, and the two are compared.

{table}

| column | what was seen |
|---|---|
| footer once | the answer that the client shows holds one footer, which says what failed: streamed, and plain and by the client's helpers where it has them |
| text whole | no word of the model's answers is lost, and the second answer has no footer |
| next request | every request reaches the upstream byte for byte as without the proxy; of coding agents, less what they make up by chance (ids, the order of some keys) |
| structured output | what the client parses out of an answer in JSON is what the model said |
| broken stream | an answer that breaks off is the same error to the client as without the proxy, and no footer stands in it |
| long hold | an end that is held for {seconds:.0f} s is waited for; the Python clients were told to wait 15 s for a byte at most |

– means that the client was not asked: a coding agent has no structured output here.

- The AI SDK's `timeout: {{ chunkMs }}` counts only parts that say something, so it must be longer than the policy's
  `deadline`; without it, as here, the SDK waits.
- opencode and other clients that ask again after a broken stream do so with and without the proxy alike.
- Version 7 of openai-node and of the AI SDK asks for node 22, so 6 of both is pinned, which runs on node 20 too.
"""


def written(cells: Cells) -> str:
    lines = [f"| client | version | wire format | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 3) + "|"]
    for client, row in cells.items():
        signs = [SIGNS[row.get(test, "")] for test in COLUMNS.values()]
        lines.append(f"| {client.name} | {row.get('version', '–')} | {client.wire} | {' | '.join(signs)} |")
    return HEAD.format(table="\n".join(lines), seconds=DEADLINE)
