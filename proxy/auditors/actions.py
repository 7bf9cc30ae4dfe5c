"""What an answer says was done must have been done by a call: a deed with no call, or with a call that failed, is told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.wanted import Wanted
from proxy.claims import Claim, admits, compared_text
from proxy.declared import names_change
from proxy.deeds import (
    called_so,
    comments,
    echoes,
    has_field,
    has_form,
    ids_of,
    is_another,
    is_due,
    is_label,
    is_look,
    is_past,
    is_quoted,
    may_be,
    may_tell,
    names,
    names_any,
    notices,
    reported_by,
    shown_since,
    sorted_changes,
    states,
    tells,
    tells_why,
)
from proxy.drafts import is_written, rewritten, shows
from proxy.edits import can_edit
from proxy.ledger import MUTATIONS, UNDONE, Call, Turn
from proxy.patterns import NEVER, expression
from proxy.reported import reported
from proxy.roots import IRREGULAR
from proxy.work import SHAPES, Work
from proxy.written import agentic, calls_in_history

FILES = frozenset({"edit", "create", "delete", "move"})
"""Acts that may be about the files that this turn edited: those have an auditor of their own."""
DEEDS = frozenset({"process", "book", "create", "cancel", "send", "delete", "transfer", "exchange"})
"""Acts whose passive in the present tells of a deed rather than of how things are."""
OUTRIGHT = frozenset({"clos", "merg", "cancel", "approv", "delet"})
"""Verbs of what no comment does to a thing."""
LISTED = re.compile(r"(?i)\b(?:to-?dos?|tasks?|list|steps?|items?)\b")
"""By these a message speaks of a list of things to do, which the model keeps for itself."""
CONFIRMED, CONFIRMS = re.compile(r"(?i)\W*confirmed\b[.!:,]"), re.compile(r"(?i)\bconfirm\b")
"""How an answer begins, and what a message has, that asks to have something confirmed."""
SHORT = 40  # code points of a message that agrees
NAME = re.compile(r"(?<=[a-z,] )\**([A-Z][\w’-]{2,})")
NAMES = re.compile(r"(?<=[a-z,] )\**([A-Z][\w’-]+(?: [A-Z][\w’-]+)*)")
"""A name within a sentence, and all its words: "your stay at the **Holiday Inn**"."""
NO_WORD = re.compile(r"[\W_]+")
NO_CHANGE = re.compile(r"(?i)\bno changes? (?:detected|found|needed|required)\b|\bnothing to (?:change|update)\b")
DONE = "已经了經過过 "
"""What stands around a verb in Chinese, and says that it is done."""


@dataclass(frozen=True, slots=True)
class Actions:
    """Compare claimed deeds with the calls that could have done them.

    A deed needs a call that changes something, that may have landed, and that names the thing the claim names. Tools of
    which it is not known whether they change anything might have done it, so they rule an accusation out. A deed that is
    "under way" counts as well, when the turn ends without a call for it. `requests` is an expression for user messages that
    ask for a deed: what is said to be done then is not what an earlier turn did. `questions` is one for messages that ask how
    things stand: a passive in their answer tells what a look has shown; `recap` is one for those that ask what was done
    before, `leave` for answers that ask for leave. `settled` is one for failures that leave things as they were wanted.
    With `strict`, a bare "Done." needs a call of its turn that changed something, whatever the user said.
    """

    requests: str = ""
    questions: str = ""
    recap: str = NEVER
    leave: str = NEVER
    settled: str = NEVER
    strict: bool = False

    reads: ClassVar[frozenset[str]] = frozenset({"action", "reading", "success", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [claim for claim in claims if claim.stance == "asserted"]
        if not said or not agentic(turn):
            return []
        asked = turn.asked[:2_000]
        requested = bool(self.requests) and expression(self.requests).search(asked) is not None
        question = bool(self.questions) and expression(self.questions).search(asked) is not None
        deeds = _Deeds(turn, requested, question, compared_text(claims), self)
        calls = [f"{call.name} {call.raw[:2_000]}" for call in deeds.failed]
        admitted = admits(claims, calls)
        deeds.flatly = not (admitted and admits(claims, calls, failures=True))
        found: dict[tuple[str, str], Finding] = {}
        for claim in said:
            # "Your exchange is confirmed" claims a deed when what it confirms has failed.
            finding = deeds.confirmed(claim, admitted) if claim.kind == "reading" else deeds.judge(claim, admitted)
            if finding is not None:
                found.setdefault((finding.verdict, finding.subject), finding)
        if self.strict and not found and not turn.possible_changes():
            done = [claim for claim in said if claim.kind == "success"]
            return [Finding("unsupported", one.act, "no call of this turn shows it", one.quote) for one in done[:1]]
        return list(found.values())


class _Deeds(Wanted):
    """What the calls of a conversation may have changed."""

    def __init__(self, turn: Turn, asked: bool, question: bool, text: str, words: Actions) -> None:
        super().__init__(turn, asked, question)
        self._text, self._words = text, words
        self._shows: dict[Call, str] = {}
        self._work = Work(turn, text, words.leave)
        self.done, self.opaque, self.failed = sorted_changes(turn, turn.calls)
        if LISTED.search(turn.asked[:2_000]):  # "mark it as done" is about one's own list of things to do
            self.opaque += [call for call in turn.calls if "todo" in call.name.lower()]
        if self.failed:
            self.opaque = [one for one in self.opaque if not notices(one)]
        landed = {call.name for call in self.done}
        self.flatly = True
        self._files = any(call.effect in MUTATIONS for call in turn.calls)
        self._undone, self.failed = self.failed, [call for call in self.failed if call.name not in landed]

    @cached_property
    def _shown(self) -> bool:
        """Whether the answer holds what was written in it; looked for when a deed asks for it."""
        return shows(self._text)

    @cached_property
    def _recap(self) -> bool:
        """Whether the user asks what was done: any change of an earlier turn may be meant by any word then."""
        asks, asked = expression(self._words.recap).search, self._turn.asked[:2_000]
        return asks(asked) is not None or (len(asked) <= SHORT and asks(self._turn.offer()) is not None)

    @cached_property
    def _written(self) -> bool:
        """Whether the model wrote calls as text before; looked for when somebody asks, for it costs the history."""
        return any(calls_in_history(self._turn))

    def judge(self, claim: Claim, admits: bool) -> Finding | None:
        """The verdict on one claim; None where nothing can be said."""
        if claim.kind == "success":
            return self._succeeded(claim, admits)
        if self._files and claim.act in FILES:
            return None
        if (failed := self._very(claim)) is not None and (found := self._contradicted(claim, failed)) is not None:
            return found
        if self._is_no_deed(claim):
            return None
        ordered = self._ordered()
        if "world" in claim.fields and not (
            self._written or self.failed or ordered or self._agreed(claim) or self._at_hand(claim)
        ):
            return None
        told, verb = claim.act == "send" or not self.failed, claim.fields.get("verb", "\0")
        done = [one for one in self.done if told or not notices(one) or verb in one.name.lower()]
        done = [one for one in done if verb not in OUTRIGHT or not comments(one)]
        if claim.subject and (found := self._named(claim, done)) is not None:
            return found
        ided = any(map(str.isdigit, claim.subject))  # a call that does not name it did it to something else
        if not ided and (found := _done_by(done, claim)):
            return found
        if done or self.opaque:
            return None if done else self._delegated(claim)  # something was changed, by other words, or may have been
        if self.failed:
            failed = self.failed[0]
            excused = admits or self._repeated or shown_since(claim, failed, self._turn) or failed.settled
            excused = excused or ("world" in claim.fields and tells_why(failed, self._verb(claim)))
            return None if excused else self._contradicted(claim, failed)
        return self._unsupported(claim, admits)

    def _delegated(self, claim: Claim) -> Finding | None:
        """What may have been done by a sub-agent alone, which says so: nothing here shows it."""
        if any(call.effect != "agent" for call in self.opaque):
            return None
        why = reported_by(self.opaque, self._verb(claim).split()[-1])
        return (
            Finding("unverifiable", claim.subject or claim.act, why, claim.quote, self.opaque[-1].id) if why else None
        )

    def _verb(self, claim: Claim) -> str:
        """The verb of a claim as it stands in the answer."""
        return self._text[claim.start : claim.end]

    @cached_property
    def _unmade(self) -> list[Call]:
        """The failed calls that changed nothing, or nobody knows what, and left things as they were not wanted."""
        rest = (one for one in self._turn.calls if one.outcome in UNDONE and self._turn.nature(one) == "unknown")
        return [one for one in (*self._undone, *rest) if not one.settled]

    def _very(self, claim: Claim) -> Call | None:
        """The failed call of a tool that goes by the very verb of a claim, where no other has it, and nothing excuses it."""
        failed = [one for one in self._unmade if called_so(one, self._verb(claim), claim)]
        failed = [one for one in failed if not claim.subject or names(one, claim.subject)]
        if not failed or not self.flatly or self._repeated:
            return None
        landed = (*self.done, *self.opaque)
        if any(may_be(one, claim, failed[0]) for one in landed) or self._before(claim) or self._seen(claim):
            return None
        return None if shown_since(claim, failed[0], self._turn) else failed[0]

    def _is_no_deed(self, claim: Claim) -> bool:
        """Whether a passive of the present merely tells how things are: nobody meant the deed, and no call for it failed."""
        if "state" not in claim.fields or self._meant(claim) or self._at_hand(claim):
            return False
        if self.failed and not (self.done or self.opaque):
            verb = claim.fields.get("verb", "\0")
            return claim.act not in DEEDS and not any(verb in f"{call.name} {call.raw}".lower() for call in self.failed)
        return not (self._ordered() and claim.act in DEEDS) or self._looked()

    def _succeeded(self, claim: Claim, admits: bool) -> Finding | None:
        """The verdict on words that tell of success without naming a deed, where no call did any."""
        if self.done or self.opaque or admits or self._repeated or self._work.again:
            return None
        if self.failed:
            settled = expression(self._words.settled).search(self.failed[0].reason) is not None
            if settled or shown_since(claim, self.failed[0], self._turn):
                return None
            return self._contradicted(claim, self.failed[0])
        told = claim.act == "succeed" and self._has_tools() and not self._shown and not self._looked()
        if not told or not self._turn.whole() or self._changed_before:
            return None
        agreed = self._asked and not self._turn.calls and "?" in self._turn.offer()[-SHORT:]
        confirmed = CONFIRMED.match(claim.quote) and CONFIRMS.search(self._turn.asked)
        if not (self._ordered() or agreed) or self._reported(claim) or confirmed:
            return None
        return Finding("unsupported", claim.act, "no call in this conversation did it", claim.quote)

    def _reported(self, claim: Claim) -> bool:
        """Whether a user said that it is so."""
        if "active" in claim.fields:
            return f"we {self._verb(claim).lower()}" in self._turn.asked[:2_000].lower()  # "what we paid this year"
        if "verb" not in claim.fields:
            return reported(claim.quote, "", self._turn)
        begin = max(self._text.rfind(one, 0, claim.start) for one in ",;.:\n") + 1
        return reported(self._text[begin : claim.end], self._verb(claim), self._turn)

    def _has_tools(self) -> bool:
        """Whether calls were made, or tools are at hand for what the user told to do."""
        words = {word[:5] for word in re.findall(r"[^\W\d_]{4,}", self._turn.asked[:2_000].lower())}
        return any(self._calls) or any(word in tool.name.lower() for tool in self._turn.tools for word in words)

    def confirmed(self, claim: Claim, admits: bool) -> Finding | None:
        """The verdict on a confirmation, where the only changes of the turn are failed ones."""
        if claim.act != "verify" or admits or self.done or self.opaque or not self.failed or self._repeated:
            return None
        return self._contradicted(claim, self.failed[0])

    def _labelled(self, claim: Claim) -> Finding | None:
        """The verdict on a part that goes by a name: reads know it under a field that the changes' results have too."""
        label = claim.subject.lower()
        other = not self.opaque and is_another(label, self._calls, self.done)
        if not other or any(names(one, label) for one in self._calls_done) or not self._turn.whole():
            return None
        return Finding("unsupported", claim.subject, "no call did it to this one", claim.quote)

    @cached_property
    def _calls(self) -> list[Call]:
        return [*self._turn.calls, *self._turn.earlier()]

    @cached_property
    def _calls_done(self) -> list[Call]:
        return [call for call in self._calls if self._turn.nature(call) == "change" and call.outcome not in UNDONE]

    def _named(self, claim: Claim, done: Sequence[Call]) -> Finding | None:
        """The verdict on a claim about one thing, by the calls that name it, of those that can have `done` it."""
        named = [call for call in (*done, *self.opaque) if names(call, claim.subject)]
        if found := _done_by((call for call in named if call.effect != "agent"), claim):
            return found
        beside = not named or (claim.act != "send" and all(map(comments, named)))  # no comment moves an issue
        undone = [one for one in self._undone if names(one, claim.subject) and not one.settled] if beside else []
        if undone and not self._before(claim):
            return None if shown_since(claim, undone[0], self._turn) else self._contradicted(claim, undone[0])
        return self._labelled(claim) if self.done and not any(char.isdigit() for char in claim.subject) else None

    def _contradicted(self, claim: Claim, call: Call) -> Finding | None:
        if self._turn.done_after(call) or NO_CHANGE.search(call.reason):
            return None
        word = "was refused" if call.outcome == "refused" else "failed"
        reason = f"the call {word}: {call.reason}" if call.reason else f"the call {word}"
        return Finding("contradicted", claim.subject or call.name, reason, claim.quote, call.id)

    def _unsupported(self, claim: Claim, admits: bool) -> Finding | None:
        """The verdict where this turn has changed nothing: an earlier turn, or a look, may have shown it."""
        if (admits and not claim.subject) or self._seen(claim) or self._before(claim) or self._here(claim):
            return None
        if self._work.excuses(claim) or self._work.is_talk(claim) or not self._is_sure(claim):
            return None
        if is_due(claim) or is_quoted(claim) or is_look(claim, self._text):
            return None
        if self._reported(claim) or self._is_answer(claim) or (self._question and self._known(claim)):
            return None
        if "active" not in claim.fields and not self._wanted(claim) and self._looked():
            return None
        labelled = "active" not in claim.fields and claim.subject.isalpha()
        if labelled and any(has_field(one, claim.subject) for one in self._looks(self._turn.calls)):
            return None  # "Insurance: enabled", as a look's field of that name has it
        if not self._turn.whole():
            return Finding("unverifiable", claim.subject or claim.act, "the history is not whole", claim.quote)
        return Finding("unsupported", claim.subject or claim.act, "no call in this conversation did it", claim.quote)

    def _is_sure(self, claim: Claim) -> bool:
        """Whether a form tells a deed by itself, or one is awaited; whoever looks reads names of lines: "Attached file: a"."""
        named = is_label(claim, self._text) and self._turn.ordered() == "read"
        return "perfect" in claim.fields or (self._is_awaited() and not named)

    def _is_answer(self, claim: Claim) -> bool:
        """Whether it was done to the answer itself, where the user only asked: "so I removed it from the average"."""
        yours = claim.subject or "your" in claim.fields.get("part", "")
        asks = self._looked() and (self._question or self._turn.ordered() == "read") and not self._wanted(claim)
        return asks and not yours and "active" in claim.fields and claim.act in SHAPES

    def _known(self, claim: Claim) -> bool:
        """Whether a look of an earlier turn was about the thing: its state may be told in other words than the result's."""
        return bool(claim.subject) and any(names(one, claim.subject) for one in self._looks(self._turn.earlier()))

    def _before(self, claim: Claim) -> bool:
        """Whether a call of an earlier turn may have done it."""
        named = bool(claim.subject) and any(names(call, claim.subject) for call in self._turn.earlier())
        ordered = (self._asked or self._ordered()) and not self._question
        recap = self._recap or is_past(claim)
        any_deed = named or "stems" in claim.fields or not ordered or recap
        afresh = ordered and not (recap or self._turn.calls or self._asks()) and "active" in claim.fields
        verb = claim.fields.get("verb", "")[:5] if afresh else ""  # "I've attached it": no claim that was filed
        asks = not (ordered or self._turn.calls) and self._asks() and "active" in claim.fields
        called = NAMES.findall(claim.fields.get("part", "")) if ordered and not (named or self._recap) else []
        ids = ids_of(self._looks(self._turn.earlier()), called)  # by these what is called so goes in calls
        for call in self._turn.earlier():
            nature = self._turn.nature(call)
            if ids and not names_any(call, ids):
                continue
            fits = any_deed and (not named or names(call, claim.subject)) and (self._recap or tells(call, claim))
            own = not verb or verb in f"{call.name} {call.raw} {call.result_text}".lower()
            if call.outcome in UNDONE or nature == "read":
                continue
            if asks and not named:
                return True  # "Did you tell Ann too?" "No. I moved the meeting to Wednesday and …"
            if (fits and own) if nature == "change" else (not ordered or self._recap or may_tell(call, claim)):
                return True
        return False

    def _here(self, claim: Claim) -> bool:
        """Whether it may have been done in the answer itself: "I've added a closing line", where nothing is named.

        What the user asked for is done elsewhere, and so is what follows on calls, unless the answer shows a text of its own.
        """
        anew = not self._turn.calls and rewritten(self._turn.asked[:2_000], self._text)
        if anew or (self._shown and is_written(claim.fields.get("verb", ""))):
            return True
        if not self._shown and (self._wanted(claim) or any(self._calls)):
            return False
        if "`" in claim.quote and can_edit(self._turn):
            return False  # "added `-a` to the `new-window` bind"
        part, verb = claim.fields.get("part", ""), claim.fields.get("verb", "\0")
        if self._turn.calls and self._ordered() and names_change(self._turn, part, verb):
            return False
        shapes = claim.act in SHAPES and "active" in claim.fields
        return shapes and not claim.subject and not claim.fields.get("stems") and not self._written

    def _seen(self, claim: Claim) -> bool:
        """Whether a look showed that it is so already: a result that names the thing, and the deed as its state."""
        stems = claim.fields.get("stems", claim.fields.get("verb", "")).split()
        stems += [form for form, base in IRREGULAR.items() if base in stems]
        foreign = "foreign" in claim.fields  # "Ihr Termin": where each noun is a name, none is
        called = (
            NAME.findall(claim.fields.get("part", "")) if self._wanted(claim) and not (claim.subject or foreign) else []
        )
        own = self._verb(claim).strip(DONE).lower() if foreign else ""
        for call in (*self._turn.calls, *self._turn.earlier()) if stems else ():
            if call.result is None or call.outcome in UNDONE or (claim.subject and not names(call, claim.subject)):
                continue
            if called and not any(one in call.result_text for one in called):
                continue  # a flight that is scheduled is no hotel that was booked
            file = call.effect == "read" and call.targets and call.result_value is None
            if (file and self._wanted(claim)) or echoes(call):
                continue  # what a file says, or one's own list of things to do, is nothing that was done
            if call not in self._shows:
                self._shows[call] = f" {NO_WORD.sub(' ', ' '.join(states(call.result)))}"
            # "please adjust your order" is no state; a log has "fix the test"
            told = call.result.value is None and "active" in claim.fields and call.effect != "shell"
            if has_form(self._shows[call], [f" {stem}" for stem in stems], done=told) or (
                own and own in self._shows[call]
            ):
                return True
        return False

    @cached_property
    def _repeated(self) -> bool:
        """Whether what failed now had been done by the same call in an earlier turn."""
        failed = {(call.name, call.raw) for call in self.failed}
        return any((call.name, call.raw) in failed and call.outcome == "landed" for call in self._turn.earlier())


def _done_by(calls: Iterable[Call], claim: Claim) -> Finding | None:
    """The verdict on a deed that calls can have been: one that landed did it; of another nobody knows how it ended."""
    subject = claim.subject or claim.act
    told = None
    for call in calls:
        if told is None and tells(call, claim):
            told = call
        if told is not None and call.outcome == "landed" and (call is told or tells(call, claim)):
            return Finding("verified", subject, "a call did it", claim.quote, call.id)
    if told is None:
        return None
    return Finding("unverifiable", subject, "no result tells how the call ended", claim.quote, told.id)
