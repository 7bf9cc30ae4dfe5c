"""What an answer says must be what a service's JSON says, at a URL that the operator's policy spells out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import jmespath
from jmespath.exceptions import JMESPathError

from proxy.audit import Absent, Finding, Look, Unknown
from proxy.auditors import endpoints
from proxy.auditors.endpoints import SUBJECT, filled, finding, groups_in, word
from proxy.claims import Claim
from proxy.ledger import Turn

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
        endpoints.check_groups("url:", groups_in(self.url), self.groups)
        endpoints.check_groups("equals:", groups_in(self.equals), self.groups)
        if SUBJECT not in self.url:
            raise ValueError("url: holds no {subject}, so every claim would be asked the same")
        if self.equals and not self.expect:
            raise ValueError("equals: has nothing to compare; give `expect` a path to a value")
        endpoints.check_path("expect", self.expect)

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        own = endpoints.asserted(claims) if self.source else []
        return list(await asyncio.gather(*(self._one(claim, turn, look) for claim in own)))

    async def _one(self, claim: Claim, turn: Turn, look: Look) -> Finding:
        given = endpoints.said(claim)
        if lacking := endpoints.unsaid(groups_in([self.url, self.equals]), given):
            return finding("unverifiable", claim, lacking)
        if odd := [name for name in groups_in(self.url) if not _fits(given[name])]:
            return finding("unverifiable", claim, f"its {odd[0]} cannot stand in a URL")
        sight = await look(self.source, filled(self.url, given, endpoints.in_url))
        if isinstance(sight, Unknown):
            return finding("unverifiable", claim, sight.reason)
        if isinstance(sight, Absent):
            reason = f"the service does not know it: {sight.reason}"
            found = endpoints.missing(claim, turn, reason, "the service does not know it")
            if self.hides and found.flagged:
                reason = f"the service does not know it, or does not show it: {sight.reason}"
                return finding("unverifiable", claim, reason)
            return found
        if sight.fields.get("login"):
            return finding("unverifiable", claim, "a login page")
        return self._compared(claim, sight.fields, given)

    def _compared(self, claim: Claim, fields: Mapping[str, Any], given: Mapping[str, str]) -> Finding:
        if "json" not in fields:
            return finding("unverifiable", claim, "the service did not answer with JSON")
        if not self.expect:
            return finding("verified", claim, "the service knows it")
        try:
            value = jmespath.search(self.expect, fields["json"])
        except JMESPathError:  # a function of the expression got what it cannot take: the answer has another shape
            value = None
        if value is None:
            return finding("unverifiable", claim, f"the service's answer has no {self.expect}")
        facts = {"value": word(value)} if isinstance(value, (str, int, float)) else {}
        if not self.equals:
            held = value is not False and value != 0 and value not in ("", [], {})
            reason = f"{self.expect} is {word(value)}"
        elif isinstance(value, (dict, list)):
            return finding("unverifiable", claim, f"{self.expect} is not one value")
        else:
            held, reason = endpoints.same(value, filled(self.equals, given)), f"{self.expect} is {word(value)}"
        return finding("verified" if held else "contradicted", claim, reason, facts)


def _fits(value: str) -> bool:
    """Whether a value, filled in and encoded, stays one segment for servers too that decode before they cut."""
    parts = re.split(r"[/\\]", value)
    plain = not re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", value)
    return plain and len(value) <= LONGEST and not any(part.strip() in (".", "..") for part in parts)
