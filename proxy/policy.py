"""A policy, compiled: match rules to a turn, decide what a report leads to."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from msgspec import structs

from proxy.audit import Auditor, Check, Finding, Report
from proxy.claims import Claim
from proxy.errors import ConfigError
from proxy.ledger import UNDONE, Call, Marks, Turn
from proxy.lexicon import Lexicon
from proxy.natures import Natures, Verbs
from proxy.patterns import Pattern, expression
from proxy.policy_file import (
    PATTERNS,
    STRENGTH,
    Mode,
    PolicyTable,
    RuleTable,
    claims_pattern,
    dialects,
    enabled,
    patterns,
    runners,
    signatures,
    table,
)
from proxy.readers import givers, reader
from proxy.reading import Reading
from proxy.tables import Source, convert, no_key
from proxy.tool_names import globs, spellings

LATE = frozenset({"judge", "ground", "media"})
"""Auditors that are too dear to run on what may never be claimed."""
REFERENCES = frozenset({"url", "commit", "job"})
"""Kinds of claims that a reader finds in a tool's result as in prose."""
DIGIT = re.compile(r"\d")
TOLD = 20_000
"""Code points of a result in which its claims are looked for."""
ALWAYS = frozenset({"judge", "ground"})
"""Auditors whose rules apply, unless they say otherwise, to answers without tools as well."""
OF_SOURCE = ("root", "case_sensitive")
"""Keys of a source's table that an auditor with such options takes from there."""


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
    inject: bool = False
    needs: frozenset[str] = frozenset()

    @property
    def early(self) -> bool:
        """Whether what a tool result claims may be looked at before the answer is there."""
        return self.auditor_name not in LATE

    def matches(self, name: str) -> bool:
        """Whether a tool of this name is one of the rule's."""
        return self.tools is not None and any(self.tools.match(one) for one in spellings(name))

    @property
    def reads_results(self) -> bool:
        """Whether it may find that a result alone claims anything."""
        return self.claims is not None or bool(self.auditor.reads & (REFERENCES | {"file"}))

    def told_claims(self, call: Call, lexicon: Lexicon) -> list[Claim]:
        """What the result of a call claims of the world: it is said by a tool, so all of it is meant."""
        if call.result is None or call.outcome in UNDONE:
            return []
        reading = Reading(call.result.text[:TOLD], lexicon)
        claims = [] if self.claims is None else list(_pattern_claims(self.claims, reading))
        claims += reading.claims(self.auditor.reads & REFERENCES)
        if "file" in self.auditor.reads:
            landed = [target for target in call.targets if target.outcome == "landed"]
            claims += [Claim("file", one.path, "asserted", "edit", close=True) for one in landed]
        said = {(claim.kind, claim.subject): structs.replace(claim, stance="asserted", quote="") for claim in claims}
        return list(said.values())

    def own_claims(self, reading: Reading) -> list[Claim]:
        """What the rule's own pattern finds, each subject once."""
        return [] if self.claims is None else list(_pattern_claims(self.claims, reading))

    def general_claims(self, reading: Reading, named: Sequence[Claim]) -> Sequence[Claim]:
        """What its auditor wants of the general readers, but for what some rule's pattern has `named` already.

        The key of a deposit ends as a file's name does; it is no file for that.
        """
        claims = reading.claims(self.auditor.reads)
        if not named:
            return claims
        spans = [(one.start, one.end) for one in named]
        return [one for one in claims if not (one.subject and any(a <= one.start < b for a, b in spans))]

    @property
    def always(self) -> bool:
        """Whether it applies to every turn, whatever ran and whatever is said."""
        return self.tools is None and self.claims is None


def facts(turn: Turn, text: str) -> frozenset[str]:
    """Which of `audit.NEEDS` a turn and its answer have."""
    found = {"figures"} if DIGIT.search(text) else set()
    if turn.calls:
        found.add("calls")
    if any(not call.effect and turn.nature(call) != "read" and call.outcome not in UNDONE for call in turn.calls):
        found.add("change")
    return frozenset(found)


