"""What stands behind the name of a secret, in whatever way the two are joined."""

from __future__ import annotations

import re
from typing import NamedTuple

from proxy.secret_words import (
    LONGEST_NAME,
    Kind,
    code,
    filed,
    kind_of,
    machine_made,
    mixed,
    path,
    plural,
    record,
    says_how,
    sentence,
    stands_in,
)

MARK = "***"
"""What stands where a secret stood."""

# Where what a name names begins. Quotes may be escaped: a tool's JSON is often quoted in another tool's JSON.
_QUOTE = r"""\\{0,8}["']"""
SHUT = r"""(?:\[[a-z0-9_-]{0,20}\])?\\{0,8}(?:["'`*_)\]]|%22|&quot;){0,4}"""
_SIGN = r"(?:=>|:=|={1,3}|!={1,2}|[:：→]|%(?:25)?3[ad]|\\u003[ad])"
_LINE = r"[ \t]{0,8}(?:(?:\n|\\n){1,2}[ \t]{0,40})?"
_ABOUT = r"[ \t](?:for|of|to|für|von|der|des|de|del|para|du|pour|da|do)(?:[ ][^\s:.,;=]{1,30}){1,4}?"
_READS = (
    r"(?:(?:is|was|remains|reads|will be|to be)(?: (?:now|still|currently|simply|just))?"
    r"|(?:is |was |has been )?(?:set|reset|changed) to|(?:lautet|wurde auf|ist|war|heißt|heisst|es|era|será|est|était|sera|é)"
    r"(?: (?:jetzt|nun|ahora|maintenant|agora))?)"
).replace(" ", "[ ]")

_NAME, _UNTAGGED = (
    re.compile(
        rf"""(?P<name>(?:pass|pwd|secret|credential|key|token|auth|sig|session|sessid|cookie|pat(?![a-z])|kennwort|contrase[ñn]a|senha)
        [a-zö0-9_-]{{0,40}}+){SHUT}
    (?: (?:{_ABOUT}|[ \t]?\([^()\n]{{1,40}}\))?[ \t]{{0,8}}(?P<sign>{_SIGN})(?P<line>{_LINE})
            (?:[|>][+-]?[ \t]{{0,4}}\n[ \t]{{1,40}})?(?:[*_]{{1,2}}[ \t]{{1,4}})?\*{{0,2}}
            (?:\{{\s{{0,20}}{_QUOTE}(?:[snb]|value|stringvalue|plaintext|default){_QUOTE}\s{{0,3}}:\s{{0,3}})?
      | (?P<pair>(?<=["'])\s{{0,3}},?\s{{0,20}}|(?:\n|\\n)[ \t]{{0,20}})
            \\{{0,8}}["']?(?:secret_?|string_?)?(?:value|val|default|content){SHUT}[ \t]{{0,3}}[:=][ \t]{{0,3}}
      | (?P<cell>[ \t]{{0,20}}\|[ \t]{{0,20}}\*{{0,2}})
      | (?P<element>{element})
      | (?P<told>(?:{_ABOUT})?\s{{1,3}}(?P<reads>{_READS}):?\s{{1,3}}\*{{0,2}})
      | (?P<space>[ \t]{{1,3}}\*{{0,2}}))(?=\S)""",
        re.X,
    )
    for element in (r"(?:\s[^<>\n]{0,160})?>\s{0,3}(?:<!\[cdata\[)?", "(?!)")
)

JUDGED = 128
"""Code points of a value by which it is judged; what is taken is taken to its end. So nothing long is read twice."""

# How much is read in one go, and how often: of a value that is judged, and of one that is taken.
_READ = (("{1,16}+", "{1,8}+"), ("++", "++"))


