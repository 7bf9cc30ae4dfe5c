"""Artifact keys that an answer names must exist: in the store where one is configured, else in what the tools returned."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from proxy.amounts import NUMERALS
from proxy.audit import MAX_FINDINGS, Absent, Finding, Look, Present, Sight, Unknown
from proxy.auditing import pause
from proxy.auditors.mcp import OUTAGES
from proxy.claims import ALL, Claim, answer_text
from proxy.ledger import UNDONE, Call, Turn
from proxy.patterns import NEVER, expression
from proxy.results import Result, like, objects, scalars, strings
from proxy.tool_names import globs, spellings

PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds between looks for a key that was just put; none begins that would end after the deadline."""
UNITS = {
    "b": 1,
    "byte": 1,
    "bytes": 1,
    "kb": 1_000,
    "kib": 1_024,
    "mb": 1_000_000,
    "mib": 1_048_576,
    "gb": 10**9,
    "gib": 2**30,
}
NAMED = 3
"""Missing keys that a reason names."""
MAKING = frozenset({"deposit", "create"})
"""Acts by which an answer says that it has put something there itself."""
SIZE_FIELDS = ("size", "bytes", "size_bytes", "bytes_written")
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]{0,15}(?![\w.,]*\w)")
_MANY = rf"(?:\d{{1,3}}|{'|'.join(NUMERALS)})"
WHOLE = re.compile(
    rf"(?i)(?:\beverything|\b(?:all|each|every)(?: of)?(?: (?:the|these|those|your|our|my))?(?: (?P<count>{_MANY}))?"
    r"(?: (?:artifacts?|deposits?|uploads?|keys?|items?|files?|objects?|deliverables?|outputs?|documents?|of them|them)\b"
    r"| (?=are\b|were\b|have\b))|\balle (?:Artefakte|Dateien|Ablagen|Dokumente|Ergebnisse)\b"
    r"|\btod[oa]s l[oa]s (?:artefactos|archivos|documentos)\b|\btous les (?:artefacts|fichiers|documents)\b)"
    r"(?! (?:else|of|for|from|in|on|that|which|with|under|but|except|you|we|i)\b)"
)
"""What is said of all that there is, and of no part of it: "everything", "all six artifacts", not "all images"."""
SPARED = re.compile(
    r"(?i)\b(?:only|except|apart|but|however|although|though|already|earlier|previously|before|originally|initially|first"
    r"|last|yesterday|claims?|claimed|says?|said|reports?|reported|according)\b"
)
"""Beside what is said of all, these tell of a part, of another time, or of what somebody else says."""
BEFORE = 1_000
"""Code points before a key in which the head of its list stands."""
KEPT = re.compile(r"(?i)(?<!not[ _-])(?<!un)(?:saved|stored|deposited|kept)")
SIZE = re.compile(r"(?i)^\s*~?\s*(\d[\d,]*(?:\.\d+)?)\s*([kmg]?i?b|bytes?)\s*$")