def _pattern_claims(pattern: Pattern, reading: Reading) -> Iterator[Claim]:
    seen: set[str] = set()
    for found in pattern.finditer(reading.text):
        groups = {name: text for name, number in pattern.groups.items() if (text := found.group(number)) is not None}
        subject = groups.pop("subject", "")
        if subject and subject not in seen:
            seen.add(subject)
            start, end = found.span(pattern.groups["subject"])
            stance, quote = reading.stance_at(start), reading.quote_at(start)
            yield Claim("pattern", subject, stance, reading.act_at(start), quote, start, end, fields=groups)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a report leads to: the strongest mode that has a flagged finding, what the reader may see, and what the model."""

    mode: Mode
    shown: Report
    flagged: tuple[Finding, ...] = ()


class Policy:
    """A policy, compiled: everything that one tenant's answers are read by. Built once, then only read."""

    def __init__(self, typed: PolicyTable, rules: Sequence[Rule], marks: Marks, lexicon: Lexicon) -> None:
        self.tenant, self.upstream, self.keys = typed.tenant, typed.upstream, tuple(typed.keys)
        self.deadline, self.register = typed.deadline, typed.register
        self.silence, self.passthrough = tuple(typed.silence), tuple(typed.passthrough)
        self.allow_off = typed.allow_off
        self.max_retries, self.retry_timeout = typed.max_retries, typed.retry_timeout
        self.speaks = any(rule.mode != "observe" for rule in rules)
        self.retries = any(rule.mode == "retry" for rule in rules)
        self.inline = frozenset(
            rule.name for rule in rules if rule.mode != "observe" and getattr(rule.auditor, "style", "") == "inline"
        )
        self.withholds = any(rule.mode == "withhold" for rule in rules)
        self.buffers = self.retries or bool(self.inline) or self.withholds
        self.rules, self.marks, self.lexicon = tuple(rules), marks, lexicon
        self.injects = any(rule.inject for rule in rules)
        self.looks = any(rule.early and getattr(rule.auditor, "source", "") for rule in rules)
        self._show = frozenset(typed.show)
        self._modes: dict[str, Mode] = {rule.name: rule.mode for rule in rules}
        # Names come from clients: what is remembered of them is bounded.
        self._by_tool = lru_cache(maxsize=1_024)(self._matching)

    def select(self, turn: Turn, reading: Reading, *, declares_tools: bool) -> list[Check]:
        """The rules that apply, each with its own claims: a call matches `tools`, or the answer matches `claims`."""
        ran = frozenset[str]().union(*(self._by_tool(call.name) for call in turn.calls))
        there = facts(turn, reading.text)
        rules = [rule for rule in self.rules if (declares_tools or not rule.needs_tools) and rule.needs <= there]
        own = {rule.name: found for rule in rules if (found := rule.own_claims(reading))}
        named = [claim for found in own.values() for claim in found]
        checks = []
        for rule in rules:
            claims = rule.general_claims(reading, named)
            if rule.name in own:
                claims = [*own[rule.name], *claims]
            if (
                rule.always
                or rule.name in ran
                or any(one.kind == "pattern" or one.stance == "asserted" for one in claims)
            ):
                checks.append(Check(rule.name, rule.auditor_name, rule.auditor, claims))
        return checks

    def injects_into(self, name: str) -> bool:
        """Whether some rule attaches its findings to what a tool of this name answers."""
        return any(rule.inject and rule.matches(name) for rule in self.rules)

    def told(self, call: Call, *, inject: bool = False) -> list[Check]:
        """The checks of what a call's result claims: by rules that have a source and look early, or that `inject`."""
        checks = []
        for rule in self.rules:
            wanted = rule.inject if inject else rule.early and bool(getattr(rule.auditor, "source", ""))
            if wanted and rule.matches(call.name):
                claims = rule.told_claims(call, self.lexicon)
                if claims:
                    checks.append(Check(rule.name, rule.auditor_name, rule.auditor, claims))
        return checks

    def _matching(self, name: str) -> frozenset[str]:
        """The names of the rules whose `tools` match a tool's name."""
        names = spellings(name)
        return frozenset(rule.name for rule in self.rules if rule.tools and any(rule.tools.match(one) for one in names))

    def decide(self, report: Report) -> Decision:
        """Flagged findings of the strongest mode win; what `observe` rules found is recorded and not shown."""
        modes: list[Mode] = [self._modes.get(finding.rule, "annotate") for finding in report.findings]
        flagged = [(mode, one) for mode, one in zip(modes, report.findings, strict=True) if one.flagged]
        shown = tuple(
            finding
            for finding in report.findings
            if (finding.cites or finding.verdict in self._show) and self._modes.get(finding.rule) != "observe"
        )
        failures = tuple(one for one in report.failures if self._modes.get(one.rule) != "observe")
        strongest: Mode = max((mode for mode, _ in flagged), key=STRENGTH.__getitem__, default="observe")
        told = tuple(one for mode, one in flagged if mode != "observe")
        return Decision(strongest, replace(report, findings=shown, failures=failures), told)


