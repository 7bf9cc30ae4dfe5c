"""A policy as it is spelled: the tables of one file, checked, with its packs merged in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from proxy.audit import Verdict
from proxy.dialects import Dialects, DialectTable, parse_dialects
from proxy.errors import ConfigError
from proxy.patterns import Pattern
from proxy.runners import Runners, RunnerTable, parse_runners
from proxy.signatures import Signatures, Table, parse_signatures
from proxy.tables import Source, Strict, convert, toml

Compiled = TypeVar("Compiled")
Mode = Literal["observe", "annotate", "retry", "withhold"]
STRENGTH: Mapping[str, int] = {"observe": 0, "annotate": 1, "retry": 2, "withhold": 3}


class RuleTable(Strict):
    """`[[rules]]`: which answers an auditor reads, and what its findings lead to."""

    name: str
    auditor: str = ""
    tools: list[str] = []
    claims: str = ""
    source: str = ""
    require_source: bool = True
    mode: Mode = "annotate"
    inject: bool = False
    when: Literal["", "tools", "always"] = ""
    enabled: bool = True
    options: dict[str, Any] = {}


class TestCall(Strict):
    """A call in a `[[tests]]` table; a `result` left out is a call that nothing answered."""

    __test__ = False

    name: str
    args: dict[str, Any] | str = {}
    result: Any = None


class Test(Strict):
    """`[[tests]]`: an answer, what came before it, and the exact set of findings that it must get."""

    __test__ = False  # not one of pytest's

    name: str
    answer: str = ""
    user: str = ""
    system: str = ""
    calls: list[TestCall] = []
    messages: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] | None = None
    source: dict[str, dict[str, Any] | str] = {}
    at: float = 0.0
    expect: list[str] = []


class PolicyTable(Strict):
    """A policy file or a pack, as it is spelled."""

    tenant: str = ""
    keys: list[str] = []
    upstream: str = ""
    extends: list[str] = []
    mode: Mode = "withhold"
    deadline: float = 2.0
    max_retries: int = 2
    retry_timeout: float = 60.0
    register: Literal["developer", "plain"] = "developer"
    show: tuple[Verdict, ...] = ("contradicted", "unsupported", "stale", "qualified", "unverifiable", "notice")
    silence: tuple[str, ...] = ("NO_REPLY", "HEARTBEAT_OK", "[SILENT]")
    allow_off: bool = True
    passthrough: list[str] = []
    languages: tuple[str, ...] = ("en", "de", "es", "fr", "zh", "ja", "ko")
    nudges: list[str] = []
    summaries: list[str] = []
    cwd: list[str] = []
    reading: list[str] = []
    changing: list[str] = []
    things: list[str] = []
    orders: list[str] = []
    nouns: list[str] = []
    ends: list[str] = []
    beside: list[str] = []
    undoing: list[str] = []
    shown: list[str] = []
    thinking: list[str] = []
    signatures: list[dict[str, Any]] = []
    runners: list[dict[str, Any]] = []
    dialects: list[dict[str, Any]] = []
    shared: dict[str, str | list[Any]] = {}
    rules: list[RuleTable] = []
    tests: list[Test] = []


SHARED = re.compile(r"\(\?&([\w-]+)\)")
"""How an option of a rule names a text or a list of `[shared]`."""

OF_NOTHING = f"sha256:{hashlib.sha256(b'').hexdigest()}"
"""What a shell makes of a variable that is not set: with it, whoever sends no key at all would be the tenant."""

PATTERNS = ("nudges", "summaries", "cwd")
"""Lists of expressions."""

ADDED_UP = (
    "nudges",
    "summaries",
    "cwd",
    "reading",
    "changing",
    "things",
    "orders",
    "nouns",
    "ends",
    "beside",
    "undoing",
    "shown",
    "thinking",
)
"""Lists that packs and the file add up.

