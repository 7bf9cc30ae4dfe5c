"""Put a report into words, sign them, and find them again in any text (knowing no wire format)."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from proxy.audit import Finding, Report
from proxy.redaction import redact

KEY = "QZXGROUNDWIRE1"
"""What a search for our footers looks for: letters and digits only, for encoders escape all else in their own ways."""

LONGEST = 16_384
"""Code points that a footer may have; a seal that claims more is not ours."""

ENTRIES = 10
REASON = 180

SEAL = re.compile(r"\[//\]: # \(" + KEY + r" ([a-z0-9]{1,40}) ([0-9]{1,5}) ([0-9]{1,5}) ([0-9a-f]{20})\)")
WEB = re.compile(
    r"https?://[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(?::\d{1,5})?(?:[/?#][A-Za-z0-9._~!$&+,;=:@%/?#-]{0,1000})?"
)
"""A web address in which nothing can end a link, hide a host or break a line."""
ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)]) {1,4}(?! )")
# "Info strings for backtick code blocks cannot contain backticks."
FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
TAG = re.compile(r"<!--|<(/?)([A-Za-z][A-Za-z0-9-]*)\b[^<>]*?(/?)>")
BLOCKS = re.compile(
    r"(?i)article|aside|body|button|dl|div|fieldset|figure|footer|form|h[1-6]|head|header|html|main|nav|ol|p|pre|script"
    r"|section|style|table|template|ul"
)
"""Elements by which a page, or a part of one, begins; `<b>` and `<details>` stand in what people read, too."""
VOID = re.compile(r"(?i)area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr")
RAW = ("script", "style")
"""Elements in which `<` begins nothing."""


class Found(NamedTuple):
    """A footer of ours in a text: its span in code points, and the audit that it tells of."""

    start: int
    end: int
    audit_id: str


@dataclass(frozen=True, slots=True)
class Seals:
    """Signs footers and knows them again. The first key signs, all verify."""

    keys: tuple[bytes, ...]

    def seal(self, audit_id: str, answer: str, words: str) -> str:
        """All that is to be appended to an answer: the lead, the words, and as last line the seal.

        The lead is a blank line, and the end of a code fence that the answer left open. The seal is a Markdown link
        reference, which renders as nothing; it holds what a cut needs to restore the answer exactly.
        """
        lead = _lead(answer)
        words = words.replace("\r", "").replace(KEY, "…")  # the key stands in the seal alone: see `find`
        said = "\n".join(line.rstrip() for line in words.split("\n")).strip("\n")[: LONGEST - 2000].rstrip()
        body = f"{lead}{said}\n\n"
        rest = len("[//]: # () ") + len(KEY) + len(audit_id) + len(str(len(lead))) + 20 + 3
        total = len(body) + rest
        total += len(str(total + len(str(total))))
        mac = _mac(self.keys[0], audit_id, len(lead), total, body)
        return f"{body}[//]: # ({KEY} {audit_id} {len(lead)} {total} {mac})"

    def find(self, text: str) -> list[Found]:
        """Our footers in a text, in order. A forged, damaged or re-wrapped one is none of ours."""
        if KEY not in text:
            return []
        found: list[Found] = []
        floor = 0
        for seal in SEAL.finditer(text):
            total = int(seal[3])
            start = seal.end() - total
            # No words hold a seal, so a footer begins after the seal before it. That keeps ten thousand forged ones cheap.
            allowed, floor = total <= LONGEST and start >= floor, seal.end()
            if allowed and self._ours(seal[1], int(seal[2]), total, text[start : seal.start()], seal[4]):
                found.append(Found(start, seal.end(), seal[1]))
        return found

    def _ours(self, audit_id: str, lead: int, total: int, body: str, mac: str) -> bool:
        return any(hmac.compare_digest(_mac(key, audit_id, lead, total, body), mac) for key in self.keys)

    def strip(self, text: str) -> str:
        """The text without our footers."""
        return without(text, self.find(text))


def without(text: str, found: Sequence[Found]) -> str:
    """A text without footers that were found in it."""
    ends = [0, *(one.end for one in found)]
    starts = [*(one.start for one in found), len(text)]
    return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def derive(secret: bytes, tenant: str) -> bytes:
    """A tenant's own key, so that no tenant can sign for another."""
    return hmac.new(secret, b"groundwire footer of " + tenant.encode(), hashlib.sha256).digest()


def _mac(key: bytes, audit_id: str, lead: int, total: int, body: str) -> str:
    text = f"{audit_id} {lead} {total}\n{body}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, key=key, digest_size=10).hexdigest()


