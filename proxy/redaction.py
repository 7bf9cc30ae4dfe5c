"""Take secrets out of a text before it is shown or stored, and the words out of an exception before it is logged."""

from __future__ import annotations

import base64
import logging
import re
import traceback
from collections.abc import Callable
from typing import Any

from proxy.named_secrets import JUDGED, SHUT, issued, without_named
from proxy.named_secrets import MARK as MARK
from proxy.secret_words import kind_of, machine_made, mixed, says_how, stands_in, words

_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----.*?(?:-----END[A-Z0-9 ]{0,60}-----|\Z)", re.S)


# What a service's key goes on with, and what it begins with: letters of its own, which are looked for first.
_KEYS = {
    r"(?=[\w-]{0,60}\d)[\w-]{8,}": "sk- sk_ rk- rk_ pk_live_ pk_test_",
    r"[\w-]{8,}": "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-",
    r"[\w/]{8,}": "hooks.slack.com/services/",
    r"\d{5,25}/[\w-]{16,}": "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
    r"[A-Za-z0-9]{16,}": "ghp_ gho_ ghu_ ghs_ ghr_ hf_ lin_api_ lin_oauth_",
    r"\w{16,}": "github_pat_ CCIPAT_",
    r"[\w-]{16,}": "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- ya29. GOCSPX- hvs. hvb. hvr. dckr_pat_",
    r"(?=[a-z-]{0,40}[A-Z0-9])[\w-]{16,}": "pypi-",
    r"(?=[\w-]{0,40}\d)[\w-]{16,}": "tvly-",
    r"[\w.-]{16,}": "pscale_tkn_ pscale_pw_",
    r"[\w-]{16,}\.[\w-]{16,}": "SG.",
    r"[0-9A-Z]{16}": "AKIA ASIA",
    r"[0-9A-Z]{16,}": "AGE-SECRET-KEY-1 NRAK-",
    r"[0-9a-f]{16,}": "dop_v1_ doo_v1_ dor_v1_",
    r"[0-9a-f]{16,}(?:-[0-9a-f]{16,})?": "PMAK-",
    r"[A-Za-z0-9+/=]{16,}": "whsec_",
    r"[A-Za-z0-9]{20,}": "npm_ gsk_ xai- r8_ pplx-",
    r"(?:[a-z\d_-]{1,40}\.)?[A-Za-z0-9]{20,}": "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
    r"[0-9A-Fa-f]{20,}": "shpat_ shpca_ shppa_ shpss_",
    r"[0-9a-f]{20,}": "sbp_ rubygems_ sntryu_",
    r"\w{20,}": "glsa_ pcsk_",
    r"[\w-]{20,}": "sq0atp- sq0csp- sq0idp- nvapi- figd_",
    r"[\w=]{20,}": "glc_",
    r"[\w=-]{20,}": "ATATT3",
    r"[\w=+/-]{20,}": "sntrys_",
    r"[A-Za-z0-9]{30,}": "ntn_",
    r"[\w-]{30,}": "AIza 1//0",
    r"(?=[a-f]{0,31}\d)[0-9a-f]{32}(?!\w)": "SK key-",
    r"[0-9a-f]{32}(?:-\d)?": "dapi",
    r"[\w-]{40,}": "EAAA",
    r"[A-Za-z0-9+/=]{40,}": "ABSK",
    r"(?=[A-Za-z]{0,42}\d)[A-Za-z0-9]{40,}": "secret_",
    # Our own: `groundwire key` makes a tenant's name and 43 random characters.
    r"(?=[a-z._-]{0,170}\d|[\w.-]{0,170}\d)(?=[a-z0-9._-]{0,170}[A-Z])[\w.-]{44,}": "gw-",
}


def _key(begin: str, rest: str) -> re.Pattern[str]:
    """A key with nothing of a word before it, to the end of its word: what is left could be a key when read again."""
    return re.compile(rf"{re.escape(begin)}(?<![A-Za-z0-9]{re.escape(begin)}){rest}[\w-]*+")


