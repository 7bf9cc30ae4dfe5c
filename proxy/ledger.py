"""Fold a transcript into a `Turn`: what was asked, which tools ran, how each ended."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from proxy.calls import UNDONE as UNDONE
from proxy.calls import Call as Call
from proxy.calls import Target as Target
from proxy.dialects import Dialect, Dialects, read
from proxy.dispatch import dispatched
from proxy.holders import Holders
from proxy.lexicon import Lexicon
from proxy.natures import Nature, Natures
from proxy.pairing import Paired, paired
from proxy.patterns import Pattern
from proxy.results import Result, has_word, scalars
from proxy.runners import Runners
from proxy.signatures import MUTATIONS as MUTATIONS
from proxy.signatures import Signatures
from proxy.tool_names import globs, spellings
from proxy.transcript import Before, Message, Tool, ToolCall, Transcript
from proxy.tries import Tries

ANSWERS = 4
"""Answers before a turn whose texts an answer may hold anew."""
ASKS_BACK = 400
"""Code points at the end of a message of the assistant's in which it may ask something."""
BESIDE = 400
"""Calls behind one of many, or before it, each of which is looked at. Where more stand behind it, any of them may show what is
looked for, and nothing is accused for want of it."""
ORDERED = 2_000
"""Code points of a message in which an order is looked for."""
UNANSWERED = re.compile(
    r"(?i)time[d -]*out|did not (?:answer|respond)|no (?:response|reply|answer|ack\w*)\b|\b50[234]\b|gateway"
    r"|(?:connection|socket) (?:was )?(?:reset|closed|lost|aborted)"
)
"""How a failure is told of which nobody knows whether the deed was done."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a policy knows of its clients: tool signatures, synthetic texts, working directories, runners, and its words."""

    signatures: Signatures
    nudges: tuple[Pattern, ...] = ()
    summaries: tuple[Pattern, ...] = ()
    cwd: tuple[Pattern, ...] = ()
    natures: Natures = field(default_factory=Natures)
    runners: Runners = field(default_factory=Runners)
    dialects: Dialects = field(default_factory=Dialects)
    lexicon: Lexicon = field(default_factory=lambda: Lexicon([]))