def _lead(answer: str) -> str:
    """What goes between an answer and our words. CommonMark §4.5 says when a fenced code block has ended."""
    fence = open_fence(answer)
    return f"\n{fence}\n\n" if 0 < len(fence) <= 1000 else "\n\n"


def open_fence(text: str) -> str:
    """The line that would close the code block a text ends in, empty when it ends in none.

    It is indented as the opening was: in a list item, an unindented one would end the item and open a new block.
    """
    if "```" not in text and "~~~" not in text:
        return ""
    items: list[int] = []  # the columns at which the contents of the open list items begin
    mark, column = "", 0
    for line in text.split("\n"):
        line = line.expandtabs(4)
        rest = line.strip()
        indent = len(line) - len(line.lstrip())
        if not rest:
            continue
        home = items[-1] if items else 0
        if mark and indent >= home:
            # "The closing code fence must be at least as long as the opening fence", alone on its line.
            if indent - home <= 3 and len(rest) >= len(mark) and rest == mark[0] * len(rest):
                mark = ""
            continue
        mark = ""  # a line left of the list item has ended the item, and the block with it
        while items and items[-1] > indent:
            items.pop()
        at = 0  # a line may open ten thousand items, so none of them takes a copy of what is behind it
        while (item := ITEM.match(rest, at)) and indent - (items[-1] if items else 0) <= 3:
            indent += item.end() - at
            at = item.end()
            items.append(indent)
        fence = FENCE.match(rest, at)
        if fence and indent - (items[-1] if items else 0) <= 3:
            mark, column = fence[1] or fence[2], indent
    return " " * column + mark if mark else ""


def silent(text: str, markers: Sequence[str]) -> bool:
    """Whether an answer is exactly a marker by which it says nothing; punctuation around it does not count."""
    core = text.strip().strip(".!*_`\"'“”‘’ \n")
    return any(core == marker or text.strip() == marker for marker in markers)


def bare(text: str) -> bool:
    """Whether an answer is only code, JSON or HTML: a program may read it, and words would break it."""
    stripped = text.strip()
    if stripped.endswith(("</html>", "</HTML>", "</svg>")) or re.match(r"(?i)<!doctype |<\?xml ", stripped):
        return True
    if stripped.startswith(("```", "~~~")):
        return _one_block(stripped)
    if stripped[:1] == "<":
        return _markup(stripped)
    if stripped[:1] in ("{", "[") and stripped[-1:] in ("}", "]"):
        try:
            json.loads(stripped)
        except (ValueError, RecursionError):
            return False
        return True
    return False


def _one_block(text: str) -> bool:
    """Whether a text that begins with a fence is one block of code, and nothing behind it; it may be left open."""
    first, *lines = text.split("\n")
    fence = FENCE.match(first)
    if fence is None:
        return False
    mark = fence[1] or fence[2]
    ends = (line.strip() for line in lines)
    end = next((at for at, line in enumerate(ends) if len(line) >= len(mark) and line == mark[0] * len(line)), None)
    return end is None or end == len(lines) - 1


def _markup(text: str) -> bool:
    """Whether a text is elements of HTML, each closed, with no word beside them."""
    tag = TAG.match(text)
    if tag is None or not tag[2] or BLOCKS.fullmatch(tag[2]) is None:
        return False
    low, depth, at = text.lower(), 0, 0
    while tag is not None:
        if depth == 0 and text[at : tag.start()].strip():
            return False
        name, at = (tag[2] or "").lower(), tag.end()
        if not name:
            at = text.find("-->", at) + 3
        elif tag[1]:
            depth -= 1
        elif not tag[3] and VOID.fullmatch(name) is None:
            depth += 1
            at = low.find(f"</{name}", at) if name in RAW else at
        if depth < 0 or at < tag.end():  # what is closed was not open, or what is open is never closed
            return False
        tag = TAG.search(text, at)
    return depth == 0 and not text[at:].strip()


