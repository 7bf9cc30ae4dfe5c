"""What is said to be published must be: by the status that its tool returned, and by the page itself."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlsplit

from proxy.audit import Absent, Finding, Look, Unknown, Verdict
from proxy.claims import Claim
from proxy.ledger import UNDONE, Call, Turn
from proxy.links import plain
from proxy.results import WRAPPERS, one_line

NOISE = re.compile(r"[\W_]+")
WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Publication:
    """One call as it told of a page. `index` orders the calls of the conversation; `here`: it belongs to this turn."""

    call: Call
    index: int
    here: bool
    mine: bool
    """Whether the call is one of the rule's tools, not another that told of a page."""
    urls: tuple[str, ...]
    ids: frozenset[str]
    title: str
    status: str
    error: str

    @property
    def undone(self) -> bool:
        return self.call.outcome in UNDONE and not self.status

    @property
    def name(self) -> str:
        return self.urls[0] if self.urls else self.title or "publication"


@dataclass(frozen=True, slots=True)
class Pages:
    """Compare "published", "saved as a draft", "scheduled" with what the tool's own status says; then look at the page.

    `source` names an `http` source (empty: the transcript alone); `tools` (the rule's) are globs of the tools that
    publish. The `…_fields` name where a result, else the arguments, say it, each the first that is there. `published`
    and `unpublished` are the words of a status that decide; `drafts` and `scheduled` are those of `unpublished` by
    which "saved as a draft" and "scheduled" hold. Any other status leaves it to the page.
    """

    source: str = ""
    tools: tuple[str, ...] = ("blog-publish*", "publish-post", "publish-page", "publish-article")
    url_fields: tuple[str, ...] = ("url", "post_url", "public_url", "permalink", "link", "html_url", "post.url")
    status_fields: tuple[str, ...] = ("status", "post_status", "publish_status", "post.status", "state")
    title_fields: tuple[str, ...] = ("title", "post.title", "title.rendered")
    id_fields: tuple[str, ...] = ("post_id", "id", "post.id", "slug")
    error_fields: tuple[str, ...] = ("ghost_error", "publish_error", "error")
    published: tuple[str, ...] = ("published", "publish", "live", "public", "posted")
    unpublished: tuple[str, ...] = (
        *("draft", "drafts", "auto-draft", "unpublished", "scheduled", "future", "queued", "artifact_saved"),
        *("artifact_saved_ghost_failed", "saved", "private", "pending_review", "in_review", "failed", "trash"),
    )
    drafts: tuple[str, ...] = ("draft", "drafts", "auto-draft", "unpublished")
    scheduled: tuple[str, ...] = ("scheduled", "future", "queued")

    reads: ClassVar[frozenset[str]] = frozenset({"page", "url"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        said = [claim for claim in claims if claim.kind == "page" and claim.stance == "asserted"]
        told = {claim.subject for claim in claims if claim.kind == "url" and not claim.quote}
        if not said and not told:
            return []
        known = list(self._publications(turn))
        # What a result has just said, before any answer; then what the answer says, claims with a URL first.
        just = [one for one in known if one.here and one.mine and one.urls and one.urls[0] in told]
        said = [
            *(Claim("page", one.urls[0], "asserted", "publish") for one in just if one.status not in self.unpublished),
            *sorted(said, key=lambda claim: not claim.subject),
        ]
        admits = any(one.kind == "page" and one.stance == "denied" and one.act == "publish" for one in claims)
        found: dict[str, Finding] = {}
        answers = await asyncio.gather(*(self._one(claim, known, turn, look) for claim in said))
        for claim, findings in zip(said, answers, strict=True):
            for finding in findings:
                if not (admits and not claim.subject and finding.flagged):
                    found.setdefault(finding.subject, finding)
        return list(found.values())

    async def _one(self, claim: Claim, known: Sequence[Publication], turn: Turn, look: Look) -> list[Finding]:
        mine = [one for one in known if one.mine and one.here]
        if not claim.subject:
            meant = self._meant(claim, mine)
            return await asyncio.gather(*(self._judged(claim, one, known, turn, look) for one in meant))
        same = [one for one in known if any(_same(url, claim.subject) for url in one.urls)]
        nowhere = all(one.undone or one.status in self.unpublished for one in mine)
        if not same and mine and (nowhere or claim.act != "publish"):
            same = mine  # whatever its URL, there is nothing else that it could speak of
        if same:
            return [await self._judged(claim, same[-1], known, turn, look)]
        found = await self._elsewhere(claim, mine, turn, look) if claim.act == "publish" else None
        return [] if found is None else [found]

    def _meant(self, claim: Claim, mine: Sequence[Publication]) -> list[Publication]:
        """The publications that a claim without a URL speaks of: each one's last state, or the one that fits best."""
        last = {(one.ids or one.title or one.urls): one for one in mine}
        if claim.count is not None and len(last) > 1:
            return list(last.values()) if claim.count in (0, len(last)) else []
        wanted = {"publish": self.published, "draft": self.drafts}.get(claim.act, self.scheduled)
        fitting = [one for one in mine if one.status in wanted]
        return (fitting or list(mine))[-1:]

    async def _judged(
        self, claim: Claim, one: Publication, known: Sequence[Publication], turn: Turn, look: Look
    ) -> Finding:
        """The verdict on a claim by what its publication's own status says, and where that leaves it open, by the page."""
        if one.undone:
            return self._finding("contradicted", claim, one, one.call.failure)
        status = f"the result's own status is {one.status}" + (f": {one.error}" if one.error else "")
        if one.status in self.unpublished and (why := self._since(one, known, turn)):
            return self._finding("unverifiable", claim, one, f"the result's own status was {one.status}, and {why}")
        if claim.act == "publish":
            if one.status in self.unpublished:
                return self._finding("contradicted", claim, one, status)
            return await self._seen(claim, one, look)
        if one.status not in (*self.published, *self.unpublished):
            return self._finding("unverifiable", claim, one, "the result does not say whether it is published")
        if one.status in (self.drafts if claim.act == "draft" else self.scheduled):
            return self._finding("verified", claim, one, status)
        stored = claim.act == "draft" and one.status in self.unpublished and one.status not in self.scheduled
        return self._finding("qualified" if stored else "contradicted", claim, one, status)

    def _since(self, one: Publication, known: Sequence[Publication], turn: Turn) -> str:
        """Why a state may have passed: it is of an earlier turn, or a later call names the page."""
        if not one.here:
            return "that was in an earlier turn"
        names = [name for name in (*one.urls, *one.ids) if len(name) > 3]
        later = turn.possible_changes([*turn.earlier(), *turn.calls][one.index + 1 :])
        told = any(name in call.raw + call.result_text for call in later for name in names)
        return "a later call names it" if told else ""

    async def _seen(self, claim: Claim, one: Publication, look: Look) -> Finding:
        """The verdict on a page that its tool does not call unpublished."""
        url = claim.subject or (one.urls[0] if one.urls else "")
        if not self.source or not url:
            if one.status in self.published:
                return self._finding("verified", claim, one, f"the result's own status is {one.status}")
            return self._finding("unverifiable", claim, one, "the result does not say whether it is published")
        verdict, reason = await self._page(url, [claim.fields.get("title", ""), one.title], look)
        return self._finding(verdict, claim, one, reason, looked=True)

    async def _page(self, url: str, titles: Sequence[str], look: Look) -> tuple[Verdict, str]:
        """What a look at a page shows: that it answers, is no login page, and holds one of the titles."""
        sight = await look(self.source, url)
        if isinstance(sight, Absent):
            return "contradicted", f"the page is not there: {sight.reason}"
        if isinstance(sight, Unknown):
            return "unverifiable", sight.reason
        shown = _folded(f"{sight.fields.get('title', '')} {sight.fields.get('text', '')}")
        wanted = [folded for title in titles if (folded := _folded(title)).strip()]
        if any(f" {title.strip()} " in f" {shown.strip()} " for title in wanted):
            return "verified", "the page answers, and holds the title"
        if sight.fields.get("login"):
            return "unverifiable", "a login page"
        final = str(sight.fields.get("url", url))
        if _path(url).strip("/") and not _path(final).strip("/"):
            return "qualified", "it leads to the front page"
        if not wanted:
            return "verified", "the page answers"
        return "qualified", "the page answers; its title is not on it" if shown.strip() else "the page shows no text"

    async def _elsewhere(self, claim: Claim, mine: Sequence[Publication], turn: Turn, look: Look) -> Finding | None:
        """The verdict on a URL that no publication of the conversation returned."""
        if not mine and claim.fields.get("own") != "yes":
            return None  # what somebody else published
        hint = next((f"; the tool returned {one.urls[0]}" for one in reversed(mine) if one.urls), "")
        if self.source:
            verdict, reason = await self._page(claim.subject, [claim.fields.get("title", "")], look)
            reason += hint if verdict == "contradicted" else ""
            tried = {"looked": True} if mine else {}  # where no tool published, a look that failed is no news
            return Finding(verdict, claim.subject, one_line(reason), claim.quote, "", {"url": claim.subject, **tried})
        if (mine and not hint) or _named(claim.subject, turn) or (not mine and _able(turn)):
            return None
        if not turn.whole():
            return Finding("unverifiable", claim.subject, "the history is not whole", claim.quote)
        reason = f"no result names it{hint}" if mine else "no call in this conversation published it"
        return Finding("unsupported", claim.subject, reason, claim.quote)

    def _finding(
        self, verdict: Verdict, claim: Claim, one: Publication, reason: str, *, looked: bool = False
    ) -> Finding:
        facts = {"status": one.status, "url": one.urls[0] if one.urls else "", "looked": looked}
        kept = {name: value for name, value in facts.items() if value}
        return Finding(verdict, claim.subject or one.name, one_line(reason), claim.quote, one.call.id, kept)

    def _publications(self, turn: Turn) -> Iterator[Publication]:
        """Every call that published, or whose result tells of a page and of its status, oldest first."""
        earlier = turn.earlier()
        mine = {id(call) for call in (*turn.calls_of(self.tools), *turn.calls_of(self.tools, earlier))}
        for index, call in enumerate((*earlier, *turn.calls)):
            here = index >= len(earlier)
            if call.result is None or (id(call) not in mine and "://" not in call.result.text):
                continue
            known = {*self.published, *self.unpublished}
            status = next((word for word in self._texts(call, self.status_fields) if word.lower() in known), "").lower()
            urls = tuple(url for url in self._texts(call, self.url_fields) if url.lower().startswith(WEB))
            if id(call) in mine or (status and urls):
                title = next(iter(self._texts(call, self.title_fields)), "") or _argument(call, self.title_fields)
                error = next(iter(self._texts(call, self.error_fields)), "")
                ids = frozenset(self._texts(call, self.id_fields))
                yield Publication(call, index, here, id(call) in mine, urls, ids, title, status, error)

    @staticmethod
    def _texts(call: Call, names: Sequence[str]) -> list[str]:
        """The texts and numbers under some names of a result, at its top first, then inside what wraps it."""
        assert call.result is not None
        paths = [*names, *(f"{wrapper}.{name}" for wrapper in WRAPPERS for name in names)]
        found = [one for path in paths for one in call.result.fields(path)]
        return [str(one) for one in found if isinstance(one, (str, int)) and not isinstance(one, bool) and one != ""]


def _argument(call: Call, names: Sequence[str]) -> str:
    return next((one for name in names if isinstance(one := call.arguments.get(name), str)), "")


def _same(one: str, other: str) -> bool:
    return one == other or plain(one) == plain(other)


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return url


def _folded(text: str) -> str:
    return NOISE.sub(" ", text.casefold())


def _named(url: str, turn: Turn) -> bool:
    """Whether anybody or anything but the answer has named a URL."""
    texts = [turn.asked, *(message.text for message in turn.before)]
    for call in (*turn.earlier(), *turn.calls):
        texts += [call.raw, call.result_text]
    bare = url.partition("://")[2].rstrip("/").lower()
    return any(bare in text.lower() for text in texts)


def _able(turn: Turn) -> bool:
    """Whether some call may have published it without being known for it."""
    return bool(turn.possible_changes((*turn.earlier(), *turn.calls)))