def build(
    source: Source,
    raw: Mapping[str, Any],
    *,
    auditors: Mapping[str, Callable[..., Auditor]],
    lexicon: Callable[[Sequence[str]], Lexicon],
    sources: Collection[str],
    expressions: Mapping[str, str],
) -> Policy:
    """Compile merged tables. Raises ConfigError.

    `sources` are the names that are configured, or their tables; `expressions` the options that are such, by auditor.
    """
    typed = table(source, raw)
    rules = [_rule(source.file, one, typed.mode, auditors, sources) for one in enabled(source.file, typed)]
    for rule in rules:
        for option in expressions.get(rule.auditor_name, "").split():
            _compile(source.file, f"rules.{rule.name}.options", option, getattr(rule.auditor, option, ""))
    nudges, summaries, cwd = (tuple(patterns(source.file, key, getattr(typed, key))) for key in PATTERNS)
    try:
        words = lexicon(typed.languages)
    except OSError as error:
        raise ConfigError(source.file, "", "languages", f"there is no word list {error.filename}") from None
    except ValueError as error:
        raise ConfigError(source.file, "", "languages", str(error)) from None
    natures = Natures(Verbs(*(getattr(typed, name) for name in Verbs._fields)))
    marks = Marks(
        *(signatures(source.file, typed.signatures), nudges, summaries, cwd, natures),
        runners=runners(source.file, typed.runners),
        dialects=dialects(source.file, typed.dialects),
        lexicon=words,
    )
    for gives in {one for rule in rules for one in givers(rule.auditor.reads)}:
        reader(gives)  # imported now, not while somebody's answer waits
    return Policy(typed, rules, marks, words)


def _rule(
    file: str,
    one: RuleTable,
    strongest: Mode,
    auditors: Mapping[str, Callable[..., Auditor]],
    sources: Collection[str],
) -> Rule:
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
        claims_pattern(file, one),
        min(one.mode, strongest, key=STRENGTH.__getitem__),
        when == "tools",
        one.inject and strongest != "observe",
        frozenset(getattr(auditors[one.auditor], "needs", ())),
    )


def _auditor(file: str, place: str, one: RuleTable, kind: Any, sources: Collection[str]) -> Auditor:
    """The auditor with its options, each of its own type; fields `source`, `tools` and `groups` are the rule's.

    What its source's own table says of `root` and `case_sensitive` counts where the options do not.
    """
    if not is_dataclass(kind):
        raise ConfigError(file, place, "auditor", f"{one.auditor!r} is no dataclass, so its options have no types")
    known = sorted({field.name for field in fields(kind)} - {"source", "tools", "groups"})
    for key in one.options:
        if key not in known:
            raise ConfigError(file, f"{place}.options", key, no_key(key, known))
    options = dict(one.options)
    names = {field.name for field in fields(kind)}
    if "source" in names:
        options["source"] = one.source if one.source in sources else ""
        told = sources.get(one.source, {}) if isinstance(sources, Mapping) else {}
        options = {name: told[name] for name in OF_SOURCE if name in names and name in told} | options
    if "tools" in names and one.tools:
        options["tools"] = one.tools
    if "groups" in names and (pattern := claims_pattern(file, one)) is not None:
        options["groups"] = sorted(set(pattern.groups) - {"subject"})
    for key in getattr(kind, "asks", ()):
        options[key] = _asked(file, place, one, key, sources)
    auditor: Auditor = convert(options, kind, file, f"{place}.options")
    return auditor


def _compile(file: str, place: str, option: str, value: Any) -> None:
    """Compile an option's expressions now, so that a malformed one fails here and not in each request. Raises ConfigError."""
    for at, text in texts_of(value):
        try:
            expression(text)
        except (re.error, OverflowError, RecursionError) as error:
            raise ConfigError(file, place, f"{option}{at}", f"is no expression of Python's `re`: {error}") from None


def texts_of(value: Any) -> Iterator[tuple[str, str]]:
    """The texts of an option, each with its place in it: an option may be a text, a list, or tables of them."""
    if isinstance(value, str):
        yield "", value
    inner: Iterable[tuple[str, Any]] = ()
    if isinstance(value, Mapping):
        inner = ((f".{key}", one) for key, one in value.items())
    elif isinstance(value, (list, tuple)):
        inner = ((f"[{number}]", one) for number, one in enumerate(value))
    elif is_dataclass(value):
        inner = ((f".{one.name}", getattr(value, one.name)) for one in fields(value))
    for at, one in inner:
        yield from ((f"{at}{more}", text) for more, text in texts_of(one))


def _asked(file: str, place: str, one: RuleTable, key: str, sources: Collection[str]) -> Any:
    """An option that names a source, empty where that is not configured and not required. Raises ConfigError."""
    name = one.options.get(key, "")
    if not isinstance(name, str) or name in sources or not name:
        return name
    if one.require_source:
        problem = f"[sources.{name}] is not configured; add it, or set require_source = false"
        raise ConfigError(file, f"{place}.options", key, problem)
    return ""