def render(report: Report, *, register: Literal["developer", "plain"]) -> str:
    """What a reader is told of a report that holds only what may be shown; empty when that is nothing."""
    entries = _once(one for one in report.findings if one.flagged or one.verdict == "qualified")
    notices = [one for one in report.findings if one.verdict == "notice" and not _is_told(one, entries)]
    unseen = [one for one in report.findings if one.verdict == "unverifiable" and one.fields.get("looked")]
    sourced = [one for one in report.findings if one.verdict == "verified" and one.cites]
    if register == "plain":
        return _plain(entries, notices, unseen, sourced)
    lines = [*_header(report, entries), *_listed(entries)]
    undone = [one for one in notices if not one.quote and not one.fields.get("written")]
    if untold := [one for one in undone if not one.fields.get("mentioned")]:
        lines += [*_gap(lines), f"Not mentioned above: {_count(len(untold), 'change')} did not land ({_few(untold)})."]
    if named := [one for one in undone if one.fields.get("mentioned")]:
        lines += [*_gap(lines), f"{_count(len(named), 'change')} did not land: {_few(named)}."]
    if written := [one for one in notices if one.fields.get("written")]:
        lines += [*_gap(lines), f"Written as text above, and run by nothing: {_few(written)}."]
    if elsewise := [one for one in notices if one.quote and not one.fields.get("written")]:
        lines += [*_gap(lines), f"The edit failed; another step changed it, which was not verified: {_few(elsewise)}."]
    if unseen:
        why = Counter(one.reason for one in unseen).most_common(1)[0][0]
        lines += [*_gap(lines), f"{_count(len(unseen), 'claim')} could not be checked: {_span(why)}"]
    if sourced:
        lines += [*_gap(lines), *_sources(sourced, alone=not lines)]
    if lines and report.failures:
        lines += [*_gap(lines), f"{_count(len(report.failures), 'check')} of Groundwire's own failed."]
    return "\n".join(lines)


def withheld(report: Report, *, register: Literal["developer", "plain"]) -> str:
    """What a reader gets in place of an answer that its policy withholds."""
    entries = _once(one for one in report.findings if one.flagged)
    what = _count(len(entries), "claim" if register == "developer" else "statement")
    does = "does" if len(entries) == 1 else "do"
    if register == "plain":
        return f"This answer was withheld: {what} in it could not be confirmed by the results of the work done."
    head = f"**Groundwire** withheld this answer: {what} in it {does} not hold against the evidence."
    return "\n".join([head, "", *_listed(entries)])


def _listed(entries: Sequence[Finding]) -> list[str]:
    lines = [f"- {line(one)}" for one in entries[:ENTRIES]]
    return [*lines, f"- {len(entries) - ENTRIES} more"] if len(entries) > ENTRIES else lines


def line(finding: Finding) -> str:
    """A finding in one line, all that comes from outside in code spans."""
    tries = finding.fields.get("attempts")
    often = f" ({tries} attempts)" if isinstance(tries, int) and tries > 1 and finding.verdict == "contradicted" else ""
    return f"{_span(_told(finding))} — {WORDS[finding.verdict]}{often}: {_span(finding.reason)}"