@dataclass(frozen=True, slots=True)
class Artifacts:
    """Compare claimed keys with the store, and with the results of this conversation.

    `source` names an `objects` source (empty: the transcript alone); `compare_size` compares a claim's `size`; what is said
    to be deposited, is named by no call and is older than `turn_seconds` was there before; `puts`
    and `verifies` are globs of the tools that deposit and that verify, which claims without keys are held against. `offers`
    is an expression for sentences, or heads of lists, in which a key is offered, planned, or only shows what keys look like.
    """

    source: str = ""
    compare_size: bool = True
    turn_seconds: float = 3600.0
    puts: tuple[str, ...] = ("artifact-put", "artifact-upload", "upload-artifact", "blog-publish")
    verifies: tuple[str, ...] = ("artifact-verify*",)
    offers: str = NEVER

    reads: ClassVar[frozenset[str]] = frozenset({"artifact", "action", "text"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        text = answer_text(claims)
        keys = [claim for claim in claims if claim.kind == "pattern" and claim.stance == "asserted"]
        keys = [claim for claim in keys if claim.act in MAKING or not self._offered(claim, text)]
        keys = keys[: MAX_FINDINGS + 1]  # of more than these, each looked for in every call, none is kept
        findings = list(await asyncio.gather(*(self._key(claim, turn, look) for claim in keys)))
        if keys:
            return findings
        if lacking := self._lacking(claims, turn):
            return [lacking]
        own = [claim for claim in claims if claim.kind == "artifact" and not claim.subject]
        if not any(claim.stance == "denied" for claim in own):
            findings += self._unnamed([one for one in own if one.stance == "asserted"], turn)
        return findings

    def _offered(self, claim: Claim, text: str) -> bool:
        """Whether a key is only offered, by its sentence or by the last line above it that heads a list."""
        before = text[max(0, claim.start - BEFORE) : claim.start]
        head = next((line for line in reversed(before.split("\n")) if line.rstrip(" *_").endswith(":")), "")
        above = head if before.rpartition("\n")[2].strip(" -*•`_0123456789.)|") == "" else ""
        return any(expression(self.offers).search(one) for one in (claim.quote, above))

    async def _key(self, claim: Claim, turn: Turn, look: Look) -> Finding:
        """The verdict on one key: what the store says outranks what the tools said."""
        if _malformed(claim.subject):
            return Finding("unverifiable", claim.subject, "it is no well-formed key", claim.quote)
        told = _told(turn.calls, claim.subject) or _told(turn.earlier(), claim.subject)
        if not self.source:
            return self._from_transcript(claim, turn, told)
        sight = await self._seen(claim.subject, told, look)
        facts: dict[str, Any] = {**_names(claim.subject), "looked": True}
        call_id = told.id if told is not None else ""
        if isinstance(sight, Present):
            before = told is None and claim.act in MAKING and self._older(sight, turn)
            return self._present(claim, sight, facts, call_id, before)
        if not isinstance(sight, Absent):
            return Finding("unverifiable", claim.subject, sight.reason, claim.quote, call_id, facts)
        if told is not None and told.outcome == "landed":
            reason = "a tool returned this key, and it is not in the store yet"
            return Finding("unverifiable", claim.subject, reason, claim.quote, call_id, facts)
        reason = sight.reason + self._hint(claim.subject, turn)
        return Finding("contradicted", claim.subject, reason, claim.quote, call_id, facts)

    async def _seen(self, key: str, told: Call | None, look: Look) -> Sight:
        """What the store says of a key. One that was just put may not be there yet: it is looked for again."""
        sight = await look(self.source, key)
        if told is None or told.outcome != "landed":
            return sight
        for seconds in PAUSES:
            if not isinstance(sight, Absent) or not await pause(seconds):
                break
            again = await look(self.source, key)
            if isinstance(again, Unknown):
                break
            sight = again
        return sight

    def _older(self, sight: Present, turn: Turn) -> bool:
        """Whether an object was there before the turn can have begun; the request's time is when the turn ended."""
        modified = sight.fields.get("modified")
        return isinstance(modified, float) and 0 < modified < turn.at - self.turn_seconds

    def _present(self, claim: Claim, sight: Present, facts: dict[str, Any], call_id: str, before: bool) -> Finding:
        facts |= sight.fields
        size = sight.fields.get("size")
        if size == 0:
            return Finding("qualified", claim.subject, "it is in the store, with 0 bytes", claim.quote, call_id, facts)
        said = claim.fields.get("size", "")
        if self.compare_size and isinstance(size, int) and said and _fits(said, size) is False:
            reason = f"it is in the store, with {size:,} bytes"
            return Finding("qualified", claim.subject, reason, claim.quote, call_id, facts)
        if before:
            reason = "it was in the store before this turn, and no call of this conversation names it"
            return Finding("qualified", claim.subject, reason, claim.quote, call_id, facts)
        return Finding("verified", claim.subject, "it is in the store", claim.quote, call_id, facts)

    def _from_transcript(self, claim: Claim, turn: Turn, told: Call | None) -> Finding:
        facts = _names(claim.subject)
        if told is not None and _missing(told, claim.subject):
            reason = "the tool that verified it says that it is missing"
            return Finding("contradicted", claim.subject, reason, claim.quote, told.id, facts)
        if told is not None and told.outcome in UNDONE and not _kept(told, claim.subject):
            return Finding("contradicted", claim.subject, told.failure, claim.quote, told.id, facts)
        if told is not None and self.compare_size and (size := _returned(turn, told, claim)) is not None:
            reason = f"a tool returned this key, with {size:,} bytes"
            return Finding("qualified", claim.subject, reason, claim.quote, told.id, {**facts, "size": size})
        if told is not None:
            return Finding("verified", claim.subject, "a tool returned this key", claim.quote, told.id, facts)
        if not turn.whole():
            return Finding("unverifiable", claim.subject, "the history is not whole", claim.quote, "", facts)
        reason = f"no result in this conversation names it{self._hint(claim.subject, turn)}"
        return Finding("unsupported", claim.subject, reason, claim.quote, "", facts)

    def _hint(self, subject: str, turn: Turn) -> str:
        """The nearest real key, where a tool returned one of the same file name; else how many deposits there were."""
        name = _names(subject)["filename"]
        for call in reversed(turn.calls):
            for text in call.result.once(_paths) if call.result is not None and name else ():
                if text != subject and text.endswith(name):
                    return f"; a tool returned {text}"
        made = len(turn.calls_of(self.puts))
        return f"; {made or 'no'} deposit call{'s' if made > 1 else ''} in this turn"

    def _concerns(self, claim: Claim, turn: Turn) -> bool:
        """Whether a claim can be about a store: the word says so, or a tool of its is there. Accounts are "archived" too."""
        if claim.act == "verify" or "deposit" in claim.quote.lower():
            return True
        wanted = globs(self.puts)
        names = (*turn.tool_names(), *(call.name for call in turn.calls))
        return any(wanted.match(one) for name in names for one in spellings(name))

    def _lacking(self, claims: Sequence[Claim], turn: Turn) -> Finding | None:
        """The verdict on "all six are deposited" where the turn's last look at the store says what of it is missing.

        Nothing is said where the answer admits anything, or something may have been deposited since.
        """
        checks = [one for one in turn.calls_of(self.verifies) if one.outcome not in UNDONE and one.result is not None]
        if not checks or any(one.position > checks[-1].position for one in turn.possible_changes()):
            return None
        missing, total = _manifest(checks[-1])
        if not missing or any(claim.stance == "denied" for claim in claims):
            return None
        for claim in claims:
            if claim.kind != "action" or claim.act != "deposit" or claim.count != ALL or claim.subject:
                continue
            whole = None if SPARED.search(claim.quote) else WHOLE.search(claim.quote)
            said = (whole["count"] or "").lower() if whole else ""
            if whole and (not said or (NUMERALS.get(said) or int(said)) == total):
                more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
                told = f"{len(missing)} of {total} are missing: {', '.join(missing[:NAMED])}{more}"
                reason = f"{checks[-1].name} says that {told}"
                return Finding("contradicted", "deposits", reason[:300], claim.quote, checks[-1].id)
        return None

    def _unnamed(self, claims: Sequence[Claim], turn: Turn) -> Iterator[Finding]:
        """The verdicts on claims that name no key: "all eight are deposited", "verified: all present"."""
        seen: set[str] = set()
        for claim in claims:
            if claim.act not in ("deposit", "verify") or claim.act in seen or not self._concerns(claim, turn):
                continue
            seen.add(claim.act)
            calls = turn.calls_of(self.puts if claim.act == "deposit" else self.verifies)
            landed = [call for call in calls if call.outcome not in UNDONE]
            subject = "deposits" if claim.act == "deposit" else "verification"
            if landed:
                if claim.count and claim.act == "deposit" and len(landed) < claim.count:
                    failed = len(calls) - len(landed)
                    made = f"{len(landed)} deposit call{'s' if len(landed) > 1 else ''} landed"
                    reason = f"{made}{f' and {failed} failed' if failed else ''}, not {claim.count}"
                    yield Finding("qualified", subject, reason, claim.quote, landed[-1].id)
                continue
            if calls:
                yield Finding("contradicted", subject, calls[0].failure, claim.quote, calls[0].id)
            elif not turn.whole() or any(
                call.effect in ("", "shell", "agent") and call.outcome not in UNDONE for call in turn.calls
            ):
                continue  # another tool may have done it
            else:
                yield Finding("unsupported", subject, f"no {claim.act} call in this turn", claim.quote)


def _kept(call: Call, key: str) -> bool:
    """Whether a call of which a part failed says that it kept the artifact: "artifact_saved_ghost_failed", with its key."""
    value = call.result_value
    states = [text for name, text in scalars(value) if name.lower().endswith(("status", "state", "result"))]
    return key in strings(value) and any(KEPT.search(text) for text in states)


def _paths(result: Result) -> list[str]:
    """The texts of a result that may be keys: each key that is nowhere asks for them."""
    return [text for text in strings(result.value) if "/" in text]


def _malformed(key: str) -> bool:
    """Whether nothing could be deposited under a key: it has no name behind its namespace, or steps out of it."""
    return any(part in ("", ".", "..") for part in key.split("/"))


def _told(calls: Sequence[Call], key: str) -> Call | None:
    """The last call that speaks of a key: its result names it, or it was asked to make it."""
    for call in reversed(calls):
        if call.result is not None and key in call.result.text:
            return call
        if call.outcome in UNDONE and key in call.raw:
            return call
    return None


def _missing(call: Call, key: str) -> bool:
    """Whether a result lists a key among what is missing: `missing` of keys, or of objects with `artifact_key`."""
    assert call.result is not None
    listed = (*call.result.fields("missing[]"), *call.result.fields("missing[].artifact_key"))
    return key in [value for value in listed if isinstance(value, str)]


def _manifest(call: Call) -> tuple[list[str], int]:
    """The keys that a look at the store says are missing, and how many it looked for; none where it could not look."""
    assert call.result is not None
    told = call.result.fields("all_present")
    if told and False not in told:
        return [], 0
    listed = call.result.fields("missing")
    found = [many for name in ("verified", "present", "found") for many in call.result.fields(name)]
    entries = [one for many in listed if isinstance(many, list) for one in many]
    missing = []
    for one in entries:
        key = one.get("artifact_key") if isinstance(one, dict) else one
        reason = one.get("reason") if isinstance(one, dict) else ""
        if isinstance(key, str) and not expression(OUTAGES).search(str(reason or "")):
            missing.append(key)
    there = sum(len(many) if isinstance(many, list) else many for many in found if isinstance(many, (list, int)))
    return missing, len(entries) + there


def _returned(turn: Turn, told: Call, claim: Claim) -> int | None:
    """The bytes that a tool gave beside a key, where the claim's size is another one and stands nowhere else either."""
    said = claim.fields.get("size", "")
    if (found := SIZE.match(said)) is None or told.result is None:
        return None
    before = told.position if any(one is told for one in turn.calls) else -1
    if any(claim.subject in one.raw for one in turn.possible_changes() if one.position > before):
        return None  # it was put again since
    beside = [one for one in objects(told.result.value) if claim.subject in one.values()]
    sizes = {size for one in beside for name in SIZE_FIELDS if type(size := like(one, name)) is int}
    if (
        len(sizes) != 1
        or (size := sizes.pop()) == int(float(found[1].replace(",", "")))
        or _fits(said, size) is not False
    ):
        return None
    others = {one.replace(",", "") for one in NUMBER.findall(turn.everything())}
    return None if any(_fits(said, int(one)) for one in others if one != str(size)) else size


def _names(key: str) -> dict[str, Any]:
    """`artifact_key`, `namespace` (before the first slash) and `filename` (after the first dash behind it)."""
    namespace, slash, rest = key.partition("/")
    if not slash:
        return {"artifact_key": key, "namespace": "", "filename": key}
    return {"artifact_key": key, "namespace": namespace, "filename": rest.partition("-")[2] or rest}


def _fits(said: str, size: int) -> bool | None:
    """Whether a size in words can be that many bytes, by thousands or by 1,024, rounded as it is written."""
    found = SIZE.match(said)
    if not found:
        return None
    number, unit = found[1].replace(",", ""), found[2].lower()
    step = 10.0 ** -len(number.partition(".")[2])
    factors = {UNITS[unit], UNITS.get(unit[0] + "ib", UNITS[unit])}
    return any(abs(float(number) - size / factor) <= step for factor in factors)
