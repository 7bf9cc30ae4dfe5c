"""URLs in a text: where they stand, and when two of them are one page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]。，、；：！？．（）［］｛｝「」『』【】〔〕〈〉《》“”„‘’«»]+", re.I)
"""Ends with the punctuation of texts that put no blank behind it, which no address has."""
TEMPLATE = re.compile(
    r"(?i)https?://(?:[\w-]+\.)*(?:(?:your|my)(?:[-_]?(?:own|domain|company|site|website|server|app|host|hostname|tenant|org"
    r"|organi[sz]ation|name|project|instance|workspace|account|team|store|shop|api|bucket|cluster|subdomain|service)){1,2}\d?\."
    r"|(?:(?:your|my)[\w-]*|domain|company|host|hostname|tenant|subdomain|placeholder)\.(?:[\w-]+\.)*"
    r"(?:example(?:\.(?:com|net|org))?|test|invalid)(?:[:/?#]|$))"
)
"""An address that somebody is to fill in: `https://your-domain.example/hook`, or a host of RFC 2606 by such a name."""
TRACKING = re.compile(r"(?i)(?:utm_\w+|fbclid|gclid|ref|mc_[ce]id)=[^&]*(?:&|$)")


def urls(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Where a stretch of text has URLs; the target of a link ends with the parenthesis that holds it."""
    at, end = start, len(text) if end is None else end
    while found := URL.search(text, at, end):
        held = text[found.start() - 1 : found.start()] == "("
        url = trimmed(_closed(found.group()) if held else found.group())
        at = found.start() + len(url)
        if not url.endswith("://"):
            yield found.start(), at


def _closed(url: str) -> str:
    """A URL up to the first parenthesis that it does not open itself."""
    depth = 0
    for place, char in enumerate(url):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return url[:place]
    return url


def trimmed(url: str) -> str:
    """A URL without the punctuation of the sentence behind it; a closing parenthesis stays where one is open in it."""
    end, over = len(url), url.count(")") - url.count("(")
    while end and (url[end - 1] in ".,;:!?*_~…" or (url[end - 1] == ")" and over > 0)):
        end -= 1
        over -= url[end] == ")"
    return url[:end]


def plain(url: str) -> str:
    """A URL without what does not tell pages apart: scheme, case of the host, `www.`, fragment, tracking, last slash."""
    _, _, rest = url.replace("&amp;", "&").partition("://")
    host, _, path = rest.partition("#")[0].partition("/")
    host, _, bare_query = host.partition("?")
    path, _, query = path.partition("?")
    query = TRACKING.sub("", query or bare_query).rstrip("&")
    return f"{host.lower().removeprefix('www.')}/{unquote(path).rstrip('/')}?{query}"
