"""What tools look like: which arguments are targets, and how a result says how it went."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Literal

import msgspec
from msgspec import structs

from proxy.done_words import is_deed, tells_the_deed
from proxy.failures import tells_failure
from proxy.patterns import Pattern
from proxy.results import Result, folded, lenient, top, walk
from proxy.shell import LIMIT, segments
from proxy.tables import compiled
from proxy.tool_names import fold, globs, spellings
from proxy.underway import WORDS, is_going, is_otherwise, switches_off

Outcome = Literal["landed", "failed", "refused", "not_attempted", "pending", "unknown"]
Effect = Literal["", "write", "edit", "delete", "move", "read", "shell", "agent"]

MUTATIONS: frozenset[str] = frozenset({"write", "edit", "delete", "move"})


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of an `outcomes` list: when every condition that it gives holds, the call ended with `outcome`.

    `field` is a path into the result's JSON (`is`, `over`, `matches`, or merely something there that is not empty,
    zero or false), `fields` are several, any of which will do; `text` is searched in the first and last 2,000 code points;
    `flag` is the wire's own error flag. `changes`: only of a tool that changes something, only a value that was not what it
    was asked for, and only a text that is no JSON; `only`: nothing else in the object tells of anything; `asked` is searched
    in the name and the arguments of a tool that changes something.
    """

    outcome: Outcome
    field: str = ""
    fields: list[str] = []
    equals: Any = msgspec.field(name="is", default=None)
    over: float | None = None
    matches: str = ""
    text: str = ""
    flag: bool | None = None
    changes: bool = False
    only: bool = False
    asked: str = ""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[signatures]]` table, as a pack spells it."""

    tools: list[str]
    when: dict[str, list[str]] = {}
    effect: Effect = ""
    targets: list[str] = []
    patch: list[str] = []
    cwd: list[str] = []
    command: list[str] = []
    looks: list[str] = []
    alters: str = ""
    rewrites: list[str] = []
    old: list[str] = []
    new: list[str] = []
    blocks: list[str] = []
    landed_targets: list[str] = []
    outcomes: list[Sign] = []
    default: Outcome | None = None


# "*** Update File: path", with or without spaces after the asterisks; a Move header contributes both of its paths.
PATCH_HEADER = re.compile(r"^\*\*\*\s*(?:(?:Update|Add|Delete)\s+File|Move(?:\s+File)?(?:\s+to)?):\s*+(.*\S)", re.M)
DIFF_HEADER = re.compile(r"^(?:\+\+\+|---)\s++(?:[ab]/)?([^\t\n]*\S)", re.M)
ARROW = re.compile(r"(?<!\s)\s++(?:->|=>|→)\s+")


HIDDEN = re.compile(r"\$\(|`|<\(|<<")
"""What may hold another command line, or a script."""

_Told = tuple[int, Sign, Pattern | None, Pattern | None, Pattern | None]
"""A line of `outcomes`, its place and its expressions."""


class Signature:
    """A compiled `[[signatures]]` table."""

    __slots__ = (
        "_alters",
        "_always",
        "_by_field",
        "_landed",
        "_looks",
        "_rewrites",
        "_told",
        "effect",
        "matches",
        "table",
    )

    def __init__(self, table: Table) -> None:
        self.table = table
        self.effect: Effect = table.effect
        self.matches = globs(table.tools)
        self._always: list[_Told] = []
        self._by_field: dict[str, list[_Told]] = {}
        self._told: dict[frozenset[str], tuple[_Told, ...]] = {}
        self._landed = frozenset(folded(top(path)) for path in table.landed_targets)
        self._looks, self._rewrites = (
            _pattern("|".join(f"(?:{one})" for one in some)) for some in (table.looks, table.rewrites)
        )
        self._alters = _pattern(table.alters)
        for place, sign in enumerate(chain.from_iterable(map(_each, table.outcomes))):
            told = (place, sign, _pattern(sign.text), _pattern(sign.matches), _pattern(sign.asked))
            name = folded(top(sign.field))
            (self._by_field.setdefault(name, []) if name else self._always).append(told)

    def arguments(self, raw: str) -> Mapping[str, Any]:
        """The arguments as an object; empty where they are none (free text, cut off, null)."""
        try:
            value = lenient(raw)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def fits(self, raw: str) -> bool:
        """Whether the arguments hold, under each key of `when`, one of its values: one tool may do several things."""
        if not self.table.when:
            return True
        arguments = self.arguments(raw)
        return all(arguments.get(key) in values for key, values in self.table.when.items())

    def names_files(self, raw: str) -> bool:
        """Whether the arguments, which may be no object, can name a file."""
        arguments = self.arguments(raw)
        return not arguments or bool(self.targets_of(arguments, raw)) or any(_strings(arguments, self.table.patch))

    def targets_of(self, arguments: Mapping[str, Any], raw: str) -> tuple[str, ...]:
        """The paths that a call declares, in order, each once."""
        found = [*_strings(arguments, self.table.targets)]
        if self.table.patch:
            texts = [*_strings(arguments, self.table.patch)] if arguments else [raw]
            for text in texts:
                found += patch_paths(text)
        return tuple(dict.fromkeys(path for path in found if path.strip()))

    def landed_of(self, result: Result) -> tuple[str, ...]:
        """The paths that a result says did land; "old -> new" is both."""
        found: dict[str, None] = {}
        if self._landed.isdisjoint(result.names):
            return ()
        for path in self.table.landed_targets:
            for value in result.fields(path):
                if isinstance(value, str) and value:
                    found.update(dict.fromkeys(part for part in ARROW.split(value.strip()) if part))
        return tuple(found)

    def only_looks(self, arguments: Mapping[str, Any]) -> bool:
        """Whether every program of a command line is one of `looks`, and none writes a file or has one of `alters`."""
        looks, alters, line = self._looks, self._alters, self.text_of(arguments, self.table.command)
        if looks is None or not line or len(line) > LIMIT or HIDDEN.search(line):
            return False
        parts = segments(line)
        if alters is not None and any(alters.search(one.text) for one in parts):
            return False
        return bool(parts) and all(not one.writes and looks.search(one.text) for one in parts)

    def may_rewrite(self, arguments: Mapping[str, Any]) -> bool:
        """Whether a program of a command line is one of `rewrites`: it may have changed files that the line does not name."""
        rewrites, line = self._rewrites, self.text_of(arguments, self.table.command)
        return rewrites is not None and any(rewrites.search(one.text) for one in segments(line[:LIMIT]))

    def text_of(self, arguments: Mapping[str, Any], keys: Sequence[str]) -> str:
        """The string arguments under `keys`, joined; lists of strings (an argv) by spaces."""
        return "\n".join(_strings(arguments, keys))

    def outcome(self, result: Result, asked: str = "") -> Outcome | None:
        """How the first line of `outcomes` that holds says the call ended; None when no line holds."""
        there = frozenset(self._by_field.keys() & result.names)
        told = self._told.get(there)
        if told is None:
            lines = (*self._always, *(one for name in there for one in self._by_field[name]))
            told = tuple(sorted(lines, key=lambda one: one[0]))
            if len(self._told) < REMEMBERED:  # what tools answer with decides how many there are
                self._told[there] = told
        for _, sign, text, matches, wanted in told:
            if wanted is not None and wanted.search(asked) is None:
                continue
            if _holds(sign, text, matches, result, asked):
                return sign.outcome
        return None


def _each(sign: Sign) -> list[Sign]:
    """A line of `outcomes` as so many lines as it names fields."""
    return [structs.replace(sign, field=one, fields=[]) for one in sign.fields] or [sign]


def _holds(sign: Sign, text: Pattern | None, matches: Pattern | None, result: Result, asked: str) -> bool:
    if (sign.changes and not asked) or (sign.flag is not None and result.flag is not sign.flag):
        return False
    if sign.changes and text is not None and result.value is not None:
        return False
    if sign.only and not _says_no_more(result):
        return False
    if text is not None and text.search(result.edges) is None:
        return False
    if not sign.field:
        return sign.flag is not None or text is not None
    for value in result.fields(sign.field):
        if isinstance(value, str) and len(value) > 2 and f'"{value}"' in asked:
            continue  # `log_error(code="E42")`
        if not (sign.changes and _wanted(value, asked)) and _field_holds(sign, matches, value):
            return not (sign.changes and REFUSES.search(asked))  # what was to be refused is refused
    return False


def _wanted(value: Any, asked: str) -> bool:
    """Whether a state is what a call was for: "rejected" of `reject_claim`, "blocked" of an update to "blocked"."""
    if not isinstance(value, str):
        return False
    return value[:5].lower() in asked.lower() or is_deed(value, asked.partition(" ")[0])


def _says_no_more(result: Result) -> bool:
    """Whether an object holds nothing but what went wrong: all else is empty, or tells of an error too."""
    value = result.value
    return isinstance(value, dict) and not any(_tells(one) and not ERRS.search(key) for key, one in value.items())


def _tells(value: Any) -> bool:
    """Whether a value tells of anything; GraphQL answers what failed with `{"data": {"cancelOrder": null}, "errors": […]}`."""
    return any(map(_tells, value.values())) if isinstance(value, dict) else bool(value)


ERRS = re.compile(
    r"(?i)err|message|msg|status|code|type|title|detail|reason|documentation|request|trace|path|time|instance|fault"
)
"""Names of fields that tell of an error."""


def _field_holds(sign: Sign, matches: Pattern | None, value: Any) -> bool:
    if sign.equals is not None:
        return bool(value == sign.equals) and isinstance(value, bool) == isinstance(sign.equals, bool)
    if sign.over is not None:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value > sign.over
    if matches is not None:
        told = isinstance(value, (str, int)) and not isinstance(value, bool)
        return told and matches.search(str(value)) is not None
    return bool(value) and not (isinstance(value, str) and NONE.fullmatch(value))


def _pattern(expression: str) -> Pattern | None:
    return Pattern(expression) if expression else None


def _strings(arguments: Mapping[str, Any], keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        for value in (arguments[key],) if key in arguments else walk(arguments, key):
            if isinstance(value, str):
                yield value
            elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
                yield " ".join(value)


def patch_paths(text: str) -> list[str]:
    """The paths in a V4A patch or a unified diff, in order."""
    paths = PATCH_HEADER.findall(text)
    if not paths and "+++ " in text:
        paths = [path for path in DIFF_HEADER.findall(text) if path != "/dev/null"]
    return [part for path in paths for part in ARROW.split(path)]


NO_SIGNATURE = Signature(Table(tools=[]))
REMEMBERED = 1_024


class Signatures:
    """All signatures of a policy, first match first. Those for every tool (`tools = ["*"]`) decide what is left."""

    __slots__ = ("_general", "_named", "_special")

    def __init__(self, signatures: Sequence[Signature]) -> None:
        self._special = [one for one in signatures if one.table.tools != ["*"]]
        self._general = [one for one in signatures if one.table.tools == ["*"]]
        # Names come from clients: what is remembered of them is bounded.
        self._named = lru_cache(maxsize=REMEMBERED)(self._fitting)

    def find(self, name: str, raw: str) -> Signature:
        """The signature of a call by its tool's name and its arguments as written; an empty one where no table fits.

        What a server's tool does by a short name (`cards.replace`) changes a file only where it is given one.
        """
        own = fold(name)
        for one in self._named(name):
            if one.fits(raw) and (one.effect not in MUTATIONS or one.matches.match(own) or one.names_files(raw)):
                return one
        return NO_SIGNATURE

    def _fitting(self, name: str) -> tuple[Signature, ...]:
        """The signatures that a tool's name fits."""
        names = spellings(name)
        return tuple(one for one in self._special if any(one.matches.match(spelling) for spelling in names))

    def outcome(self, signature: Signature, result: Result, asked: str = "", verb: str = "") -> Outcome:
        """How a call ended, by its own signature, then by what holds for every tool, then by the default.

        `asked` is the name and the arguments of a call that may have changed something, `verb` the word of its name that says
        so; both are empty for one that did not.
        """
        said = signature.outcome(result, asked)
        if said is not None:
            return said
        if result.truncated:
            return "unknown"
        name, _, raw = asked.partition(" ")
        own = bool(asked) and not signature.effect
        if own and tells_the_deed(result, name, verb):
            return signature.table.default or "landed"
        for general in self._general:
            said = general.outcome(result, asked)
            if said is None and asked and _denied(result, asked, verb):
                said = "failed"
            if said is not None and not (said == "landed" and signature.effect in MUTATIONS):
                return said
        if own and tells_failure(result, name, raw, verb):
            return "failed"
        return signature.table.default or ("unknown" if signature.effect in MUTATIONS else "landed")


def _denied(result: Result, asked: str, verb: str) -> bool:
    """Whether a result says of what it was asked that it is not so: `"enrolled": false` of `course.enroll`.

    Nothing where a thing was to be (`"added": null`) says so too, where a reason stands beside it. That something is off
    (`"roaming": false`), or gone, is no failure: only a past form of the tool's own verb says of the deed itself that it is
    not done (`"shipped": false` of `create_shipment` is to come), and only where no state says that it is under way.
    """
    value = result.value if isinstance(result.value, dict) else {}
    name, _, arguments = asked.partition(" ")
    words = [word.lower() for word in WORDS.findall(name)]
    if is_otherwise(name, value):
        return False
    going = is_going(value)
    reasoned = any(value.get(key) for key in REASONS)
    for key, said in value.items():
        root = ROOT.sub("", key.lower())[:4]
        meant = [word for word in words if word.startswith(root)] if len(root) >= 3 else []
        state = next((said[name] for name in ("status", "state") if name in said), "") if isinstance(said, dict) else ""
        if meant and isinstance(state, str) and UNDONE.fullmatch(state) and not _wanted(state, asked):
            return not BACK.search(asked)  # {"transfer": {"status": "FAILED", …}}
        if not ((said is False and not going) or (said is None and reasoned)):
            continue
        if key == "sent" and verb.startswith(SENDS):
            return True
        own = len(root) >= 3 and verb.startswith(root) and (said is None or key.lower().endswith("ed"))
        if own and not any(UNDOES.match(word) for word in words if word not in meant) and not switches_off(arguments):
            return True
    return False


REASONS = (
    "reason",
    "message",
    "warning",
    "detail",
    "validation",
    "validations",
    "cause",
    "why",
    "note",
    "grund",
    "hint",
)
"""Fields by which a result says why."""
NONE = re.compile(r"(?i)[\s\"'.-]{0,4}(?:none|n/?a|null|nil)[\s\"'.-]{0,4}")
"""What a field has that says there is none: `error: "n/a"`."""
UNDOES = re.compile(
    r"remove|revoke|cancel|delete|clear|disabl|deactiv|stop|end|off|out|leave|drop|release|reset|un[a-z]{3}|de[a-z]{4}"
)
"""How words of a tool's name begin after which something is no more."""
UNDONE = re.compile(r"(?i)failed|failure|error|rejected|declined|denied|aborted|rolled[_ -]?back")
"""States of a thing of which nothing came."""
BACK = re.compile(r"(?i)roll_?-?back|revert|undo|restore")
"""What is to take something back: it has done so."""
ROOT = re.compile(r"(?:ed|d)$")
REFUSES = re.compile(r'(?i)"(?:accept\w*|approv\w*|allow\w*|grant\w*|confirm\w*)"\s*:\s*false')
"""Arguments by which something is to be refused."""
SENDS = ("send", "notif", "mail", "message", "post", "forward", "reply", "alert")


def parse_signatures(tables: Sequence[Mapping[str, Any]]) -> Signatures:
    """Compile `[[signatures]]` tables. Raises ValueError that names the table's number, its key and what is wrong."""
    return Signatures(compiled("signatures", tables, Table, Signature))
