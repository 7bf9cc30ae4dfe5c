"""Take secrets out of a text before it is shown or stored, and the words out of an exception before it is logged."""

from __future__ import annotations

import logging
import re
import traceback
from typing import Any

MARK = "***"
"""What stands where a secret stood."""

_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----.*?(?:-----END[A-Z0-9 ]{0,60}-----|\Z)", re.S)

# Shapes that are secrets wherever they stand. Each branch begins with rare letters and cannot backtrack far.
_SHAPES = re.compile(
    r"""(?<![A-Za-z0-9])(?:
        (?:sk|pk|rk)[-_](?=[\w-]{0,60}\d)[\w-]{8,}
      | gh[pousr]_[A-Za-z0-9]{16,} | github_pat_\w{16,} | gl(?:pat|dt|rt|cbt)-[\w-]{16,}
      | xox[a-z]-[\w-]{8,} | xapp-[\w-]{8,}
      | (?:AKIA|ASIA)[0-9A-Z]{16} | AIza[\w-]{30,} | ya29\.[\w-]{16,} | GOCSPX-[\w-]{16,}
      | hf_[A-Za-z0-9]{16,} | npm_[A-Za-z0-9]{20,} | pypi-[\w-]{16,} | dop_v1_[0-9a-f]{16,} | whsec_[A-Za-z0-9+/=]{16,}
      | SG\.[\w-]{16,}\.[\w-]{16,} | AGE-SECRET-KEY-1[0-9A-Z]{16,} | (?<![\w-])eyJ[\w-]{8,}+\.[\w-]{4,}+(?:\.[\w-]*+)?
      | hooks\.slack\.com/services/[\w/]{8,}
    )""",
    re.X,
)

# "Bearer abc…", but not "bearer token", "Basic authentication".
_SCHEME = re.compile(
    r"""\b(Bearer|Basic)(\s+)(?!(?:auth\w*|tokens?|schemes?|realm|headers?|credentials?|errors?|access)\b)
        [A-Za-z0-9._~+/=-]{6,}+""",
    re.X | re.I,
)

# A password may have a slash, and stands in the way of what a port and a path are: "https://host:80/@ann".
_USERINFO = re.compile(
    r"(?<=://)(?:[^\s/@?#\"'<>]{1,300}|[^\s/@:?#\"'<>]{0,80}:(?!\d{1,5}[/?#])[^\s@\"'<>]{1,200})@(?=[\w.\[-])"
)

# A quoted value, else a run up to what ends a value in JSON, shell, URLs and headers. Quotes may be escaped: a tool's
# JSON is often quoted in another tool's JSON.
_VALUE = r"""(?:\\*"[^"\\\n]{1,400}+|\\*'[^'\\\n]{1,400}+|`[^`\\\n]{1,400}+|[^\s"'\\,;&)}\]]++)"""
_EQUALS = r"\s{0,3}(?:=>|[:=])\s{0,3}"
_TIE = rf"""\\*(?:["']?|`(?={_EQUALS}["'`])){_EQUALS}"""

_NAMED = re.compile(
    rf"""((?:pass(?:word|wd|phrase)|secret|credentials?|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key
          |(?:access|auth|refresh|session|bearer|id)[_-]?token|token(?=\\*["']?\s?=)|authorization|(?:set-)?cookie
          |x-amz-signature|(?<![a-z])sig)[\w-]{{0,24}}{_TIE}(?:(?:bearer|basic|token)\s+)?)({_VALUE})""",
    re.X | re.I,
)

# The same as an element of XML, as SOAP services have it.
_ELEMENT = re.compile(
    r"(<[\w.:-]{0,40}?(?:pass(?:word|wd|phrase)|secret|credentials?|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|(?:access|auth|refresh|session|bearer|id)[_-]?token)>\s{0,3})([^<>\s][^<>\n]{0,400}+)(?=<)",
    re.I,
)

# After these words many harmless things stand ("unexpected token: identifier", "pwd: /home/ada"): only values that
# look made by a machine are taken.
_LOOSE = re.compile(
    rf"""((?<![a-z])(?:token|auth|session|pwd|signature){_TIE})
        (\\*["']?(?=[^\s"']{{0,60}}\d)(?![/~.]|[a-z]:\\)(?!\d{{1,7}}(?![\w-]))[\w.~+/=-]{{6,}}+|\\*["']?[\w+/=-]{{16,}}+)""",
    re.X | re.I,
)

_LONG = re.compile(
    rf"""((?:key|token|secret|password|credential)\w{{0,12}}(?:{_TIE}|\s+is\s+|\s+))(\\*["'`]?[A-Za-z0-9+/_=-]{{32,}}+)""",
    re.I,
)

_FLAG = re.compile(
    r"""(--?(?:password|passwd|token|api-?key|secret|access-?key)[=\s]\s{0,3}|-u\s{1,3}(?=[^\s:]{1,80}:\S))(?!-)(\S+)""",
    re.I,
)

# Programs that take a password behind a short flag, which means something else to others: `-p 80`.
_SHORT_FLAG = re.compile(
    r"(\b(?:(?:mysql|mariadb)[\w-]{0,20}(?=\s)[^\n|;&]{0,200}?\s-p|sshpass\s{1,3}-p\s{0,3}|redis-cli\b[^\n|;&]{0,200}?\s-a\s{1,3}))"
    r"(?!-)(\"[^\"\n]{1,200}|'[^'\n]{1,200}|[^\s|;&\"']+)"
)


def redact(text: str) -> str:
    """The text with everything that looks like a secret replaced by `MARK`; names and places of secrets stay.

    Takes private keys, tokens of well-known shapes, credentials in headers, URLs and flags, and the values of names
    like `password`. Applying it twice changes nothing. The cost is linear in the length, whatever the text.
    """
    text = _PEM.sub(MARK, text) if "-----" in text else text
    text = _USERINFO.sub(f"{MARK}@", text) if "://" in text else text
    text = _SHAPES.sub(MARK, text)
    text = _SCHEME.sub(rf"\1\2{MARK}", text)
    text = _SHORT_FLAG.sub(_hide, _FLAG.sub(_hide, text)) if "-" in text else text
    text = _ELEMENT.sub(_hide, text) if "</" in text else text
    tied = ":" in text or "=" in text
    for named, possible in ((_NAMED, tied), (_LOOSE, tied), (_LONG, len(text) >= 32)):
        text = named.sub(_hide, text) if possible else text
    return text


def _hide(found: re.Match[str]) -> str:
    """Keep what names the secret and the quote before it; the closing quote was never taken."""
    value = found[2]
    opening = value[: len(value) - len(value.lstrip("\\\"'`"))]
    return f"{found[1]}{opening}{MARK}"


class Unworded(logging.Formatter):
    """Log records with the type and the frames of their exceptions, whose words may hold what somebody sent, or a key."""

    def formatException(self, info: Any) -> str:  # noqa: N802 - the library's own name
        kind, _, frames = info
        return "".join([*traceback.format_tb(frames), kind.__name__])


def _not_told_yet(record: logging.LogRecord) -> bool:
    """Of an answer that breaks off our own line says why; the server's names neither an upstream nor a request."""
    return not str(record.msg).startswith("ASGI callable returned without completing response")


def log_unworded() -> None:
    """Log warnings and what is worse to stderr, so."""
    logging.getLogger("uvicorn.error").addFilter(_not_told_yet)
    handler = logging.StreamHandler()
    handler.setFormatter(Unworded("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