def _value(bare: str) -> tuple[re.Pattern[str], ...]:
    """A value, to be judged and whole: in quotes of some sort, which may hold escaped ones, else bare; its group is last."""
    return tuple(
        re.compile(
            rf"""[bBrRuUfFN@]{{0,2}}"((?:[^"\\\n]{run}|\\.){most}) | [bBrRuUfFN@]{{0,2}}'((?:[^'\\\n]{run}|\\.){most})
              | (?P<double>\\{{1,8}})"((?:[^"\\\n]{run}|(?P=double)\\+"|\\++(?!")){most})
              | (?P<single>\\{{1,8}})'((?:[^'\\\n]{run}|(?P=single)\\+'|\\++(?!')){most})
              | `((?:[^`\n]{run}){most}) | “((?:[^”\n]{run}){most}) | „((?:[^“”\n]{run}){most}) | «\s?((?:[^»\n]{run}){most})
              | 「((?:[^」\n]{run}){most}) | ‘((?:[^’\n]{run}){most})
              | %22((?:[^\s"'%]{run}|%(?!22)){most}) | &quot;((?:[^\n<>&]{run}|&(?!quot;)){most})
              | (?P<bare>(?![(\[{{"']|[bBrRuUfFN@]{{1,2}}["'])(?:{bare.replace("RUN", run)}){most})""",
            re.X,
        )
        for run, most in _READ
    )


_INSIDE = r"""[^\s"'`\\,;&)}\]<|]RUN|[)\]](?=[\w!@\#$%^*])|["'](?=\w)|\\(?![nrtux"'\\/])"""
_BARE, _SHELL = _value(_INSIDE), _value(rf"{_INSIDE}|,(?=[^\s\"'])")
_ENCODED = _value(r"[^\s\"'`\\&<>%]RUN|%(?!(?:25)?(?:2[26c]|20|7d|0[ad]))")
_BODY = tuple(re.compile(rf"([^<>\s\]][^<>\n\]]{most}+)") for most in (f"{{0,{JUDGED}}}", "*"))

_LIST = tuple(
    re.compile(
        rf"""\[(?:[\s,]{run}|"(?:[^"\\\n]{run}|\\.){most}"?|'(?:[^'\\\n]{run}|\\.){most}'?
            |\\"(?:[^"\\\n]{run}|\\(?!")){most}(?:\\")?){parts}""",
        re.X,
    )
    for (run, most), parts in zip(_READ, ("{1,20}+", "++"), strict=True)
)
_ITEM = re.compile(r"""(\\?["'])((?:[^"'\\\n]++|\\(?!["'])|(?<!\\)\\["'](?!\s*[,\]]))++)""")
_DASHED = tuple(
    re.compile(rf"(?:-[ \t]{{1,4}}[^\n]{run}(?:\n[ \t]{{0,40}}(?=-[ \t]))?){most}")
    for run, most in (("{1,80}+", "{1,4}+"), ("++", "++"))
)
_DASH = re.compile(r"""(-[ \t]{1,4}["']?)([^\s"']++)""")

# What stands before the name of an element or an attribute's value, and before a name that a pair has.
_TAGGED = re.compile(r"""(?:<[\w.:-]{0,60}|(?:name|key|id)=["'][\w.:-]{0,60})\Z""", re.I)
_PAIRED = re.compile(r"""["':=]\s{0,3}[\w.-]{0,60}\Z""")

# What ends the cell of a table, and the line under a table's head.
_CELL_END = re.compile(r"[`*]{0,3}[ \t]{0,40}\|")
_HEAD_LINE = re.compile(r"[ \t]{0,8}\|?[ \t]{0,8}:?-{2,}")

_SOFT = ("", ":", "：", "→")
"""Signs behind which prose may go on; behind the others a program's value stands."""

_DIGIT = re.compile(r"\d")
_SIGNS = re.compile("[=:]")
_GOES_ON = re.compile(rf"[ \t]+(?:[\w(]|{re.escape(MARK)})")
_PLAIN_SIGNS = re.compile(r"[\w+/=.-]+")
_TOLD = ("password", "foreign", "secret")
_JOINED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."


class Candidate(NamedTuple):
    """A value behind a name: how the two are joined, what is judged of the value, and what comes before and after."""

    found: re.Match[str]
    way: str
    sign: str
    name: str
    kind: Kind
    value: str
    bare: bool
    text: str
    end: int

    @property
    def after(self) -> str:
        return self.text[self.end : self.end + 4]

    @property
    def before(self) -> str:
        return self.text[max(0, self.found.start() - LONGEST_NAME) : self.found.start()]


