"""The demo: each auditor's scenario through a proxy of its own, its upstream, its sources and its client real."""

from __future__ import annotations

import asyncio
import re

import pytest

from proxy import demo
from proxy.__main__ import main
from proxy.auditors import NAMES
from proxy.errors import ConfigError
from proxy.upstreams.demo import WEB, scenarios


def test_every_auditor_has_its_scenario() -> None:
    assert set(scenarios()) == NAMES


def test_every_scenario_ends_with_its_finding() -> None:
    said: list[str] = []
    reports = asyncio.run(demo.play([], said.append))
    text = "".join(said)
    for scenario, report in zip(scenarios().values(), reports, strict=True):
        web = re.findall(r"http://127\.0\.0\.1:\d+", text)[0]
        found = [f"{one['rule']} {one['verdict']} {one['subject']}" for one in report["findings"]]
        assert scenario.expect.replace(WEB, web) in found
        assert report["failures"] == []
        part = text.partition(f"── {scenario.name} ")[2].partition("\n── ")[0]
        assert part.count("**Groundwire**") == 1
        assert part.index(scenario.answer[:20].replace(WEB, web)) < part.index("**Groundwire**")


def test_one_scenario_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "commands"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n── ") == 1
    assert "1 failed, 41 passed" in printed.partition("**Groundwire**")[2]


def test_a_name_that_is_none() -> None:
    with pytest.raises(ConfigError, match="is no scenario; there are file_edits, commands"):
        asyncio.run(demo.play(["nothing"], print))