# Shapes that are secrets wherever they stand, each with what must stand in them; the last begin with nothing of their own.
_SHAPES = (
    *((begin, _key(begin, rest)) for rest, begins in _KEYS.items() for begin in begins.split()),
    (".atlasv1.", re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}")),
    (":AA", re.compile(r"(?<!\d)\d{8,10}:AA[\w-]{32,36}(?![\w-])")),
    ("eyJ", re.compile(r"eyJ(?<![\w-]eyJ)[\w-]{8,}+\.[\w-]{4,}+(?:\.[\w-]*+)*+")),
    ("8Q~", re.compile(r"(?<!\w)\w{3}8Q~[\w.~-]{30,}+")),
    (".", re.compile(r"[MNO](?<![\w-].)(?=[A-Za-z]{0,27}\d)[A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])")),
)

# "Bearer abc…", but not "bearer token", "Basic authentication".
_SCHEME = re.compile(r"\b(Bearer|Basic)(\s{1,3})([A-Za-z0-9._~+/=-]{6,}+)", re.I)
_SCHEMES = words(
    """
    basic bearer digest token apikey api-key negotiate ntlm aws4-hmac-sha256 hawk signature oauth googlelogin ssws
    sharedkey sharedkeylite sharedaccesssignature geniekey splunk key dpop hmac mac bot klaviyo-api-key macaroon
    """
)

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