@dataclass(slots=True)
class Turn:
    """All after the last real user message. What lies before it is folded only when somebody asks."""

    asked: str
    calls: tuple[Call, ...]
    orphans: int
    """Results in this turn whose call is nowhere to be seen."""
    before: Sequence[Message]
    marks: Marks
    at: float = 0.0
    """When its answer was asked for, in seconds since 1970; zero where nobody said, and then nothing is older than it."""
    fresh: tuple[Call, ...] = ()
    """The calls whose results came with this request: they stand behind the last message of the assistant."""
    tools: Sequence[Tool] = ()
    """The tools that the request declares."""
    seen: bool = True
    """Whether all that the request refers to is here."""
    unread: bool = False
    """Whether its messages have more than text: pictures, files, pages that only the model got."""
    dialect: Dialect | None = None
    """How its calls are written as text, where they are."""
    _earlier: tuple[Call, ...] | None = field(default=None, repr=False)
    _orphans: int = field(default=0, repr=False)
    _spoken: tuple[str, ...] | None = field(default=None, repr=False)
    _everything: str | None = field(default=None, repr=False)
    _whole: bool | None = field(default=None, repr=False)
    _legible: bool | None = field(default=None, repr=False)
    _hints: dict[str, Nature] | None = field(default=None, repr=False)
    _landed: list[Call] | None = field(default=None, repr=False)
    _possible: Sequence[Call] | None = field(default=None, repr=False)
    _given: Holders | None = field(default=None, repr=False)
    _looks: Holders | None = field(default=None, repr=False)
    _again: dict[str, int] | None = field(default=None, repr=False)
    _tries: Tries | None = field(default=None, repr=False)
    _tools: defaultdict[str, list[Call]] | None = field(default=None, repr=False)
    _names: tuple[str, ...] | None = field(default=None, repr=False)
    _ordered: Nature | None = field(default=None, repr=False)

    def tool_names(self) -> tuple[str, ...]:
        """The names of the tools that the request declares."""
        if self._names is None:
            self._names = tuple(tool.name for tool in self.tools)
        return self._names

    def earlier(self) -> tuple[Call, ...]:
        """The calls of all earlier turns, oldest first; costs as much as the history is long, once."""
        if self._earlier is None:
            calls, self._orphans = _fold(self.before, self.marks)
            self._earlier = calls
        return self._earlier

    def calls_before(self, call: Call) -> Iterator[Call]:
        """The calls before one of this turn, the latest first; earlier turns are folded when it comes to them."""
        yield from reversed(self.calls[: call.position])
        yield from reversed(self.earlier())

    def recent(self, call: Call) -> Iterator[Call]:
        """The calls before one of this turn, the latest first, as many as are looked at for each of many calls."""
        return islice(self.calls_before(call), BESIDE)

    def is_far_back(self, call: Call) -> bool:
        """Whether more calls stand behind one than are looked at for each of many."""
        return len(self.calls) - call.position > BESIDE + 1

    def of_tool(self, name: str) -> Sequence[Call]:
        """The calls of this turn by one name."""
        if self._tools is None:
            tools = defaultdict(list)
            for call in self.calls:
                tools[call.name].append(call)
            self._tools = tools
        return self._tools.get(name, ())

    def after(self, call: Call) -> Sequence[Call]:
        """The calls of this turn behind one of them."""
        return self.calls[call.position + 1 :]

    def said_after(self, call: Call, most: int) -> str:
        """What the calls behind one have answered, of each `most` code points."""
        return "\n".join(one.result_text[:most] for one in self.after(call))

    def calls_of(self, tools: Sequence[str], calls: Sequence[Call] | None = None) -> list[Call]:
        """The calls, of this turn if no others are given, whose tool one of the globs names, folded, prefixed or not."""
        wanted = globs(tools)
        own = self.calls if calls is None else calls
        fits = {name: any(map(wanted.match, spellings(name))) for name in {call.name for call in own}}
        return [call for call in own if fits[call.name]]

    def landed_changes(self) -> Sequence[Call]:
        """The calls of this turn that may have changed something and that landed, by what their results say."""
        if self._landed is None:
            self._landed = [one for one in self.calls if self.nature(one) != "read" and one.outcome == "landed"]
        return self._landed

    def sure_changes(self) -> list[Call]:
        """Those of them that surely change something, edits of files and commands of a shell aside."""
        return [one for one in self.landed_changes() if not one.effect and self.nature(one) == "change"]

    def possible_changes(self, calls: Sequence[Call] | None = None) -> Sequence[Call]:
        """The calls, of this turn if no others are given, that may have changed something: none of them is known not to."""
        if calls is not None:
            return [one for one in calls if self.nature(one) != "read" and one.outcome not in UNDONE]
        if self._possible is None:
            self._possible = self.possible_changes(self.calls)
        return self._possible

    def done_after(self, failed: Call) -> bool:
        """Whether a failed call may have come about after all.

        A later one, of another tool it may be, was given all that it was, by whatever names, and landed; a later look shows all
        of it; or nobody answered it in time, and a later look shows a part.
        """
        given = failed.given
        if len(given) > 1 and any(one.last(given) > failed.position for one in (self._changed, self._shown)):
            return True
        return UNANSWERED.search(failed.reason) is not None and self._seen_after(failed)

    @property
    def _changed(self) -> Holders:
        """What the calls that may have changed something and landed were given."""
        if self._given is None:
            self._given = Holders((one.position, one.given) for one in self.landed_changes())
        return self._given

    @property
    def _shown(self) -> Holders:
        """What looks that landed have shown of the one thing that each was about, and of no list of what was before."""
        if self._looks is None:
            looks = (one for one in self.calls if one.outcome == "landed" and self.nature(one) == "read")
            own = ((one.position, one.result_value) for one in looks)
            self._looks = Holders(
                (at, frozenset(text for _, text in scalars(value, depth=1)))
                for at, value in own
                if isinstance(value, dict)
            )
        return self._looks

    def _seen_after(self, failed: Call) -> bool:
        """Whether a call that landed shows half of what one was given that nobody answered in time, or a name of words."""
        if self.is_far_back(failed):
            return True
        given, texts = failed.given, (one.result_text for one in self.after(failed) if one.outcome == "landed")
        shown = ([text for text in given if has_word(one, text)] for one in texts)
        return any((len(one) > 1 and 2 * len(one) >= len(given)) or any(" " in text for text in one) for one in shown)

    def tries_after(self, failed: Call) -> Sequence[Call]:
        """Later calls of the same tool that may have done what a failed one was to do, as all but one argument are the same.

        Where there are more than `BESIDE` of them, only so many and one.
        """
        if self._tries is None:
            self._tries = Tries(self.possible_changes())
        return self._tries.after(failed, BESIDE + 1)

    def landed_again(self, call: Call) -> bool:
        """Whether the same tool landed once more: what the first call left undone, another one may have done."""
        if self._again is None:
            self._again = {one.name: one.position for one in self.landed_changes()}
        return self._again.get(call.name, -1) > call.position

    def ordered(self) -> Nature:
        """What the user's message tells to do, in any language of the word lists."""
        if self._ordered is None:
            asked = self.asked[:ORDERED]
            nature = self.marks.natures.asked(asked)
            self._ordered = "change" if nature == "unknown" and self.marks.lexicon.orders(asked) else nature
        return self._ordered

    def offer(self) -> str:
        """The last text of the assistant before the turn, which a short "yes" answers; empty where there is none."""
        return next((one.text for one in reversed(self.before) if one.role == "assistant" and one.text), "")

    def request(self, most: int) -> str:
        """What the user has told since a call changed something last, some code points of each message, the last one first.

        A message belongs to it where the assistant only asked back: "Which one?" stands between the order and the answer.
        """
        told = [self.asked[:most]]
        for message in reversed(self.before):
            asks = "?" in message.text[-ASKS_BACK:] or not message.text
            if any(self.nature_of(call.name) != "read" for call in message.calls) or len(told) > ANSWERS:
                break
            if message.role == "assistant" and not asks:
                break
            if message.role == "user" and message.text and not message.results:
                told.append(message.text[:most])
        return "\n".join(told)

    def answers(self, most: int = 4_000) -> str:
        """The last texts of the assistant before the turn, some code points of each."""
        texts = (one.text[:most] for one in reversed(self.before) if one.role == "assistant")
        return "\n".join(islice(filter(None, texts), ANSWERS))

    def nature(self, call: Call) -> Nature:
        """Whether a call only looks or changes something: by its signature, its tool's annotations, then what it says."""
        return (None if call.effect else self._declared(call.name)) or call.nature

    def nature_of(self, name: str) -> Nature:
        """What a tool does, by its annotations, then by its name alone."""
        return self._declared(name) or self.marks.natures.by_name(name)

    def _declared(self, name: str) -> Nature | None:
        """What the request says of a tool."""
        if self._hints is None:
            hints: dict[str, Nature] = {}
            for tool in self.tools:
                if tool.annotations and tool.name not in hints and (nature := _hinted(tool.annotations)):
                    hints[tool.name] = nature
            self._hints = hints
        return self._hints.get(name)

    def whole(self) -> bool:
        """Whether everything that happened is seen: nothing kept elsewhere, no summary, no result without its call."""
        if self._whole is None:
            self.earlier()
            cut = bool(not self.seen or self.orphans or self._orphans)
            texts = (self.asked, *self.spoken())
            self._whole = not cut and not any(mark.search(text) for mark in self.marks.summaries for text in texts)
        return self._whole

    def legible(self) -> bool:
        """Whether everything is seen, and all of it text: nothing can stand in a picture or a file that nobody here reads."""
        if self._legible is None:
            self._legible = self.whole() and not self.unread and not any(message.unread for message in self.before)
        return self._legible

    def spoken(self) -> tuple[str, ...]:
        """The texts of all messages before the turn."""
        if self._spoken is None:
            self._spoken = tuple(message.text for message in self.before)
        return self._spoken

    def everything(self) -> str:
        """All that stands in the conversation before the answer: what was said, what calls were given and returned."""
        if self._everything is None:
            calls = (*self.earlier(), *self.calls)
            told = (part for call in calls for part in (call.name, call.raw, call.result_text))
            self._everything = "\n".join((self.asked, *self.spoken(), *told))
        return self._everything

    def asks(self, text: str) -> bool:
        """Whether an answer asks, in its text, for calls to be run: then it is none yet."""
        return self.dialect is not None and self.dialect.asks(text)

    def cwd(self) -> str:
        """The working directory that the system text names, or an empty string."""
        for message in self.before:
            if message.role != "system":
                break
            for pattern in self.marks.cwd:
                if found := pattern.search(message.text):
                    return str(found.group(1)).strip()
        return ""


