"""A web page's body as what a reader would see of it: its title, its text, and whether it asks for a login."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

import orjson

from proxy.wording import plain

TITLE, TEXT, MARKUP = 300, 20_000, 400_000
"""Code points kept of a title and of a text, and of the markup that is looked through for them."""

MARK = "\x1e"
"""Where a line ends; white space, so that it is a space where lines are not asked for."""
TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]*)")
PARTS = re.compile(
    r"address|article|aside|blockquote|br|caption|d[dlt]|details|dialog|div|fieldset|figcaption|figure|footer|form|h[1-6r]|header"
    r"|li|main|nav|[ou]l|option|p|pre|section|summary|table|tbody|tfoot|thead|title|tr"
)
"""Elements before and behind which a line ends."""
RAW = frozenset({"script", "style", "template", "noscript", "svg", "textarea", "iframe"})
PASSWORD = re.compile(r"(?i)\btype\s{0,3}=\s{0,3}[\"']?password\b")
LOGIN_TITLE = re.compile(
    r"(?i)(?:please\s)?(?:log[ -]?in|sign[ -]?in|single sign-on|authentication required)\b.{0,40}"
    r"|.{1,80}\s[|–—·:-]\s(?:log[ -]?in|sign[ -]?in)"
)
REFERENCE = re.compile(r"&#[0-9]{100,};?")
"""A number of no sign, which Python would not even read where it has some thousand digits."""
CHARSET = re.compile(r"(?i)charset\s*=\s*[\"']?([\w-]{1,20})")
# Decoders that read any bytes in linear time; some others of Python's do neither.
KNOWN = re.compile(
    r"(?i)utf-?8|utf-?16(?:-?[lb]e)?|us-ascii|ascii|latin-?1|(?:iso|cp|windows)[-_]?\d[\d-]{2,7}|shift[-_]jis|euc-(?:jp|kr)"
    r"|gbk|gb2312|gb18030|big5|koi8-[ru]"
)
READABLE = re.compile(r"(?i)\s*(?:$|text/|application/(?:[\w.+-]*(?:json|xml|xhtml|javascript)))")


@dataclass(frozen=True, slots=True)
class Page:
    """`json` is the body's value where `is_json`; `login` says that a title or a password field asks for one."""

    title: str = ""
    text: str = ""
    login: bool = False
    is_json: bool = False
    json: Any = None


def read(body: bytes, content_type: str, *, whole: bool, limit: int = TEXT, lines: bool = False) -> Page:
    """A body as a page; one that is no text is an empty one. `whole` says that nothing of it was cut off.

    `limit` is for the text, in code points. With `lines`, each paragraph is a line of it; else all of it is one.
    """
    if not READABLE.match(content_type):
        return Page()
    if "json" in content_type.lower() or body[:64].lstrip()[:1] in (b"{", b"["):
        text = body.decode("utf-8", "replace")[:limit]
        try:
            return Page(text=text, is_json=True, json=orjson.loads(body)) if whole else Page(text=text)
        except ValueError:
            return Page(text=text)
    markup = _decoded(body, content_type)[: max(MARKUP, 4 * limit)]
    if "<" not in markup:
        return Page(text=plain(markup)[:limit] if lines else _line(markup, limit))
    title, text, password = _seen(markup)
    title, text = (html.unescape(REFERENCE.sub("\ufffd", one)) for one in (title, text))
    title = _line(title, TITLE)
    text = _lines(text, limit) if lines else _line(text, limit)
    return Page(title, text, password or LOGIN_TITLE.fullmatch(title) is not None)


def _decoded(body: bytes, content_type: str) -> str:
    found = CHARSET.search(content_type) or CHARSET.search(body[:1_024].decode("latin-1"))
    name = found[1] if found and KNOWN.fullmatch(found[1]) else "utf-8"
    try:
        return body.decode(name, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _line(text: str, limit: int) -> str:
    return " ".join(text[: limit * 4].split())[:limit]


def _lines(text: str, limit: int) -> str:
    lines = (" ".join(line.split()) for line in text[: limit * 4].split(MARK))
    return "\n".join(line for line in lines if line)[:limit]


def _seen(markup: str) -> tuple[str, str, bool]:
    """Title, text and whether there is a password field, in one walk over the tags that never goes back."""
    lower = markup.lower() if len(markup.lower()) == len(markup) else markup
    pieces: list[str] = []
    title, password, at = "", False, 0
    while (start := markup.find("<", at)) >= 0:
        pieces.append(markup[at:start])
        if markup.startswith("<!--", start):
            at = _after(markup, "-->", start + 4)
            continue
        tag = TAG.match(markup, start)
        if tag is None:
            closed = markup.startswith(("<!", "<?"), start)
            pieces.append("" if closed else "<")
            at = _after(markup, ">", start) if closed else start + 1
            continue
        at = _after(markup, ">", tag.end())
        name = tag[2].lower()
        pieces.append(MARK if PARTS.fullmatch(name) else " ")
        if name == "input" and PASSWORD.search(markup, tag.end(), min(at, tag.end() + 1_000)):
            password = True
        elif not tag[1] and (name in RAW or name == "title"):
            end = lower.find(f"</{name}", at)
            end = len(markup) if end < 0 else end
            title = title or (markup[at : min(end, at + TITLE * 4)] if name == "title" else "")
            at = end
    pieces.append(markup[at:])
    return title, "".join(pieces), password


def _after(markup: str, mark: str, at: int) -> int:
    """The place behind the next mark; the end where there is none."""
    found = markup.find(mark, at)
    return len(markup) if found < 0 else found + len(mark)
