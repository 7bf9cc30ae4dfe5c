"""What the documents say exists, and what exists is documented."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from typing import Any

import msgspec
import pytest

from proxy import checks, policy_file
from proxy.__main__ import _parser
from proxy.auditors import NAMES, Auditors
from proxy.config import ConfigTable, ServerTable, StoreTable, UpstreamTable
from proxy.dialects import DialectTable
from proxy.ground import Grounded
from proxy.grounded import GroundRequest, to_json
from proxy.library import Library
from proxy.policy_file import PolicyTable, RuleTable, Test, TestCall
from proxy.signatures import Sign, Table
from proxy.sources import TYPES
from proxy.sources.search import BACKENDS, COMMON
from proxy.tables import Source, convert, toml
from proxy.tool_names import fold
from tests.clients.test_clients import CLIENTS
from tests.transcripts import ROOT

README = (ROOT / "README.md").read_text()
POLICIES = (ROOT / "docs/policies.md").read_text()
CONFIGURATION = (ROOT / "docs/configuration.md").read_text()
AUDITORS = (ROOT / "docs/auditors.md").read_text()

KEYS: list[tuple[type[Any], str]] = [
    *((table, POLICIES) for table in (PolicyTable, RuleTable, Test, TestCall, Table, Sign, DialectTable)),
    *((table, CONFIGURATION) for table in (ConfigTable, ServerTable, StoreTable, UpstreamTable)),
]


@pytest.mark.parametrize(("table", "text"), KEYS, ids=[table.__name__ for table, _ in KEYS])
def test_every_key_is_documented(table: type[Any], text: str) -> None:
    missing = [field.encode_name for field in msgspec.structs.fields(table) if f"`{field.encode_name}`" not in text]
    assert missing == []


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_auditor_has_its_row_and_options(name: str) -> None:
    assert f"`{name}`" in AUDITORS
    kind: Any = Auditors()[name]
    for field in dataclasses.fields(kind):
        assert f"`{field.name}`" in AUDITORS


SUMMED = {
    "their like": ("the labelled", "counterparts", "desks, offices", "desks, shops", "service desks", "in the words"),
    "written to be hard": (
        "in the parts",
        "subtle",
        "deeds that",
        "tools that",
        "two sets",
        "honest answers to orders",
    ),
    "honest ones": ("honest answers as",),
    "real ones": ("463", "151", "376", "216", "83", "110", "182", "74"),
}
"""How rows of the README's table begin, and those of docs/accuracy.md that they sum up."""


@pytest.mark.parametrize("row", SUMMED)
def test_the_readme_s_figures_are_the_sums_of_those_of_accuracy(row: str) -> None:
    accuracy = (ROOT / "docs/accuracy.md").read_text()

    def shares(text: str, begins: str) -> list[list[int]]:
        (line,) = re.findall(rf"^\| {begins} ?(?:[^|]*)\|(.*)\|$", text, re.M)
        found = [re.findall(r"(\d[\d,]*) of (?:some )?(\d[\d,]*)", cell)[:1] for cell in line.split("|")]
        return [[int(one.replace(",", "")) for pair in cell for one in pair] or [0, 0] for cell in found]

    summed = [shares(accuracy, begins) for begins in SUMMED[row]]
    assert shares(README, row) == [[sum(one[cell][at] for one in summed) for at in (0, 1)] for cell in (0, 1)]


def test_every_pack_and_its_tools_stand_in_the_table_of_agents() -> None:
    text = (ROOT / "docs/agents.md").read_text()
    packs = {path.stem for path in (ROOT / "policies/packs").glob("*.toml")} - {"base"}
    assert [pack for pack in packs if not re.search(rf"\| [^|]*\b{pack}\b[^|]* \|", text)] == []
    table = tomllib.loads((ROOT / "policies/packs/coding-agents.toml").read_text())
    named = {fold(name) for name in re.findall(r"\w+", text)}
    edits = {name for one in table["signatures"] if one.get("effect") in ("write", "edit") for name in one["tools"]}
    unknown = {name for name in edits if fold(name) not in named}
    assert unknown <= {"applyPatch", "text_editor", "create_file", "save_file", "filesystem_write_file"}


def test_the_readme_s_policies_and_auditor_do_what_their_tests_say() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    own: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec", dont_inherit=True), own)
    library = Library(ROOT / "policies", Auditors({"tickets": own["Tickets"]}))
    policies = [text for text in re.findall(r"```toml\n(.*?)```", README, re.S) if "[[tests]]" in text]
    assert len(policies) == 2
    for text in (*policies, "\n".join(policies)):  # a reader puts the second into the first
        source = Source("README.md", text)
        outcomes = list(checks.run(policy_file.table(source, toml(source)).tests, library.builder(source)))
        assert [(one.name, one.missing, one.unexpected) for one in outcomes if not one.passed] == []
        assert outcomes


def test_the_readme_s_commands_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.M)) <= targets
    commands = {"serve", "check", "key", "replay", "report", "ground", "demo"}
    assert set(re.findall(r"`groundwire (\w+)", README)) == commands


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("serve", "check", "key", "replay", "ground"):
        with pytest.raises(SystemExit):
            _parser().parse_args([command, "--help"])
    told = capsys.readouterr().out
    assert "--labels" in told
    ground = (ROOT / "docs/ground.md").read_text()
    assert all(
        option in ground
        for option in re.findall(r"--[a-z-]+", told.partition("usage: groundwire ground")[2])
        if option != "--help"
    )


def test_the_fields_of_ground_are_documented() -> None:
    ground = (ROOT / "docs/ground.md").read_text()
    names = {field.encode_name for field in msgspec.structs.fields(GroundRequest)} | set(
        to_json(Grounded(""), inspect=True)
    )
    assert sorted(name for name in names - {"object"} if f"`{name}`" not in ground) == []


@pytest.mark.parametrize("kind", TYPES)
def test_every_source_type_stands_in_the_example_and_the_documents(kind: str) -> None:
    assert re.search(rf'(?m)^(?:# )?type +?= "{kind}"', (ROOT / "config.example.toml").read_text())
    assert f"| `{kind}`" in CONFIGURATION


def test_what_the_example_has_as_comments_can_be_read() -> None:
    example = (ROOT / "config.example.toml").read_text()
    whole = re.sub(r"(?m)^# (?=\[|\w+ *= )", "", example)
    tables = convert(tomllib.loads(whole), ConfigTable, "config.example.toml")
    assert {table["type"] for table in tables.sources.values()} == set(TYPES)
    assert whole.count("\n[") > example.count("\n[")


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_key_of_a_search_is_documented(backend: str) -> None:
    assert [key for key in COMMON | BACKENDS[backend] if f"`{key}`" not in CONFIGURATION and key != "type"] == []


@pytest.mark.parametrize("name", sorted({client.name for client in CLIENTS}))
def test_every_client_has_its_row(name: str) -> None:
    assert f"| {name} |" in (ROOT / "docs/clients.md").read_text()


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
