"""Take secrets out of a text before it is shown or stored, and the words out of an exception before it is logged."""

from __future__ import annotations

import base64
import logging
import re
import traceback
from typing import Any

from proxy.named_secrets import JUDGED, SHUT, issued, without_named
from proxy.named_secrets import MARK as MARK
from proxy.secret_words import kind_of, machine_made, mixed, says_how, stands_in

_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----.*?(?:-----END[A-Z0-9 ]{0,60}-----|\Z)", re.S)


def _shapes(*lines: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What a key of some service begins with, and how it goes on. Nothing of a word may stand before it.

    It is taken to the end of its word: what is left would begin a word of its own, and could be a key when read again.
    """
    pairs = [line.split("  ", 1) for line in lines]
    return tuple(
        (begin, re.compile(rf"{re.escape(begin)}(?<![A-Za-z0-9]{re.escape(begin)}){rest.strip()}[\w-]*+"))
        for begin, rest in pairs
    )


# Shapes that are secrets wherever they stand. Each begins with letters of its own, which are looked for first.
_SHAPES = _shapes(
    *(f"{begin}  (?=[\\w-]{{0,60}}\\d)[\\w-]{{8,}}" for begin in ("sk-", "sk_", "rk-", "rk_", "pk_live_", "pk_test_")),
    *(f"gh{one}_  [A-Za-z0-9]{{16,}}" for one in "pousr"),
    "github_pat_  \\w{16,}",
    *(f"gl{one}-  [\\w-]{{16,}}" for one in ("pat", "dt", "rt", "cbt", "ptt", "ft", "soat")),
    *(f"xox{one}-  [\\w-]{{8,}}" for one in "abeoprs"),
    "xapp-  [\\w-]{8,}",
    "hooks.slack.com/services/  [\\w/]{8,}",
    "discord.com/api/webhooks/  \\d{5,25}/[\\w-]{16,}",
    "discordapp.com/api/webhooks/  \\d{5,25}/[\\w-]{16,}",
    "AKIA  [0-9A-Z]{16}",
    "ASIA  [0-9A-Z]{16}",
    "ABSK  [A-Za-z0-9+/=]{40,}",
    "AIza  [\\w-]{30,}",
    "ya29.  [\\w-]{16,}",
    "1//0  [\\w-]{30,}",
    "GOCSPX-  [\\w-]{16,}",
    "hf_  [A-Za-z0-9]{16,}",
    "npm_  [A-Za-z0-9]{20,}",
    "pypi-  (?=[a-z-]{0,40}[A-Z0-9])[\\w-]{16,}",
    *(f"do{one}_v1_  [0-9a-f]{{16,}}" for one in "opr"),
    "whsec_  [A-Za-z0-9+/=]{16,}",
    "SG.  [\\w-]{16,}\\.[\\w-]{16,}",
    "AGE-SECRET-KEY-1  [0-9A-Z]{16,}",
    "SK  (?=[a-f]{0,31}\\d)[0-9a-f]{32}(?!\\w)",
    "key-  (?=[a-f]{0,31}\\d)[0-9a-f]{32}(?!\\w)",
    *(f"shp{one}_  [0-9A-Fa-f]{{20,}}" for one in ("at", "ca", "pa", "ss")),
    *(f"sq0{one}-  [\\w-]{{20,}}" for one in ("atp", "csp", "idp")),
    "EAAA  [\\w-]{40,}",
    "dapi  [0-9a-f]{32}(?:-\\d)?",
    "lin_api_  [A-Za-z0-9]{16,}",
    "lin_oauth_  [A-Za-z0-9]{16,}",
    "ntn_  [A-Za-z0-9]{30,}",
    "secret_  (?=[A-Za-z]{0,42}\\d)[A-Za-z0-9]{40,}",
    "PMAK-  [0-9a-f]{16,}(?:-[0-9a-f]{16,})?",
    "glsa_  \\w{20,}",
    "glc_  [\\w=]{20,}",
    *(f"dp.{one}.  (?:[a-z\\d_-]{{1,40}}\\.)?[A-Za-z0-9]{{20,}}" for one in ("pt", "st", "ct", "sa", "scim", "audit")),
    *(f"hv{one}.  [\\w-]{{16,}}" for one in "sbr"),
    "gsk_  [A-Za-z0-9]{20,}",
    "xai-  [A-Za-z0-9]{20,}",
    "r8_  [A-Za-z0-9]{20,}",
    "pplx-  [A-Za-z0-9]{20,}",
    "sbp_  [0-9a-f]{20,}",
    "nvapi-  [\\w-]{20,}",
    "tvly-  (?=[\\w-]{0,40}\\d)[\\w-]{16,}",
    "pcsk_  \\w{20,}",
    "figd_  [\\w-]{20,}",
    "dckr_pat_  [\\w-]{16,}",
    "rubygems_  [0-9a-f]{20,}",
    "sntrys_  [\\w=+/-]{20,}",
    "sntryu_  [0-9a-f]{20,}",
    "pscale_tkn_  [\\w.-]{16,}",
    "pscale_pw_  [\\w.-]{16,}",
    "NRAK-  [A-Z0-9]{16,}",
    "ATATT3  [\\w=-]{20,}",
    "CCIPAT_  \\w{16,}",
    # Our own: `groundwire key` makes a tenant's name and 43 random characters.
    "gw-  (?=[a-z._-]{0,170}\\d|[\\w.-]{0,170}\\d)(?=[a-z0-9._-]{0,170}[A-Z])[\\w.-]{44,}",
)
# And those that begin with nothing of their own, by what stands in them.
_INNER = (
    (".atlasv1.", re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}")),
    (":AA", re.compile(r"(?<!\d)\d{8,10}:AA[\w-]{32,36}(?![\w-])")),
    ("eyJ", re.compile(r"eyJ(?<![\w-]eyJ)[\w-]{8,}+\.[\w-]{4,}+(?:\.[\w-]*+)*+")),
    ("8Q~", re.compile(r"(?<!\w)\w{3}8Q~[\w.~-]{30,}+")),
    (".", re.compile(r"[MNO](?<![\w-].)(?=[A-Za-z]{0,27}\d)[A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])")),
)

# "Bearer abc…", but not "bearer token", "Basic authentication".
_SCHEME = re.compile(r"\b(Bearer|Basic)(\s{1,3})([A-Za-z0-9._~+/=-]{6,}+)", re.I)
_KNOWN_SCHEMES = (
    "basic bearer digest token apikey api-key negotiate ntlm aws4-hmac-sha256 hawk signature oauth googlelogin ssws sharedkey"
    " sharedkeylite sharedaccesssignature geniekey splunk key dpop hmac mac bot klaviyo-api-key macaroon"
)
_SCHEMES = frozenset(_KNOWN_SCHEMES.split())

# A password may have a slash, and stands in the way of what a port and a path are: "https://host:80/@ann".
_USERINFO = re.compile(
    r"(?<=://)(?:[^\s/?#\"'<>]{1,300}|[^\s/@:?#\"'<>]{0,80}+:(?!\d{1,5}[/?#])[^\s@\"'<>]{1,200}+(?:@[^\s/?#\"'<>]{1,200})?)"
    r"@(?=[\w.\[-])"
)
_EXAMPLES = frozenset(("git", "user:pass", "user:password", "username:password"))

_TIE = rf"{SHUT}[ \t]{{0,3}}(?:=>|:=|[:=]|%3a)\s{{0,3}}(?:\*{{1,2}}[ \t])?"
_FIELD = r"""[\w-]{1,30}=(?:\\*"[^"\\\n]*+\\*"|[^\s,"'\\]*+)"""
_AUTHORIZATION = re.compile(
    rf"""(authorization{_TIE}\\*["'`]?)(?:([A-Za-z][A-Za-z0-9-]{{1,30}})([ ]{{1,3}}))?
        ({_FIELD}(?:,\s{{0,3}}{_FIELD})*+|[^\s"'`\\,;)}}\]<]++)""",
    re.X | re.I,
)

# All pairs of a cookie, but not what browsers are told of it.
_BAKED = r"""(?:"[^"\s;,\\]++"|[^\s;"'\\])*+"""
_PAIR = rf"""(?:expires=[^;"'\\\n]{{0,40}}+|(?!expires=)[^\s=;,"'\\(){{}}]{{1,100}}+={_BAKED}|httponly|secure|partitioned)"""
_PAIRS = rf"""(?:{_PAIR}(?:;\s?{_PAIR})*+;?(?:\\*["'],\s{{0,20}}\\*["'](?=[^\s=;,"'\\]{{1,100}}=))?)++"""
_COOKIE = re.compile(
    rf"""((?:cookies?{_TIE}|--cookie[ =]|\s-b\s{{1,3}}(?=["']?[\w.-]{{1,60}}=))(?:\[\s{{0,20}})?\\*["'`]?)({_PAIRS})""",
    re.I,
)
_ATTRIBUTES = "path|domain|max-age|expires|samesite|priority|version|comment"
_COOKIE_VALUE = re.compile(
    rf"""((?:^|[;"'])\s?(?!(?:{_ATTRIBUTES})=)[^\s=;,"']{{1,100}}=)(?=[^\s;'\\])({_BAKED})""", re.I
)

# A user's name and password in one, behind a flag that has a user and a group for other programs.
_USER = re.compile(
    r"""((?<![\w-])(?:--(?:proxy-)?user[ =]|-[uU])[ \t]{0,3}["']?[^\s:"'/=]{1,80}:)([^\s"'|;&]{1,200})"""
)
_GROUPED = re.compile(r"(?:curl|wget|https?|docker|podman|nerdctl|kubectl|chown|install|rsync|compose)\b")
# Programs that take a password behind a short flag, which means something else to others: `-p 80`.
_SHORT_FLAG = re.compile(
    r"""(\b(?:(?:mysql|mariadb)[\w-]{0,20}(?=\s)[^\n|;&]{0,200}?\s-p|(?:sshpass|mongo\w{0,8})\s(?:[^\n|;&]{0,200}?\s)??-p\s{0,3}
        |(?:docker|podman|nerdctl|helm|skopeo|buildah|oc|az)(?:\s[a-z]{1,12})?\slogin\b[^\n|;&]{0,200}?\s-p\s{0,3}
        |redis-cli\b[^\n|;&]{0,200}?\s-a\s{1,3}|(?:sqlcmd|un7?zip|zip)\b[^\n|;&]{0,200}?\s-P\s{0,3}|ldap\w{3,10}\b[^\n|;&]{0,200}?\s-w\s{1,3}
        |openssl\b[^\n|;&]{0,200}?\spass:))
        (?!-)("[^"\n]{1,200}|'[^'\n]{1,200}|[^\s|;&"']+)""",
    re.X,
)
_NETRC = re.compile(r"(\b(?:machine\s{1,3}\S{1,200}|default)\s{1,9}login\s{1,3}\S{1,100}\s{1,9}password\s{1,3})(\S+)")
_IDENTIFIED = re.compile(
    r"""(\bIDENTIFIED\s{1,3}(?:WITH\s{1,3}\S{1,60}\s{1,3})?(?:BY|AS)\s{1,3}(?:PASSWORD\s{1,3})?)(["'][^"'\n]++)""", re.I
)

# The value before its name: {"value": "…", "name": "DB_PASSWORD"}.
_REVERSED = re.compile(
    r"""((?:value|val)\\{0,8}["']?\s{0,3}[:=]\s{0,3}\\{0,8}["'])([^"'\\\n]{1,1000}+)
        (?=\\{0,8}["']\s{0,20},?\s{0,20}\\{0,8}["']?(?:name|key|id|type)\\{0,8}["']?\s{0,3}[:=]
           \s{0,3}\\{0,8}["']([\w.-]{1,80}))""",
    re.X | re.I,
)

# Languages that put no blank between the words; the value is what is written in ASCII.
_CJK_NOUNS = ("密码", "密碼", "口令", "パスワード", "비밀번호", "암호")
_CJK = re.compile(
    rf"""((?:{"|".join(_CJK_NOUNS)})["'`*）)]{{0,4}}[^\S\n]?
        (?:已?(?:改为|改為|设为|設為|重置为)|是|为|為|は|：|:|는|은|가|が|=)[:：]?
        (?:\*{{1,2}}[^\S\n])?[^\S\n]?[「『“"'`]?\*{{0,2}})([!\#-&(-+\-./0-9:<-_a-~]{{4,}}+)""",
    re.X,
)


PASSES = 3
"""How often a text is read in which secrets were found: a mark may stand where another secret's value began."""


def redact(text: str) -> str:
    """The text with everything that looks like a secret replaced by `MARK`; names and places of secrets stay.

    Takes private keys, tokens of well-known shapes, credentials in headers, URLs and flags, and the values of names
    like `password`. Applying it twice changes nothing. The cost is linear in the length, whatever the text.
    """
    for _ in range(PASSES):
        before, text = text, _pass(text)
        if text == before:
            break
    return text


def _pass(text: str) -> str:
    text = _PEM.sub(MARK, text) if "-----" in text else text
    text = _USERINFO.sub(_in_url, text) if "://" in text else text
    for begin, shape in (*_SHAPES, *_INNER):
        text = shape.sub(MARK, text) if begin in text else text
    low = _small(text)
    text = _SCHEME.sub(_of_scheme, text) if "bearer" in low or "basic" in low else text
    text = _AUTHORIZATION.sub(_authorized, text) if "authorization" in low else text
    text = _COOKIE.sub(_baked, text) if "cookie" in low or "curl" in low else text
    text = _USER.sub(_of_user, text) if "-u" in low else text
    text = _SHORT_FLAG.sub(_hide, text) if " -" in text else text
    text = _NETRC.sub(_hide, text) if "login" in text and "password" in text else text
    text = _IDENTIFIED.sub(_identified, text) if "identified" in low else text
    if any(noun in text for noun in _CJK_NOUNS):
        text = _CJK.sub(_told_plainly, text)
    if "val" in low:
        text = _REVERSED.sub(_reversed, text)
    return without_named(text, _small(text))


def _small(text: str) -> str:
    """The text in small letters, place by place: of one letter the small form is two code points."""
    return text.replace("İ", "i").lower()


def _hide(found: re.Match[str]) -> str:
    """Keep what names the secret and the quote before it; the closing quote was never taken."""
    value = found[2]
    opening = value[: len(value) - len(value.lstrip("\\\"'`"))]
    return found[0] if stands_in(value[len(opening) :]) else f"{found[1]}{opening}{MARK}"


def _in_url(found: re.Match[str]) -> str:
    return found[0] if found[0][:-1].lower() in _EXAMPLES else f"{MARK}@"


def _of_scheme(found: re.Match[str]) -> str:
    """Of `Basic` what reads as a name and a password; of `Bearer` what is no word."""
    value = found[3]
    taken = _basic(value) if found[1].lower() == "basic" else mixed(value) or machine_made(value)
    return f"{found[1]}{found[2]}{MARK}" if taken and not says_how(value) else found[0]


def _basic(value: str) -> bool:
    try:
        return b":" in base64.b64decode(value[:400] + "=" * (-len(value[:400]) % 4), validate=True)
    except ValueError:
        return False


def _authorized(found: re.Match[str]) -> str:
    name, scheme, gap, value = found.groups()
    if not scheme:
        taken = machine_made(value[:JUDGED]) or (mixed(value[:JUDGED]) and len(value) >= 9) or "=" in value
    elif scheme.lower() in _SCHEMES:
        taken = not says_how(value)
    elif machine_made(scheme):
        return f"{name}{MARK}{gap}{value}"
    else:
        taken = "=" in value or machine_made(value[:JUDGED])
    return f"{name}{scheme or ''}{gap or ''}{MARK}" if taken and not stands_in(value[:JUDGED]) else found[0]


def _baked(found: re.Match[str]) -> str:
    return found[1] + _COOKIE_VALUE.sub(rf"\1{MARK}", found[2])


def _of_user(found: re.Match[str]) -> str:
    value, programs = found[2], _GROUPED.findall(found.string, max(0, found.start() - 200), found.start())
    grouped = bool(programs) and programs[-1] not in ("curl", "wget", "http", "https")
    return found[0] if grouped or value.isdigit() or stands_in(value) else f"{found[1]}{MARK}"


def _identified(found: re.Match[str]) -> str:
    return _hide(found) if "IDENTIFIED" in found[1] or mixed(found[2][:JUDGED]) else found[0]


def _told_plainly(found: re.Match[str]) -> str:
    value = found[2].rstrip("*.:`")
    plain = (
        stands_in(value[:JUDGED])
        or says_how(value[:JUDGED])
        or not (mixed(value[:JUDGED]) or value.isdigit() or "：" in found[1])
    )
    return found[0] if plain else f"{found[1]}{MARK}{found[2][len(value) :]}"


def _reversed(found: re.Match[str]) -> str:
    kind, value = kind_of(found[3]), found[2][:JUDGED]
    return f"{found[1]}{MARK}" if kind and not stands_in(value) and issued(kind, value, quoted=True) else found[0]


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