So do `signatures`, `runners` and `dialects`, the file's own first: the first that fits counts.
"""


def parse(source: Source, read_pack: Callable[[str], Source]) -> dict[str, Any]:
    """The raw tables of a policy with its packs merged in. Raises ConfigError that names file, table and key."""
    return _merged(source, read_pack, (), set())


def table(source: Source, raw: Mapping[str, Any]) -> PolicyTable:
    """Raw tables, typed. Raises ConfigError."""
    typed: PolicyTable = convert(raw, PolicyTable, source.file)
    return typed


def _merged(
    source: Source, read_pack: Callable[[str], Source], above: tuple[str, ...], done: set[str]
) -> dict[str, Any]:
    """A file over its packs; a pack that several of them extend is laid down once, where it comes first."""
    own = toml(source)
    typed = table(source, own)
    if source.file in above:
        raise ConfigError(source.file, "", "extends", f"goes round in a circle: {' → '.join((*above, source.file))}")
    _check(source.file, typed, is_pack=bool(above))
    merged: dict[str, Any] = {"shared": {}, "rules": [], "signatures": [], "runners": [], "dialects": []}
    for name in typed.extends:
        try:
            pack = read_pack(name)
        except OSError:
            problem = f"there is no pack {name!r}: no packs/{name}.toml beside the policies, and none that is shipped"
            raise ConfigError(source.file, "", "extends", problem) from None
        if pack.file not in done:
            _merge(merged, _merged(pack, read_pack, (*above, source.file), done), first=False)
            done.add(pack.file)
    _merge(merged, own, first=True)
    return merged


def _check(file: str, typed: PolicyTable, *, is_pack: bool) -> None:
    """What a file can be told by itself, before packs hide whose fault it is. Raises ConfigError."""
    for key in ("tenant", "keys"):
        if is_pack and getattr(typed, key):
            raise ConfigError(file, "", key, "belongs in a tenant's own file: whoever extends a pack would get it")
    if typed.tenant and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", typed.tenant):
        problem = f"must be at most 64 ASCII letters, digits and '._-', a letter or digit first, not {typed.tenant!r}"
        raise ConfigError(file, "", "tenant", problem)
    for number, key in enumerate(typed.keys):
        if problem := key_problem(key):
            raise ConfigError(file, "", f"keys[{number}]", problem)
    if not 0.05 <= typed.deadline <= 120:
        raise ConfigError(file, "", "deadline", f"must be 0.05 to 120 seconds, not {typed.deadline:g}")
    if not 0 <= typed.max_retries <= 10:
        raise ConfigError(file, "", "max_retries", f"must be 0 to 10, not {typed.max_retries}")
    if not 1 <= typed.retry_timeout <= 600:
        raise ConfigError(file, "", "retry_timeout", f"must be 1 to 600 seconds, not {typed.retry_timeout:g}")
    for key in PATTERNS:
        list(patterns(file, key, getattr(typed, key)))
    signatures(file, typed.signatures)
    runners(file, typed.runners)
    dialects(file, typed.dialects)
    names: set[str] = set()
    for number, rule in enumerate(typed.rules):
        if not rule.name or rule.name in names:
            problem = f"{rule.name!r} is the name of an earlier rule too" if rule.name else "must not be empty"
            raise ConfigError(file, f"rules[{number}]", "name", problem)
        names.add(rule.name)
        claims_pattern(file, rule)


def key_problem(key: str) -> str:
    """What is wrong with the hash of a client's key, and what would be right; empty where nothing is."""
    if key == OF_NOTHING:
        return "is the hash of an empty key, which everybody has; `groundwire key NAME` makes a real one"
    if not re.fullmatch("sha256:[0-9a-f]{64}", key):
        return "must be 'sha256:' and 64 lower-case hex digits; `groundwire key NAME` makes one"
    return ""


def _merge(merged: dict[str, Any], more: Mapping[str, Any], *, first: bool) -> None:
    """Lay one file over what is there: scalars and lists replace, except those that add up and rules of one name."""
    for key, value in more.items():
        if key in ("tests", "extends"):
            continue
        if key in ADDED_UP:
            merged[key] = [*merged.get(key, []), *value]
        elif key in ("signatures", "runners", "dialects"):
            merged[key] = [*value, *merged[key]] if first else [*merged[key], *value]
        elif key == "shared":
            merged[key] = {**merged[key], **value}
        elif key == "rules":
            for rule in value:
                _merge_rule(merged["rules"], rule)
        else:
            merged[key] = value


