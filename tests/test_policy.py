"""Policies: packs under files, rules that meet turns, and what a report leads to."""

from __future__ import annotations

import ast
import dataclasses
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from proxy import checks, config, policy_file
from proxy.audit import Finding, Report
from proxy.auditors import EXPRESSIONS, NAMES, Auditors
from proxy.errors import ConfigError
from proxy.library import Installed, Library
from proxy.policy import Policy
from proxy.reading import Reading
from proxy.tables import Source, toml
from tests.transcripts import ROOT, Ran, lexicon, messages, turn

LIBRARY = Library(ROOT / "policies")


def build(text: str, sources: tuple[str, ...] = ()) -> Policy:
    return LIBRARY.policy(Source("test.toml", text), sources)


def raw(text: str, **packs: str) -> dict[str, object]:
    return policy_file.parse(Source("test.toml", text), lambda name: Source(f"{name}.toml", packs[name]))


def test_packs_come_first_and_rules_of_one_name_merge_key_by_key() -> None:
    pack = '[[rules]]\nname = "r"\nauditor = "a"\ntools = ["x", "y"]\n[rules.options]\none = 1\ntwo = 2\n'
    merged = raw('extends = ["p"]\n[[rules]]\nname = "r"\ntools = ["z"]\n[rules.options]\ntwo = 3\n', p=pack)
    assert merged["rules"] == [{"name": "r", "auditor": "a", "tools": ["z"], "options": {"one": 1, "two": 3}}]


def test_lists_of_marks_add_up_and_own_signatures_come_first() -> None:
    one, other = (
        'nudges = ["a"]\n[[signatures]]\ntools = ["p"]\n',
        'nudges = ["b"]\ndeadline = 3.0\n[[signatures]]\ntools = ["q"]\n',
    )
    merged = raw('extends = ["one", "other"]\nnudges = ["c"]\n[[signatures]]\ntools = ["own"]\n', one=one, other=other)
    assert merged["nudges"] == ["a", "b", "c"]
    assert merged["signatures"] == [{"tools": [name]} for name in ("own", "p", "q")]
    assert merged["deadline"] == 3.0


def test_tests_are_not_inherited() -> None:
    assert "tests" not in raw('extends = ["p"]', p='[[tests]]\nname = "t"\nexpect = []\n')


def test_a_rule_can_be_dropped() -> None:
    text = 'extends = ["coding-agents"]\n[[rules]]\nname = "file-edits"\nenabled = false\n'
    assert "file-edits" not in [rule.name for rule in build(text).rules]


GOOD = '[[rules]]\nname = "r"\nauditor = "a"\n'


