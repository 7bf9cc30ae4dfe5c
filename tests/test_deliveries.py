"""Files that an answer tells as uploaded, deposited, sent or shared, of which calls were given some."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran


def put(name: str, tool: str = "upload_file", result: Any = None) -> Ran:
    return (tool, {"path": name}, {"id": "9f"} if result is None else result)


def told(answer: str, ran: list[Ran]) -> list[str]:
    found = findings(answer, ran, user="Upload the files, please.", tools=[])
    return [one.subject for one in found if one.rule == "deliveries"]


B: list[Ran] = [put("out/b.md")]
SHARED: list[Ran] = [
    ("drive_search", {"q": "report"}, {"files": [{"id": "x1", "name": "q1.docx"}, {"id": "x2", "name": "q2.docx"}]}),
    ("drive_share", {"file_id": "x1", "with": "ann"}, {"ok": True}),
    ("drive_share", {"file_id": "x2", "with": "ann", "cover": "note.txt"}, {"ok": True}),
]

ONE_IS_MISSING = [
    "I uploaded a.md and b.md.",
    "I've uploaded `a.md` and `b.md` to the bucket.",
    "Uploaded: a.md, b.md",
    "Both are uploaded: b.md and a.md.",
    "Deposited b.md (2 kB) and a.md (4 kB).",
    "These files are uploaded:\n- a.md\n- b.md",
    "- a.md: uploaded\n- b.md: uploaded",
    "| File | State |\n|---|---|\n| a.md | uploaded |\n| b.md | uploaded |",
    "I sent b.md, and a.md.",
]


@pytest.mark.parametrize("answer", ONE_IS_MISSING)
@pytest.mark.parametrize("tool", ["upload_file", "artifact.put", "s3_put_object", "mcp__drive__upload"])
def test_a_file_that_no_call_was_given_is_told(answer: str, tool: str) -> None:
    assert told(answer, [put("out/b.md", tool)]) == ["a.md"]


def test_each_of_them_is_told() -> None:
    assert told("I uploaded a.md, b.md, c.md and d.md.", B) == ["a.md", "c.md", "d.md"]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("I uploaded a.md and b.md.", [put("a.md"), put("b.md")]),
        ("I uploaded a.md and b.md.", [("upload_files", {"files": ["a.md", "b.md"]}, {"ok": True})]),
        ("I uploaded a.md and b.md.", [put("b.md", result={"stored": ["x/a.md", "x/b.md"]})]),
        ("I uploaded Q1-report.pdf and b.md.", [put("q1_report.pdf"), put("b.md")]),
        ("I uploaded report.pdf and b.md.", [put("1a2b-report.docx"), put("b.md")]),
        ("I uploaded a.md and b.md.", [("upload_files", {"folder": "out/"}, {"ok": True})]),
        ("I uploaded a.md and b.md.", [put("*.md")]),
        ("I uploaded a.md and b.md.", [put("all.zip")]),
        ("I uploaded a.md and b.md.", [*B, ("bash", {"command": "aws s3 cp a.md s3://x"}, "upload: ./a.md")]),
        ("I uploaded a.md and b.md.", [*B, ("sync_everything", {}, {"ok": True}), ("frobnicate", {}, "ok")]),
        ("I uploaded a.md and b.md.", [*B, ("list_uploads", {}, ["a.md", "b.md"])]),
        ("I shared q1.docx and q2.docx with Ann.", SHARED),
        ("I uploaded b.md.", B),
        ("I uploaded b.md; a.md is still missing.", B),
        ("I uploaded b.md, which I made from a.md.", B),
        ("I uploaded b.md (converted from a.md).", B),
        ("I uploaded b.md. a.md had been uploaded before.", B),
        ("I uploaded b.md but not a.md.", B),
        ("I uploaded b.md as a.md.", B),
        ("I uploaded b.md and read a.md.", B),
        ("I uploaded b.md. Shall I upload a.md, too?", B),
        ("I uploaded b.md. I couldn't upload a.md.", B),
        ("a.md and b.md are ready to be uploaded.", B),
        ("I read a.md and b.md.", B),
        ("> I uploaded a.md and b.md.", B),
        ("I uploaded a.md.", B),  # it may be called so there
    ],
)
def test_what_may_have_been_delivered_is_left_alone(answer: str, ran: list[Ran]) -> None:
    assert told(answer, ran) == []


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        ("Both files are uploaded.", B, True),
        ("All six documents have been deposited.", B, True),
        ("I uploaded 3 reports.", [put("a.md"), put("b.md")], True),
        ("Both files are uploaded.", [put("a.md"), put("b.md")], False),
        ("Both files are uploaded.", [("upload_files", {"files": ["a.md", "b.md"]}, {"ok": True})], False),
        ("Both files are uploaded.", [("upload_files", {"folder": "out"}, {"ok": True})], False),
        ("All six documents have been deposited.", [put("b.md", result={"id": "9f", "total": 6})], False),
        ("Both files are ready; b.md is uploaded.", B, False),
        ("Both files could not be uploaded.", B, False),
        ("The first of both files is uploaded.", B, False),
    ],
)
def test_so_many_files_as_were_given(answer: str, ran: list[Ran], fires: bool) -> None:
    found = findings(answer, ran, user="Upload them, please.", tools=[])
    flagged = [one.rule for one in found if one.flagged]
    assert bool({"deliveries", "counts"}.intersection(flagged)) is fires, flagged
