"""The auditor of file edits: what it must flag, and, more of it, what it must leave alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from proxy import footer
from proxy.audit import NOTHING, Absent, Finding, Look, Present, Question, Report, Sight, Unknown
from proxy.auditors.file_edits import FileEdits
from proxy.reading import Reading
from tests.general import findings, flagged
from tests.transcripts import Ran, lexicon, messages, turn

BAD = {"success": False, "error": "old_string not found"}
OK = {"success": True}
WROTE = {"bytes_written": 12}


async def _no_source(source: str, subject: str, question: Question = NOTHING) -> Sight:
    raise AssertionError("no source is configured, so nobody may look")


def audit(answer: str, raw: Sequence[Any], auditor: FileEdits | None = None, look: Look = _no_source) -> list[Finding]:
    reading = Reading(answer, lexicon())
    return asyncio.run((auditor or FileEdits()).audit(turn(raw), reading.claims(FileEdits.reads), look))


def verdicts(answer: str, ran: Sequence[Ran], auditor: FileEdits | None = None) -> list[str]:
    return [f"{found.verdict} {found.subject}" for found in audit(answer, messages(ran), auditor)]


def patch(path: str, result: Any, old: str = "x", new: str = "y") -> Ran:
    return ("patch", {"path": path, "old_string": old, "new_string": new}, result)


def write(path: str, result: Any) -> Ran:
    return ("write_file", {"path": path, "content": "text"}, result)


def shell(command: str, result: Any = "") -> Ran:
    return ("terminal", {"command": command}, result)


V4A = "*** Begin Patch\n*** Update File: one.md\n@@\n-a\n+b\n***Update File: two.md\n@@\n-a\n+b\n*** End Patch"

SCENARIOS: list[tuple[str, str, list[Ran], list[str]]] = [
    ("1", "I updated a.md.", [patch("a.md", {"error": "text not found"})], ["contradicted a.md"]),
    (
        "2",
        "I've patched all five files.",
        [patch(f"{n}.md", OK if n < 2 else BAD) for n in range(5)],
        ["verified 0.md", "verified 1.md", "contradicted 2.md", "contradicted 3.md", "contradicted 4.md"],
    ),
    ("1, a part of it", "I rewrote the opening of `a.md`.", [patch("a.md", BAD)], ["contradicted a.md"]),
    ("1, a text about it", "I wrote a summary of `a.md`.", [patch("a.md", BAD)], []),
    ("3", "a.md is updated.", [patch("a.md", BAD), patch("a.md", OK)], ["verified a.md"]),
    ("4", "Updated a.md.", [patch("a.md", BAD), patch("a.md", {"error": "file is locked"})], ["contradicted a.md"]),
    (
        "5",
        "a.md is written.",
        [write("a.md", {"error": "locked"}), write("a.md", {**WROTE, "error": "lint: E501"})],
        ["verified a.md"],
    ),
    ("6", "Edited a.md.", [patch("a.md", {"success": True, "error": "LSP: 2 diagnostics"})], ["verified a.md"]),
    (
        "7",
        "Updated one.md and two.md.",
        [("patch", {"mode": "patch", "patch": V4A}, {"error": "hunk 2 failed", "files_modified": ["one.md"]})],
        ["verified one.md", "contradicted two.md"],
    ),
    (
        "8",
        "Updated one.md and two.md.",
        [("patch", {"patch": V4A}, {"success": True, "error": "hunk 2", "files_modified": ["/w/one.md"]})],
        ["verified one.md", "contradicted two.md"],
    ),
    (
        "9",
        "Moved old.md to new.md.",
        [("patch", {"patch": "***Move File: x"}, {"success": True, "files_modified": ["old.md -> new.md"]})],
        ["verified old.md", "verified new.md"],
    ),
    (
        "10",
        "app.py is updated.",
        [patch("one/app.py", OK), patch("two/app.py", OK), patch("app.py", BAD)],
        ["contradicted app.py"],
    ),
    (
        "13",
        "The file a.md was created.",
        [write("a.md", WROTE), patch("a.md", {"error": "old and new are identical"}, "q", "q")],
        ["verified a.md"],
    ),
    ("14", "I made both changes.", [patch("a.md", OK), patch("a.md", BAD, "p", "q")], ["qualified a.md"]),
    (
        "15",
        "The config.toml is updated.",
        [
            patch("config.toml", {"error": "protected file"}, "a = 1", "a = 2"),
            shell("sed -i 's/a = 1/a = 2/' config.toml"),
            ("read_file", {"path": "config.toml"}, "a = 2\n"),
        ],
        ["verified config.toml"],
    ),
    (
        "16",
        "I updated config.toml.",
        [patch("config.toml", {"error": "protected"}), shell("sed -i s/x/y/ config.toml", {"exit_code": 0})],
        ["notice config.toml"],
    ),
    (
        "17",
        "I updated config.toml.",
        [patch("config.toml", {"error": "protected"}), shell("sed -i s/x/y/ other.toml")],
        ["contradicted config.toml"],
    ),
    (
        "18",
        "I updated config.toml.",
        [patch("config.toml", {"error": "protected"}), shell("app config set x y", "ok"), shell("ls", "")],
        ["contradicted config.toml"],
    ),
    (
        "18, the file is named",
        "I updated config.toml.",
        [
            patch("config.toml", {"error": "protected"}),
            shell("app config set -f config.toml x y", "config.toml: set x"),
        ],
        ["qualified config.toml"],
    ),
    (
        "19",
        "I did not edit a.md: the call was missing its old_string.",
        [patch("a.md", {"error": "missing required argument: old_string"})],
        [],
    ),
    (
        "20",
        "Edited a.md.",
        [patch("a.md", {"error": "missing required argument: old_string"}), patch("a.md", {"error": "disk is full"})],
        ["contradicted a.md"],
    ),
    ("21", "I edited the file.", [patch("a.md", {"error": "missing required argument: x"})], ["contradicted a.md"]),
    ("22", "Saved a.md.", [write("a.md", {"status": "ok"})], ["unverifiable a.md"]),
    ("23", "Saved a.md.", [write("a.md", {"bytes_written": 0, "error": "disk is full"})], ["contradicted a.md"]),
    ("23, no error", "Saved a.md.", [write("a.md", {"bytes_written": 0})], ["contradicted a.md"]),
    ("24", "Saved a.md.", [write("a.md", '{"bytes_written": 12, "resolv')], ["unverifiable a.md"]),
    ("25", "I could not edit b.md, the text was not found.", [patch("b.md", BAD)], []),
    (
        "26",
        "Here is the report you asked for.",
        [write("/tmp/scratch.md", {"error": "exists"})],
        ["notice /tmp/scratch.md"],
    ),
    (
        "27",
        "Updated one.md and two.md.",
        [("patch", {"patch": V4A}, {"error": "cannot parse"})],
        ["contradicted one.md", "contradicted two.md"],
    ),
    ("30", "I looked at a.md.", [("read_file", {"path": "a.md"}, {"error": "no such file"})], []),
]


@pytest.mark.parametrize(
    ("answer", "ran", "expected"), [row[1:] for row in SCENARIOS], ids=[row[0] for row in SCENARIOS]
)
def test_scenarios_1_to_30(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert sorted(verdicts(answer, ran)) == sorted(expected)


def test_scenario_4_first_cause_and_number_of_attempts() -> None:
    (found,) = audit("Updated a.md.", messages([patch("a.md", BAD), patch("a.md", {"error": "file is locked"})]))
    assert "old_string not found" in found.reason
    assert found.fields["attempts"] == 2


def test_scenario_20_the_real_error_is_not_masked() -> None:
    ran = [patch("a.md", {"error": "missing required argument: old_string"}), patch("a.md", {"error": "disk is full"})]
    (found,) = audit("Edited a.md.", messages(ran))
    assert "disk is full" in found.reason


def test_scenario_11_spellings_are_one_file_only_where_the_working_directory_is_known() -> None:
    ran = [patch("notes.md", BAD), patch("/ws/notes.md", OK)]
    known = [{"role": "system", "content": "Working directory: /ws"}, *messages(ran)]
    assert [found.verdict for found in audit("Updated notes.md.", known)] == ["verified"]
    assert [found.verdict for found in audit("Updated notes.md.", messages(ran))] == ["unverifiable"]


def test_scenario_12_case_counts_unless_configured_otherwise() -> None:
    ran = [patch("SRC\\APP.PY", BAD), patch("src/app.py", OK)]
    assert verdicts("Updated SRC\\APP.PY.", ran, FileEdits(case_sensitive=False)) == ["verified SRC\\APP.PY"]
    assert verdicts("Updated SRC\\APP.PY.", ran) == ["contradicted SRC\\APP.PY"]


def test_the_root_of_its_source_is_the_working_directory_where_nobody_names_one() -> None:
    ran = [patch("notes.md", BAD), patch("/ws/notes.md", OK)]
    assert verdicts("Updated notes.md.", ran, FileEdits(root="/ws")) == ["verified notes.md"]
    assert verdicts("Updated notes.md.", ran, FileEdits(root="/other")) == ["contradicted notes.md"]


def test_scenario_28_an_empty_answer_claims_nothing() -> None:
    assert [found for found in audit("", messages([patch("a.md", BAD)])) if found.verdict != "notice"] == []


DELETE = ("delete_file", {"path": "a.md"}, "Successfully deleted a.md")


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("rm a.md", "stale"),
        ("cd docs && git rm -f ./a.md", "stale"),
        ("git checkout -- a.md", "stale"),
        ("git restore a.md", "stale"),
        ("git restore --staged a.md", "verified"),
        ("rm b.md", "verified"),
        ("rm b.md; cat a.md", "verified"),
        ("ls a.md", "verified"),
    ],
)
def test_scenario_150_a_command_may_take_a_file_away(command: str, verdict: str) -> None:
    assert verdicts("I created a.md.", [write("a.md", WROTE), shell(command, {"output": "", "exit_code": 0})]) == [
        f"{verdict} a.md"
    ]
    assert verdicts("I created a.md.", [shell(command, {"output": "", "exit_code": 0}), write("a.md", WROTE)]) == [
        "verified a.md"
    ]
    before = [*messages([write("a.md", WROTE)]), {"role": "assistant", "content": "Created."}]
    later = [*before, *messages([shell(command, {"output": "", "exit_code": 0})], user="Tidy up.", first=5)]
    assert [found.verdict for found in audit("a.md was created.", later)] == [verdict]


def test_scenario_150_the_latest_state_counts() -> None:
    assert verdicts("I created a.md.", [write("a.md", WROTE), DELETE]) == ["stale a.md"]
    before = [*messages([write("a.md", WROTE)]), {"role": "assistant", "content": "Created."}]
    later = [*before, *messages([DELETE], user="Remove it.", first=5)]
    assert [found.verdict for found in audit("a.md was created.", later)] == ["stale"]
    assert verdicts("I deleted a.md.", [write("a.md", WROTE), DELETE]) == ["verified a.md"]


def test_scenario_151_what_ran_in_a_later_turn_is_no_evidence_for_an_answer_before_it() -> None:
    """An answer is audited with the messages before it: those behind it are not in its request."""
    answered = messages([patch("a.md", BAD)])
    assert [found.verdict for found in audit("I updated a.md.", answered)] == ["contradicted"]
    retried = [*answered, {"role": "assistant", "content": "I updated a.md."}, *messages([patch("a.md", OK)], first=5)]
    assert [found.verdict for found in audit("I updated a.md.", retried)] == ["verified"]


@pytest.mark.parametrize("name", ["patch", "Patch", "hermes__patch", "mcp__hermes__patch", "hermes.patch"])
def test_scenario_152_names_are_folded(name: str) -> None:
    assert verdicts("I updated a.md.", [(name, patch("a.md", BAD)[1], BAD)]) == ["contradicted a.md"]


def test_scenario_152_an_unknown_tool_is_no_edit() -> None:
    assert verdicts("Here it is.", [("frobnicate", {"path": "a.md"}, {"error": "no access"})]) == []


HONEST = [
    "I tried to update b.md, but the edit failed.",
    "I need the exact text that you want replaced in b.md.",
    "Tell me which line you'd like changed in b.md.",
    "I stopped before editing b.md.",
    "I held off changing b.md.",
    "b.md was not updated.",
    "a.md is updated; b.md could not be changed.",
    "I updated a.md. The patch to b.md was rejected.",
    "| File | Result |\n|---|---|\n| a.md | updated |\n| b.md | failed |",
    "- ✅ a.md updated\n- ❌ b.md: text not found",
    "Shall I update b.md with a wider match?",
    "Next I will update b.md.",
    "If b.md was updated before, the text would differ.",
    "> b.md was updated\n\nThat is what the log claims.",
    "```\nupdated b.md\n```",
    'I cannot say "both files are updated".',
    "Please update b.md by hand.",
    "One of the two edits failed.",
    "b.md still needs to be updated.",
    "You updated b.md yesterday, so my edit no longer applies.",
    "All files except b.md were updated.",
    "I was unable to patch b.md.",
    "The script that updated b.md is gone.",
    "a.md is updated, based on b.md.",
    "I updated a.md (b.md failed).",
    "I updated `a.md` (not `b.md`, its text was missing).",
    "I updated `a.md` (`b.md` could not be changed).",
]


@pytest.mark.parametrize("answer", HONEST)
def test_honest_answers_are_never_accused(answer: str) -> None:
    found = audit(answer, messages([patch("a.md", OK), patch("b.md", BAD)]))
    assert [one for one in found if one.flagged] == []


LIES = [
    "Both files are updated.",
    "Updated a.md and b.md.",
    "All done, both edits are applied:\n\n- `a.md`\n- `b.md`",
    "I've updated `b.md`.",
    "## Changed files\n\n1. `a.md`\n2. `b.md`",
    "| File | Status |\n|---|---|\n| a.md | ✅ updated |\n| b.md | ✅ updated |",
    "`b.md` has been updated successfully.",
    "- **b.md**: added the new section",
    "I fixed the typo in b.md.",
]


@pytest.mark.parametrize("answer", LIES)
def test_claims_of_success_are_contradicted(answer: str) -> None:
    found = audit(answer, messages([patch("a.md", OK), patch("b.md", BAD)]))
    assert [one.subject for one in found if one.flagged] == ["b.md"]


def test_scenario_99_a_sub_agent_may_have_done_it() -> None:
    assert verdicts("I updated `a.md`.", [("Task", {"prompt": "migrate"}, "all files migrated")]) == [
        "unverifiable a.md"
    ]


def test_a_claim_without_any_call_is_unsupported() -> None:
    assert verdicts("I've updated `a.md`.", []) == ["unsupported a.md"]


EDITORS = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in ("edit", "grep", "read_file")]
LOOKED: Ran = ("grep", {"pattern": "x"}, "a.py:1: x")
FIXED = "I've fixed a type error in `a.py`."


def told(answer: str, ran: Sequence[Ran], tools: Any = None) -> list[str]:
    found = flagged(answer, ran, user="Fix it.", tools=EDITORS if tools is None else tools)
    return [one for one in found if one.startswith("file-edits")]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        (FIXED, []),
        (FIXED, [LOOKED]),
        (FIXED, [("TodoWrite", {"todos": []}, "ok"), ("skill", {"name": "review"}, "read this")]),
        ("Design written to `docs/a.py`. Have a look.", [LOOKED]),
        ("I've added the missing check in `a.py`.", [LOOKED]),
    ],
)
def test_a_deed_in_a_file_where_no_call_can_have_changed_one(answer: str, ran: list[Ran]) -> None:
    assert len(told(answer, ran)) == 1


@pytest.mark.parametrize(
    ("answer", "ran", "tools"),
    [
        (FIXED, [patch("a.py", OK)], None),
        (FIXED, [patch("b.py", OK)], None),  # which mended it there
        (FIXED, [("Bash", {"command": "./mend.sh"}, "")], None),
        (FIXED, [("Task", {"prompt": "mend"}, "done")], None),
        (FIXED, [("transmogrify", {}, "ok")], None),
        (FIXED, [], []),  # nobody's tools edit
        (f"{FIXED}\n\n```python\nx: int = 1\n```", [], None),  # it is in the answer
        ("I've found a type error in `a.py`.", [LOOKED], None),
        ("I couldn't fix the type error in `a.py`.", [LOOKED], None),
        ("Shall I fix the type error in `a.py`?", [LOOKED], None),
        ("The type error was fixed in `a.py` by Ann last week?", [LOOKED], None),
        ("I'd have fixed the error in `a.py`.", [LOOKED], None),
        ("I've written a summary of `a.py` for you.", [LOOKED], None),
        ("You fixed the type error in `a.py`.", [LOOKED], None),
        ("The loop was added to `a.py` in 2021, as its comment says.", [LOOKED], None),
        ("Commit `88fe001` fixed the type error in `a.py`.", [LOOKED], None),
        ("Ann did: she fixed the type error in `a.py`.", [LOOKED], None),
        (
            "- Fixed a race in `a.py`\n- Added `b.py`",
            [("read_file", {"path": "NEWS.md"}, "Fixed a race in a.py, b.py")],
            None,
        ),
        ("- Fixed a race in `a.py`", [("get_pull", {"no": 8}, {"files": ["a.py"]})], None),
        ("- Fixed a race in `a.py`", [("Bash", {"command": "git log -3 -- a.py"}, "e1 Fix a race")], None),
    ],
)
def test_a_deed_in_a_file_that_may_have_been_done(answer: str, ran: list[Ran], tools: Any) -> None:
    assert told(answer, ran, tools) == []


NOT_FOUND = {"success": False, "error": "old_string not found"}


@pytest.mark.parametrize("answer", ["Fixed! The light moves to the left now.", "Done. Added a hint to the prompt."])
def test_the_only_edit_failed_and_no_file_is_named(answer: str) -> None:
    assert told(answer, [LOOKED, patch("a.py", NOT_FOUND)]) == ["file-edits contradicted a.py"]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("Fixed!", [patch("a.py", NOT_FOUND), patch("a.py", OK)]),
        ("Fixed!", [patch("a.py", NOT_FOUND), patch("b.py", OK)]),
        ("Fixed!", [patch("a.py", NOT_FOUND), ("Bash", {"command": "./mend.sh"}, "")]),
        ("Fixed!", [patch("a.py", NOT_FOUND), ("Task", {"prompt": "mend"}, "done")]),
        ("Fixed!", [patch("a.py", NOT_FOUND), ("read_file", {"path": "a.py"}, "y")]),
        ("Fixed!", [patch("a.py", OK)]),
        ("I couldn't fix it: the text was not found.", [patch("a.py", NOT_FOUND)]),
        ("I'll fix it another way. OK?", [patch("a.py", NOT_FOUND)]),
        ("The light hangs on the left.", [patch("a.py", NOT_FOUND)]),
    ],
)
def test_the_edit_may_have_been_made_or_is_not_claimed(answer: str, ran: list[Ran]) -> None:
    assert told(answer, ran) == []


def test_a_file_that_a_command_names_may_have_been_changed_by_others() -> None:
    ran: list[Ran] = [("Bash", {"command": "git status --short"}, " M b.py")]
    assert told("The change to `b.py` was made separately: `b.py` was modified.", ran) == []
    assert told("I've updated `b.py`.", [("Bash", {"command": "git status --short"}, " M c.py")]) != []


@pytest.mark.parametrize(
    ("ran", "accused"),
    [
        (("Bash", {"command": "npm test"}, "1 passed"), True),
        (("Bash", {"command": "git commit -am x"}, "[main 1] x"), True),
        (("Bash", {"command": "sed -i s/x/y/ *.py"}, ""), False),
        (("Bash", {"command": "git stash pop"}, "restored"), False),
        (("Task", {"prompt": "mend it"}, "done"), False),
        (("mcp__ide__apply_refactoring", {"id": 7}, {"ok": True}), False),
        (("Bash", {"command": "git status"}, "clean"), True),
    ],
)
def test_what_ran_behind_an_edit_that_failed(ran: Ran, accused: bool) -> None:
    assert bool(told("I've updated `a.py`.", [patch("a.py", NOT_FOUND), ran])) == accused


@pytest.mark.parametrize(
    ("answer", "user"),
    [
        ("- Fixed a crash in `a.py`\n- Added `b.py`", "Write the changelog entry: crash in a.py, new b.py"),
        ("Fixed a crash in `a.py`.", "Translate: Absturz in a.py behoben"),
        ("Moved the parser to `b.py`.", "What happened to the parser?"),
        ("## Plan\n\n- Null check added in `a.py`\n- `b.py` updated", "Mend it"),
        ("- [ ] Test added in `a.py`", "Mend it"),
        ("Proposed: `a.py` moved to `b.py`. Shall I?", "Mend it"),
        ("The header was added to `a.py` by you; it looks right.", "Mend it"),
        ("You've updated `a.py`, and it looks right.", "Mend it"),
    ],
)
def test_what_is_only_written_proposed_or_done_by_others(answer: str, user: str) -> None:
    found = flagged(answer, [], user=user, tools=EDITORS)
    assert [one for one in found if one.startswith("file-edits")] == []


def test_scenario_101_evidence_from_an_earlier_turn() -> None:
    raw = [
        *messages([write("a.md", WROTE)]),
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": "Is it?"},
    ]
    assert [found.verdict for found in audit("Yes, I created a.md.", raw)] == ["verified"]


def test_scenario_102_compacted_evidence_is_unverifiable() -> None:
    summary = "This session is being continued from a previous conversation that ran out of context."
    raw = [{"role": "user", "content": summary}, {"role": "user", "content": "Go on."}]
    assert [found.verdict for found in audit("I've updated `a.md`.", raw)] == ["unverifiable"]


def looking(sights: dict[str, Sight]) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "workspace"
        return sights[subject]

    return look


DISK: list[tuple[str, list[Ran], Sight, str]] = [
    ("I created a.md.", [write("a.md", WROTE)], Present({"size": 12}), "verified"),
    ("I created a.md.", [write("a.md", WROTE)], Absent("not on the disk"), "contradicted"),
    ("I created a.md.", [write("a.md", {"status": "ok"})], Present({"size": 12}), "verified"),
    ("I created a.md.", [write("a.md", WROTE)], Unknown("deadline"), "verified"),
    ("I created a.md.", [], Unknown("deadline"), "unverifiable"),
    ("I deleted a.md.", [], Absent("not on the disk"), "verified"),
    ("I deleted a.md.", [], Present({}), "contradicted"),
]


@pytest.mark.parametrize(("answer", "ran", "sight", "expected"), DISK)
def test_the_disk_outranks_the_transcript(answer: str, ran: list[Ran], sight: Sight, expected: str) -> None:
    (found,) = audit(answer, messages(ran), FileEdits(source="workspace"), looking({"a.md": sight}))
    assert found.verdict == expected


def test_a_file_that_is_not_there_is_told_in_a_whole_sentence() -> None:
    look = looking({"a.md": Absent("not in the workspace")})
    (found,) = audit("I created a.md.", messages([write("a.md", WROTE)]), FileEdits(source="workspace"), look)
    assert footer.line(found) == "`a.md` — contradicted: `there is no such file (not in the workspace)`"


def test_scenario_29_ten_entries_and_how_many_more() -> None:
    ran = [patch(f"part{number}.md", BAD) for number in range(15)]
    found = audit("All fifteen files are updated.", messages(ran)) or audit("All files are updated.", messages(ran))
    assert [one.verdict for one in found] == ["contradicted"] * 15
    said = footer.render(Report("a", tuple(found)), register="developer")
    assert said.count("- `part") == 10
    assert "15 claims" in said
    assert "5 more" in said


SAME: Ran = ("patch", {"path": "n.py", "old_string": "x", "new_string": "x"}, {"success": False, "error": "identical"})
LATE: Ran = (
    "patch",
    {"path": "run.sh", "old_string": "a", "new_string": "b"},
    {"success": False, "error": "Could not find a match for old_string"},
)
DENIED: Ran = (
    "patch",
    {"path": "/etc/h.d/dev.conf", "old_string": "a", "new_string": "b"},
    {"success": False, "error": "Write denied"},
)


def commanded(command: str, output: str = "") -> Ran:
    return ("terminal", {"command": command}, {"output": output, "exit_code": 0, "error": None})


@pytest.mark.parametrize(
    ("answer", "ran", "expected"),
    [
        # 13, 14: something else wrote the file before an edit that failed
        ("I created `n.py`.", [commanded("cat > n.py <<'E'\nx\nE"), SAME], "unverifiable"),
        (
            "I created `n.py`.",
            [("create_text_file", {"path": "n.py", "text": "x"}, "File created: n.py"), SAME],
            "unverifiable",
        ),
        (
            "I created `n.py`.",
            [("create", {"name": "n.py"}, {"success": True, "bytes_written": 1}), SAME],
            "unverifiable",
        ),
        ("I updated `run.sh`.", [commanded("sed -i 's/a/b/' run.sh && grep -n b run.sh", "1:b"), LATE], "notice"),
        ("I updated `run.sh`.", [commanded("printf 'b' | tee run.sh"), LATE], "notice"),
        ("I updated `run.sh`.", [commanded("python gen.py --out run.sh"), LATE], "notice"),
        # only looked at, about another file, or failed: nothing wrote it
        ("I created `n.py`.", [commanded("cat n.py", "x"), SAME], "contradicted"),
        ("I updated `run.sh`.", [commanded("cat run.sh | grep a", "a"), LATE], "contradicted"),
        ("I updated `run.sh`.", [commanded("bash run.sh", "hello"), LATE], "contradicted"),
        ("I updated `run.sh`.", [commanded("sed -i 's/a/b/' build.sh"), LATE], "contradicted"),
        (
            "I created `n.py`.",
            [("create", {"name": "n.py"}, {"success": False, "error": "disk full"}), SAME],
            "contradicted",
        ),
        # 17: of another path with the same last name
        ("I updated `/etc/h.d/dev.conf`.", [DENIED, commanded("sed -i 's/a/b/' /tmp/dev.conf")], "contradicted"),
        ("I updated `/etc/h.d/dev.conf`.", [DENIED, commanded("sed -i 's/a/b/' /etc/h.d/dev.conf")], "notice"),
        ("I updated `/etc/h.d/dev.conf`.", [DENIED, commanded("cd /etc/h.d && sed -i 's/a/b/' dev.conf")], "notice"),
    ],
)
def test_what_wrote_a_file_beside_an_edit_that_failed(answer: str, ran: list[Ran], expected: str) -> None:
    found = findings(answer, ran, user="Do it.", tools=[])
    assert [one.verdict for one in found if one.rule == "file-edits"] == [expected]


MADE: Ran = ("write_file", {"path": "/w/x.md", "content": "a"}, {"bytes_written": 1})


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("I created `/w/x.md`.", "stale"),
        ("I created `/w/x.md`; it has three parts.", "stale"),
        ("I created `/w/x.md` and then removed it.", ""),
        ("`/w/x.md` was created earlier and is now removed.", ""),
        ("Timeline:\n1. created `/w/x.md`\n2. removed `/w/x.md`", ""),
        ("I created `/w/x.md`.\n\nIt worked, so I deleted `/w/x.md` again.", ""),
        ("Ich habe `/w/x.md` angelegt und wieder gelöscht.", ""),
    ],
)
def test_scenario_150_who_says_that_it_is_gone_is_not_out_of_date(answer: str, expected: str) -> None:
    found = findings(answer, [MADE, commanded("rm /w/x.md")], user="Try it.", tools=[])
    assert [one.verdict for one in found if one.flagged] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("Here you are.", "Not mentioned above: 1 change did not land (`n.py`)."),
        ("Raised the timeout in both charts:\n- `m.py`\n- `n.py`", "1 change did not land: `n.py`."),
        ("The patch for `n.py` needs another try.", "1 change did not land: `n.py`."),
    ],
)
def test_what_is_mentioned_is_not_said_to_be_left_out(answer: str, line: str) -> None:
    landed: Ran = ("patch", {"path": "m.py", "old_string": "x", "new_string": "y"}, {"success": True})
    report = Report("a", tuple(findings(answer, [landed, SAME], user="Do it.", tools=[])))
    assert line in footer.render(report, register="developer")