@pytest.mark.parametrize(
    ("own", "pack", "place"),
    [
        ('nudges = ["(x"]', 'nudges = ["a", "b"]', ("test.toml", "", "nudges[0]")),
        ("", 'summaries = ["a", "(x"]', ("p.toml", "", "summaries[1]")),
        ("", GOOD + 'claims = "(x"', ("p.toml", "rules.r", "claims")),
        ("", GOOD + 'claims = "x"', ("p.toml", "rules.r", "claims")),
        ("", "max_retries = 11\n" + GOOD, ("p.toml", "", "max_retries")),
        ("", "retry_timeout = 0.5\n" + GOOD, ("p.toml", "", "retry_timeout")),
        ("", "deadline = 121", ("p.toml", "", "deadline")),
        ("", "deadline = nan", ("p.toml", "", "deadline")),
        ('[[signatures]]\ntools = ["a"]', "[[signatures]]\ntools = 1", ("p.toml", "signatures[0]", "tools")),
        (
            "",
            '[[signatures]]\ntools = ["a"]\noutcomes = [{outcom = "x"}]',
            ("p.toml", "signatures[0].outcomes[0]", "outcom"),
        ),
        (GOOD + GOOD, "", ("test.toml", "rules[1]", "name")),
        (GOOD.replace('"r"', '""'), "", ("test.toml", "rules[0]", "name")),
        ("", 'tenant = "acme"', ("p.toml", "", "tenant")),
        ("", 'keys = ["sha256:00"]', ("p.toml", "", "keys")),
        ("", "[[tests]]\nname = 't'\nsource = { a = [1] }", ("p.toml", "tests[0]", "source[*]")),
    ],
)
def test_a_mistake_is_laid_to_the_file_that_made_it(own: str, pack: str, place: tuple[str, str, str]) -> None:
    with pytest.raises(ConfigError) as failure:
        raw(f'extends = ["p"]\n{own}', p=pack)
    assert (failure.value.file, failure.value.table, failure.value.key) == place


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("deadlin = 1", "did you mean 'deadline'?"),
        ('[[rules]]\nname = "r"\ntool = []', "did you mean 'tools'?"),
        ('[[tests]]\nname = "t"\ncalls = [{ name = "x", arg = 1 }]', "did you mean 'args'?"),
        ("qqq = 1", "known keys: allow_off, "),
        ('register = "loud"', "right would be one of 'developer', 'plain'"),
        ('show = ["stale", "x"]', "right would be one of 'verified', "),
        ('[[rules]]\nname = "r"\nmode = "loud"', "right would be one of 'observe', 'annotate', "),
    ],
)
def test_a_mistake_is_told_what_would_be_right(text: str, hint: str) -> None:
    with pytest.raises(ConfigError) as failure:
        raw(text)
    assert hint in failure.value.problem


def test_an_option_is_checked_by_the_auditor_s_own_fields() -> None:
    with pytest.raises(ConfigError, match="did you mean 'case_sensitive'"):
        build('[[rules]]\nname = "r"\nauditor = "file_edits"\n[rules.options]\ncase_sensitiv = true\n')


def option(auditor: str, text: str) -> str:
    return f'[[rules]]\nname = "r"\nauditor = "{auditor}"\n[rules.options]\n{text}\n'


@pytest.mark.parametrize(
    ("auditor", "text", "key"),
    [
        ("choices", "doubts = '(unclosed'", "doubts"),
        ("choices", "doubts = 'a{99999999999}'", "doubts"),
        ("unfulfilled", "trouble = ['fails', '*']", "trouble[1]"),
        ("payments", "methods = { card = '[', cash = 'x' }", "methods.card"),
        ("waiting", "deeds = [{ said = 'x', states = 'y' }, { said = 'x', states = '(?P<>)' }]", "deeds[1].states"),
        ("states", "excludes = { pause = '(?<=a+)b' }", "excludes.pause"),
    ],
)
def test_a_malformed_option_is_told_when_the_policy_is_built(auditor: str, text: str, key: str) -> None:
    with pytest.raises(ConfigError) as failure:
        build(option(auditor, text))
    assert (failure.value.file, failure.value.table, failure.value.key) == ("test.toml", "rules.r.options", key)
    assert "`re`" in failure.value.problem


SHARING = r"""
[shared]
old  = '\bwas\b'
open = ['\bif\b', '[?]']
kin  = [["book", "reserve"]]
"""


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("doubts = '(?i)(?&old)|x'", "doubts", r"(?i)(?:\bwas\b)|x"),
        ("doubts = '(?i)(?&open)'", "doubts", r"(?i)(?:\bif\b|[?])"),
        ("trouble = ['(?&open)', 'x', 'y(?&old)']", "trouble", (r"\bif\b", "[?]", "x", r"y(?:\bwas\b)")),
        ("kin = ['(?&kin)', ['pay', 'send']]", "kin", (("book", "reserve"), ("pay", "send"))),
        ("methods = { card = '(?&old)' }", "methods", {"card": r"(?:\bwas\b)"}),
        ("doubts = 'no reference: (?:&old) [(?]&'", "doubts", "no reference: (?:&old) [(?]&"),
    ],
)
def test_what_is_shared_stands_in_the_place_of_its_name(text: str, option: str, value: Any) -> None:
    auditor = {"doubts": "choices", "trouble": "unfulfilled", "kin": "uncalled", "methods": "payments"}[option]
    (rule,) = build(f'{SHARING}[[rules]]\nname = "r"\nauditor = "{auditor}"\n[rules.options]\n{text}\n').rules
    assert getattr(rule.auditor, option) == value


