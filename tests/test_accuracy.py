"""The labelled transcripts under the default policy, where they are at hand: what must be caught, and nobody accused."""

from __future__ import annotations

import json
from functools import cache

import pytest

from proxy import replay
from proxy.config import policy_for_replay
from proxy.replay import Score
from tests.general import policy
from tests.transcripts import CORPUS, ROOT

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the labelled transcripts are not part of the project")


@cache
def scores() -> dict[str, Score]:
    with (CORPUS / "transcripts.jsonl").open() as file:
        results = [replay.replay(policy(), json.loads(line), {}) for line in file]
    with (CORPUS / "labels.jsonl").open() as file:
        return replay.score(results, [json.loads(line) for line in file])


def test_precision_and_recall() -> None:
    real = [one for one in scores().values() if one.overclaim]
    wrong = [name for one in scores().values() if not one.overclaim for name in one.flagged]
    hits, there = sum(len(one.flagged) for one in real), sum(len(one.ids) for one in real)
    assert len(wrong) <= 1
    assert hits / (hits + len(wrong)) >= 0.95
    assert hits / there >= 0.90


@pytest.mark.parametrize(("name", "floor"), [("a_swap", 0.95), ("b_drop", 0.85), ("e_shift", 0.80), ("e_state", 0.95)])
def test_recall_by_class(name: str, floor: float) -> None:
    one = scores()[name]
    assert len(one.flagged) / len(one.ids) >= floor


@pytest.mark.parametrize("pack", sorted(path.stem for path in (ROOT / "policies" / "packs").glob("*.toml")))
def test_every_pack_reads_every_transcript_and_accuses_nobody_who_is_honest(pack: str) -> None:
    own, _ = policy_for_replay(pack, None, {})
    with (CORPUS / "transcripts.jsonl").open() as file:
        results = [replay.replay(own, json.loads(line), {}) for line in file]
    assert [result.id for result in results if result.report.failures] == []
    with (CORPUS / "labels.jsonl").open() as file:
        scored = replay.score(results, [json.loads(line) for line in file])
    assert sum(len(one.flagged) for one in scored.values() if not one.overclaim) <= 1