# Where a text was cut, half a secret looks like none: the word before the mark of the cut is judged by how it begins.
CUT = "…"
_CUT_WORD = re.compile(
    rf"""(?<![^\s"'`<>|{CUT}])[^\s"'`<>|{CUT}]++(?=["'`]?{CUT}) | ://[^\s"'`<>|/@{CUT}]{{1,300}}@?\Z""", re.X
)
_CUT_USERINFO = re.compile(r"://(?:[^\s/@:?#]{0,80}:(?!\d{1,5}(?:[/?#]|\Z))|[^\s/?#]{0,300}@)\S*+\Z")
_CUT_END = re.compile(r"(?<![\w+=~-])[\w+=~-]{8,}+\Z")
# Behind what names a secret the half of a word may be that of its value, whatever it reads: "hunter" of "hunter2".
_CUT_NAMED = re.compile(
    r"""pass(?:wor|phr|co|wd|\b|_)|pwd|secret|credential|kennwort|contrase|senha|mot\ de\ passe|密码|密碼|口令|パスワード
      |비밀번호|암호|(?<![a-z])(?:key|pat|sig)s?(?![a-z])|(?:api|access|account)[ _-]?keys?|token|\bauth|bearer|basic|cookie
      |\bval(?:ue)?\b""",
    re.I | re.X,
)
_CUT_VALUE = re.compile(r"(?<![^\s:=：\u3000-\u9fff\uac00-\ud7af])[^\s:=：\u3000-\u9fff\uac00-\ud7af]++\Z")
_CUT_NEAR = 120
"""Code points before a word in which a name of a secret is looked for."""
# A value whose name stood behind it, and went.
_CUT_NAME = re.compile(
    rf"""((?:value|val)\\{{0,8}}["']?\s{{0,3}}[:=]\s{{0,3}}\\{{0,8}}["'])([^"'\\\n{CUT}]{{1,1000}}+)
        (?=\\{{0,8}}["'][^{{}}\n{CUT}]{{0,100}}{CUT})""",
    re.X | re.I,
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

# Two lines of YAML that were folded into one: name: DB_PASSWORD value: …
_FOLDED = re.compile(
    r"""(\bname\s{0,3}[:=]\s{0,3}["']?([\w.-]{1,80})["']?,?[ ]{1,8}value\s{0,3}[:=]\s{0,3}["']?)([^\s"']{1,1000}+)""",
    re.I,
)

# Languages that put no blank between the words; the value is what is written in ASCII.
_CJK_NOUNS = ("密码", "密碼", "口令", "パスワード", "비밀번호", "암호")
_CJK = re.compile(
    rf"""((?:{"|".join(_CJK_NOUNS)})["'`*）)]{{0,4}}[^\S\n]?
        (?:已?(?:改为|改為|设为|設為|重置为)|是|为|為|は|：|:|는|은|가|が|=)[:：]?
        (?:\*{{1,2}}[^\S\n])?[^\S\n]?[「『“"'`]?\*{{0,2}})([!\#-&(-+\-./0-9:<-_a-~]{{4,}}+)""",
    re.X,
)


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


def _cut(found: re.Match[str]) -> str:
    """Of a word that was cut, what no secret can have begun with."""
    word = _CUT_USERINFO.sub(f"://{MARK}", found[0])
    for begin, _ in _SHAPES:
        at = word.find(begin) if begin != "." else -1
        joined = word[max(0, at - 1) : at + 1].isalnum() and at > 0
        if at >= 0 and not joined and word[at + len(begin) :] not in ("", MARK):
            word = f"{word[: at + len(begin)]}{MARK}"
    end, value = _CUT_END.search(word), _CUT_VALUE.search(word)
    if end is not None and machine_made(end.group()):
        return f"{word[: end.start()]}{MARK}"
    if value is None or value.group().endswith(MARK):
        return word
    at = found.start() + value.start()
    named = _CUT_NAMED.search(found.string[max(0, at - _CUT_NEAR) : at] if word == found[0] else word)
    return f"{word[: value.start()]}{MARK}" if named else word


def _cut_value(found: re.Match[str]) -> str:
    return f"{found[1]}{MARK}" if mixed(found[2][:JUDGED]) and not stands_in(found[2][:JUDGED]) else found[0]


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
    name, scheme, gap, value = found[1], found[2] or "", found[3] or "", found[4]
    first = value[:JUDGED]
    if scheme.lower() in _SCHEMES:
        taken = not says_how(value)
    elif machine_made(scheme):
        return f"{name}{MARK}{gap}{value}"
    else:
        taken = "=" in value or machine_made(first) or (not scheme and mixed(first) and len(value) >= 9)
    return f"{name}{scheme}{gap}{MARK}" if taken and not stands_in(first) else found[0]


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
    first = value[:JUDGED]
    told = mixed(first) or value.isdigit() or "：" in found[1]
    return found[0] if not told or stands_in(first) or says_how(first) else f"{found[1]}{MARK}{found[2][len(value) :]}"


def _reversed(found: re.Match[str]) -> str:
    kind, value = kind_of(found[3]), found[2][:JUDGED]
    return f"{found[1]}{MARK}" if kind and not stands_in(value) and issued(kind, value, quoted=True) else found[0]


def _folded(found: re.Match[str]) -> str:
    kind, value = kind_of(found[2]), found[3][:JUDGED]
    return f"{found[1]}{MARK}" if kind and not stands_in(value) and issued(kind, value, quoted=False) else found[0]


# What is read in this order, each where one of some words stands, in capitals or not.
_STEPS: tuple[tuple[tuple[str, ...], re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (("bearer", "basic"), _SCHEME, _of_scheme),
    (("authorization",), _AUTHORIZATION, _authorized),
    (("cookie", "curl"), _COOKIE, _baked),
    (("-u",), _USER, _of_user),
    ((" -",), _SHORT_FLAG, _hide),
    (("login",), _NETRC, _hide),
    (("identified",), _IDENTIFIED, _identified),
    (_CJK_NOUNS, _CJK, _told_plainly),
    (("val",), _REVERSED, _reversed),
    (("value",), _FOLDED, _folded),
)
_PASSES = 3
"""How often a text is read in which secrets were found: a mark may stand where another secret's value began."""


def redact(text: str) -> str:
    """The text with everything that looks like a secret replaced by `MARK`; names and places of secrets stay.

    Takes private keys, tokens of well-known shapes, credentials in headers, URLs and flags, and the values of names
    like `password`; of a word that was cut ("…") also what may be the half of one. Applying it twice changes nothing.
    The cost is linear in the length, whatever the text.
    """
    for _ in range(_PASSES):
        before, text = text, _pass(text)
        if text == before:
            break
    return text


def _pass(text: str) -> str:
    text = _PEM.sub(MARK, text) if "-----" in text else text
    text = _USERINFO.sub(_in_url, text) if "://" in text else text
    for begin, shape in _SHAPES:
        text = shape.sub(MARK, text) if begin in text else text
    low = _small(text)
    for needed, pattern, shown in _STEPS:
        text = pattern.sub(shown, text) if any(word in low for word in needed) else text
    text = without_named(text, _small(text))
    if CUT in text:
        text = _CUT_NAME.sub(_cut_value, text)
    return _CUT_WORD.sub(_cut, text) if CUT in text or "://" in text else text


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