def test_a_file_s_own_shared_texts_go_before_those_of_its_packs() -> None:
    merged = raw('extends = ["p"]\n[shared]\nold = "vorher"\n', p='[shared]\nold = "before"\nopen = "if"\n')
    assert merged["shared"] == {"old": "vorher", "open": "if"}


def test_a_list_of_lists_stands_for_no_expression() -> None:
    with pytest.raises(ConfigError, match="holds texts only") as failure:
        build(f'{SHARING}[[rules]]\nname = "r"\nauditor = "choices"\n[rules.options]\ndoubts = "(?&kin)"\n')
    assert (failure.value.table, failure.value.key) == ("rules.r.options", "doubts")


def test_a_name_that_is_not_shared_is_told_with_those_that_are() -> None:
    with pytest.raises(ConfigError) as failure:
        build(f'{SHARING}[[rules]]\nname = "r"\nauditor = "choices"\n[rules.options]\ndoubts = "(?&new)"\n')
    told = (failure.value.file, failure.value.table, failure.value.key, failure.value.problem)
    assert told == (
        "test.toml",
        "rules.r.options",
        "doubts",
        "names 'new', which [shared] does not have; it has kin, old, open",
    )


@pytest.mark.parametrize("auditor", sorted(NAMES))
def test_what_an_auditor_compiles_of_its_options_is_known(auditor: str) -> None:
    """By their names in its code: `expression(self.doubts)`, or `expression(settled)` in a function that is handed it."""
    known: Any = Auditors()[auditor]
    tree = ast.parse((ROOT / f"proxy/auditors/{auditor}.py").read_text())
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    inside = [part for one in calls if one.func.id in ("expression", "either") for part in ast.walk(one)]  # type: ignore[attr-defined]
    named = {part.attr for part in inside if isinstance(part, ast.Attribute)}
    named |= {part.id for part in inside if isinstance(part, ast.Name)}
    options = {field.name for field in dataclasses.fields(known)}
    table = set(EXPRESSIONS.get(auditor, "").split())
    assert (named & options) - table == set()
    assert table - options == set()


def test_an_option_that_is_no_expression_is_not_read_as_one() -> None:
    build(option("file_edits", "root = '(work'"))
    build(option("artifacts", "puts = ['*.put']"))


STALLS = [
    ("(a+)+$", True),
    (r"(?:\w+\s*)*x", True),
    (r"(\w+|b)*", True),
    ("([a)]+)+", True),
    (r"(?:[\w-]+\.)*", False),
    ("(a++)+", False),
    (r"(\(+a)+", False),
    ("(ab?)+", False),
]


@pytest.mark.parametrize(("text", "stalls"), STALLS)
def test_check_warns_of_what_may_stall(text: str, stalls: bool) -> None:
    told = list(checks.cautions(build(option("choices", f"doubts = '{text}'"))))
    assert [one.partition(":")[0] for one in told] == ["rules.r.options.doubts"] * stalls


def test_nothing_that_is_shipped_may_stall() -> None:
    for pack in sorted((ROOT / "policies/packs").glob("*.toml")):
        assert list(checks.cautions(build(f'extends = ["{pack.stem}"]'))) == []


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, "groundwire.auditors")


@pytest.mark.parametrize(
    ("points", "both"),
    [
        ([point("ids", "theirs:Ids")], ("theirs:Ids", "proxy.auditors.ids")),
        ([point("mine", "a:Mine"), point("mine", "b:Mine")], ("b:Mine", "a:Mine")),
    ],
)
def test_an_installed_auditor_replaces_no_other(points: list[EntryPoint], both: tuple[str, str]) -> None:
    with pytest.raises(ConfigError) as failure:
        Installed(points)
    assert all(one in str(failure.value) for one in both)
    assert len(Installed([points[0]] * 2 if len(points) > 1 else [])) == len(points) - 1  # found twice, it is one


