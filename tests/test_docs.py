"""What the documents say exists, and what exists is documented."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import msgspec
import pytest

from proxy.__main__ import _parser
from proxy.auditors import BUILT_IN
from proxy.config import ConfigTable, ServerTable, StoreTable, UpstreamTable
from proxy.policy_file import PolicyTable, RuleTable, Test, TestCall
from proxy.signatures import Sign, Table
from tests.transcripts import ROOT

README = (ROOT / "README.md").read_text()
POLICIES = (ROOT / "docs/policies.md").read_text()
CONFIGURATION = (ROOT / "docs/configuration.md").read_text()
AUDITORS = (ROOT / "docs/auditors.md").read_text()

KEYS: list[tuple[type[Any], str]] = [
    *((table, POLICIES) for table in (PolicyTable, RuleTable, Test, TestCall, Table, Sign)),
    *((table, CONFIGURATION) for table in (ConfigTable, ServerTable, StoreTable, UpstreamTable)),
]


@pytest.mark.parametrize(("table", "text"), KEYS, ids=[table.__name__ for table, _ in KEYS])
def test_every_key_is_documented(table: type[Any], text: str) -> None:
    missing = [field.encode_name for field in msgspec.structs.fields(table) if f"`{field.encode_name}`" not in text]
    assert missing == []


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_auditor_has_its_row_and_options(name: str) -> None:
    assert f"`{name}`" in AUDITORS
    kind: Any = BUILT_IN[name]
    for field in dataclasses.fields(kind):
        assert f"`{field.name}`" in AUDITORS


def test_the_readme_s_commands_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.M)) <= targets
    commands = set(re.findall(r"groundwire (serve|check|key|replay)\b", README))
    assert commands == {"serve", "check", "key", "replay"}


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("serve", "check", "key", "replay"):
        with pytest.raises(SystemExit):
            _parser().parse_args([command, "--help"])
    assert "--labels" in capsys.readouterr().out


def test_links_lead_somewhere() -> None:
    for file in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text()):
            assert (file.parent / target).exists(), f"{file.name} links to {target}"


def test_no_document_names_a_place_of_this_machine() -> None:
    own = re.compile(r"/work/|/root/|pypi\.org/simple|--index-url|--find-links")
    for file in [
        *ROOT.glob("*.md"),
        *ROOT.glob("requirements*.txt"),
        *(ROOT / "docs").glob("*"),
        *(ROOT / "policies").rglob("*.toml"),
    ]:
        assert not own.search(file.read_text()), file
