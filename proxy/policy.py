"""One TOML text → a `Policy`: match rules to a turn, decide what a report leads to."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal, get_args

import msgspec

from proxy import ledger
from proxy.audit import Auditor, Check, Report, Verdict
from proxy.claims import Claim, Lexicon, Reading, parse_words
from proxy.errors import ConfigError
from proxy.ledger import Marks, Turn
from proxy.patterns import Pattern
from proxy.signatures import Signatures, Table, globs, spellings

Mode = Literal["observe", "annotate", "retry", "withhold"]
STRENGTH: Mapping[str, int] = {"observe": 0, "annotate": 1, "retry": 2, "withhold": 3}
NOT_BUILT = "is not built yet; right would be 'observe' or 'annotate'"
ALWAYS = frozenset({"judge", "ground"})
"""Auditors whose rules apply, unless they say otherwise, to answers without tools as well."""


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table in which an unknown key is an error."""


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
    expect: list[str] = []


class PolicyTable(Strict):
    """A policy file or a pack, as it is spelled."""

    tenant: str = ""
    keys: list[str] = []
    upstream: str = ""
    extends: list[str] = []
    deadline: float = 2.0
    register: Literal["developer", "plain"] = "developer"
    show: tuple[Verdict, ...] = ("contradicted", "unsupported", "stale", "qualified", "unverifiable", "notice")
    silence: tuple[str, ...] = ("NO_REPLY", "HEARTBEAT_OK", "[SILENT]")
    allow_off: bool = True
    passthrough: list[str] = []
    languages: tuple[str, ...] = ("en",)
    nudges: list[str] = []
    summaries: list[str] = []
    cwd: list[str] = []
    signatures: list[dict[str, Any]] = []
    rules: list[RuleTable] = []
    tests: list[Test] = []


OF_NOTHING = f"sha256:{hashlib.sha256(b'').hexdigest()}"
"""What a shell makes of a variable that is not set: with it, whoever sends no key at all would be the tenant."""

ADDED_UP = ("nudges", "summaries", "cwd")
"""Lists that packs and the file add up; `signatures` do too, the file's own first, for the first that fits counts."""


@dataclass(frozen=True, slots=True)
class Source:
    """One TOML text and the file it came from, as errors name it."""

    file: str
    text: str


def parse(source: Source, read_pack: Callable[[str], Source]) -> dict[str, Any]:
    """The raw tables of a policy with its packs merged in. Raises ConfigError that names file, table and key."""
    return _merged(source, read_pack, ())


def table(source: Source, raw: Mapping[str, Any]) -> PolicyTable:
    """Raw tables, typed. Raises ConfigError."""
    typed: PolicyTable = convert(raw, PolicyTable, source.file)
    return typed


def toml(source: Source) -> dict[str, Any]:
    """A TOML text as tables. Raises ConfigError that names the line."""
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(source.file, "", "", f"is not TOML: {error}") from None


def convert(raw: Any, kind: Any, file: str, above: str = "") -> Any:
    """Type raw tables, turning msgspec's words into ours: file, table, key, what is wrong, what would be right."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).replace("`object`", "`table`").replace("[...]", "[*]").partition(" - at `$")
        names = [name for name in (above, path.rstrip("`").lstrip(".")) if name]
        place = ".".join(names).replace(".[", "[")
        unknown = re.search(r"unknown field `(.+?)`", problem)
        if unknown:
            known = sorted(_keys(_type_at(kind, path)))
            raise ConfigError(file, place, unknown[1], _no_key(unknown[1], known)) from None
        missing = re.search(r"missing required field `(.+?)`", problem)
        if missing:
            raise ConfigError(file, place, missing[1], "is missing") from None
        head, _, key = place.rpartition(".")
        choices = [repr(choice) for choice in get_args(_type_at(kind, path)) if choice and isinstance(choice, str)]
        right = f"; right would be one of {', '.join(choices)}" if choices else ""
        raise ConfigError(file, head, key, problem[:1].lower() + problem[1:] + right) from None


def _no_key(key: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(key, known, 1)
    right = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known) or 'none'}"
    return f"is no key of this table; {right}"


def _keys(kind: Any) -> dict[str, Any]:
    """The keys of a table of ours and their types; none where it is none."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    return {}


def _type_at(kind: Any, path: str) -> Any:
    """The type at a path of msgspec's (`.rules[0].mode`): a key leads into a table, an index into a list's items."""
    for name in re.findall(r"\.(\w+)|\[[^\]]*\]", path):
        items = [one for one in get_args(kind) if one is not ...]
        kind = _keys(kind).get(name) if name else (items[-1] if items else None)
    return kind


