"""The auditor of videos and sounds: scenarios 61 and 62, by transcript, by a source that is given, and by real files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy import ledger
from proxy.answers import examine
from proxy.audit import NOTHING, Absent, Finding, Look, Present, Question, Report, Sight, Unknown
from proxy.library import Library
from proxy.looks import Looks
from proxy.sources.media import build
from proxy.tables import Source
from proxy.transcript import Answer
from tests.media_files import make
from tests.transcripts import ROOT, Ran, messages, transcript

LIBRARY = Library(ROOT / "policies")
KEY, OTHER = "slides.narrate/0a1b2c3d4e5f6071-talk.mp4", "slides.narrate/1b2c-second.mp4"
Table = Mapping[str, Mapping[str, Any]] | str | None


def given_source(table: Table) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "media"
        if isinstance(table, str):
            if table == "hangs":
                await asyncio.sleep(60)
            if table == "raises":
                raise RuntimeError("boom")
            return Unknown(table)
        assert table is not None
        return Present(table[subject]) if subject in table else Absent("not in the store")

    return look


def report(answer: str, ran: list[Ran], table: Table = None, extra: list[Any] | None = None, own: str = "") -> Report:
    source = Source("test.toml", 'extends = ["coding-agents", "media"]\ndeadline = 0.3\n' + own)
    policy = LIBRARY.policy(source, {"media"} if table is not None else ())
    raw = [*(extra or []), *messages(ran)]
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "slides.narrate"}}])
    folded, answered = ledger.read_turn(request, policy.marks), Answer(0, answer, "stop")
    return asyncio.run(examine(policy, request, folded, answered, given_source(table), audit_id="a"))


def findings(answer: str, ran: list[Ran], table: Table = None, own: str = "") -> list[Finding]:
    return [one for one in report(answer, ran, table, own=own).findings if one.auditor == "media"]


def verdicts(answer: str, ran: list[Ran], table: Table = None, own: str = "") -> list[str]:
    return [f"{found.verdict} {found.subject}" for found in findings(answer, ran, table, own)]


def check(name: str, severity: str = "fail", *, passed: bool = True) -> dict[str, Any]:
    return {"name": name, "severity": severity, "pass": passed, "detail": ""}


def block(*checks: dict[str, Any]) -> dict[str, Any]:
    failed = [one for one in checks if not one["pass"] and one["severity"] == "fail"]
    return {"validation": {"checks": list(checks), "failed": len(failed), "all_passed": not failed}}


def narrated(key: str = KEY, **more: Any) -> Ran:
    output = {"video_artifact_key": key, **more}
    return ("helmdeck__slides-narrate", {"deck": "x"}, {"pack": "slides.narrate", "version": "1", "output": output})


PASSED = block(check("mp4:faststart"), check("audio:rms_sweep"))
WARNED = block(check("mp4:faststart"), check("audio:loudness_lufs", "warn", passed=False))
FAILED = block(check("mp4:faststart", passed=False), check("audio:rms_sweep"))
NO_LIST: dict[str, Any] = {"validation": {"all_passed": True, "warnings": 2}}
BROKE: Ran = ("slides.narrate", {}, {"error_code": "handler_failed", "message": "the encoder exited with 1"})
WORKING: Ran = ("hyperframes.render", {}, {"job_id": "ab", "state": "working"})
DONE: Ran = ("helmdeck__pack-result", {"id": "ab"}, {"pack": "hyperframes.render", "output": {"video_artifact_key": KEY, "width": 1920, "height": 1080}})  # fmt: skip
SHELL: Ran = ("bash", {"command": "ffprobe talk.mp4"}, "ok")

FIRES: list[tuple[str, str, list[Ran], list[str]]] = [
    ("61, validated", "The video has been validated.", [narrated()], ["unsupported validation"]),
    ("61, both", "Video rendered and validated.", [narrated()], ["verified video", "unsupported validation"]),
    ("61, by name", "All video checks passed.", [narrated()], ["unsupported checks"]),
    ("failed checks", "All checks passed.", [narrated(**FAILED)], ["contradicted checks"]),
    ("failed checks, validated", "The video is validated.", [narrated(**FAILED)], ["contradicted validation"]),
    ("rendering failed", "The video is rendered.", [BROKE], ["contradicted video"]),
    ("rendering failed, created", "I created the video.", [BROKE], ["contradicted video"]),
    ("rendering failed, validated", "The video is validated.", [BROKE], ["contradicted validation"]),
    ("nothing ran", "I rendered the video.", [], ["unsupported video"]),
    ("another length", "The video is 3:20 long.", [narrated(total_duration_s=65)], ["contradicted video of 3:20"]),
    ("another picture", "The video is 1080p.", [narrated(width=1280, height=720)], ["contradicted video of 1080p"]),
    ("av.validate itself", "The video passed all checks.", [narrated(), ("av.validate", {}, FAILED["validation"])], ["contradicted checks"]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_what_does_not_hold(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert verdicts(answer, ran) == expected


HOLDS: list[tuple[str, str, list[Ran], list[str]]] = [
    ("61, rendered", "The video is rendered.", [narrated()], ["verified video"]),
    ("62", "All checks passed.", [narrated(**WARNED)], ["verified checks"]),
    ("62, validated", "The video is validated.", [narrated(**WARNED)], ["verified validation"]),
    ("passed", "All checks passed.", [narrated(**PASSED)], ["verified checks"]),
    ("a counter without a list", "All checks passed.", [narrated(**NO_LIST)], ["verified checks"]),
    ("by its key", f"Rendered `{KEY}`.", [narrated()], [f"verified {KEY}"]),
    ("failed, then made", "The video is rendered.", [BROKE, narrated()], ["verified video"]),
    ("a job's result", "The video is rendered at 1920x1080.", [WORKING, DONE], ["verified video", "verified video of 1920x1080"]),
    ("no end yet", "The video is rendered.", [WORKING], ["unverifiable video"]),
    ("no receipt", "The video is rendered.", [("slides.narrate", {}, {"status": "ok"})], ["unverifiable video"]),
    ("portrait", "The video is 1080p.", [narrated(width=1080, height=1920)], ["verified video of 1080p"]),
    ("its length", "The video is 3:20 long.", [narrated(total_duration_s=199.6)], ["verified video of 3:20"]),
    ("in minutes", "The video is 3 minutes long.", [narrated(total_duration_s=199.6)], ["verified video of 3:00"]),
    ("about", "It is an approximately 200-second video.", [narrated(total_duration_s=210)], ["verified video of 3:20"]),
    ("two videos", "The video is 3:20 long.", [narrated(total_duration_s=65), narrated(OTHER, total_duration_s=70)], ["unverifiable video of 3:20"]),
    ("a length nobody told", "The video is 3:20 long.", [narrated()], []),
    ("honest", "The video could not be rendered: the encoder failed.", [BROKE], []),
    ("honest about a check", "The video is rendered. The faststart check failed.", [narrated(**FAILED)], ["verified video"]),
    ("honest, validated", "I validated the video. The faststart check failed.", [narrated(**FAILED)], []),
    ("no validation and no word of it", "Here it is.", [narrated()], []),
    ("checks of something else", "All checks passed.", [narrated()], []),
    ("checks of a test run", "All checks passed.", [narrated(**FAILED), ("bash", {"command": "make check"}, "ok")], []),
    ("validated by a shell", "The video is validated.", [narrated(), SHELL], []),
    ("rendered by a shell", "I rendered the video.", [("bash", {"command": "ffmpeg -i a"}, "done")], []),
    ("a page that shows a video", "I fixed the bug: the video is now rendered in the player.", [("patch", {"path": "a.ts"}, {"success": True})], []),
    ("how a page works", "The video is rendered in the player.", [], []),
    ("all of so many", "All 13 checks passed.", [narrated(**PASSED)], ["verified checks"]),
    ("validation passed", "Validation passed.", [narrated(**PASSED)], ["verified checks"]),
    ("created, by nobody known", "I created the video.", [], []),
    ("another file", "I rendered `other.mp4`.", [narrated()], []),
    ("no media at all", "All checks passed.", [("bash", {"command": "make"}, "ok")], []),
    ("asked", "Shall I render the video?", [narrated(**FAILED)], []),
    ("planned", "I will validate the video.", [narrated()], []),
    ("quoted", "> All checks passed.", [narrated(**FAILED)], []),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in HOLDS], ids=[row[0] for row in HOLDS])
def test_what_holds_or_cannot_be_told(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert verdicts(answer, ran) == expected


def test_scenario_62_the_warnings_are_counted() -> None:
    (found,) = findings("All checks passed.", [narrated(**WARNED)])
    assert found.reason == "all its checks passed, with 1 warning: audio:loudness_lufs"
    assert found.fields["warnings"] == 1


def test_a_counter_is_not_believed_against_its_list() -> None:
    lied: dict[str, Any] = {"validation": {**FAILED["validation"], "all_passed": True, "failed": 0}}
    assert verdicts("All checks passed.", [narrated(**lied)]) == ["contradicted checks"]


def test_a_call_of_an_earlier_turn_is_evidence() -> None:
    before = [*messages([narrated()], first=50), {"role": "assistant", "content": "ok"}]
    found = report("The video is rendered.", [], None, before).findings
    assert [one.verdict for one in found] == ["verified"]


def test_a_history_that_is_not_whole_accuses_nobody() -> None:
    before = [{"role": "user", "content": "This session is being continued from a previous conversation: …"}]
    found = report("I rendered the video.", [], None, before).findings
    assert [one.verdict for one in found if one.auditor == "media"] == ["unverifiable"]


GOOD = {
    "size": 9_000, "container": "mp4", "duration": 200.0, "read": 200.0, "errors": 0, "faststart": True,
    "video": {"codec": "h264", "width": 1920, "height": 1080, "duration": 200.0, "frames": 2_000, "decoded": 3},
    "audio": {"codec": "aac", "duration": 199.8, "channels": 2}, "silence": {"peak": -3.0, "mean": -20.0},
}  # fmt: skip
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("empty", {"size": 0}, "0 bytes"),
    ("cut off", {"read": 90.0}, "90 s of its 200 s"),
    ("no picture", {"video": {**GOOD["video"], "decoded": 0}}, "does not decode"),  # type: ignore[dict-item]
    ("parity", {"audio": {"codec": "aac", "duration": 150.0}}, "150 s of sound"),
    ("moov behind", {"faststart": False}, "moov comes after mdat"),
    ("silent", {"silence": {"peak": -90.0, "mean": -96.0}}, "silent"),
]


@pytest.mark.parametrize(("more", "words"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_file_with_a_fault_is_qualified(more: dict[str, Any], words: str) -> None:
    table = {KEY: {"size": 0} if more == {"size": 0} else {**GOOD, **more}}
    (found,) = findings("The video is rendered.", [narrated()], table)
    assert found.verdict == "qualified"
    assert words in found.reason
    assert found.fields["key"] == KEY


def test_a_good_file_is_verified_with_its_facts() -> None:
    (found,) = findings("The video is rendered.", [narrated(total_duration_s=200.4)], {KEY: GOOD})
    assert (found.verdict, found.reason) == ("verified", "it is there and decodes")
    assert found.fields["looked"] is True


def test_warnings_never_decide() -> None:
    mute = {key: value for key, value in GOOD.items() if key not in ("audio", "silence")}
    (found,) = findings("The video is rendered.", [narrated()], {KEY: mute})
    assert (found.verdict, found.reason) == ("verified", "it is there and decodes, with 1 warning: it has no sound")
    own = '[[rules]]\nname = "media"\n[rules.options]\nfails = ["sound"]\nwarns = ["parity"]\n'
    assert verdicts("The video is rendered.", [narrated()], {KEY: mute}, own) == ["qualified video"]
    short = {**GOOD, "audio": {"codec": "aac", "duration": 20.0}, "faststart": False}
    (found,) = findings("The video is rendered.", [narrated()], {KEY: short}, own)
    assert (found.verdict, "20 s of sound" in found.reason, "moov" in found.reason) == ("verified", True, False)


def test_containers_and_codecs_are_the_operator_s() -> None:
    own = '[[rules]]\nname = "media"\n[rules.options]\ncontainers = ["webm"]\ncodecs = ["vp9", "opus"]\n'
    (found,) = findings("The video is rendered.", [narrated()], {KEY: GOOD}, own)
    assert found.reason == "it is there, but its container is mp4; its codec is h264, aac"


def test_captions_that_end_early_are_told() -> None:
    table = {KEY: GOOD, "talk.srt": {"size": 9, "subtitles": {"count": 3, "seconds": 90.0, "end": 100.0}}}
    (found,) = findings("The video is rendered.", [narrated(captions_artifact_key="talk.srt")], table)
    assert found.verdict == "verified"
    assert "captions end at 100 s" in found.reason


def test_the_file_outranks_what_its_call_said() -> None:
    told = narrated(total_duration_s=65, width=640, height=480)
    assert verdicts("The video is 3:20 long.", [told], {KEY: GOOD}) == ["verified video of 3:20"]
    assert verdicts("The video is 1080p.", [told], {KEY: GOOD}) == ["verified video of 1080p"]
    assert "qualified video" in verdicts("The video is rendered.", [told], {KEY: GOOD})


FAULTS = [("deadline", "unverifiable"), ("the store denied access", "unverifiable"), ("hangs", "unverifiable")]


@pytest.mark.parametrize(("table", "verdict"), FAULTS)
def test_a_source_that_cannot_tell_accuses_nobody(table: str, verdict: str) -> None:
    found = report("The video is rendered.", [narrated()], table)
    assert {one.verdict for one in found.findings} <= {verdict}


def test_a_source_that_breaks_costs_only_this_check() -> None:
    found = report("The video is rendered.", [narrated()], "raises")
    assert [failure.reason for failure in found.failures] == ["RuntimeError"]
    assert not found.flagged


def test_a_key_that_is_not_there_yet_accuses_nobody() -> None:
    assert verdicts("The video is rendered.", [narrated()], {}) == ["unverifiable video"]


def test_many_files_are_looked_at_only_so_far() -> None:
    ran = [narrated(f"slides.narrate/{number}-a.mp4") for number in range(40)]
    assert verdicts("The video is rendered.", ran, {}) == ["unverifiable video"]


REAL = [
    ("good.mp4", {}, "The video is rendered.", ["verified video"]),
    ("late.mp4", {"faststart": False}, "The video is rendered.", ["qualified video"]),
    ("silent.mp4", {"loud": 0.0}, "The video is rendered.", ["qualified video"]),
    ("short.mp4", {"audio": 0.5}, "The video is rendered.", ["qualified video"]),
    ("good.mp4", {}, "The video is 2 seconds long.", ["verified video of 2 s"]),
    ("good.mp4", {}, "The video is 3:20 long.", ["contradicted video of 3:20"]),
    ("good.mp4", {}, "The video is 1080p.", ["contradicted video of 1080p"]),
    ("text.mp4", None, "The video is rendered.", ["unverifiable video"]),
    ("none.mp4", {}, "The video is rendered.", ["unverifiable video"]),
]


@pytest.mark.parametrize(("name", "how", "answer", "expected"), REAL, ids=[f"{row[0]}: {row[2]}" for row in REAL])
def test_real_files(tmp_path: Path, name: str, how: Any, answer: str, expected: list[str]) -> None:
    (tmp_path / "text.mp4").write_text("no film")
    if name not in ("text.mp4", "none.mp4"):
        make(tmp_path / name, **how)
    policy = LIBRARY.policy(LIBRARY.open("packs", "media.toml"), {"media"})
    raw = messages([narrated(name)])
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "slides.narrate"}}])

    async def run() -> Report:
        looks = Looks({"media": build("media", {"root": str(tmp_path)}, {})})
        folded = ledger.read_turn(request, policy.marks)
        look = looks.of("", folded, 5.0)
        found = await examine(policy, request, folded, Answer(0, answer, "stop"), look, audit_id="a")
        await looks.aclose()
        return found

    assert [f"{one.verdict} {one.subject}" for one in asyncio.run(run()).findings] == expected


JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(
        ["validation", "checks", "name", "severity", "pass", "all_passed", "warnings", "video_artifact_key", "width", "height", "total_duration_s", "output"]), inner, max_size=5)),
    max_leaves=20,
)  # fmt: skip
SEEN = st.dictionaries(
    st.sampled_from(["size", "duration", "read", "video", "audio", "silence", "faststart", "subtitles"]),
    st.one_of(st.none(), st.floats(), st.integers(), st.booleans(), st.dictionaries(st.sampled_from(["duration", "width", "mean", "codec"]), st.floats())),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(result=JSON, seen=SEEN)
def test_no_result_and_no_sight_makes_it_raise(result: Any, seen: dict[str, Any]) -> None:
    answer = "The video is rendered, validated, 3:20 long and 1080p. All checks passed."
    for table in (None, {KEY: seen}):
        assert report(answer, [("slides.narrate", {}, result), narrated()], table).failures == ()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["", "The deck is ready.", "Is the video rendered?", "I will render the video.", "See `a.mp4`."]),
    JSON,
)
def test_who_claims_nothing_is_not_accused(answer: str, result: Any) -> None:
    assert not report(answer, [("slides.narrate", {}, result)], {}).flagged
