"""What a report says of findings: its shape, and none of their secrets."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from proxy.audit import Failure, Finding, Report

SECRET = "https://bob:hunter2hunter2@h/x?token=sk-abcdefgh12345678"
TOLD = [one.name for one in fields(Finding) if one.name not in ("verdict", "rule", "auditor", "fields")]
"""What of a finding comes from an answer, a tool or a source, as text."""
DEEP = {"url": SECRET, "rows": [{"seen": (SECRET, 1)}], SECRET: True}


@pytest.mark.parametrize("verdict", ["contradicted", "verified", "unverifiable"])
@pytest.mark.parametrize("more", [*({name: SECRET} for name in TOLD), {"fields": DEEP}], ids=str)
def test_whatever_holds_a_secret_a_report_says_none(verdict: Any, more: dict[str, Any]) -> None:
    told: dict[str, Any] = {"subject": "a.md", "reason": "no", **more}
    shape = str(Report("i", (Finding(verdict, **told),)).to_json())
    assert "hunter2" not in shape
    assert "abcdefgh" not in shape
    assert "***@h/x" in shape


def test_what_is_no_secret_stays_as_it_is() -> None:
    facts = {"size": 3, "there": True, "rows": [{"a": None}, 1.5]}
    (found,) = Report("i", (Finding("contradicted", "a.md", "no", fields=facts),)).to_json()["findings"]
    assert found["fields"] == facts


def test_the_report_has_the_audit_pack_s_shape() -> None:
    facts = {"artifact_key": "a/1-x.md", "size": 3}
    report = Report(
        "id1",
        (
            Finding("verified", "a/1-x.md", "there", "q", "c1", facts, "deposits", "artifacts"),
            Finding("contradicted", "k", "not in the store", "q", "", {}, "deposits", "artifacts"),
            Finding("notice", "n", "x"),
        ),
        (Failure("r", "a", "KeyError"),),
    )
    shape = report.to_json()
    assert shape["summary"] == "1 of 2 claims verified; 1 missing"
    assert shape["all_present"] is False
    assert shape["verified"] == [{"rule": "deposits", "subject": "a/1-x.md", **facts}]
    assert shape["missing"] == [
        {"rule": "deposits", "subject": "k", "verdict": "contradicted", "reason": "not in the store", "quote": "q"}
    ]
    assert [len(shape[key]) for key in ("qualified", "unverifiable", "findings", "failures")] == [0, 0, 3, 1]
    assert report.flagged


def test_unverifiable_is_neither_missing_nor_all_present() -> None:
    shape = Report("i", (Finding("unverifiable", "k", "deadline"),)).to_json()
    assert (shape["missing"], shape["all_present"]) == ([], False)
    assert Report("i").to_json()["all_present"] is True
