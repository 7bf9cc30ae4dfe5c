"""What a change's result says of the wish itself: that it was not met, or that nothing came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.amounts import CENTS, NUMERALS
from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.auditors.entries import is_flat
from proxy.auditors.states import LATER, STATE, seen_later, words_of
from proxy.claims import Claim, admits, compared_text
from proxy.figures import figures, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import line_at, lists, objects, one_line, strings
from proxy.roots import TOKEN, name_roots, name_words
from proxy.spelling import places

ON = re.compile(r"(?i)(?:is_?)?(?:enabled|active|activated)")
STARTS = re.compile(r"(?i)(?:^|[^a-z])(?:enrol|enable|activat|turn_?on|switch_?on)")
"""Fields by which something is on, and tools after which it is."""
HOLDS = re.compile(r"(?i)(?:is_?)?in_?(?:force|effect)")
RUNS, RUN = re.compile(r"(?i)(?:is_?)?run(?:s|ning)?"), re.compile(r"(?i)(?<![a-z])(?:re)?start(?![a-z])")
"""Fields by which what was changed holds, whatever it is; those by which something runs, and what it was told to do."""
SWITCHES = Names(
    r"(?i)^(?:is|has|allow|show)_|visib|publi|enabl|activ|default|locked|featured|listed|hidden|opt_?(?:in|out)"
)
"""Fields that are on or off where they have 1 or 0, too."""
FEW = 2
"""A count up to which, in a list or a result, it may be of something else: one record with three fields."""
ASKED = frozenset({"requested", "ordered", "desired", "asked", "wanted"})
GRANTED = frozenset(
    {
        "confirmed",
        "allocated",
        "approved",
        "granted",
        "actual",
        "applied",
        "reserved",
        "fulfilled",
        "accepted",
        "written",
        "active",
        "current",
        "running",
        "live",
        "effective",
    }
)
"""Words of the names of fields that say what was asked for, and what came of it."""
SETTLED = frozenset({"applied", "written", "actual", "effective"})
"""Those that by themselves say what is so now."""
ASKS = re.compile(r"(?i)request|inquir|enquir|apply_for|ask_")
"""Tools that only ask."""
AS_WANTED = re.compile(r"(?i)unchang|exist(?:s|ing|ed)|already|dup(?:licate|s?\b)|no_?op\b|up[_-]to[_-]date")
"""What counts what was as wanted before."""
ENDS = re.compile(
    r"(?i)cancel|delete|remove|terminat|stop|kill|merge|publish|deploy|refund|release|disable|enable|activat"
)
"""Tools of which nothing is done before somebody agrees."""
AGREED = re.compile(r"(?i)(?:is_?)?(?:approved|confirmed|granted|authori[sz]ed)(?:_?(?:by|at))?")
"""Fields by which somebody has agreed, where they have anything."""
CHECKED = re.compile(r"(?i)validation|violation")
"""Names of lists of what is wrong with a thing that was handed in."""
REASONS = ("reason", "detail", "message", "note", "text")
"""Fields that say why."""
FATAL = frozenset({"fatal", "blocking"})
"""How grave something is that keeps a deed from being done."""
FLAG = 40
"""Code points of the longest text that is taken for an outcome."""
LATER_ON = "the result says that it is still to come"
MOST = 60
"""Objects of a result, and fields of one, that are read."""
SURELY = "the result has "
"""How a reason begins that holds however else an answer is worded: one number was asked for, another one applied."""
READ = 2_000
"""Code points of a call's arguments that are held against what an answer denies."""
LONGEST = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Read what the result of a change says of the wish, where the answer tells flatly that it is done.

    Told is a field called as one of the `wishes` that is false ("preference_met": false); one that `needs_a_yes`, of what
    ends something, beside one by which nobody gave it; a validation that is fatal, and an outcome that is `unchanged` for a
    reason by which it was `hindered`; a field that was asked to be true and is false ("submit": true, "submitted": false), but
    for those that tell somebody (`aside`); a thing that was to be switched on and is `idle` in effect; a count of what was done
    (`counts`) that is zero beside one of what was not (`undone`) that is not, or the reason for it, or that is lower than the
    `things` that were given, where the answer has their number; a text that has `nothing`, and nowhere `something`; one by
    which it comes `later`, unless the answer `tells_later`; and what was requested, where the answer has it and not what was
    granted in its place. `done` is an expression for answers that tell that something is done, `admits` for those that tell of
    any trouble, but for what is `harmless` in them; `to_come` for states by which it has only begun.
    """

    wishes: str = r"(?!)"
    needs_a_yes: str = r"(?!)"
    hindered: str = r"(?!)"
    unchanged: str = r"(?!)"
    idle: str = r"(?!)"
    aside: str = r"(?!)"
    counts: str = r"(?!)"
    things: str = r"(?!)"
    undone: str = r"(?!)"
    to_come: str = r"(?!)"
    nothing: str = r"(?!)"
    something: str = r"(?!)"
    later: str = r"(?!)"
    tells_later: str = r"(?!)"
    done: str = r"(?!)"
    admits: str = r"(?!)"
    harmless: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        verbs = turn.marks.natures.verbs  # `gh_pr_merge` may be anything, by its name
        landed = [one for one in turn.landed_changes() if not one.effect]
        changes = [
            one
            for one in landed
            if turn.nature(one) == "change" or verbs(one.name) or True in one.arguments.values()  # `send: true`
        ]
        text = unquoted(compared_text(claims)) if changes else ""
        reasons = (
            (call, self._reason(call) or self._fewer(call, text) or _granted(call, text)) for call in changes if text
        )
        told = [(call, reason) for call, reason in reasons if reason and not _again(call, turn)]
        if told and not is_flat(text, claims, self.done, self.admits, self.harmless):
            named = [f"{one.name} {one.raw[:READ]}" for one in changes]
            sure = not admits(claims, named, chosen=True)
            told = [one for one in told if sure and one[1].startswith(SURELY)]
        if not told:
            return []
        if any(LATER_ON in reason for _, reason in told) and expression(self.tells_later).search(text):
            return []
        found = expression(self.done).search(text)
        quote = line_at(text, found.start()) if found else one_line(text, 200)
        return [Finding("contradicted", subject_of(call), reason, quote, call.id) for call, reason in told[:1]]

    def _reason(self, call: Call) -> str:
        """What a result says against its wish; empty where nothing does."""
        if len(call.result_text) > LONGEST:
            return ""
        value = call.result_value
        if value is None:
            return self._printed(call.result_text)
        if not isinstance(value, dict):
            return ""
        own = list(islice(_own(value), MOST))
        if told := next(filter(None, (self._to_decide(one, call) for one in own)), ""):
            return told
        if told := self._faulted(call) or self._none(call):
            return told
        if any(LATER.search(name) and told and isinstance(told, str) for one in own for name, told in one.items()):
            return ""
        return next((told for one in own if (told := self._denied(one, call) or self._off(one, call))), "")

    def _denied(self, thing: Mapping[str, Any], call: Call) -> str:
        """A field that says that the wish was not met, or that what was asked to be so is not."""
        for name, told in islice(thing.items(), MOST):
            switch = SWITCHES.search(name) and type(told) is int and told == 0  # "visible": 0
            if told is not False and not switch:
                continue
            if expression(self.wishes).fullmatch(" ".join(name_words(name))):
                return f"the result says {name}: no"
            on = HOLDS.fullmatch(name) or (ON.fullmatch(name) and STARTS.search(call.name))
            on = on or (RUNS.fullmatch(name) and RUN.search(f"{call.name} {call.raw[:READ]}"))
            if on and not (call.undoes or _stands(name, call)):
                return f"the result says {name}: no"
            for asked, value in call.arguments.items():
                wanted = value == 1 and type(value) is not float and not expression(self.aside).search(asked)
                if wanted and name_roots(asked) == name_roots(name) and not _stands(name, call):
                    return f"asked for {asked}, and the result says {name}: no"
        return ""

    def _to_decide(self, thing: Mapping[str, Any], call: Call) -> str:
        """A field by which somebody has yet to agree to what undoes or moves a thing, beside one by which nobody did."""
        if ENDS.search(call.name) is None:
            return ""  # a request, a draft or a parcel is there all the same
        fields = dict(islice(thing.items(), MOST))
        open_ = [name for name, told in fields.items() if AGREED.fullmatch(name) and (told is False or told is None)]
        for name, told in fields.items() if open_ else ():
            if told is True and expression(self.needs_a_yes).fullmatch(" ".join(name_words(name))):
                return (
                    f"the result says {name}: yes, and {open_[0]}: {'no' if fields[open_[0]] is False else 'nothing'}"
                )
        return ""

    def _faulted(self, call: Call) -> str:
        """What validation says is fatal, or why nothing changed."""
        if AS_WANTED.search(call.result_text):
            return ""
        outcomes = []
        for name, entries in lists(call.result_value, MOST):
            for one in entries[:MOST] if CHECKED.search(name) else ():
                graves = (one.get(key) for key in ("severity", "level")) if isinstance(one, dict) else ()
                if any(isinstance(told, str) and told.lower() in FATAL for told in graves):
                    return f"the result says, of its {name}: {one_line(_worded(one), 80)}"
        for one in islice(objects(call.result_value), MOST):
            reason = next((one[key] for key in REASONS if isinstance(one.get(key), str)), "")
            for name in ("outcome", "result"):
                state = words_of(one[name]).lower() if isinstance(one.get(name), str) else ""
                if state and len(state) <= FLAG:
                    against = expression(self.unchanged).fullmatch(state) and expression(self.hindered).search(reason)
                    outcomes.append((against, f"the result says {name}: {one[name]!r} ({one_line(reason, 80)})"))
        return outcomes[0][1] if outcomes and all(against for against, _ in outcomes) else ""

    def _off(self, thing: Mapping[str, Any], call: Call) -> str:
        """A field by which what was to be switched on is not so in effect."""
        shown = thing.get("effective")
        if shown is None or True not in call.arguments.values():
            return ""
        for told in islice(shown.values(), MOST) if isinstance(shown, dict) else [shown]:
            if isinstance(told, str) and expression(self.idle).fullmatch(words_of(told)):
                return f"the result says effective: {told!r}"
        return ""

    def _none(self, call: Call) -> str:
        """A count of what was done that is zero, beside one of what was not done that is not."""
        zero = undone = ""
        if AS_WANTED.search(call.result_text) or call.undoes:
            return ""
        for one in islice(objects(call.result_value), MOST):
            for name, told in islice(one.items(), MOST):
                if isinstance(told, str) and STATE.search(name) and expression(self.to_come).fullmatch(words_of(told)):
                    return ""
                plain = " ".join(name_words(name))
                if isinstance(told, str) and told and expression(self.undone).fullmatch(plain.removesuffix(" reason")):
                    undone = f"{name}: {one_line(told, 60)!r}" if plain.endswith(" reason") else undone
                if not isinstance(told, int) or isinstance(told, bool):
                    continue
                if expression(self.counts).fullmatch(plain):
                    if told:
                        return ""
                    zero = zero or name
                elif told > 0 and expression(self.undone).fullmatch(plain):
                    undone = f"{name}: {told}"
        return f"the result says {zero}: 0, and {undone}" if zero and undone else ""

    def _fewer(self, call: Call, text: str) -> str:
        """A count of what was done that is lower than how many things were given, where the answer has their number alone."""
        given = max(
            (_many(told) for name, told in call.arguments.items() if expression(self.things).search(name)), default=0
        )
        if given <= FEW or not isinstance(call.result_value, dict) or not _has(given, text):
            return ""
        done: dict[str, int] = {}
        for one in islice(objects(call.result_value, 2), MOST):
            for name, told in islice(one.items(), MOST):
                if isinstance(told, str) and STATE.search(name) and expression(self.to_come).fullmatch(words_of(told)):
                    return ""
                counted = isinstance(told, int) and not isinstance(told, bool)
                if counted and AS_WANTED.search(name) and told:
                    return ""
                if counted and expression(self.counts).fullmatch(" ".join(name_words(name))):
                    done[name] = told
        name = max(done, key=lambda one: done[one], default="")
        fewer = bool(name) and FEW <= done[name] <= sum(done.values()) < given and not _has(done[name], text)
        return f"{given} were given, and the result says {name}: {done[name]}" if fewer else ""

    def _printed(self, text: str) -> str:
        """The line of a text by which nothing was done; empty where another tells of something."""
        waits = expression(self.later).search(text)
        if waits is not None:
            return f"{LATER_ON}: {line_at(text, waits.start(), 100)!r}"
        found = expression(self.nothing).search(text)
        if found is None or expression(self.something).search(text):
            return ""
        return f"the result says {line_at(text, found.start(), 100)!r}"


def _worded(value: Any) -> str:
    """The first text of several words in a value; the first one where none has."""
    texts = list(islice(strings(value), MOST))
    return next((one for one in texts if " " in one), next(iter(texts), ""))


def _granted(call: Call, text: str) -> str:
    """What was requested, beside what was granted ("requested_qty", "confirmed_qty"), where the answer has the first alone."""
    # what is requested is no more than that
    asks = not ASKED.isdisjoint(name_words(call.name)) or ASKS.search(call.name) is not None
    low = call.result_text.lower() if len(call.result_text) <= LONGEST and not asks else ""
    for one in islice(objects(call.result_value, 4), MOST) if any(word in low for word in ASKED) else ():
        wished = [(name, told) for name, told in islice(one.items(), MOST) if not ASKED.isdisjoint(name_words(name))]
        for name, told in wished:
            base = [word for word in name_words(name) if word not in ASKED]
            got = [
                (other, value)
                for other, value in islice(one.items(), MOST)
                if not (GRANTED if base else SETTLED).isdisjoint(name_words(other))
                and base == [w for w in name_words(other) if w not in GRANTED]
            ]
            plain = (
                isinstance(told, (int, float, str)) and not isinstance(told, bool) and any(map(str.isdigit, str(told)))
            )
            for other, value in got if plain else ():
                same_kind = isinstance(value, str) == isinstance(told, str) and isinstance(value, (int, float, str))
                wish, gift = (_major(name, told), _major(other, value)) if same_kind else (told, told)
                if wish != gift and any(places(wish, text)) and not any(places(gift, text)):
                    return f"the result has {name} {told!r}, and {other} {value!r}"
    return ""


def _major(name: str, value: Any) -> Any:
    """An amount as people tell it: `requestedCents` of 1500 are 15."""
    return value / 100 if isinstance(value, (int, float)) and CENTS.search(name) else value


def _own(value: Mapping[str, Any], depth: int = 3) -> Iterator[Mapping[str, Any]]:
    """The object of a result and those in it, none of a list."""
    yield value
    for inner in value.values() if depth else ():
        if isinstance(inner, dict):
            yield from _own(inner, depth - 1)


def _stands(name: str, call: Call) -> bool:
    """Whether another object of a result has a field of that name that is true."""
    return any(
        told is True and name_roots(other) == name_roots(name)
        for one in objects(call.result_value)
        for other, told in one.items()
    )


def _many(value: Any) -> int:
    """How many things a list holds, or the one list in it."""
    if not isinstance(value, list):
        return 0
    return len(value[0]) if len(value) == 1 and isinstance(value[0], list) else len(value)


def _has(number: int, text: str) -> bool:
    """Whether a text has a number, in digits or as a word."""
    return any(float(number) in one.values for one in figures(text)) or any(
        NUMERALS.get(word.lower()) == number for word in TOKEN.findall(text)
    )


def _again(call: Call, turn: Turn) -> bool:
    """Whether a later call may have done it, or shows it: of the same tool, or about the same thing."""
    return seen_later(call, turn) or turn.landed_again(call)