def _merged(source: Source, read_pack: Callable[[str], Source], above: tuple[str, ...]) -> dict[str, Any]:
    own = toml(source)
    typed = table(source, own)
    if source.file in above:
        raise ConfigError(source.file, "", "extends", f"goes round in a circle: {' → '.join((*above, source.file))}")
    _check(source.file, typed, is_pack=bool(above))
    merged: dict[str, Any] = {"rules": [], "signatures": []}
    for name in typed.extends:
        try:
            pack = read_pack(name)
        except OSError:
            raise ConfigError(source.file, "", "extends", f"there is no pack {name!r}") from None
        _merge(merged, _merged(pack, read_pack, (*above, source.file)), first=False)
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
        if not re.fullmatch("sha256:[0-9a-f]{64}", key) or key == OF_NOTHING:
            problem = "must be 'sha256:' and 64 lower-case hex digits, not of nothing; `groundwire key NAME` makes one"
            raise ConfigError(file, "", f"keys[{number}]", problem)
    if not 0.05 <= typed.deadline <= 60:
        raise ConfigError(file, "", "deadline", f"must be 0.05 to 60 seconds, not {typed.deadline:g}")
    for key in ADDED_UP:
        list(_patterns(file, key, getattr(typed, key)))
    _signatures(file, typed.signatures)
    names: set[str] = set()
    for number, rule in enumerate(typed.rules):
        if not rule.name or rule.name in names:
            problem = f"{rule.name!r} is the name of an earlier rule too" if rule.name else "must not be empty"
            raise ConfigError(file, f"rules[{number}]", "name", problem)
        names.add(rule.name)
        if STRENGTH[rule.mode] > STRENGTH["annotate"]:
            raise ConfigError(file, f"rules.{rule.name}", "mode", f"{rule.mode!r} {NOT_BUILT}")
        if rule.inject:
            raise ConfigError(file, f"rules.{rule.name}", "inject", "is not built yet; leave it out")
        _claims(file, rule)


def _merge(merged: dict[str, Any], more: Mapping[str, Any], *, first: bool) -> None:
    """Lay one file over what is there: scalars and lists replace, except those that add up and rules of one name."""
    for key, value in more.items():
        if key in ("tests", "extends"):
            continue
        if key in ADDED_UP:
            merged[key] = [*merged.get(key, []), *value]
        elif key == "signatures":
            merged[key] = [*value, *merged[key]] if first else [*merged[key], *value]
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


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, compiled."""

    name: str
    auditor_name: str
    auditor: Auditor
    tools: re.Pattern[str] | None
    claims: Pattern | None
    mode: Mode
    needs_tools: bool

    def own_claims(self, reading: Reading) -> Iterator[Claim]:
        """What the rule's own pattern finds, each subject once; then what its auditor wants of the general reader."""
        if self.claims is not None:
            yield from _pattern_claims(self.claims, reading)
        if self.auditor.reads:
            yield from (claim for claim in reading.claims if claim.kind in self.auditor.reads)


def _pattern_claims(pattern: Pattern, reading: Reading) -> Iterator[Claim]:
    seen: set[str] = set()
    for found in pattern.finditer(reading.text):
        groups = {name: text for name, number in pattern.groups.items() if (text := found.group(number)) is not None}
        subject = groups.pop("subject", "")
        if subject and subject not in seen:
            seen.add(subject)
            start, end = found.span(pattern.groups["subject"])
            stance, quote = reading.stance_at(start), reading.quote_at(start)
            yield Claim("pattern", subject, stance, "", quote, start, end, fields=groups)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a report leads to: the strongest mode that has a flagged finding, and what the reader may see."""

    mode: Mode
    shown: Report


class Policy:
    """A policy, compiled: everything that one tenant's answers are read by. Built once, then only read."""

    def __init__(self, typed: PolicyTable, rules: Sequence[Rule], marks: Marks, lexicon: Lexicon) -> None:
        self.tenant, self.upstream, self.keys = typed.tenant, typed.upstream, tuple(typed.keys)
        self.deadline, self.register = typed.deadline, typed.register
        self.silence, self.passthrough = tuple(typed.silence), tuple(typed.passthrough)
        self.allow_off = typed.allow_off
        self.rules, self.marks, self.lexicon = tuple(rules), marks, lexicon
        self._show = frozenset(typed.show)
        self._modes: dict[str, Mode] = {rule.name: rule.mode for rule in rules}
        self._matching: dict[str, frozenset[str]] = {}

    def select(self, turn: Turn, reading: Reading, *, declares_tools: bool) -> list[Check]:
        """The rules that apply, each with its own claims: a call matches `tools`, or the answer matches `claims`."""
        ran = frozenset[str]().union(*(self._by_tool(call.name) for call in turn.calls))
        checks = []
        for rule in self.rules:
            if rule.needs_tools and not declares_tools:
                continue
            claims = list(rule.own_claims(reading))
            general = rule.tools is None and rule.claims is None
            spoken = any(claim.kind == "pattern" or claim.stance == "asserted" for claim in claims)
            if general or rule.name in ran or spoken:
                checks.append(Check(rule.name, rule.auditor_name, rule.auditor, claims))
        return checks

    def _by_tool(self, name: str) -> frozenset[str]:
        """The names of the rules whose `tools` match a tool's name."""
        if name not in self._matching:
            if len(self._matching) >= 1_024:  # names come from clients: what is remembered of them is bounded
                self._matching.clear()
            names = spellings(name)
            self._matching[name] = frozenset(
                rule.name for rule in self.rules if rule.tools and any(rule.tools.match(one) for one in names)
            )
        return self._matching[name]

    def decide(self, report: Report) -> Decision:
        """Flagged findings of the strongest mode win; what `observe` rules found is recorded and not shown."""
        flagged: list[Mode] = [
            self._modes.get(finding.rule, "annotate") for finding in report.findings if finding.flagged
        ]
        shown = tuple(
            finding
            for finding in report.findings
            if finding.verdict in self._show and self._modes.get(finding.rule) != "observe"
        )
        failures = tuple(one for one in report.failures if self._modes.get(one.rule) != "observe")
        mode: Mode = max(flagged, key=STRENGTH.__getitem__) if flagged else "observe"
        return Decision(mode, replace(report, findings=shown, failures=failures))