def test_an_installed_auditor_that_does_not_load_costs_only_those_who_name_it() -> None:
    table = Auditors(Installed([point("broken", "no_such_package:Broken"), point("sound", "proxy.auditors.ids:Ids")]))
    library = Library(ROOT / "policies", table)
    rule = '[[rules]]\nname = "r"\nauditor = "{}"\n'
    assert library.policy(Source("p.toml", rule.format("sound")), ()).rules[0].auditor_name == "sound"
    with pytest.raises(ConfigError, match=r"no_such_package:Broken: broken: the auditor does not load: Module"):
        library.policy(Source("p.toml", rule.format("broken")), ())


def test_an_auditor_without_typed_options_is_refused() -> None:
    class Bare:
        """What a plug-in may not be: it says nothing of its options."""

    library = Library(ROOT / "policies", {"bare": Bare})  # type: ignore[dict-item]
    with pytest.raises(ConfigError, match="no dataclass"):
        library.policy(Source("test.toml", '[[rules]]\nname = "r"\nauditor = "bare"\n'), ())


RULE = """
[[rules]]
name = "deposits"
auditor = "file_edits"
tools = ["artifact-put", "blog-*"]
claims = '(?P<subject>blog\\.[a-z]+/[\\pL\\w.-]*[\\pL\\w])(?: \\((?P<size>[^)]+)\\))?'
"""


@pytest.mark.parametrize(
    ("ran", "answer", "subjects"),
    [
        ([], "Deposited blog.post/a-ü.md (7 KB).", ["blog.post/a-ü.md"]),
        ([], "Nothing to see.", None),
        ([("artifact.put", {}, "ok")], "Nothing to see.", []),
        ([("helmdeck__Artifact_Put", {}, "ok")], "", []),
        ([("mcp__helmdeck__blog-publish", {}, "ok")], "", []),
        ([("artifact.get", {}, "ok")], "", None),
    ],
)
def test_a_rule_applies_by_its_tools_or_by_its_claims(ran: list[Ran], answer: str, subjects: list[str] | None) -> None:
    selected = build(RULE).select(turn(messages(ran)), Reading(answer, lexicon()), declares_tools=True)
    found = [[claim.subject for claim in check.claims if claim.kind == "pattern"] for check in selected]
    assert found == ([] if subjects is None else [subjects])


def test_a_pattern_s_claims_have_fields_stance_and_quote() -> None:
    text = "😀 I put blog.post/a.md (7 KB) there. blog.post/b.md was not deposited. Shall I put blog.post/c.md there?"
    (check,) = build(RULE).select(turn(messages([])), Reading(text, lexicon()), declares_tools=True)
    got = [(claim.subject, claim.stance, dict(claim.fields)) for claim in check.claims if claim.kind == "pattern"]
    assert got == [
        ("blog.post/a.md", "asserted", {"size": "7 KB"}),
        ("blog.post/b.md", "denied", {}),
        ("blog.post/c.md", "mentioned", {}),
    ]
    assert all(text[claim.start : claim.end] == claim.subject for claim in check.claims if claim.kind == "pattern")


def test_when_tools_spares_answers_of_requests_without_tools() -> None:
    read = Reading("blog.post/a.md", lexicon())
    assert build(RULE).select(turn(messages([])), read, declares_tools=False) == []
    always = RULE + 'when = "always"\n'
    assert len(build(always).select(turn(messages([])), read, declares_tools=False)) == 1


