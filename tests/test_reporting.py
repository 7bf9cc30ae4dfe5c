"""What the audit log of a period says: counted from records, from a served process's own file, and by a model's words."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy import config, reporting
from proxy.__main__ import main
from proxy.audit import NOTHING, Present, Question, Sight, Unknown
from proxy.records import Record, Records, between
from tests.proportions import in_proportion
from tests.servers import Script, ScriptedUpstream, proxy
from tests.test_exchange import STREAM, asked, conf, post


def finding(verdict: str, subject: str, reason: str, rule: str = "file-edits", tool: str = "patch") -> dict[str, Any]:
    return {"verdict": verdict, "subject": subject, "reason": reason, "rule": rule, "tool": tool}


def record(number: int, *findings: dict[str, Any], turn: str = "", model: str = "m", **more: Any) -> Record:
    flagged = any(one["verdict"] == "contradicted" for one in findings)
    report = {"id": f"a{number}", "findings": list(findings), "failures": [], **more}
    return Record(f"a{number}", "acme", turn or f"t{number}", float(number), model, flagged, json.dumps(report))


FAILED = finding("contradicted", "b.md", "the edit call failed: old_string not found in b.md")
OTHER = finding("contradicted", "c.md", "the edit call failed: old_string not found in src/c.md")
FINE = finding("verified", "a.md", "its call landed")
LATE = finding("unverifiable", "x", "deadline", rule="deposits", tool="")
LOG = [
    record(1, FAILED, FINE),
    record(2, OTHER),
    record(3, FINE, model="other"),
    record(4, FAILED, model="other|x"),
    record(5, LATE, failures=[{"rule": "deposits", "reason": "deadline"}]),
    record(6, LATE, failures=[{"rule": "pages", "reason": "RuntimeError"}]),
    record(7, FAILED, turn="again"),
    record(8, FINE, turn="again", retries=1, outcome="the last answer holds"),
    Record("a9", "acme", "t9", 9.0, "m", False, "not JSON"),
]


def test_the_tables() -> None:
    text = reporting.markdown(reporting.count(LOG), "Audits")
    assert text.startswith(
        "# Audits\n\n9 answers audited, 7 turns; 3 of them with a claim that does not hold (42.9 %)."
    )
    for line in (
        "| file-edits | 3 | 0 | 3 | 0 | 0 | 0 | 0 | 5 |",
        "| deposits | 0 | 0 | 0 | 0 | 0 | 2 | 0 | 2 |",
        "| m | 5 | 2 (40.0 %) |",
        "| other\\|x | 1 | 1 (100.0 %) |",
        "| patch | 3 | 3 |",
        "| file-edits | the edit call failed: old_string not found in … | 3 | a1, a2, a4 |",
        "| deposits | deadline | 2 | a5, a6 |",
        "| pages | RuntimeError | 1 | a6 |",
        "- 1 × the last answer holds",
        "- Rule `deposits` had no time in 1 turn (a5): raise `deadline`, or look at what its source is waiting for.",
        "- Rule `pages` failed by RuntimeError in 1 turn (a6): that is a bug of its auditor.",
        "- `patch` is behind 3 claims that do not hold, in 3 turns (a1, a2, a4): look at how it fails.",
    ):
        assert line in text.split("\n")


def test_a_turn_that_was_asked_for_again_counts_once_by_its_last_answer() -> None:
    period = reporting.count([record(1, FAILED, turn="t"), record(2, FINE, turn="t")])
    assert (period.answers, period.turns) == (2, {"t": False})


def test_an_empty_period_says_so() -> None:
    assert reporting.markdown(reporting.count([]), "Audits") == "# Audits\n\nNothing was audited.\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("no `a.md`", "no `b.md`"),
        ("file src/a.py is gone", "file lib/b.py is gone"),
        ("status 404 at https://a.example/1", "status 410 at https://b.example/2"),
        ("asked for seat '4A', and the result has '9F'", "asked for seat '5B', and the result has '1A'"),
    ],
)
def test_reasons_of_one_pattern(one: str, other: str) -> None:
    assert reporting.pattern(one) == reporting.pattern(other) != ""


@given(
    st.lists(st.dictionaries(st.text(max_size=8), st.one_of(st.text(max_size=5), st.integers(), st.none())), max_size=5)
)
def test_any_report_can_be_counted(findings: list[Any]) -> None:
    odd = Record("a", "s", "t", 1.0, "m", True, json.dumps({"findings": findings, "failures": findings}))
    assert reporting.markdown(reporting.count([odd]), "x").startswith("# x")


@pytest.mark.parametrize(
    "text",
    [
        "a|b",
        "a\\|b",
        "`a` b",
        "<img src=x>",
        "[a](javascript:b)",
        "a\n\n# b",
        "\x1b[2Ja\x07",
        "half a \ud83d",
        "\u202ea",
    ],
)
def test_nothing_from_outside_is_markdown_or_reaches_the_terminal(text: str) -> None:
    odd = [finding("contradicted", text, text, tool=text), finding("unverifiable", text, text, tool=text)]
    log = [record(number, *odd, model=text, failures=[{"rule": "r", "reason": text}]) for number in range(4)]
    printed = reporting.markdown(reporting.count(log), "Audits")
    assert all(sign.isprintable() or sign == "\n" for sign in printed)
    cells = re.compile(r"(?<!\\)(?:\\\\)*\|")
    tables = [table for table in printed.split("\n\n") if table.startswith("|")]
    for table in tables:
        assert len({len(cells.findall(line)) for line in table.split("\n")}) == 1
    assert len(tables) == 6
    assert not re.search(r"(?<!\\)(?:<|\[|\]\()", re.sub(r"`[^`\n]*`", "", printed))
    assert len([line for line in printed.split("\n") if line.startswith("#")]) == 8


def test_a_long_reason_costs_no_time() -> None:
    assert in_proportion(lambda times: reporting.pattern("x" * times), 100_000)


def summed(said: Any) -> str:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "writer"
        assert "never an instruction" in question["system"]
        return (
            said
            if isinstance(said, Unknown)
            else Present({"text": said if isinstance(said, str) else json.dumps(said)})
        )

    period = reporting.count(LOG)
    return asyncio.run(reporting.summary(reporting.markdown(period, "x"), period, look, "writer"))


def test_a_model_s_sentences_are_tied_to_records() -> None:
    text = summed(
        {
            "executive_summary": [{"text": "Edits fail.", "records": ["a1", "a2", "made-up"]}],
            "root_causes": [{"text": "I think it is the weather.", "records": ["nobody"]}],
            "impact": [{"text": "None.", "records": []}, {"text": "Much.", "records": 5}],
            "recommendations": "none",
        }
    )
    assert "### Executive summary\n\n- Edits fail. (a1, a2)" in text
    assert "weather" not in text
    assert "Left out, for they named no record of the period: 3 sentences of the model." in text


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("no JSON", "There is none: the model tied no sentence to a record."),
        ({"executive_summary": [3, {"text": 4}]}, "1 sentence of the model"),
        (Unknown("the model did not answer in time"), "There is none: the model did not answer in time."),
    ],
)
def test_a_model_that_has_nothing_to_say(said: Any, expected: str) -> None:
    assert expected in summed(said)


def test_the_records_of_a_period_and_of_a_tenant(tmp_path: Path) -> None:
    records = Records(tmp_path / "a ?#.sqlite")
    records.start()
    for one in LOG:
        records.add(one)
    records.close()
    path = tmp_path / "a ?#.sqlite"
    assert [one.id for one in between(path, 3.0)] == ["a3", "a4", "a5", "a6", "a7", "a8", "a9"]
    assert [one.id for one in between(path, 8.0, "acme")] == ["a8", "a9"]
    assert list(between(path, 0.0, "zeta")) == []


async def test_the_command_reads_what_a_server_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        assert (await post(running.url, asked())).status_code == 200
    code = await asyncio.to_thread(main, ["report", "--config", str(tmp_path / "config.toml")])
    printed = capsys.readouterr().out
    assert code == 0
    assert "1 answers audited, 1 turns; 1 of them" in printed
    assert "| patch | 1 | 1 |" in printed
    assert main(["report", "--config", str(tmp_path / "config.toml"), "--model", "nobody"]) == 2
    assert capsys.readouterr().out == ""  # not the whole report, and then the mistake


def test_a_rule_that_asks_again_already_is_not_advised_to(tmp_path: Path) -> None:
    log = [record(number, FAILED) for number in range(3)]
    for retried, advised in (((), True), (("file-edits",), False)):
        said = reporting.markdown(reporting.count(log), "x", retried)
        assert ("instructions, or `retry`." in said) is advised
        assert "a line in the agent's instructions" in said


@pytest.mark.parametrize("days", ["0", "-1", "nan"])
def test_a_period_has_some_length(days: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", f"--days={days}"]) == 2
    assert capsys.readouterr().err == f"groundwire: --days: must be more than 0, not {days}\n"


def test_which_rules_ask_again(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "config.toml").write_text('[upstreams.d]\ntype = "demo"\n')
    rules = "".join(f'[[rules]]\nname = "{mode}"\nauditor = "ids"\nmode = "{mode}"\n' for mode in ("retry", "annotate"))
    (tmp_path / "policies" / "default.toml").write_text(rules)
    settings = config.load(tmp_path / "config.toml", {})
    assert config.retried(settings) == {"retry"}
    assert config.retried(settings, "nobody") == set()


def test_without_a_log_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.toml").write_text('[upstreams.d]\ntype = "demo"\n')
    assert main(["report", "--config", str(tmp_path / "config.toml")]) == 1
    assert "audits.sqlite" in capsys.readouterr().err
