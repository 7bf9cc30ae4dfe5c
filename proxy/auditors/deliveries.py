"""Each file that an answer says was uploaded, deposited, sent or shared must be one that a call was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from proxy.amounts import NUMERALS
from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, admits, compared_text
from proxy.figures import own_words
from proxy.ledger import MUTATIONS, Call, Turn
from proxy.patterns import expression
from proxy.readers.files import paths
from proxy.results import has_word, one_line, scalars
from proxy.roots import TOKEN, name_roots, root, roots
from proxy.shown import Shown

MOST, READ = 100, 20_000
"""Files of an answer that are looked for, and code points of a call and its result in which they are."""
SHORTEST = 5
"""Code points of a name that is looked for without what parts its words."""
LONGEST = 300
"""Code points of an argument that may be a path, and no text of its own."""
OF_ANY = roots(("file", "files", "document", "list", "get", "upload"))
"""Roots that names of tools share which look at another place than they write to."""
NOISE = re.compile(r"[\W_]+")
SEVERAL = re.compile(r"(?i)[*?]|[/\\]$|\.(?:zip|tar|tgz|gz|7z|rar)$")
"""An argument by which a call may have been given more files than it names: a glob, a folder, an archive."""
FOLDER = re.compile(r"(?i)folder|(?:^|_)dir|glob|pattern|recursive|^all$|archive|bucket_?path|prefix")
"""Names of arguments by which it may, too."""
LIST = re.compile(r"(?:[^\S\n]*\n)+((?:[ \t]*(?:[-*+•✓✔✅]|\d{1,2}[.)])[^\n]*\n?)+)")
"""A list right behind the sentence that announces it."""
OF_ANOTHER = re.compile(
    r"(?i)\b(?:from|of|into|using|based on|instead of|rather than|except|without|not|than|named|called|as|to|replac\w+|in"
    r"|inside|under|beside|like|see|via|by|aus|von|statt|außer|ohne|nicht|de|desde|sin|excepto|sauf|sans)"
    r"(?: (?:the|a|your|my|file))?[\s`*\"“]*$"
)
"""What stands before a file that is not itself what was delivered."""
GOES_ON = re.compile(r"[\s`*\"”]*(?:\([^()\n]{0,60}\))?[\s,;&]*(?:(?:and|or|und|oder|y|o|et|ou)\b)?[\s`*\"“]*")
"""What stands between files of one row."""
CLAUSE = re.compile(r";|[.!?]\s|\n")
_COUNT = rf"\d{{1,3}}|{'|'.join(NUMERALS)}"
COUNTED = re.compile(
    rf"(?i)\b(?:(?P<both>both|beide|ambos|les deux)|(?:all (?:of )?(?:the |your |my )?)?(?P<count>{_COUNT}))"
    r"(?: of (?:the|your|them))?"
    r" (?:\w+ )?(?:files?|documents?|attachments?|art[ei]facts?|reports?|images?|photos?|pictures?|pdfs?|uploads?|deposits?"
    r"|dateien|dokumente|archivos|documentos|fichiers)\b"
)
"""How many of them an answer speaks of."""


@dataclass(frozen=True, slots=True)
class Deliveries:
    """Compare the files that an answer tells as delivered, by name or by number, with those that the turn's calls were given.

    `verbs` are the past forms by which it tells so. Told is a file that no change of the conversation names, nor returned, nor
    was given by an id, beside one that a call was given; and a number of files where fewer calls delivered one each. `spared`
    is an expression for sentences that leave some out or speak of another time. It speaks where no other auditor has told of
    the file, and not where a call may have delivered more than it names, or something ran of which nobody knows what it did.
    """

    verbs: tuple[str, ...] = ()
    spared: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "outcome", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = own_words(compared_text(claims, BY_LINE))
        verbs = roots(self.verbs)
        said = [one for one in claims if one.stance == "asserted" and one.kind in ("action", "outcome")]
        said = (
            [one for one in said if not verbs.isdisjoint(map(root, _words(text[one.start : one.end])))] if text else []
        )
        carried = _carried(turn) if said else {}
        if not carried or not turn.whole() or admits(claims, (f"{one.name} {one.raw[:READ]}" for one in turn.calls)):
            return []
        told = [one.subject for one in findings if one.flagged]
        missing = {one.subject: one for one in self._missing(turn, text, said, carried, told)}
        return list(missing.values()) or list(islice(self._counted(turn, said, carried, told), 1))

    def _missing(
        self, turn: Turn, text: str, said: Sequence[Claim], carried: dict[str, Call], told: Sequence[str]
    ) -> Iterator[Finding]:
        """The files that are told by name and were given to no call, beside some that were."""
        known = _Known(turn)
        named = [(name, claim) for claim in said for name in dict.fromkeys(_files_of(claim, text, turn))]
        left = [one for one in named if not known.has(one[0])]
        for name, claim in left if len(left) < len(named) else ():
            if expression(self.spared).search(claim.quote) or any(one in name or name in one for one in told):
                continue
            reason = (
                f"no call was given this file; {', '.join(islice(carried, 3))} {'were' if len(carried) > 1 else 'was'}"
            )
            call = next(reversed(carried.values()))
            yield Finding("unsupported", name, reason, one_line(claim.quote, 200), call.id)

    def _counted(
        self, turn: Turn, said: Sequence[Claim], carried: dict[str, Call], told: Sequence[str]
    ) -> Iterator[Finding]:
        """A number of files that is more than were given, where each call was given one of its own."""
        calls, verbs = list(carried.values()), roots(self.verbs)
        if told or len(set(calls)) != len(calls):
            return
        for claim in said:
            part = claim.fields.get("part", "")
            clauses = [one for one in CLAUSE.split(part) if any(word in verbs for word in map(root, _words(one)))]
            found = COUNTED.search(clauses[0] if clauses else "")
            if found is None or expression(self.spared).search(claim.quote):
                continue
            count = 2 if found["both"] else NUMERALS.get(found["count"].lower()) or int(found["count"])
            shown = any(has_word(one.result_text[:READ], str(count)) for one in turn.calls)
            if count > len(calls) and not shown:
                reason = f"the calls were given {len(calls)}: {', '.join(islice(carried, 3))}"
                yield Finding("contradicted", found.group(), reason, one_line(claim.quote, 200), calls[-1].id)


def _words(text: str) -> list[str]:
    return TOKEN.findall(text.lower())


def _carried(turn: Turn) -> dict[str, Call]:
    """The files that changes of the conversation were given, each with its call; none where one may have been given others."""
    found: dict[str, Call] = {}
    changes = [*turn.possible_changes(turn.earlier()), *turn.possible_changes()]
    here = set(turn.calls)
    for call in changes:
        if call.effect in MUTATIONS:
            continue
        own = dict(_given(call, turn))
        sure = call.outcome == "landed" and call.effect == "" and not any(map(FOLDER.search, call.arguments))
        if not sure or any(map(SEVERAL.search, own)) or (not own and turn.nature(call) != "change"):
            return {}
        found |= {name: call for name in own if call in here}
    return found


def _given(call: Call, turn: Turn) -> Iterator[tuple[str, str]]:
    """The names of the files in a call's arguments, with their paths."""
    for _, text in scalars(call.arguments):
        if len(text) <= LONGEST and "\n" not in text:
            name = re.split(r"[/\\]", text.strip())[-1]
            extension = name.rpartition(".")[2].lower()
            if SEVERAL.search(text) or (extension != name.lower() and extension in turn.marks.lexicon.extensions):
                yield name or text, text