def report(*verdicts: str, rule: str = "r") -> Report:
    return Report("a", tuple(Finding(verdict, "s", "why", rule=rule) for verdict in verdicts))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mode", "verdicts", "decided", "shown"),
    [
        ("annotate", ["contradicted"], "annotate", 1),
        ("annotate", ["verified"], "observe", 0),
        ("observe", ["contradicted"], "observe", 0),
        ("annotate", ["notice", "unverifiable"], "observe", 2),
    ],
)
def test_what_a_report_leads_to(mode: str, verdicts: list[str], decided: str, shown: int) -> None:
    one = build(f'[[rules]]\nname = "r"\nauditor = "file_edits"\nmode = "{mode}"\n')
    decision = one.decide(report(*verdicts))
    assert (decision.mode, len(decision.shown.findings)) == (decided, shown)


@pytest.mark.parametrize(
    ("strongest", "mode", "expected"),
    [
        ("observe", "annotate", "observe"),
        ("observe", "retry", "observe"),
        ("annotate", "withhold", "annotate"),
        ("retry", "annotate", "annotate"),
        ("withhold", "retry", "retry"),
    ],
)
def test_no_rule_has_a_stronger_mode_than_its_policy(strongest: str, mode: str, expected: str) -> None:
    one = build(
        f'mode = "{strongest}"\n[[rules]]\nname = "r"\nauditor = "file_edits"\nmode = "{mode}"\ninject = true\n'
    )
    assert (one.rules[0].mode, one.rules[0].inject) == (expected, strongest != "observe")


def test_a_policy_that_only_observes_says_nothing_whatever_its_packs_do() -> None:
    one = build('extends = ["coding-agents", "deposits", "general"]\nmode = "observe"\n')
    assert {rule.mode for rule in one.rules} == {"observe"}
    assert not any((one.buffers, one.injects))
    assert one.decide(report("contradicted", rule="actions")).shown.findings == ()


def test_show_chooses_what_readers_see() -> None:
    one = build('show = ["contradicted"]\n[[rules]]\nname = "r"\nauditor = "file_edits"\n')
    assert [finding.verdict for finding in one.decide(report("contradicted", "stale", "notice")).shown.findings] == [
        "contradicted"
    ]


@pytest.mark.parametrize(("mode", "seen"), [("annotate", 1), ("observe", 0)])
def test_a_source_is_shown_though_what_holds_is_not(mode: str, seen: int) -> None:
    one = build(f'[[rules]]\nname = "r"\nauditor = "file_edits"\nmode = "{mode}"\n')
    found = Finding("verified", "s", "why", rule="r", cites="https://e.org"), Finding("verified", "t", "why", rule="r")
    decision = one.decide(Report("a", found))
    assert (decision.mode, len(decision.shown.findings)) == ("observe", seen)


SHIPPED = [
    (file, test.name, test, build)
    for file, tests, build in config.policies_under(config.load(Path("config.example.toml"), {}, signs=False))
    for test in tests
]


@pytest.mark.parametrize(("test", "make"), [row[2:] for row in SHIPPED], ids=[row[1] for row in SHIPPED])
def test_the_shipped_policies_pass_their_own_tests(test: policy_file.Test, make: object) -> None:
    (outcome,) = checks.run([test], make)  # type: ignore[arg-type]
    assert (outcome.missing, outcome.unexpected) == ((), ())


TOLD = ("contradicted", "unsupported", "stale")


def test_every_rule_of_every_shipped_policy_has_a_case_that_fires_and_one_that_does_not() -> None:
    for file, tests, make in config.policies_under(config.load(Path("config.example.toml"), {}, signs=False)):
        own = policy_file.table(Source(file, ""), toml(Source(file, Path(file).read_text()))).rules
        for rule in own:
            flagged = [
                test
                for test in tests
                if any(one.startswith(tuple(f"{rule.name} {told}" for told in TOLD)) for one in test.expect)
            ]
            silent = [test for test in tests if test not in flagged]
            assert flagged, f"{file}: {rule.name} has no test that fires"
            assert silent, f"{file}: {rule.name} has no test that must not fire"
        assert make(()).rules is not None
