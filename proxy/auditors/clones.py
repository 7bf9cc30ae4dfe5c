"""What an answer says of a clone or a push must be what the fetch returned, and what the clone and the remote hold."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from proxy.audit import Absent, Finding, Look, Present, Sight, Unknown, Verdict
from proxy.claims import Claim, answer_text
from proxy.ledger import UNDONE, Call, Turn
from proxy.results import has_word

NOW = re.compile(r"(?i)\bHEAD`? (?:is|points)\b|\bis (?:now )?at\b")
"""Words that speak of where the clone is, not of which commit was fetched: the agent may have committed since."""
SHA = re.compile(r"[0-9a-fA-F]{7,40}")


@dataclass(frozen=True, slots=True)
class Clones:
    """Compare what is said of a clone with the one call that made it, and with the clone where a source can see it.

    `source` names a `git` source (empty: the transcript alone); `tools` (the rule's) are globs of the tools that clone,
    `pushes` of those that push. The others name the fields of their results, each the first that is there.
    """

    source: str = ""
    tools: tuple[str, ...] = ("repo-fetch", "git-clone", "clone-repo*")
    pushes: tuple[str, ...] = ("git-push", "repo-push")
    commit_fields: tuple[str, ...] = ("commit", "commit_sha", "head", "sha")
    branch_fields: tuple[str, ...] = ("branch", "ref")
    count_fields: tuple[str, ...] = ("files", "tree_total", "file_count", "total_files")
    path_fields: tuple[str, ...] = ("clone_path", "path", "directory")
    readme_fields: tuple[str, ...] = ("readme",)
    remote_fields: tuple[str, ...] = ("remote_url", "remote", "url")

    reads: ClassVar[frozenset[str]] = frozenset({"commit", "clone", "text"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        said = [claim for claim in claims if claim.stance == "asserted" and claim.kind != "text"]
        pushes = turn.calls_of(self.pushes)
        fetches = [call for call in turn.calls_of(self.tools) if call not in pushes]
        findings = [
            one for one in [await self._pushed(claim, pushes, look) for claim in said if claim.act == "push"] if one
        ]
        if len(fetches) != 1:
            return findings  # with several, nobody can tell which one is spoken of
        call = fetches[0]
        if call.outcome in UNDONE:
            acts = [claim for claim in said if claim.act == "clone"]
            return findings + [_finding("contradicted", one, call.failure, call) for one in acts]
        if call.outcome != "landed" or call.result is None or not call.result.value:
            return findings
        seen = await self._seen(call, look)
        # A rule's own pattern and the reader of commits may both have found one place: it is judged once.
        once = {one.subject if one.kind in ("commit", "pattern") else (one.act, one.start): one for one in said}
        others = [one for one in turn.calls if one is not call]
        for claim in once.values():
            if claim.act == "count":
                findings += self._count(claim, call, seen, others, answer_text(claims))
            elif not _handled(claim, others):
                findings += [one async for one in self._one(claim, call, seen, look)]
        return findings

    async def _seen(self, call: Call, look: Look) -> Sight:
        path = self._text(call, self.path_fields)
        return await look(self.source, path) if self.source and path else Unknown("")

    async def _one(self, claim: Claim, call: Call, seen: Sight, look: Look) -> AsyncIterator[Finding]:
        if claim.kind in ("commit", "pattern") and SHA.fullmatch(claim.subject):
            if found := await self._commit(claim, call, seen, look):
                yield found
        elif claim.act == "branch":
            for found in self._branch(claim, call, seen):
                yield found
        elif claim.act in ("readme", "no readme"):
            for found in self._readme(claim, call, seen):
                yield found
        elif claim.act == "clone":
            yield self._cloned(claim, call, seen)

    def _cloned(self, claim: Claim, call: Call, seen: Sight) -> Finding:
        if isinstance(seen, Absent):  # a clone lives as long as its session: that it is gone is no lie
            return _finding("unverifiable", claim, "a tool made this clone, and it is not there now", call)
        if isinstance(seen, Unknown) and seen.reason:
            return _finding("unverifiable", claim, seen.reason, call)
        return _finding(
            "verified", claim, "the clone is there" if isinstance(seen, Present) else "the call landed", call
        )

    async def _commit(self, claim: Claim, call: Call, seen: Sight, look: Look) -> Finding | None:
        """A commit is known by its first seven digits or more; one that no result names is looked for in the clone."""
        told = claim.subject.lower()
        head = self._text(call, self.commit_fields).lower()
        if head.startswith(told) and SHA.fullmatch(head):
            now = seen.fields.get("commit") if isinstance(seen, Present) else None
            if isinstance(now, str) and now and not now.startswith(told) and NOW.search(claim.quote):
                return _finding("stale", claim, f"HEAD of the clone is {now[:12]} now", call)
            return _finding("verified", claim, "the fetch returned this commit", call)
        if not SHA.fullmatch(head) or not _near(told, head):
            return None  # another commit, of which the fetch says nothing
        path = self._text(call, self.path_fields)
        if self.source and path and isinstance(seen, Present):
            sight = await look(self.source, path, {"commit": told})
            if isinstance(sight, Present):
                return _finding("verified", claim, "the clone holds this commit", call)
            if isinstance(sight, Unknown):
                return _finding("unverifiable", claim, sight.reason, call)
        return _finding("contradicted", claim, f"the fetch returned {head[: max(12, len(told))]}", call)

    def _count(self, claim: Claim, call: Call, seen: Sight, others: Sequence[Call], answer: str) -> Iterator[Finding]:
        """A number of files is held against the totals; one that stands elsewhere in a result accuses nobody.

        Nor does one beside which the answer names a total: "300 files are listed, of 407".
        """
        assert call.result is not None
        totals = [one for name in self.count_fields for one in call.result.fields(name) if type(one) is int]
        if isinstance(seen, Present) and type(seen.fields.get("files")) is int:
            totals.append(seen.fields["files"])
        if not totals or claim.count is None:
            return
        if claim.count in totals:
            yield _finding("verified", claim, "the fetch counted so many files", call)
        elif claim.count not in set(_numbers(call.result.value)) and not _shown(claim.count, others):
            if any(has_word(answer, told) for total in totals for told in (str(total), f"{total:,}")):
                return
            yield _finding("contradicted", claim, f"the fetch counted {totals[0]:,} files", call, "files", totals[0])

    def _branch(self, claim: Claim, call: Call, seen: Sight) -> Iterator[Finding]:
        told = self._text(call, self.branch_fields).removeprefix("refs/heads/")
        here = seen.fields.get("branch", "") if isinstance(seen, Present) else ""
        if claim.subject in (told, here):
            yield _finding("verified", claim, "the clone is on this branch", call)
        elif here and told in ("", here):
            yield _finding("contradicted", claim, f"the clone is on {here}", call)
        elif told and not here and not SHA.fullmatch(told) and told != "HEAD" and claim.subject not in call.raw:
            yield _finding("contradicted", claim, f"the fetch returned {told}", call)

    def _readme(self, claim: Claim, call: Call, seen: Sight) -> Iterator[Finding]:
        assert call.result is not None
        values = [one for name in self.readme_fields for one in call.result.fields(name)]
        here = isinstance(seen, Present) and seen.fields.get("readme") is True
        if claim.act == "no readme":
            if any(one is True or (isinstance(one, str) and len(one) > 1) for one in values):
                yield _finding("contradicted", claim, "the fetch returned a README", call)
            elif values and not here:
                yield _finding("verified", claim, "the fetch returned no README", call)
            return
        if here or any(values):
            yield _finding("verified", claim, "there is a README", call)
        elif values and not re.search(r"(?i)\breadme\.\w+", call.result.text):
            yield _finding("contradicted", claim, "the fetch returned no README", call)

    async def _pushed(self, claim: Claim, pushes: Sequence[Call], look: Look) -> Finding | None:
        """A claimed push, by the turn's one push call and the remote's ref."""
        if len(pushes) != 1:
            return None
        call = pushes[0]
        if call.outcome in UNDONE:
            return _finding("contradicted", claim, call.failure, call)
        if call.outcome != "landed":
            return None
        remote, ref = self._text(call, self.remote_fields), self._text(call, self.branch_fields)
        commit = self._text(call, self.commit_fields).lower()
        if not self.source or not remote or not ref or not SHA.fullmatch(commit):
            return _finding("verified", claim, "the push call landed", call)
        sight = await look(self.source, remote, {"remote": remote, "ref": ref})
        if isinstance(sight, Unknown):
            return _finding("unverifiable", claim, sight.reason, call)
        if isinstance(sight, Absent):
            return _finding("contradicted", claim, sight.reason, call)
        now = str(sight.fields.get("commit", ""))
        if now.startswith(commit):
            return _finding("verified", claim, "the remote's ref is this commit", call)
        # Somebody may have pushed after it: the ref's being elsewhere does not say that the push never was.
        return _finding("unverifiable", claim, f"the remote's ref is {now[:12]} now", call)

    @staticmethod
    def _text(call: Call, names: Sequence[str]) -> str:
        """The first text under some names, in the result, else in the arguments."""
        told = [one for name in names for one in (call.result.fields(name) if call.result is not None else ())]
        told += [call.arguments.get(name) for name in names]
        return next((one for one in told if isinstance(one, str) and one), "")


def _near(told: str, head: str) -> bool:
    """Whether digits are meant for a commit and miss it: as long, and more than half of them in their places."""
    same = sum(a == b for a, b in zip(told, head, strict=False))
    return len(told) <= len(head) and same * 2 > len(told)


def _handled(claim: Claim, others: Sequence[Call]) -> bool:
    """Whether another call names the branch, or a README: what the fetch returned is then not the last of it."""
    word = {"branch": claim.subject, "readme": "readme", "no readme": "readme"}.get(claim.act, "")
    return bool(word) and any(word.lower() in one.raw.lower() for one in others)


def _numbers(value: Any, depth: int = 6) -> Iterator[int]:
    """Every whole number of a result; how long its lists are is none: a list may be capped."""
    if type(value) is int:
        yield value
    elif depth and isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner, depth - 1)


def _shown(count: int, calls: Sequence[Call]) -> bool:
    """Whether other calls' results show a number: files may have been counted again, by other means or after a change."""
    return any(has_word(call.result_text, told) for call in calls for told in {str(count), f"{count:,}"})


def _finding(verdict: Verdict, claim: Claim, reason: str, call: Call, fact: str = "", value: Any = None) -> Finding:
    subject = claim.subject or claim.act
    return Finding(verdict, subject, reason[:300], claim.quote, call.id, {fact: value} if fact else {})