class _Known:
    """What the changes of a conversation were given and returned, what their ids stand for, and what was seen after them."""

    def __init__(self, turn: Turn) -> None:
        here = turn.possible_changes()
        changes = [*turn.possible_changes(turn.earlier()), *here]
        parts = [f"{one.raw[:READ]} {one.result_text[:READ]}" for one in changes]
        parts += [" ".join(texts) for texts in Shown(turn).holding({text for call in changes for text in call.given})]
        own = {word for one in here for word in name_roots(one.name)} - OF_ANY
        first = min((one.position for one in here), default=0)
        looks = (one for one in turn.calls if turn.nature(one) == "read")
        parts += [one.result_text[:READ] for one in looks if one.position > first or own & name_roots(one.name)]
        self._text = "\n".join(parts).lower()
        self._plain = "\0".join(NOISE.sub("", one.lower()) for one in parts)

    def has(self, path: str) -> bool:
        """Whether a file stands there by its name, however its words are parted, or by that without the extension."""
        name = re.split(r"[/\\]", path)[-1].lower()
        ways = (NOISE.sub("", one) for one in (name, name.rpartition(".")[0]))
        return has_word(self._text, name) or any(len(one) >= SHORTEST and one in self._plain for one in ways)


def _files_of(claim: Claim, text: str, turn: Turn) -> Iterator[str]:
    """The files that a deed is about: those of its part, and of the list that its sentence announces."""
    part = claim.fields.get("part", "")
    at = text.find(part) if part else -1
    if at < 0:
        return
    start = claim.end if "active" in claim.fields and claim.end >= at else at
    end = at + len(part.rstrip())
    listed = LIST.match(text, end) if part.rstrip(" *_\n").endswith(":") else None
    another, last = False, -1
    for one in islice(paths(text, start, listed.end() if listed else end, turn.marks.lexicon), MOST):
        before = text[text.rfind("\n", 0, one.start) + 1 : one.start]
        if one.start >= end:
            if NOISE.sub("", before).strip("0123456789") == "":
                yield one.path  # of a line of the list its first one
            continue
        if last < 0:
            another = OF_ANOTHER.search(text[start : one.start]) is not None
        elif GOES_ON.fullmatch(text[last : one.start]) is None:
            return  # it goes on to something else
        last = one.end
        if not another:
            yield one.path