def without_named(text: str, low: str) -> str:
    """The text without what stands behind names of secrets; `low` is the same in small letters, place by place."""
    parts: list[str] = []
    done = at = 0
    while found := _NAME.search(low, at):
        at = found.end("name")
        if found.lastgroup == "element" and not _TAGGED.search(
            text, max(0, found.start() - LONGEST_NAME), found.start()
        ):
            found = _UNTAGGED.match(low, found.start())
            if not found:
                continue
        name = _name(text, found)
        kind = kind_of(name)
        taken = _taken(text, found, name, kind) if kind else None
        if taken:
            start, end, shown = taken
            parts += (text[done:start], shown)
            done = at = end
    return "".join((*parts, text[done:])) if parts else text


def issued(kind: Kind, value: str, *, quoted: bool) -> bool:
    """Whether the value behind an equals sign, or in quotes, is a secret."""
    if kind == "lone":
        return len(value) >= 32 and _random(value) and not filed(value)
    if kind == "key":
        digits = bool(_DIGIT.search(value)) and not value.isdigit()
        return digits and len(value) >= 4 and " " not in value and not record(value) and not path(value)
    if kind == "loose":
        return " " not in value and machine_made(value)
    if quoted and sentence(value):
        return False
    if kind == "secret":
        few = len(value) < 8 and value.isdigit()
        return not few and not path(value) and not (quoted and " " in value and not mixed(value))
    return True


def _name(text: str, found: re.Match[str]) -> str:
    """The whole name of which a part was found; with the word before it, where a blank joins them."""
    start, end = found.span("name")
    before = text[max(0, start - LONGEST_NAME) : start]
    first = before.rstrip(_JOINED)
    head = before[len(first) :]
    if first.endswith("\\") and head[:1] in ("n", "r", "t"):
        head = head[1:]  # an escaped line end
    if not head and first.endswith(" "):
        rest = first[:-1].rstrip(_JOINED)
        head = first[len(rest) :]
    return head + text[start:end]


def _taken(text: str, found: re.Match[str], name: str, kind: Kind) -> tuple[int, int, str] | None:
    """From where to where a secret stands behind the name, and what is shown there."""
    at, sign = found.end(), found["sign"] or ""
    way = found.lastgroup or ""  # the last to end, as the groups of a way stand within it; of a sign the line behind it
    flagged = name.startswith("-")
    if way == "space" and not flagged and kind not in _TOLD and text.find(" ", at, at + 12) >= 0:
        return None  # what only stands beside a word of many meanings must be long
    if sign and text[at] in "[-" and plural(name) and (listed := _listed(text, at, kind)):
        return listed
    if way == "element":
        judged, whole = _BODY
    elif sign.startswith(("%", "\\")):
        judged, whole = _ENCODED
    else:
        judged, whole = _SHELL if sign == "=" and name.isupper() else _BARE
    value = judged.match(text, at)
    if not value or not value.lastindex:
        return None
    bare = value.lastgroup == "bare"
    content = value[value.lastindex].rstrip(".:*") if bare else value[value.lastindex]
    if not content:
        return None  # nothing, or a mark
    if kind not in _TOLD:
        given = (flagged or text[max(0, found.start() - 1)] in "?&") and name.lower().endswith(("token", "pass"))
        if not given and not _DIGIT.search(content):
            return None
        kind = "secret" if given and kind == "loose" else kind  # of a flag, or a parameter of a URL
    one = Candidate(found, way, sign, name, kind, content, bare, text, value.end())
    if not _secret(one) or stands_in(content) or (bare and (says_how(content) or code(content, one.after[:1]))):
        return None
    full = whole.match(text, at)
    assert full is not None
    start, end = full.span(full.lastindex or 0)
    return start, start + len(text[start:end].rstrip(".:*")) if bare else end, MARK


def _secret(one: Candidate) -> bool:
    """Whether the value is a secret, by the kind of its name and by what joins them, if it is no word of a language."""
    flagged = one.name.startswith("-")
    if one.way == "element":
        return issued(one.kind, one.value, quoted=True)
    if one.way == "pair":
        return bool(_PAIRED.search(one.before)) and issued(one.kind, one.value, quoted=True)
    if one.way == "space" and not flagged:
        return _beside(one)
    if one.way == "cell":
        return _in_cell(one.text, one.end) and _said(one)
    return _said(one) if one.way == "told" else _signed(one, flagged)