def _told(finding: Finding) -> str:
    """What a finding is about: the answer's own words, where its subject is a word of ours ("send") that they do not have."""
    ours = ACT.fullmatch(finding.subject) and not re.search(rf"(?i)\b{finding.subject}\b", finding.quote)
    return finding.quote if ours and finding.quote else finding.subject


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Findings without those that say again what another rule has said; the one with the stronger verdict stays.

    Two say one thing of a sentence when they speak of one subject, or, by different rules, give one reason by one call.
    """
    found: dict[tuple[str, str], Finding] = {}
    reasons: dict[tuple[str, str, str], str] = {}
    for one in findings:
        reason, about = (one.reason, one.quote, one.tool_call_id), (one.subject.lstrip("#").casefold(), one.quote)
        if one.tool_call_id and reasons.setdefault(reason, one.rule) != one.rule and about not in found:
            continue
        if STRENGTH.get(one.verdict, 0) > STRENGTH.get(found.setdefault(about, one).verdict, 0):
            found[about] = one  # in its place
    return list(found.values())


def _is_told(notice: Finding, entries: Sequence[Finding]) -> bool:
    """Whether an entry speaks of what a notice is about: the same thing, or the same failed call."""
    about = notice.subject.casefold()
    return any(
        one.subject.casefold() == about or (one.tool_call_id and one.tool_call_id == notice.tool_call_id)
        for one in entries
    )


ACT = re.compile(r"[a-z]{3,12}")
"""An act as the word lists call it."""
STRENGTH = {"contradicted": 3, "stale": 2, "unsupported": 1}
"""What evidence says against a claim goes before that there is none for it."""


WORDS = {
    "contradicted": "contradicted",
    "unsupported": "nothing supports it",
    "stale": "out of date",
    "qualified": "only in part",
}


def _header(report: Report, entries: Sequence[Finding]) -> list[str]:
    flagged = sum(one.flagged for one in entries)
    if flagged:
        held = "does not hold" if flagged == 1 else "do not hold"
        return [f"**Groundwire**: {_count(flagged, 'claim')} in this answer {held} against the evidence.", ""]
    if entries:
        holds = "holds" if len(entries) == 1 else "hold"
        return [f"**Groundwire**: {_count(len(entries), 'claim')} in this answer {holds} only in part.", ""]
    return []


def _sources(sourced: Sequence[Finding], *, alone: bool) -> list[str]:
    """The sources in which statements of the answer stand, one line for each."""
    statements: dict[str, list[str]] = {}
    for one in sourced:
        statements.setdefault(one.cites, []).append(one.subject)
    shown = [f"- {_address(url)} — {_span(said[0])}{_and_more(said)}" for url, said in statements.items()]
    counted = f"ources of {_count(len(sourced), 'statement')} in this answer"
    lines = [f"**Groundwire**: s{counted}." if alone else f"S{counted}:", "", *shown[:ENTRIES]]
    return [*lines, f"- {len(shown) - ENTRIES} more"] if len(shown) > ENTRIES else lines


def _and_more(said: Sequence[str]) -> str:
    return f" and {len(said) - 1} more" if len(said) > 1 else ""


def _address(text: str) -> str:
    """Where a source is: a web address as a link, if nothing in it can be anything else; else a code span."""
    return f"<{text}>" if len(text) <= REASON * 2 and WEB.fullmatch(text) and redact(text) == text else _span(text)


def _few(findings: Sequence[Finding]) -> str:
    shown = ", ".join(_span(one.subject) for one in findings[:3])
    return f"{shown} and {len(findings) - 3} more" if len(findings) > 3 else shown


def _plain(
    entries: Sequence[Finding], notices: Sequence[Finding], unseen: Sequence[Finding], sourced: Sequence[Finding]
) -> str:
    """One neutral line for people who see no paths and no tools; and one more with the sources, where there are any."""
    unseen = [*unseen, *(one for one in notices if one.quote)]
    note = _note(entries, [one for one in notices if not one.quote], unseen)
    links = list(dict.fromkeys(_address(one.cites) for one in sourced if WEB.fullmatch(one.cites)))[:3]
    return "\n\n".join(line for line in (note, f"Sources: {' '.join(links)}" if links else "") if line)


def _note(entries: Sequence[Finding], notices: Sequence[Finding], unseen: Sequence[Finding]) -> str:
    flagged = sum(one.flagged for one in entries)
    if flagged:
        return f"Note: {_count(flagged, 'statement')} above could not be confirmed by the results of the work done."
    if entries:
        return f"Note: {_count(len(entries), 'statement')} above could be confirmed only in part."
    if notices and all(one.fields.get("written") for one in notices):
        return f"Note: {_count(len(notices), 'step')} above {'was' if len(notices) == 1 else 'were'} written down and not done."
    if notices:
        told = "is" if len(notices) == 1 else "are"
        return f"Note: {_count(len(notices), 'step')} of the work did not succeed and {told} not mentioned above."
    return f"Note: {_count(len(unseen), 'statement')} above could not be checked." if unseen else ""


def _gap(lines: Sequence[str]) -> list[str]:
    return [""] if lines and lines[-1] else []


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# ANSI escapes whole; then what breaks a line; then what does not show: controls, marks of direction, tags, fillers.
ANSI = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.", re.S)
BREAKS = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029 ]+")
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)
DIRECTIVE = re.compile(r"(?i)\b(MEDIA|FILE|IMAGE|AUDIO|ATTACH(?:MENT)?)\s*:")


def _span(text: str) -> str:
    """A text from outside as one code span on one line: nothing in it can be a word of ours, or do anything."""
    # What does not show goes before secrets are looked for: it could part a secret in two, or be its disguise.
    line = UNSEEN.sub("", BREAKS.sub(" ", ANSI.sub("", text[: REASON * 24]))).replace("`", "'").replace(KEY, "…")
    if len(text) > REASON * 24 or len(line) > REASON * 8:
        whole, _, last = line[: REASON * 8].rpartition(" ")
        line = whole if len(last) < REASON * 4 else line[: REASON * 8]  # half a secret looks like none: drop the word
    line = DIRECTIVE.sub(r"\1 ", redact(line))
    line = re.sub(r"([\[!])(?=\[)|(\])(?=\])", r"\g<0> ", line)
    line = re.sub("[\ud800-\udfff]", "\ufffd", " ".join(line.split()))
    if len(line) > REASON:
        line = line[: REASON - 1].rstrip() + "…"
    return f"`{line or '(empty)'}`"