def build(
    source: Source,
    raw: Mapping[str, Any],
    *,
    auditors: Mapping[str, Callable[..., Auditor]],
    words: Callable[[str], Mapping[str, Any]],
    sources: Collection[str],
) -> Policy:
    """Compile merged tables. `sources` are the names that are configured. Raises ConfigError."""
    typed = table(source, raw)
    rules = [_rule(source.file, one, auditors, sources) for one in typed.rules if one.enabled]
    marks = Marks(
        _signatures(source.file, typed.signatures),
        *(tuple(_patterns(source.file, key, getattr(typed, key))) for key in ADDED_UP),
    )
    try:
        lexicon = parse_words([words(language) for language in ("any", *typed.languages)])
    except OSError as error:
        raise ConfigError(source.file, "", "languages", f"there is no word list {error.filename}") from None
    except ValueError as error:
        raise ConfigError(source.file, "", "languages", str(error)) from None
    return Policy(typed, rules, marks, lexicon)


def _signatures(file: str, tables: Sequence[Mapping[str, Any]]) -> Signatures:
    for number, one in enumerate(tables):
        convert(one, Table, file, f"signatures[{number}]")
    try:
        return ledger.parse_signatures(tables)
    except ValueError as error:
        place, _, problem = str(error).partition(": ")
        raise ConfigError(file, place, "", problem) from None


def _patterns(file: str, key: str, expressions: Sequence[str]) -> Iterator[Pattern]:
    for number, expression in enumerate(expressions):
        yield _pattern(file, "", f"{key}[{number}]", expression)


def _pattern(file: str, place: str, key: str, expression: str) -> Pattern:
    try:
        return Pattern(expression)
    except ValueError as error:
        raise ConfigError(file, place, key, str(error)) from None


def _claims(file: str, rule: RuleTable) -> Pattern | None:
    """A rule's own pattern, if it has one."""
    pattern = _pattern(file, f"rules.{rule.name}", "claims", rule.claims) if rule.claims else None
    if pattern is not None and "subject" not in pattern.groups:
        raise ConfigError(file, f"rules.{rule.name}", "claims", "has no group named 'subject': (?P<subject>…)")
    return pattern


def _rule(file: str, one: RuleTable, auditors: Mapping[str, Callable[..., Auditor]], sources: Collection[str]) -> Rule:
    place = f"rules.{one.name}"
    if not one.auditor:
        raise ConfigError(file, place, "auditor", f"is missing, and no pack has a rule {one.name!r} to take it from")
    if one.auditor not in auditors:
        raise ConfigError(
            file, place, "auditor", f"there is no auditor {one.auditor!r}; known: {', '.join(sorted(auditors))}"
        )
    if one.source and one.source not in sources and one.require_source:
        problem = f"[sources.{one.source}] is not configured; add it, or set require_source = false"
        raise ConfigError(file, place, "source", problem)
    when = one.when or ("always" if one.auditor in ALWAYS else "tools")
    return Rule(
        one.name,
        one.auditor,
        _auditor(file, place, one, auditors[one.auditor], sources),
        globs(one.tools) if one.tools else None,
        _claims(file, one),
        one.mode,
        when == "tools",
    )


def _auditor(file: str, place: str, one: RuleTable, kind: Any, sources: Collection[str]) -> Auditor:
    """The auditor with its options, each of its own type; a field `source` is the rule's."""
    if not is_dataclass(kind):
        raise ConfigError(file, place, "auditor", f"{one.auditor!r} is no dataclass, so its options have no types")
    known = sorted({field.name for field in fields(kind)} - {"source"})
    for key in one.options:
        if key not in known:
            raise ConfigError(file, f"{place}.options", key, _no_key(key, known))
    options = dict(one.options)
    if "source" in {field.name for field in fields(kind)}:
        options["source"] = one.source if one.source in sources else ""
    auditor: Auditor = convert(options, kind, file, f"{place}.options")
    return auditor