def _signed(one: Candidate, flagged: bool) -> bool:
    """The same, where a sign joins the two, or a name that is a flag has its value behind it."""
    if one.bare and (one.sign in ("==", "===", "!=", "!==") or (one.value.isdigit() and plural(one.name))):
        return False  # code compares; a number of several counts them
    if one.bare and (one.found["line"] or "").strip(" \t") and not (one.sign == ":" and _below(one)):
        return False
    if one.sign in _SOFT and one.before.endswith(":"):
        return False  # a part of a longer address: "arn:aws:…:secret:prod/db"
    if one.sign == "=" and one.kind == "loose" and one.name.lower().endswith("token"):
        return machine_made(one.value) or (mixed(one.value) and len(one.value) >= 6 and one.value.isalnum())
    if not one.bare or flagged or one.sign not in _SOFT:
        return issued(one.kind, one.value, quoted=not one.bare)
    if one.kind == "secret" and " " not in one.name and not one.name.isalpha() and _ends(one):
        return issued(one.kind, one.value, quoted=False)  # a header, or a line of a configuration
    return _said(one)


def _said(one: Candidate) -> bool:
    """Whether the value is a secret that a sentence or a label tells: no word of a language."""
    if one.kind in ("lone", "key", "loose"):
        return issued(one.kind, one.value, quoted=not one.bare)
    if len(one.value) < 4 or (not one.bare and (" " in one.value or sentence(one.value))):
        return False
    if path(one.value) and (one.bare or one.kind == "secret" or "/" in one.value):
        return False
    if mixed(one.value):
        return one.kind != "secret" or len(one.value) >= 6
    if one.kind == "secret" or not _ends(one):
        return False
    reads = one.kind == "password" or not one.bare or (one.found["reads"] or "").startswith("lautet")
    return one.value.isdigit() or (reads and len(one.value) >= 5)


def _beside(one: Candidate) -> bool:
    """Whether what follows the name with nothing between is a secret: "PASSWORD 'x'", "token abc…"."""
    word = one.kind in ("password", "foreign")
    if not one.bare:
        sql = word and one.name.isupper()
        plain = " " in one.value or sentence(one.value)
        return not plain and (sql or (word and mixed(one.value)) or machine_made(one.value))
    if word:
        return one.value.isalnum() and len(one.value) >= 6 and mixed(one.value) and not record(one.value)
    return len(one.value) >= (12 if one.kind == "secret" else 32) and _random(one.value) and not filed(one.value)


def _random(value: str) -> bool:
    return machine_made(value) and not path(value) and bool(_PLAIN_SIGNS.fullmatch(value))


def _below(one: Candidate) -> bool:
    """Whether what stands in the line under a label looks like what it names, and not like another label."""
    digits = bool(_DIGIT.search(one.value))
    return digits and len(one.value) >= 6 and mixed(one.value) and not _SIGNS.search(one.value + one.after[:1])


def _ends(one: Candidate) -> bool:
    """Whether no sentence goes on behind a value."""
    return not _GOES_ON.match(one.after)


def _in_cell(text: str, end: int) -> bool:
    """Whether the value fills a cell of a table, and that is no cell of its head."""
    line = text.find("\n", end, end + 400)
    return bool(_CELL_END.match(text, end)) and not (line >= 0 and _HEAD_LINE.match(text, line + 1))


def _listed(text: str, at: int, kind: Kind) -> tuple[int, int, str] | None:
    """A list of secrets, in brackets or in lines with dashes."""
    judged, whole, item = (*_LIST, _ITEM) if text[at] == "[" else (*_DASHED, _DASH)

    def shown(value: re.Match[str]) -> str:
        first = value[2][:JUDGED]
        likely = (kind == "password" and (item is _ITEM or mixed(first))) or machine_made(first)
        return value[0] if not likely or stands_in(first) or sentence(first) else f"{value[1]}{MARK}"

    found = judged.match(text, at)
    if not found or item.sub(shown, found[0]) == found[0]:
        return None
    listed = whole.match(text, at)
    assert listed is not None
    return at, listed.end(), item.sub(shown, listed[0])
