"""What an answer says must be what a service's JSON says, at a URL that the operator's policy spells out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import quote

import jmespath
from jmespath.exceptions import JMESPathError

from proxy.audit import Absent, Finding, Look, Unknown, Verdict
from proxy.auditors.endpoints import just_told, same_number, word
from proxy.claims import Claim
from proxy.ledger import Turn
from proxy.results import one_line

GROUP = re.compile(r"\{(\w*)\}")
TEMPLATE = re.compile(r"https?://[^\s/?#{}@\\]+(?:/[^\s#\\]*)?(?:\?[^\s#\\]*)?")
"""A URL whose host, and all before it, is the operator's alone."""
LONGEST = 300
"""Code points of a value that is filled in."""


@dataclass(frozen=True, slots=True)
class HttpJson:
    """Ask one URL per claim of the rule's pattern, and compare one value of its JSON.

    `source` names an `http` source (empty: nothing is said); `url` is a template with `{subject}` and the pattern's other
    `groups` (the rule's), percent-encoded where they are filled in. `expect` is JMESPath to a value (empty: that the URL
    answers is enough); `equals` a literal or template that it must equal, as text, case aside (empty: it must be neither
    empty nor false). `hides` says that the service answers 404 for what its asker may not see too, so that nobody is accused
    by one. Raises ValueError on a template or an expression that could not work.
    """

    source: str = ""
    groups: tuple[str, ...] = ()
    url: str = ""
    expect: str = ""
    equals: str = ""
    hides: bool = False

    reads: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        if not TEMPLATE.fullmatch(self.url):
            raise ValueError(
                "url: must be an http(s) URL with its host spelled out, such as 'https://host/x/{subject}'"
            )
        for key, template in (("url", self.url), ("equals", self.equals)):
            for name in GROUP.findall(template):
                if name != "subject" and name not in self.groups:
                    raise ValueError(
                        f"{key}: holds {{{name}}}, and the claims pattern has no group {name!r} to fill it"
                    )
        if "{subject}" not in self.url:
            raise ValueError("url: holds no {subject}, so every claim would be asked the same")
        if self.equals and not self.expect:
            raise ValueError("equals: has nothing to compare; give `expect` a path to a value")
        try:
            jmespath.compile(self.expect or "@")
        except JMESPathError as error:
            raise ValueError(f"expect: is no JMESPath: {one_line(str(error))}") from None

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        if not self.source:
            return []
        own = [claim for claim in claims if claim.kind == "pattern" and claim.stance == "asserted"]
        return list(await asyncio.gather(*(self._one(claim, turn, look) for claim in own)))

    async def _one(self, claim: Claim, turn: Turn, look: Look) -> Finding:
        given = {**claim.fields, "subject": claim.subject}
        for name in GROUP.findall(self.url + self.equals):
            if not given.get(name, "").strip():
                return _finding("unverifiable", claim, f"the answer does not say its {name}")
        for name in GROUP.findall(self.url):
            if not _fits(given[name]):
                return _finding("unverifiable", claim, f"its {name} cannot stand in a URL")
        url = GROUP.sub(lambda found: quote(given[found[1]].strip(), safe=""), self.url)
        sight = await look(self.source, url)
        if isinstance(sight, Unknown):
            return _finding("unverifiable", claim, sight.reason)
        if isinstance(sight, Absent):
            if just_told(turn.possible_changes(), claim.subject):
                return _finding(
                    "unverifiable", claim, "a tool named it in this turn, and the service does not know it yet"
                )
            if self.hides:
                return _finding(
                    "unverifiable", claim, f"the service does not know it, or does not show it: {sight.reason}"
                )
            return _finding("contradicted", claim, f"the service does not know it: {sight.reason}")
        if sight.fields.get("login"):
            return _finding("unverifiable", claim, "a login page")
        return self._compared(claim, sight.fields, given)

    def _compared(self, claim: Claim, fields: Mapping[str, Any], given: Mapping[str, str]) -> Finding:
        if "json" not in fields:
            return _finding("unverifiable", claim, "the service did not answer with JSON")
        if not self.expect:
            return _finding("verified", claim, "the service knows it")
        try:
            value = jmespath.search(self.expect, fields["json"])
        except JMESPathError:  # a function of the expression got what it cannot take: the answer has another shape
            value = None
        if value is None:
            return _finding("unverifiable", claim, f"the service's answer has no {self.expect}")
        facts = {"value": word(value)} if isinstance(value, (str, int, float)) else {}
        wanted = GROUP.sub(lambda found: given[found[1]], self.equals)
        if not self.equals:
            held = value is not False and value != 0 and value not in ("", [], {})
            reason = f"{self.expect} is {word(value)}"
        elif isinstance(value, (dict, list)):
            return _finding("unverifiable", claim, f"{self.expect} is not one value")
        else:
            held, reason = _same(value, wanted), f"{self.expect} is {word(value)}"
        return _finding("verified" if held else "contradicted", claim, reason, facts)


def _fits(value: str) -> bool:
    """Whether a value, filled in and encoded, stays one segment for servers too that decode before they cut."""
    parts = re.split(r"[/\\]", value.strip())
    plain = not re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", value)
    return plain and len(value) <= LONGEST and not any(part.strip() in (".", "..") for part in parts)


def _same(found: Any, wanted: str) -> bool:
    """Whether a value and a text say the same: as text, case and spaces aside, and as numbers where both are."""
    ends = " .,;:!"  # a group may have taken the end of its sentence with it
    told = word(found).casefold().strip(ends)
    return told.split() == wanted.casefold().strip(ends).split() or same_number(found, wanted.rstrip(ends))


def _finding(verdict: Verdict, claim: Claim, reason: str, facts: Mapping[str, Any] | None = None) -> Finding:
    return Finding(verdict, claim.subject, one_line(reason), claim.quote, "", {**(facts or {}), "looked": True})