def read_turn(transcript: Transcript, marks: Marks, at: float = 0.0) -> Turn:
    """The last turn of a transcript, `at` the time of its request. Never raises: what cannot be read is `unknown`."""
    dialect = marks.dialects.find(transcript.messages)
    transcript = transcript if dialect is None else read(transcript, dialect)
    messages = transcript.messages
    start = len(messages)
    asked = ""
    own: list[Message] = []
    while start > 0:
        message = messages[start - 1]
        if _is_said(message, marks):
            asked = message.text
            if not _repeats(messages, start - 1, marks):
                break
        own.append(message)
        start -= 1
    own.reverse()
    calls, orphans = _fold(own, marks)
    before, fresh = Before(messages, max(start - 1, 0)), _fresh(own, calls, marks)
    unread = any(message.unread for message in messages[len(before) :])
    return Turn(asked, calls, orphans, before, marks, at, fresh, transcript.tools, transcript.whole, unread, dialect)


def _hinted(annotations: Mapping[str, Any]) -> Nature | None:
    """What MCP's `readOnlyHint` and `destructiveHint` say of a tool."""
    if annotations.get("readOnlyHint") is True:
        return "read"
    changes = annotations.get("readOnlyHint") is False or annotations.get("destructiveHint") is True
    return "change" if changes else None


