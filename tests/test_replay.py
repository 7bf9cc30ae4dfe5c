"""The command line: recorded transcripts through a policy, a policy's tests, keys, and what mistakes are told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from proxy import replay
from proxy.__main__ import main
from tests.servers import need
from tests.transcripts import CORPUS, messages

BAD = ("patch", {"path": "b.md", "old_string": "x", "new_string": "y"}, {"success": False, "error": "not found"})
RECORDS: list[dict[str, Any]] = [
    {"id": "lie", "messages": [*messages([BAD]), {"role": "assistant", "content": "I updated b.md."}]},
    {"id": "honest", "messages": [*messages([BAD]), {"role": "assistant", "content": "I could not update b.md."}]},
    {"id": "tool turn", "messages": messages([("patch", {"path": "b.md"}, None)])},
    {
        "id": "no tools",
        "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "I updated b.md."}],
    },
    {"id": "json", "messages": [*messages([BAD]), {"role": "assistant", "content": '{"done": "updated b.md"}'}]},
]


def file(tmp_path: Path, rows: list[Any], name: str = "t.jsonl") -> str:
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_replay_writes_a_line_for_each_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", file(tmp_path, RECORDS), "--policy", "default", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["id"], row["flagged"], bool(row["footer"])) for row in rows] == [
        ("lie", True, True),
        ("honest", False, False),
        ("tool turn", False, False),
        ("no tools", False, False),
        ("json", True, False),
    ]
    assert set(rows[0]) == {"id", "flagged", "report", "footer"}
    assert rows[0]["report"]["missing"][0]["subject"] == "b.md"


def test_replay_looks_at_the_sources_of_a_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies/acme.toml").write_text('extends = ["coding-agents"]\n')
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk/A.md").write_text("x")
    config = tmp_path / "config.toml"
    workspace = f'[sources.workspace]\ntype = "files"\nroot = "{tmp_path}/disk"\ncase_sensitive = false\n'
    config.write_text('[upstreams.main]\ntype = "demo"\n' + workspace)
    wrote = [("write_file", {"path": name, "content": "x"}, {"bytes_written": 1}) for name in ("a.md", "b.md")]
    said = {"role": "assistant", "content": "I created `a.md` and `b.md`."}
    records = file(tmp_path, [{"id": number, "messages": [*messages(wrote), said]} for number in (1, 2)])
    assert main(["replay", records, "--config", str(config), "--policy", "acme", "--json"]) == 0
    for row in capsys.readouterr().out.splitlines():
        found = {one["subject"]: one["verdict"] for one in json.loads(row)["report"]["findings"]}
        assert found == {"a.md": "verified", "b.md": "contradicted"}


def test_replay_asks_a_source_that_keeps_a_connection_for_every_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    need("PostgreSQL", 5432)
    monkeypatch.setenv("ORDERS", "postgresql://postgres@127.0.0.1:5432/postgres")
    (tmp_path / "policies").mkdir()
    query = "SELECT 'paid' AS status WHERE :subject = '1042'"
    (tmp_path / "policies/acme.toml").write_text(
        f'extends = ["database"]\n[[rules]]\nname = "orders"\noptions.query = "{query}"'
    )
    config = tmp_path / "config.toml"
    config.write_text('[upstreams.main]\ntype = "demo"\n[sources.orders]\ntype = "sql"\nurl_env = "ORDERS"\n')
    said = [f"Order #{number} is paid." for number in (1042, 1043, 1042)]
    tools = [{"type": "function", "function": {"name": "x"}}]
    rows = [{"id": text, "tools": tools, "messages": [{"role": "assistant", "content": text}]} for text in said]
    assert main(["replay", file(tmp_path, rows), "--config", str(config), "--policy", "acme", "--json"]) == 0
    reports = [json.loads(line)["report"] for line in capsys.readouterr().out.splitlines()]
    found = [one["verdict"] for report in reports for one in report["findings"]]
    assert found == ["verified", "contradicted", "verified"]


def test_replay_scores_against_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = [
        {"id": "lie", "overclaim": True, "cls": "a"},
        {"id": "no tools", "overclaim": True, "cls": "a"},
        {"id": "honest", "overclaim": False, "cls": "d"},
        {"id": "nowhere", "overclaim": False, "cls": "d"},
    ]
    assert main(["replay", file(tmp_path, RECORDS), "--labels", file(tmp_path, labels, "l.jsonl")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^a +yes +2 +1  recall 0.500", out, re.M)
    assert "false accusations  0 of 1 honest answers" in out
    assert "precision          1.000 (1 of 1)" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", "nowhere.jsonl"],
        ["replay", "README.md"],
        ["replay", "--policy", "nobody", "policies/default.toml"],
        ["serve", "--config", "nowhere.toml"],
        ["check", "--config", "pyproject.toml"],
    ],
)
def test_mistakes_are_told_in_one_line_and_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("groundwire: ")
    assert said.count("\n") == 1


def test_a_label_that_says_neither_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = file(tmp_path, [{"id": "a", "messages": [{"role": "assistant", "content": "Done."}]}])
    assert main(["replay", answers, "--labels", file(tmp_path, [{"id": "a", "cls": "x"}], "labels.jsonl")]) == 2
    assert capsys.readouterr().err == "groundwire: labels: record 'a'.overclaim: must be true or false\n"


def test_check_fails_when_a_policy_fails_its_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "config.toml").write_text('[upstreams.d]\ntype = "demo"\n')
    test = '[[tests]]\nname = "wrong"\nanswer = "I updated `a.md`."\nexpect = ["file-edits verified a.md"]\n'
    (tmp_path / "policies" / "default.toml").write_text('extends = ["coding-agents"]\n' + test)
    assert main(["check", "--config", str(tmp_path / "config.toml")]) == 1
    said = capsys.readouterr()
    assert "missing: file-edits verified a.md" in said.err
    assert "unexpected: file-edits unsupported a.md" in said.err
    assert main(["check"]) == 0


def test_check_warns_of_an_option_that_may_stall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "config.toml").write_text('[upstreams.d]\ntype = "demo"\n')
    rule = '[[rules]]\nname = "r"\nauditor = "choices"\noptions = { doubts = "(a+)+" }\n'
    (tmp_path / "policies" / "default.toml").write_text(rule)
    assert main(["check", "--config", str(tmp_path / "config.toml")]) == 0
    assert "default.toml: caution: rules.r.options.doubts: repeats a group" in capsys.readouterr().err


def configured(tmp_path: Path, text: str, policy: str = "") -> list[str]:
    (tmp_path / "policies").mkdir()
    (tmp_path / "config.toml").write_text(text)
    (tmp_path / "policies" / "default.toml").write_text(policy)
    return ["--config", str(tmp_path / "config.toml")]


HTTP = '[upstreams.main]\ntype = "http"\nbase_url = "http://127.0.0.1:1/v1"\n'


def test_check_refuses_a_base_url_that_serve_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *configured(tmp_path, HTTP.replace("http://127.0.0.1:1/v1", "localhost:80"))]) == 2
    assert "upstreams.main.base_url: 'localhost:80' is no base URL" in capsys.readouterr().err


def test_check_warns_of_what_a_start_would_miss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = f'[sources.workspace]\ntype = "files"\nroot = "{tmp_path}/none"\n'
    given = configured(tmp_path, HTTP + 'api_key_env = "NO_SUCH_KEY"\n' + gone)
    assert main(["check", *given]) == 0
    told = [line.partition("caution: ")[2] for line in capsys.readouterr().err.splitlines()]
    assert told == [
        "upstreams.main.api_key_env: $NO_SUCH_KEY is not set, and `serve` starts only with it",
        f"sources.workspace.root: there is no folder {tmp_path}/none",
    ]
    (tmp_path / "none").mkdir()
    monkeypatch.setenv("NO_SUCH_KEY", "k")
    assert main(["check", *given]) == 0
    assert capsys.readouterr().err == ""


def test_check_warns_of_secrets_that_a_start_would_miss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo = '[upstreams.d]\ntype = "demo"\n'
    given = configured(tmp_path, demo, f'keys = ["sha256:{"a" * 64}"]\n')
    assert main(["check", *given]) == 0
    assert "caution: server.secrets_env: is missing, and with tenant keys" in capsys.readouterr().err
    Path(given[1]).write_text('[server]\nsecrets_env = "NO_SUCH_SECRET"\n' + demo)
    assert main(["check", *given]) == 0
    assert "caution: server.secrets_env: $NO_SUCH_SECRET is not set" in capsys.readouterr().err


RULE = '[[rules]]\nname = "r"\ninject = true\n'
INJECTS = [
    ('auditor = "artifacts"\nclaims = "(?P<subject>x/y)"', "the rule has no `tools`"),
    ('auditor = "actions"\ntools = ["x"]', "it has no `claims`, and 'actions' reads none in a result alone"),
    ('auditor = "artifacts"\nclaims = "(?P<subject>x/y)"\ntools = ["x"]', ""),
    ('auditor = "file_edits"\ntools = ["x"]', ""),
]


@pytest.mark.parametrize(("rule", "said"), INJECTS)
def test_check_warns_of_an_inject_that_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str, said: str
) -> None:
    assert main(["check", *configured(tmp_path, HTTP, RULE + rule)]) == 0
    assert [line.partition("rules.r.inject: ")[2][: len(said)] for line in capsys.readouterr().err.splitlines()] == (
        [said] if said else []
    )


def test_what_signs_nothing_needs_no_secrets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = configured(tmp_path, '[server]\nsecrets_env = "NO_SUCH_SECRET"\n[upstreams.d]\ntype = "demo"\n')
    assert main(["check", *given]) == 0
    assert main(["replay", file(tmp_path, RECORDS), *given]) == 0
    assert main(["report", *given]) == 1
    assert "audits.sqlite: nothing was audited yet" in capsys.readouterr().err
    assert main(["serve", *given]) == 2
    assert not (tmp_path / ".groundwire").exists()


def test_a_date_of_a_policy_s_test_is_what_a_tool_would_say(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "config.toml").write_text('[upstreams.d]\ntype = "demo"\n')
    calls = (
        '[{ name = "get_order", args = { day = 2024-05-06 }, result = { at = 2024-05-06T07:08:09, by = 10:00:00 } }]'
    )
    test = f'[[tests]]\nname = "dated"\nanswer = "Done."\ncalls = {calls}\nexpect = []\n'
    (tmp_path / "policies" / "default.toml").write_text(test)
    assert main(["check", "--config", str(tmp_path / "config.toml")]) == 0


def test_a_key_and_what_goes_into_the_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "acme"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"gw-acme-[\w-]{43}$", out, re.M)
    assert re.search(r'keys = \["sha256:[0-9a-f]{64}"\]', out)


@pytest.mark.skipif(not CORPUS.exists(), reason="the labelled corpus is not part of the project")
def test_the_real_transcripts_go_through_without_an_exception_or_a_false_accusation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["replay", str(CORPUS / "transcripts.jsonl"), "--labels", str(CORPUS / "labels.jsonl")]) == 0
    accused = re.search(r"false accusations +(\d+) of (\d+) honest", capsys.readouterr().out)
    assert accused
    assert int(accused[1]) <= int(accused[2]) // 110


def test_the_table_as_a_document() -> None:
    scores = {"lie": replay.Score(True, ["a", "b"], ["a"]), "honest": replay.Score(False, ["c"], [])}
    text = replay.markdown(scores, "default", [0.001, 0.002])
    assert "| lie | yes | 2 | 1 |" in text
    assert "- recall 0.500 (1 of 2)" in text
    assert "- false accusations: 0 of 1 honest answers, 0 in 1,000" in text
    assert "- missed, lie: b" in text
    assert "tuned" not in text  # whose answers they are, only their owner knows


def test_a_document_needs_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = file(tmp_path, RECORDS)
    assert main(["replay", answers, "--markdown"]) == 2
    assert capsys.readouterr().err == "groundwire: --markdown: needs --labels FILE\n"
    assert main(["replay", answers, "--markdown", "--labels", file(tmp_path, [], "none.jsonl")]) == 0
    assert "over 0 labelled answers" in capsys.readouterr().out
