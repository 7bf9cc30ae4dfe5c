"""Videos and sounds that an answer says were made must be what their maker's result, its validation, and the file show."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from proxy.audit import Absent, Finding, Look, Present
from proxy.claims import Claim
from proxy.ledger import UNDONE, Call, Turn
from proxy.tool_names import globs, spellings

MEDIA = (".mp4", ".m4v", ".mov", ".webm", ".mkv", ".mp3", ".wav", ".ogg", ".flac", ".m4a")
MAX_LOOKS = 8


@dataclass(frozen=True, slots=True)
class Made:
    """A call that made a file: the key that its result names, its validation, and what a source says of the file."""

    call: Call
    key: str
    validation: Validation | None
    duration: float | None
    width: float | None
    height: float | None
    seen: Mapping[str, Any] | None = None
    captions: Mapping[str, Any] | None = None
    unseen: str = ""
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Validation:
    """A maker's own checks, counted again from its list: a counter is only believed where there is no list."""

    failed: tuple[str, ...]
    warned: tuple[str, ...]
    passed: bool


@dataclass(frozen=True, slots=True)
class Media:
    """Compare claims about videos and sounds with the calls that made them, and with the file where a source is configured.

    `tools` are the makers; `results` are tools that hand out what a maker's job made; `key_fields`, `captions_fields`,
    `validation_fields`, `duration_fields`, `width_fields` and `height_fields` are where their results say so. Of the checks
    `decode`, `sound`, `container`, `codecs`, `duration`, `parity`, `faststart`, `silence` and `captions`, those in `fails`
    count, those in `warns` are told, and others are not made.
    Warnings never decide. Lengths are seconds, `silence_dbfs` is the least mean level. `verifies` are globs of the tools that
    may have validated a file beside its maker.
    """

    source: str = ""
    tools: tuple[str, ...] = (
        *("slides-narrate", "slides-render-video", "hyperframes-render", "av-validate"),
        *("video-render*", "video-generate*", "video-create*", "podcast-generate*", "podcast-create*"),
    )
    results: tuple[str, ...] = ("pack-result", "job-result", "task-result", "pipeline-*")
    key_fields: tuple[str, ...] = (
        *("video_artifact_key", "audio_artifact_key", "artifact_key", "artifacts[].artifact_key"),
        *("video_path", "audio_path", "output_path", "path"),
    )
    captions_fields: tuple[str, ...] = ("captions_artifact_key", "captions_path")
    validation_fields: tuple[str, ...] = ("validation",)
    duration_fields: tuple[str, ...] = ("total_duration_s", "video_duration_s", "audio_duration_s")
    width_fields: tuple[str, ...] = ("width",)
    height_fields: tuple[str, ...] = ("height",)
    verifies: tuple[str, ...] = ("*valid*", "*verif*", "*probe*", "*check*", "*inspect*")
    containers: tuple[str, ...] = ()
    codecs: tuple[str, ...] = ()
    parity_seconds: float = 1.0
    silence_dbfs: float = -45.0
    captions_seconds: float = 2.0
    fails: tuple[str, ...] = ("decode", "container", "codecs", "duration", "parity", "faststart", "silence")
    warns: tuple[str, ...] = ("sound", "captions")

    reads: ClassVar[frozenset[str]] = frozenset({"media"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        said = {(one.act, one.subject): one for one in reversed(claims) if one.stance == "asserted"}
        if not said:
            return []
        admits = any(one.act == "checks" and one.stance == "denied" for one in claims)
        calls = self._calls(turn)
        made = [self._made(call) for call in calls if call.outcome not in (*UNDONE, "pending")]
        if self.source:
            made = [*await asyncio.gather(*(self._look(one, look) for one in made[-MAX_LOOKS:]))]
        findings = (self._judge(claim, turn, calls, made, admits) for claim in reversed(said.values()))
        return [finding for finding in findings if finding is not None]

    def _calls(self, turn: Turn) -> list[Call]:
        """The makers' calls of this turn; where there are none, of the conversation before it."""
        makers, results = globs(self.tools), globs(self.results)

        def made_by(call: Call) -> bool:
            names = spellings(call.name)
            if any(makers.match(one) for one in names):
                return True
            return any(results.match(one) for one in names) and any(map(_is_media, _texts(call, self.key_fields)))

        return [one for one in turn.calls if made_by(one)] or [one for one in turn.earlier() if made_by(one)]

    def _made(self, call: Call) -> Made:
        return Made(
            call,
            next(_texts(call, self.key_fields), ""),
            self._validation(call),
            next(_numbers(call, self.duration_fields), None),
            next(_numbers(call, self.width_fields), None),
            next(_numbers(call, self.height_fields), None),
        )

    def _validation(self, call: Call) -> Validation | None:
        """The block of checks in a result, or the result itself where a validator made it; None where there is none."""
        if call.result is None:
            return None
        blocks = [value for path in self.validation_fields for value in call.result.fields(path)]
        if call.result.fields("all_passed"):
            blocks.append({key: next(iter(call.result.fields(key)), None) for key in ("all_passed", "checks")})
        return next((_checked(block) for block in blocks if isinstance(block, dict) and block), None)

    async def _look(self, made: Made, look: Look) -> Made:
        if not made.key:
            return made
        sight = await look(self.source, made.key)
        beside = next(_texts(made.call, self.captions_fields), "")
        told = await look(self.source, beside) if beside and isinstance(sight, Present) else None
        captions = _part(told.fields, "subtitles") if isinstance(told, Present) else None
        facts = (made.call, made.key, made.validation, made.duration, made.width, made.height)
        if isinstance(sight, Present):
            return Made(*facts, seen=sight.fields, captions=captions or _part(sight.fields, "subtitles"))
        return Made(*facts, unseen=sight.reason, absent=isinstance(sight, Absent))

    def _judge(
        self, claim: Claim, turn: Turn, calls: Sequence[Call], made: Sequence[Made], admits: bool
    ) -> Finding | None:
        of = [one for one in made if claim.subject and claim.subject in (one.key, one.key.rpartition("/")[2])]
        files = of or [one for one in made if one.key or one.validation or one.duration is not None]
        if claim.act in ("verify", "checks"):
            return self._validated(claim, turn, calls, files, admits)
        if claim.act in ("length", "picture"):
            return self._measured(claim, files)
        if claim.subject and not of and made:
            return None  # of another name than the makers gave: the auditors of files and of artifacts know those
        return self._rendered(claim, turn, calls, made, files)

    def _rendered(
        self, claim: Claim, turn: Turn, calls: Sequence[Call], made: Sequence[Made], files: Sequence[Made]
    ) -> Finding | None:
        """The verdict on "the video is rendered"."""
        subject = claim.subject or claim.fields.get("noun", "video")
        if not calls:
            unseen = any(call.effect != "read" and call.outcome not in UNDONE for call in turn.calls)
            if claim.act != "render" or unseen or "state" in claim.fields:
                return None  # another tool may have made it, or it tells how a page works
            if not turn.whole():
                return Finding("unverifiable", subject, "the history is not whole", claim.quote)
            return Finding("unsupported", subject, "no call of this conversation rendered it", claim.quote)
        if not made:
            last = calls[-1]
            if last.outcome not in UNDONE:
                return Finding("unverifiable", subject, "its call had not ended", claim.quote, last.id)
            return Finding("contradicted", subject, last.failure, claim.quote, last.id)
        named = [one for one in files if one.key]
        if not named:
            reason = "the result of its call names no file"
            return Finding("unverifiable", subject, reason, claim.quote, made[-1].call.id)
        return self._there(claim, subject, named[-1])

    def _there(self, claim: Claim, subject: str, made: Made) -> Finding:
        facts: dict[str, Any] = {"key": made.key}
        if not self.source:
            return Finding("verified", subject, "its call returned the file", claim.quote, made.call.id, facts)
        facts["looked"] = True
        if made.seen is None:
            reason = "its call returned it, and it is not there yet" if made.absent else made.unseen
            return Finding("unverifiable", subject, reason, claim.quote, made.call.id, facts)
        checks = list(self._checks(made))
        facts |= made.seen
        facts["checks"] = [{"name": name, "severity": severity, "detail": why} for name, severity, why in checks if why]
        failed = [why for _, severity, why in checks if severity == "fail" and why]
        warned = _warnings([why for _, severity, why in checks if severity == "warn" and why])
        if failed:
            return Finding(
                "qualified", subject, f"it is there, but {'; '.join(failed)}", claim.quote, made.call.id, facts
            )
        return Finding("verified", subject, f"it is there and decodes{warned}", claim.quote, made.call.id, facts)

    def _checks(self, made: Made) -> Iterator[tuple[str, str, str]]:
        """Each check that was made, as name, severity, and what is wrong (empty: nothing)."""
        for name, wrong in self._all_checks(made):
            if name in self.fails or name in self.warns:
                yield name, "fail" if name in self.fails else "warn", wrong

    def _all_checks(self, made: Made) -> Iterator[tuple[str, str]]:
        seen = made.seen or {}
        video, audio, length = _part(seen, "video"), _part(seen, "audio"), _number(seen.get("duration"))
        yield "decode", _decode(seen, self.parity_seconds)
        if not seen.get("size", 1):
            return
        if self.containers and "container" in seen:
            fits = seen["container"] in self.containers
            yield "container", "" if fits else f"its container is {seen['container']}"
        if self.codecs:
            others = [one["codec"] for one in (video, audio) if one and one.get("codec") not in self.codecs]
            yield "codecs", f"its codec is {', '.join(map(str, others))}" if others else ""
        if length is not None and made.duration is not None:
            off = abs(length - made.duration) > self.parity_seconds
            yield "duration", f"it is {length:g} s long, its call said {made.duration:g} s" if off else ""
        if video:
            yield "sound", "" if audio else "it has no sound"
        pictures, sounds = _number(video.get("duration")), _number(audio.get("duration"))
        if pictures is not None and sounds is not None:
            off = abs(pictures - sounds) > self.parity_seconds
            yield "parity", f"{pictures:g} s of picture have {sounds:g} s of sound" if off else ""
        if isinstance(seen.get("faststart"), bool):
            yield "faststart", "" if seen["faststart"] else "moov comes after mdat"
        mean = _number(_part(seen, "silence").get("mean"))
        if mean is not None:
            yield "silence", f"its sound is silent ({mean:g} dBFS)" if mean < self.silence_dbfs else ""
        last = _number((made.captions or {}).get("end"))
        if last is not None and (end := sounds if sounds is not None else length) is not None:
            off = abs(end - last) > self.captions_seconds
            yield "captions", f"its captions end at {last:g} s of {end:g} s" if off else ""

    def _validated(
        self, claim: Claim, turn: Turn, calls: Sequence[Call], files: Sequence[Made], admits: bool
    ) -> Finding | None:
        """The verdict on "validated" and on "all checks passed"; without media by name, only where checks are at hand."""
        subject = claim.subject or ("validation" if claim.act == "verify" else "checks")
        blocks = [one for one in files if one.validation is not None]
        meant, others = "of" in claim.fields, self._elsewhere(turn)
        if not blocks:
            if not calls or not meant or others or admits:
                return None
            if not turn.whole():
                return Finding("unverifiable", subject, "the history is not whole", claim.quote)
            last = calls[-1]
            if last.outcome in UNDONE:
                return Finding("contradicted", subject, last.failure, claim.quote, last.id)
            if last.outcome in ("pending", "unknown"):
                return Finding("unverifiable", subject, "its call had not ended", claim.quote, last.id)
            reason = "no result of this conversation holds a validation of it"
            return Finding("unsupported", subject, reason, claim.quote, last.id)
        block = blocks[-1].validation
        assert block is not None
        call_id = blocks[-1].call.id
        if block.passed:
            reason = f"all its checks passed{_warnings(block.warned)}"
            facts = {"warnings": len(block.warned)}
            return Finding("verified", subject, reason, claim.quote, call_id, facts)
        if admits or (others and not meant):
            return None
        reason = f"failed: {', '.join(block.failed[:5]) or 'the result says not all passed'}"
        return Finding("contradicted", subject, reason, claim.quote, call_id)

    def _elsewhere(self, turn: Turn) -> bool:
        """Whether another call of this turn may have validated something: a shell, an agent, a tool named after it."""
        wanted, own = globs(self.verifies), globs(self.tools)
        for call in turn.calls:
            names = spellings(call.name)
            if call.outcome in UNDONE or any(own.match(one) for one in names):
                continue
            if call.effect in ("shell", "agent") or any(wanted.match(one) for one in names):
                return True
        return False

    def _measured(self, claim: Claim, files: Sequence[Made]) -> Finding | None:
        """The verdict on a length or a picture's size: only against files that are at hand, and one at most accuses."""
        said, fits = _said(claim), [_fits(claim, one, self.parity_seconds) for one in files]
        known = [(one, fit, is_) for one, (fit, is_) in zip(files, fits, strict=True) if is_]
        if not known:
            return None
        for made, fit, is_ in reversed(known):
            if fit:
                return Finding("verified", said, f"it is {is_}", claim.quote, made.call.id)
        if len(files) > 1:
            return Finding("unverifiable", said, "there are several files", claim.quote)
        made, _, is_ = known[0]
        return Finding("contradicted", said, f"it is {is_}", claim.quote, made.call.id)


def _said(claim: Claim) -> str:
    if claim.act == "length":
        return f"{claim.fields['noun']} of {_clock(float(claim.fields['seconds']))}"
    width, height = claim.fields.get("width"), claim.fields["height"]
    return f"video of {width}x{height}" if width else f"video of {height}p"


def _fits(claim: Claim, made: Made, parity: float) -> tuple[bool, str]:
    """Whether a file is as long, or its picture as large, as said, and what it is; empty where it is not known."""
    seen = made.seen or {}
    if claim.act == "length":
        part = _part(seen, claim.fields["noun"])
        lengths = [_number(part.get("duration")), _number(seen.get("duration")), made.duration]
        known = [one for one in lengths if one is not None]
        if not known:
            return False, ""
        said, within = float(claim.fields["seconds"]), max(float(claim.fields["within"]), parity)
        return any(abs(one - said) <= within for one in known), f"{_clock(known[0])} long"
    video = _part(seen, "video")
    width, height = _number(video.get("width", made.width)), _number(video.get("height", made.height))
    if not width or not height:
        return False, ""
    is_ = f"{width:g}x{height:g}"
    if "width" in claim.fields:
        return (float(claim.fields["width"]), float(claim.fields["height"])) == (width, height), is_
    return float(claim.fields["height"]) in (height, width if width < height else height), is_


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}" if seconds >= 10 else f"{seconds:g} s"


def _decode(seen: Mapping[str, Any], parity: float) -> str:
    """What is wrong with the bytes: none there, cut off, or no picture that decodes."""
    if seen.get("size") == 0:
        return "it has 0 bytes"
    length, read = _number(seen.get("duration")), _number(seen.get("read"))
    if length is not None and read is not None and length - read > max(parity, length * 0.02):
        return f"only {read:g} s of its {length:g} s are there"
    video = _part(seen, "video")
    return "its picture does not decode" if video.get("frames") and video.get("decoded") == 0 else ""


def _checked(block: Mapping[str, Any]) -> Validation:
    """A validation block; a check has `name`, `severity` (`fail` or `warn`) and `pass` or `passed`."""
    listed = block.get("checks")
    checks = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    bad = [one for one in checks if one.get("pass", one.get("passed", True)) is False]
    warned = tuple(str(one.get("name", "?")) for one in bad if one.get("severity") == "warn")
    failed = tuple(str(one.get("name", "?")) for one in bad if one.get("severity") != "warn")
    if checks:
        return Validation(failed, warned, not failed)
    count = block.get("warnings")
    told = ("?",) * min(count, 99) if isinstance(count, int) and not isinstance(count, bool) and count > 0 else ()
    return Validation((), told, block.get("all_passed") is True)


def _warnings(names: Sequence[str]) -> str:
    if not names:
        return ""
    known = [name for name in names if name != "?"]
    return f", with {len(names)} warning{'s' if len(names) > 1 else ''}{': ' if known else ''}{'; '.join(known[:5])}"


def _part(seen: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """One of the tables that a source says of a file; empty where it says none."""
    part = seen.get(name)
    return part if isinstance(part, Mapping) else {}


def _is_media(key: str) -> bool:
    return key.lower().endswith(MEDIA)


def _texts(call: Call, paths: Sequence[str]) -> Iterator[str]:
    if call.result is not None:
        for path in paths:
            yield from (value for value in call.result.fields(path) if isinstance(value, str) and value)


def _numbers(call: Call, paths: Sequence[str]) -> Iterator[float]:
    if call.result is not None:
        for path in paths:
            yield from (number for value in call.result.fields(path) if (number := _number(value)) is not None)


def _number(value: Any) -> float | None:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9
    return float(value) if usable else None
