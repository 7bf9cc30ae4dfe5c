"""How clients and servers spell the names of tools."""

from __future__ import annotations

import pytest

from proxy.tool_names import fold, globs, spellings


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("replaceInFile", "replace_in_file"),
        ("fs.replaceInFile", "replace_in_file"),
        ("server:replace_in_file", "replace_in_file"),
        ("fs/replace_in_file", "replace_in_file"),
        ("mcp__fs__replace_in_file", "replace_in_file"),
        ("mcp_fs_replace_in_file", "replace_in_file"),
        ("mcp_fs_replaceInFile", "replace_in_file"),
        ("MultiEdit", "multiedit"),
        ("getHTTPStatus", "gethttpstatus"),
    ],
)
def test_scenario_152_how_servers_and_clients_spell_a_name(name: str, spelled: str) -> None:
    assert spelled in spellings(name)
    assert "replace" not in spellings(name)


@pytest.mark.parametrize(
    "name", ["mcp_", "mcp_fs", "mcp_fs_", "mcp__", "mcpx_fs_patch", "fs_patch", "mcp_fs_run_patch"]
)
def test_what_is_no_servers_prefix(name: str) -> None:
    assert "patch" not in spellings(name)
    assert "" not in spellings(name)


@pytest.mark.parametrize("name", ["Write-File", "write.file", "WRITE file", " write_file "])
def test_what_does_not_count_in_a_name(name: str) -> None:
    assert fold(name) == "write_file"


@pytest.mark.parametrize(
    ("patterns", "name", "fits"),
    [
        (["artifact-put"], "artifact_put", True),
        (["artifact*"], "artifact_verify", True),
        (["put"], "artifact_put", False),
        (["a[b"], "ab", False),
        ([], "", False),
    ],
)
def test_globs_fit_folded_names(patterns: list[str], name: str, fits: bool) -> None:
    assert (globs(patterns).match(name) is not None) is fits