def _is_said(message: Message, marks: Marks) -> bool:
    """Whether a message is one that a user wrote, and no results or nudge of a client in a user's name."""
    return message.role == "user" and not message.results and not _is_nudge(message.text, marks)


def _repeats(messages: Sequence[Message], place: int, marks: Marks) -> bool:
    """Whether a user message behind results says again what the turn was opened with, as some clients do at every step."""
    if place == 0 or not messages[place - 1].results:
        return False
    earlier = (messages[one] for one in range(place - 1, -1, -1))
    return next((one.text for one in earlier if _is_said(one, marks)), None) == messages[place].text


def _is_nudge(text: str, marks: Marks) -> bool:
    """Whether a user message was made by the client ("go on", a reminder): it opens no turn."""
    return any(nudge.fullmatch(text.strip()) for nudge in marks.nudges)


def _fresh(messages: Sequence[Message], calls: Sequence[Call], marks: Marks) -> tuple[Call, ...]:
    """The calls that the last message with calls made, where nothing of the assistant's stands behind their results."""
    last = next((one for one in reversed(messages) if one.role == "assistant"), None)
    made = sum(not marks.natures.thinks(one.name) for one in last.calls) if last is not None else 0
    return tuple(call for call in calls[len(calls) - made :] if call.result is not None)


def _fold(messages: Sequence[Message], marks: Marks) -> tuple[tuple[Call, ...], int]:
    """Pair calls with results, and judge each; also how many results have no call. A model's notes to itself are none."""
    pairs, orphans = paired(messages)
    own = (one for one in pairs if not marks.natures.thinks(one.call.name))
    return tuple(_call(one, marks, position) for position, one in enumerate(own)), orphans


def _meant(call: ToolCall, marks: Marks) -> ToolCall:
    """A dispatcher's call as that of the tool that it names, where the name says what is done."""
    inner = dispatched(call)
    return call if inner is call or marks.natures.by_name(inner.name) == "unknown" else inner


def _call(entry: Paired, marks: Marks, position: int) -> Call:
    result = None if entry.result is None else Result(entry.result.text, entry.result.error)
    return Call(_meant(entry.call, marks), result, entry.doubled, position, marks.signatures, marks.natures)
