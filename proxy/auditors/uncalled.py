"""A deed or a look for which the request declares a tool that nobody called, and that no other call can have been, is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.call_words import READ, pays_back
from proxy.auditors.deed_words import ASKED, ENDS, MAILED, PARTIES, let_know, thing_done
from proxy.auditors.sendings import Sendings
from proxy.auditors.uncalled_looks import REASON
from proxy.claims import Claim, compared_text
from proxy.declared import Declared, by_itself, declared
from proxy.deeds import carries, shows_done
from proxy.ledger import Call, Turn
from proxy.patterns import NEVER
from proxy.results import objects
from proxy.roots import (
    COMMON,
    TOKEN,
    Named,
    Vocabulary,
    name_roots,
    name_tokens,
    name_words,
    root,
    similar,
    tokens,
    vocabulary,
)
from proxy.tool_names import fold
from proxy.work import Work

IDENTIFIER = re.compile(r"\b(?=[\w-]*\d)[\w-]{4,}")
BREAK = re.compile(r",\s(?:and\s)?|\sand\s|;\s")
"""Where another part may begin before a passive; the nearest few are tried."""
LABEL = re.compile(r"[^\w\n]*(?:\d+[.)][^\w\n]*)?([^:\n.!?]{2,40}):")
"""What a line of a list begins with."""
AFTER = re.compile(r"[,;]\s|\sand\s(?=you|it|they|we|i|he|she|the\b)|\s(?:due to|because|based on)\s", re.I)
"""Where something else may begin behind a verb."""
TOLD = re.compile(
    r"(?i)[{}=:\[\]<>\d]|\b(?:ok|done|ran|run|result\w*|output|says?|said|printed|shows?|clicked|\w+ed)\b"
)
"""A message that may give what came of a call."""
PERFECT = re.compile(r"(?i)\b(?:has|have) (?:now |just )?been\b|[’']s been\b")  # what is so since just now
ANSWER = 60  # code points of a message that leaves to the one before it what is meant
NEAR = 5  # words behind a verb of sending that may be what was sent
LOOSE = COMMON | {"mov"}
"""Roots of short verbs that any call may be told by."""
CHANGES = "chang"
"""The root of a verb that any call may be told by."""
REPAID = frozenset({"refund", "credit", "reimburs"})
PASSIVE = frozenset({"has", "hav", "been", "is", "are", "now", "also", "wer", "was", "just", "successfull"})
TEXTS = frozenset({"comment", "memo", "repl", "messag", "remark", "review", "answer", "feedback"})
"""Roots of things that are texts: a call that was given one may have told somebody."""
METHODS = frozenset({"post", "put", "patch", "delete"})  # a tool so called does anything


@dataclass(frozen=True, slots=True)
class Uncalled:
    """Compare what an answer says was done, or looked at, with the tools that the request declares and nobody called.

    `kin` are families of verbs that tell of one deed ("opened a ticket", `create_ticket`), `sending` is the family of those
    that reach somebody. `idle` are words of tools' names that tell nothing, `automatic` is an expression for system texts and
    descriptions by which something happens by itself, `leave` one for answers that ask for leave.
    """

    kin: tuple[tuple[str, ...], ...] = ()
    sending: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    automatic: str = r"(?i)\bautomatic"
    leave: str = NEVER

    reads: ClassVar[frozenset[str]] = frozenset({"action", "outcome", "reading", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [one for one in claims if one.stance == "asserted" and one.kind != "text"]
        text = compared_text(claims) if turn.tools else ""
        said += let_know(text)
        if not said or not text:
            return []
        words = vocabulary(self.kin, self.sending, self.idle)
        told = _Told(turn, text, words, self.automatic)
        work, found = Work(turn, text, self.leave), dict[int, Finding]()
        for claim in (one for one in said if turn.calls or not work.excuses(one)):
            judge = told.ran if claim.act == "run" else told.looked if claim.kind == "reading" else told.done
            finding = judge(claim)
            seen = turn.legible if claim.kind == "reading" else turn.whole  # a picture can be read without a tool
            if finding is not None and seen():
                found.setdefault(claim.start, finding)
        return list(found.values())


PLAIN = re.compile(r"(?<![\w'’])[^\W\dA-Z_][^\W\d_]+")
"""A word that is no name."""


class _Told(Sendings):
    """The deeds and looks of an answer beside the tools that nobody called."""

    def __init__(self, turn: Turn, text: str, words: Vocabulary, automatic: str) -> None:
        super().__init__(turn, text, words)
        self._automatic = automatic
        self._owned: dict[Call, set[str]] = {}

    def done(self, claim: Claim) -> Finding | None:
        """The verdict on a deed, where calls changed something and may not have been this."""
        verb, part, weak = self._verb(claim), self._part(claim), claim.kind == "outcome"
        new = self._asked(part) and (self._here_done or self._is_ordered(part))
        asks = self._turn.marks.natures.asks
        reported = "active" not in claim.fields or ("bare" in claim.fields and asks(self._turn.asked))
        if reported and not (new or self._only_written(verb)):
            return None  # where nothing was changed, what is so was shown by a look: "**Dr. Lee** – moved your appointment"
        if weak and not self._asked(part):
            return None
        like = self._declared.like((verb, *self._words.kin(verb)))
        may = [one for one in like if verb in one.tells and one.name not in self._now]
        thing = thing_done(part, verb)  # "left a comment"
        may += [one for word in (verb, thing) for one in self._backward.get(word, ())]
        if not may:
            return None
        calls = self._here_done if self._asked(part) else self._changes
        if any(self._is_opaque(one) and not self._told_apart(one, part) for one in calls):
            return None
        for named in may:
            nature = self._turn.nature_of(named.name)
            if nature == "read" or fold(named.name) in self._made:
                continue
            untold = self._is_untold(verb, part, named)
            ordered = untold or not weak or self._ordered(verb, named) or self._heads(claim, named)
            if not (ordered or self._same(verb, part, named)):
                continue
            own = thing if named.verb == thing else verb
            fits = (
                untold
                or self._is_of(own, claim, part, named)
                or self._reached(verb, part, named)
                or self._same(verb, part, named)
            )
            shown = new and (self._shows_since(verb) if self._here_done else self._shown_of(verb, named))
            if fits and not shown and (untold or not self._excused(own, named, claim)):
                return Finding("unsupported", named.name, REASON, claim.quote)
        return None

    @cached_property
    def _declared(self) -> Declared:
        """The tools of the request; so many that nobody remembers them are read once."""
        return declared(self._turn, self._words)

    @cached_property
    def _backward(self) -> dict[str, list[Named]]:
        """The tools that end with a verb which no policy knows as one there, by that: `incident_open`, `pr_comment`."""
        found: dict[str, list[Named]] = {}
        for name in self._turn.tool_names():
            *things, last = name_words(name.rpartition("__")[2].rpartition(".")[2]) or ("",)
            verb = root(last)
            # `slots_open` lists them
            if not things or things[-1].endswith("s") or not (verb in TEXTS or verb in ENDS) or name in self._now:
                continue
            if self._turn.nature_of(name) != "read":
                about = tuple(map(root, things))
                found.setdefault(verb, []).append(Named(name, verb, about, frozenset({verb, *about})))
        return found

    @cached_property
    def _asked_words(self) -> frozenset[str]:
        """The words of the user's message; of a short one ("Yes, both") those of what it answers, and of the order, as well."""
        asked = self._turn.asked[:READ]
        short = len(asked) <= ANSWER
        return tokens(f"{self._turn.request(READ)}\n{self._turn.offer()[-READ:]}" if short else asked)

    def _is_of(self, verb: str, claim: Claim, part: str, named: Named) -> bool:
        """Whether a deed is of the tool's sort and about the tool's thing, by its words or by the label of its line."""
        things = self._things(named)
        span = self._text[claim.start : claim.end]
        left = TEXTS & tokens(span) if " " in span else frozenset()  # "left a note" on a ticket opened none
        if not named.things and "_to_" in named.name and verb == named.verb and "active" in claim.fields:
            whom = name_words(named.name.rpartition("_to_")[2])[-1:]  # "escalated it to the nurse", escalate_to_nurse
            return any(similar(root(one), self._tokens(part) - self._change_words) for one in whom)
        if not things or (left and things[-1] not in left and verb not in left):
            return False
        said = (self._tokens(part) | tokens(self._label(claim))) - {verb}
        about = similar(things[-1], said) or (len(named.things) > 1 and "".join(one[0] for one in named.things) in said)
        about = about or self._goes_by(things[-1], part)
        if verb == things[-1] and {verb, named.verb} <= self._words.sending:
            return True  # "emailed her", send_email
        return about and self._words.alike(verb, named.verb) and not self._elsewhere(verb, part, named)

    def _elsewhere(self, verb: str, part: str, named: Named) -> bool:
        """Whether a verb of sending is about something else: "sent your request to the team", `send_team`."""
        things = self._things(named)
        if verb not in ("send", "post", "forward") or similar(things[-1], tokens(part, NEAR + 1)):
            return False
        own = list(map(root, re.findall(r"[a-z]+", part.lower())))
        return len(things) == 1 or tuple(things[-2:]) not in set(pairwise(own))  # "as a secure message"

    def _reached(self, verb: str, part: str, named: Named) -> bool:
        """Whether somebody is said to have been told, as the user asked for, where the tool does just that."""
        sending = self._words.sending
        if verb not in sending or named.verb not in sending or verb in ("send", "post", "forward"):
            return False
        asked = self._asked_words
        told = any(one in sending or one in ASKED for one in asked)
        return told and (self._asked(part) or not PARTIES.isdisjoint(asked))

    def _told_apart(self, call: Call, part: str) -> bool:
        """Whether a call of which nobody knows what it does is told, by a word of its name, in another part of the answer."""
        return not call.effect and self._turn.nature(call) == "unknown" and self._names_apart(call, part)

    def _heads(self, claim: Claim, named: Named) -> bool:
        """Whether the tool's thing heads a deed's line: "Catering: Buffet B added", `add_catering`."""
        label = tokens(self._label(claim))
        return any(similar(one, label) for one in self._things(named)[-1:])

    def _ordered(self, verb: str, named: Named) -> bool:
        """Whether the user told somebody to do what the tool does, and named the deed, or its thing."""
        asked = self._asked_words
        kin = any(self._words.alike(one, named.verb) for one in asked)
        return (kin and verb in asked) or any(similar(one, asked) for one in self._things(named)[-1:])

    def _same(self, verb: str, part: str, named: Named) -> bool:
        """Whether a deed has the tool's own verb, as the user's message has, and is about what no change was given or named.

        "Assign it to Lee": of a deed that does not name the tool's thing, the words behind its verb say what it was.
        """
        if verb.removeprefix("re") != named.verb.removeprefix("re") or verb not in self._asked_words or len(verb) < 3:
            return False
        if verb == CHANGES or (len(verb) < 4 and verb in LOOSE):
            return False  # any of them
        if any(not METHODS.isdisjoint(name_tokens(one.name)) for one in self._here_done):
            return False  # `calendar_put` books as well
        if any(one.startswith(verb[:5]) if len(verb) > 3 else one == verb for one in self._call_words):
            return False
        words = self._about(part, verb)
        if not words:  # "the account is unlocked", unlock_account
            return not self._tokens(part).isdisjoint(named.things)
        return not any(similar(one, self._change_words) for one in words)

    def _is_untold(self, verb: str, part: str, named: Named) -> bool:
        """Whether a deed by the tool's own verb is about a code of the user's that no change of any kin has or gave."""
        if verb != named.verb or len(verb) < 4 or verb in self._words.sending:
            return False
        ids = [one for one in IDENTIFIER.findall(part) if one in self._turn.asked and one == one.upper()]
        if not ids or any(self._words.alike(self._read(one.name).verb, verb) for one in self._changes):
            return False
        if any(one.startswith(verb[:5]) for one in self._call_words):
            return False  # "coupon_restored": true
        if any(self._goes_for(one) for one in ids):
            return False
        bare = {re.sub(r"^\D+", "", one) or one for one in ids}
        return not any(one in call.raw or one in call.result_text for one in bare for call in self._changes)

    def _about(self, part: str, verb: str) -> set[str]:
        """The words behind a part's verb that tell something; those before it where there are none."""
        own = [(root(one.lower()), one) for one in TOKEN.findall(part)]
        at = next((at for at, (one, _) in enumerate(own) if one == verb), -1)
        for side in (own[at + 1 :], own[:at] if at > 0 else []):
            found = {one for one, _ in side if len(one) > 1 and one not in self._words.idle and one not in PASSIVE}
            if found:
                return found
        return set()

    def _things(self, named: Named) -> list[str]:
        return [one for one in named.things if one not in self._words.idle]

    def _asked(self, part: str) -> bool:
        """Whether the user's message has words of a deed's part."""
        asked = self._asked_words
        return any(similar(one, asked) for one in self._tokens(part) - self._words.idle if len(one) > 2)

    def _excused(self, verb: str, named: Named, claim: Claim) -> bool:
        """Whether a call that landed may have been the deed, or something does it by itself."""
        things = [named.verb] if named.verb in TEXTS else self._things(named)
        sends = verb in self._words.sending and named.verb in self._words.sending
        if sends and self._sent_to_others(self._part(claim), things):
            return not self._accounted(claim)
        if sends and (
            self._sent(self._change_words | self._later_words)
            or any(one.name in self._senders for one in self._changes)
        ):
            return True
        if (sends or (things and things[-1] in TEXTS)) and any(
            carries(one) and (verb not in MAILED or self._mails(one)) for one in self._changes
        ):
            return True
        if not sends and things and similar(things[-1], self._change_words | self._later_words):
            return not self._is_denied(verb, things[-1])
        if not REPAID.isdisjoint((verb, *things)) and any(map(pays_back, self._changes)):
            return True  # a cancellation that refunds by itself
        if any(self._gave(call, named, claim) for call in self._changes):
            return True
        if any(self._did(call, verb, claim) for call in self._here_done):
            return True
        made = [self._read(call.name) for call in self._changes]
        if any(one.verb == verb and (verb != named.verb or not self._things(one)) for one in made):
            return True  # "reserved": it was that call, and none that is akin to it
        near = [self._read(one.name) for one in self._here_done] + [one for one in made if self._is_named(one, claim)]
        if verb != named.verb and any(one.verb != named.verb and self._words.alike(one.verb, verb) for one in near):
            return True
        if by_itself(self._turn, {*things, verb, *((named.verb,) if sends else ())}, self._automatic):
            return True
        return not self._accounted(claim)

    def _is_named(self, tool: Named, claim: Claim) -> bool:
        """Whether a deed's part has the thing of a tool; one that has none, or a dull one, may do it too."""
        things, said = self._things(tool), self._tokens(self._part(claim))
        return not things or any(similar(one, said) for one in things)

    def _is_denied(self, verb: str, thing: str) -> bool:
        """Whether a change says itself that it did not do it: `"source_branch_deleted": false`, `"comments": 0`."""
        own = (one.items() for call in self._here_done for one in islice(objects(call.result_value), READ))
        flags = (name_roots(name) for items in own for name, value in items if value is False or value == 0)
        return any((verb in one or verb == thing) and similar(thing, one) for one in flags)

    def _did(self, call: Call, verb: str, claim: Claim) -> bool:
        """Whether a call by the deed's own verb, or several of one tool, may be it: they share a word of its part.

        Where that has none that tells something ("You're booked, Ann"), a verb akin to it will do.
        """
        own = self._read(call.name).verb
        part, dull = self._part(claim), self._words.idle | PASSIVE | {verb}
        plain, said = tokens(" ".join(PLAIN.findall(part))) - dull, self._tokens(part) - dull
        if not plain:
            return self._words.alike(own, verb)
        told = tokens(f"{call.name} {call.raw} {call.result_text[:READ]}")
        same = own.removeprefix("re") == verb.removeprefix("re")
        several = same and sum(one.name == call.name for one in self._changes) > 1
        return several or (same and not plain.isdisjoint(told)) or (verb in told - {own} and not said.isdisjoint(told))

    def _gave(self, call: Call, named: Named, claim: Claim) -> bool:
        """Whether a deed names an id that a call of the same sort gave, which nobody knew before: it was that call."""
        if not self._words.alike(self._read(call.name).verb, named.verb):
            return False
        known = f"{call.raw}\n{self._turn.asked}"
        return any(one in call.result_text[:READ] and one not in known for one in IDENTIFIER.findall(self._part(claim)))

    def _accounted(self, claim: Claim) -> bool:
        """Whether the rest of the answer speaks of every change: one that it does not may be the deed under another name."""
        part = self._part(claim)
        breaks = [found.start() for found in BREAK.finditer(part, 0, max(0, claim.start - self._text.find(part)))]
        rest = self._text.replace(part[breaks[-1] :] if breaks else part, " ")
        own = {one for one in tokens(rest) if one not in self._words.idle and len(one) > 1}
        changes = [(call, self._read(call.name).verb) for call in self._turn.calls if call in self._changed]
        spoken = {verb: any(self._words.alike(verb, one) for one in own) for verb in {verb for _, verb in changes}}
        heads: dict[str, list[str]] = {}  # what is similar begins alike
        for one in own:
            heads.setdefault(one[:3], []).append(one)
        said = (
            spoken[verb] or any(similar(one, heads.get(one[:3], ())) for one in self._own(call))
            for call, verb in changes
        )
        return all(said)

    def _own(self, call: Call) -> set[str]:
        """The words of a call that tell it from others."""
        if call not in self._owned:
            words = self._words_of(call)
            self._owned[call] = {one for one in words if one not in self._words.idle and len(one) > 1}
        return self._owned[call]

    def _is_ordered(self, part: str) -> bool:
        """Whether the user has just ordered what is told as done since."""
        return PERFECT.search(part) is not None and self._turn.ordered() == "change"

    def _shown_of(self, verb: str, named: Named) -> bool:
        """Whether the result of a call about the tool's thing shows the deed as a state."""
        thing = self._things(named)[-1:]
        return any(shows_done(call, verb) and (not thing or similar(thing[0], self._own(call))) for call in self._calls)

    def _shows_since(self, verb: str) -> bool:
        """Whether a look behind a change of the turn shows the deed as a state: the change has done it by the way."""
        return any(
            shows_done(look, verb) for look in self._turn.after(self._here_done[0]) if self._turn.nature(look) == "read"
        )

    def _only_written(self, verb: str) -> bool:
        """Whether the answer before wrote a call of a tool of that verb as text, which nobody ran."""
        only = not self._turn.calls and len(self._turn.asked) <= ANSWER and not TOLD.search(self._turn.asked)
        offer = self._turn.offer() if only else ""
        named = (one for one in self._turn.tool_names() if f"{one}(" in offer or f'"{one}"' in offer)
        return any(verb in self._read(one).tells and fold(one) not in self._made for one in named)

    def _part(self, claim: Claim) -> str:
        """A deed's part of its clause: of a passive, what stands between the last break before it and its end."""
        part = claim.fields.get("part", "")
        at = self._text.find(part) if part else -1
        if at < 0 or not at <= claim.start < at + len(part):
            return part
        if found := AFTER.search(part, claim.end - at):
            part = part[: found.start()]
        if "active" in claim.fields:
            return part
        breaks = [found.end() for found in BREAK.finditer(part, 0, claim.start - at)][-20:]
        return next((part[one:] for one in reversed(breaks) if tokens(part[one : claim.start - at]) - PASSIVE), part)

    def _label(self, claim: Claim) -> str:
        """What a deed's line is headed by: "**Credit:** I've applied $10"."""
        found = LABEL.match(self._text, self._text.rfind("\n", 0, claim.start) + 1, claim.start)
        return found[1] if found else ""