def _merge_rule(rules: list[dict[str, Any]], rule: Mapping[str, Any]) -> None:
    for at, known in enumerate(rules):
        if known.get("name") == rule.get("name"):
            options = {**known.get("options", {}), **rule.get("options", {})}
            rules[at] = {**known, **rule, **({"options": options} if options else {})}
            return
    rules.append(dict(rule))


def enabled(file: str, typed: PolicyTable) -> list[RuleTable]:
    """The rules that are not switched off, with what their options name of `[shared]` in its place. Raises ConfigError.

    `(?&name)` in an expression stands for the text, or for a list's as alternatives; alone in a list, for the list's entries.
    """

    def filled(rule: RuleTable, key: str, value: Any) -> Any:
        def named(name: str) -> str | list[Any]:
            if name in typed.shared:
                return typed.shared[name]
            known = ", ".join(sorted(typed.shared)) or "nothing"
            problem = f"names {name!r}, which [shared] does not have; it has {known}"
            raise ConfigError(file, f"rules.{rule.name}.options", key, problem)

        try:
            return _filled(value, named)
        except TypeError:
            problem = "names a list of lists of [shared] in an expression, which holds texts only"
            raise ConfigError(file, f"rules.{rule.name}.options", key, problem) from None

    return [
        replace(rule, options={key: filled(rule, key, value) for key, value in rule.options.items()})
        for rule in typed.rules
        if rule.enabled
    ]


def _filled(value: Any, named: Callable[[str], str | list[Any]]) -> Any:
    if isinstance(value, str) and "(?&" in value:
        return SHARED.sub(lambda found: f"(?:{_alternatives(named(found[1]))})", value)
    if isinstance(value, dict):
        return {key: _filled(one, named) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    entries: list[Any] = []
    for entry in value:
        found = SHARED.fullmatch(entry) if isinstance(entry, str) else None
        more = named(found[1]) if found else None
        entries += more if isinstance(more, list) else [_filled(entry, named)]
    return entries


def _alternatives(value: str | list[Any]) -> str:
    return value if isinstance(value, str) else "|".join(value)


def signatures(file: str, tables: Sequence[Mapping[str, Any]]) -> Signatures:
    return _compiled(file, "signatures", tables, Table, parse_signatures)


def runners(file: str, tables: Sequence[Mapping[str, Any]]) -> Runners:
    return _compiled(file, "runners", tables, RunnerTable, parse_runners)


def dialects(file: str, tables: Sequence[Mapping[str, Any]]) -> Dialects:
    return _compiled(file, "dialects", tables, DialectTable, parse_dialects)


def _compiled(
    file: str, name: str, tables: Sequence[Mapping[str, Any]], kind: type, parse: Callable[..., Compiled]
) -> Compiled:
    for number, one in enumerate(tables):
        convert(one, kind, file, f"{name}[{number}]")
    try:
        return parse(tables)
    except ValueError as error:
        place, _, problem = str(error).partition(": ")
        raise ConfigError(file, place, "", problem) from None


def patterns(file: str, key: str, expressions: Sequence[str]) -> Iterator[Pattern]:
    for number, expression in enumerate(expressions):
        yield _pattern(file, "", f"{key}[{number}]", expression)


def _pattern(file: str, place: str, key: str, expression: str) -> Pattern:
    try:
        return Pattern(expression)
    except ValueError as error:
        raise ConfigError(file, place, key, str(error)) from None


def claims_pattern(file: str, rule: RuleTable) -> Pattern | None:
    """A rule's own pattern, if it has one."""
    pattern = _pattern(file, f"rules.{rule.name}", "claims", rule.claims) if rule.claims else None
    if pattern is not None and "subject" not in pattern.groups:
        raise ConfigError(file, f"rules.{rule.name}", "claims", "has no group named 'subject': (?P<subject>…)")
    return pattern
