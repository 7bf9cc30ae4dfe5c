"""What one command made and a later one took away must not be told as standing: a branch, a tag, a package, a service."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal

from proxy.audit import Finding
from proxy.auditors.runs import Lines, Place
from proxy.claims import Claim, compared_text
from proxy.figures import CITED, sentence_around
from proxy.ledger import MUTATIONS, UNDONE, Call, Turn
from proxy.results import one_line
from proxy.runners import exit_code, printed
from proxy.shell import Segment, succeeded

Kind = Literal["branch", "tag", "package", "service", "setting", "file"]
NPM = r"(?:npm|pnpm|yarn|bun)"
INSTALLER = rf"(?:pip3?|uv pip|conda|apt|apt-get|brew|gem|cargo|poetry|uv|{NPM}) (?:\S+ )*?"
COMPOSE = r"(?:docker compose|docker-compose) (?:\S+ )*?"
PAIRS: tuple[tuple[Kind, re.Pattern[str], re.Pattern[str]], ...] = (
    (
        "branch",
        re.compile(r"git (?:checkout -[bB]|switch (?:-[cC]|--create)|branch) (?!-)"),
        re.compile(r"git branch (?:-d|-D|--delete)\b"),
    ),
    ("tag", re.compile(r"git tag (?!-d|--delete|-l|--list)"), re.compile(r"git tag (?:-d|--delete)\b")),
    (
        "package",
        re.compile(rf"{INSTALLER}(?:install|add|i)\b"),
        re.compile(rf"{INSTALLER}(?:uninstall|remove|rm|purge)\b"),
    ),
    (
        "service",
        re.compile(
            r"(?:docker|podman) (?:container )?(?:run|start|restart)\b|systemctl (?:\S+ )*?(?:start|restart)\b"
            rf"|service \S+ (?:re)?start\b|pm2 (?:start|restart)\b|{COMPOSE}(?:up|start|restart)\b"
        ),
        re.compile(
            r"(?:docker|podman) (?:container )?(?:stop|kill|rm)\b|systemctl (?:\S+ )*?stop\b|service \S+ stop\b"
            rf"|pm2 (?:stop|delete)\b|{COMPOSE}(?:down|stop|rm)\b"
        ),
    ),
    (
        "setting",
        re.compile(
            r"git config (?:--\w+ )*(?!-)\S+ \S|(?:npm|pnpm|yarn) config set\b|heroku config:set\b|gh (?:secret|variable) set\b"
            r"|systemctl (?:\S+ )*?enable\b"
        ),
        re.compile(
            r"git config (?:--\w+ )*--unset(?:-all)?\b|(?:npm|pnpm|yarn) config (?:delete|rm|unset)\b|heroku config:unset\b"
            r"|gh (?:secret|variable) (?:delete|remove)\b|systemctl (?:\S+ )*?disable\b"
        ),
    ),
)
"""What makes a thing, and what takes it away again, in the words of a segment; the things are among the words behind."""
ELSEWHERE = re.compile(r"git (?:-\S+ (?:\S+ )?)*(?:push|merge|rebase|cherry-pick)\b|gh pr\b")
"""By these a branch or a tag lives on elsewhere when it is gone here."""
MOVES = re.compile(r"(?:git )?mv (?:-\S+ )*(\S+) (\S+\.\w+)")
TICK = r"[|:][\s*_]*(?:✅|✓|✔)"
REF = re.compile(
    r"(?i)\b(?:created|tagged|made|exists)\b|\b(?:is|are|now)\b[^.;\n]{0,30}\b(?:ready|there|in place|available)\b"
    rf"|\bon (?:the |a )?(?:new )?branch\b|{TICK}"
)
STANDS: dict[Kind, re.Pattern[str]] = {
    "branch": REF,
    "tag": REF,
    "package": re.compile(rf"(?i)\b(?:installed|added)\b|{TICK}"),
    "service": re.compile(
        r"(?i)\b(?:is|are|now)\b[^.;\n]{0,40}\b(?:running|up|live|active|started|listening)\b"
        rf"|[|:][\s*_]*(?:✅ ?)?(?:running|up|active|healthy|live)\b|{TICK}"
    ),
    "setting": re.compile(rf"(?i)\b(?:set(?! up)|configured|enabled)\b|{TICK}"),
    "file": re.compile(
        r"(?i)\b(?:created|added|wrote|written|saved|put|made|exists|contains)\b|\b(?:is|are) (?:now )?in\b"
        + f"|{TICK}"
    ),
}
"""By these a sentence tells a thing as made or standing; of a service, that it is up."""
TAKEN = re.compile(
    r"(?i)\b(?:stop\w*|remov\w*|delet\w*|uninstall\w*|clean\w*|tore|torn|shut|down|merg\w*|temporar\w*|throwaway|undo\w*|undid"
    r"|revert\w*|reset\w*|unset\w*|roll\w*|disabl\w*|drop\w*|discard\w*|replac\w*|renam\w*|mov(?:e|ed|ing)|instead|afterwards?"
    r"|briefly|again|kill\w*|no longer|gone|took|taken|back(?:ed)? out|switch\w*|archiv\w*)\b"
)
"""By these an answer may tell that something was taken away."""
MOODS = re.compile(
    r"(?i)\b(?:not|never|no|if|once|when|should|would|could|can|will|want|please|was|were|had|before|after|until|image"
    r"|to (?:test|check))\b|\?|n['’]t\b"
)
MOST = 40
"""Commands that take something away, of which that is asked."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A thing that was made, and taken away by a later command."""

    kind: Kind
    name: str
    command: str
    place: Place
    call: Call


@dataclass(frozen=True, slots=True)
class Reversals:
    """Look in an answer for what a command of the turn made and a later one took away, told as made or standing.

    Of a service only its state counts: to have started one is true of one that was stopped. It speaks where no other auditor
    does, where the answer has no word for taking away, and where nothing later may have made the thing anew.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        if any(one.flagged for one in findings) or not any(call.effect == "shell" for call in turn.calls):
            return []
        text = CITED.sub(lambda found: " " * len(found.group()), compared_text(claims))
        if not text or TAKEN.search(text):
            return []
        lines = Lines((*turn.earlier(), *turn.calls), turn.marks.runners)
        own = len(lines.calls) - len(turn.calls)
        for taken in islice(_taken(lines), MOST):
            if taken.place[0] >= own and (said := _told(taken, text)) and not lines.unseen("build", taken.place):
                reason = f"`{taken.command}` came after it"
                return [Finding("stale", taken.name, reason[:300], one_line(said, 200), taken.call.id)]
        return []


def _taken(lines: Lines) -> Iterator[Taken]:
    """What was made and is gone, with the command that took it away."""
    done = [
        ((number, at), segment, call)
        for number, call in enumerate(lines.calls)
        if call.effect == "shell" and call.outcome not in UNDONE
        for at, segment in enumerate(lines.segments(number))
        if _went_well(call, lines.segments(number), at)
    ]
    pushed = any(ELSEWHERE.match(segment.text) for _, segment, _ in done)
    for place, segment, call in done:
        for kind, makes, takes in PAIRS:
            if not takes.match(segment.text) or (pushed and kind in ("branch", "tag")):
                continue
            for name in _names(segment, kind):
                made = [(at, name in _names(one, kind)) for at, one, _ in done if makes.match(one.text)]
                # A service may come up again with others, unnamed.
                anew = any(at > place and (own or kind == "service") for at, own in made)
                if any(at < place and own for at, own in made) and not anew:
                    yield Taken(kind, name, one_line(segment.text, 120), place, call)
        moved = MOVES.fullmatch(segment.text)
        away = moved is not None and moved[1].rpartition("/")[2] != moved[2].rpartition("/")[2]
        if moved is not None and away and _written(lines, moved[1], place):
            yield Taken("file", moved[1], one_line(segment.text, 120), place, call)


def _written(lines: Lines, path: str, place: Place) -> bool:
    """Whether a call wrote a file before a place, and none after it."""
    writes = [
        number
        for number, call in enumerate(lines.calls)
        if call.effect in MUTATIONS and any(one.path == path and one.outcome == "landed" for one in call.targets)
    ]
    return any(number < place[0] for number in writes) and not any(number > place[0] for number in writes)


def _went_well(call: Call, line: list[Segment], at: int) -> bool:
    """Whether a segment may be taken to have done what it says: its exit code is 0, or it tells of no failure."""
    if call.result is None or call.outcome == "pending":
        return False
    code = call.result.once(exit_code)
    if code is not None:
        return succeeded(line, at, code) is True
    return line[at].before != "||" and FAILED.search(call.result.once(printed)) is None


FAILED = re.compile(
    r"(?im)^(?:error|fatal|warning: skipping|e:|npm err!)|\b(?:not found|no such|failed|denied|cannot|unable)\b"
)


def _names(segment: Segment, kind: Kind) -> Iterator[str]:
    """The words of a segment that may name the things, versions aside; that of a container behind its option."""
    words = segment.words
    if "compose" in words[1:2] or words[:1] == ("docker-compose",):
        yield from (word for word in words[2:] if not word.startswith("-")) if len(words) > 3 else ()
        return
    if words[1:2] == ("run",) and kind == "service":
        yield from (words[at + 1] for at, word in enumerate(words[:-1]) if word == "--name")
        yield from (word[7:] for word in words if word.startswith("--name="))
        return
    for word in words[2:] if words[:1] != ("service",) else words[1:2]:
        if not word.startswith("-"):
            bare = re.split(r"[=<>~!\[]|(?<=.)@", word)[0] if kind in ("package", "setting") else word
            yield bare.removesuffix(".service")


def _told(taken: Taken, text: str) -> str:
    """The sentence that tells a thing as made or standing."""
    if len(taken.name) < 2:
        return ""
    for found in re.finditer(rf"(?<![\w./-]){re.escape(taken.name)}(?![\w/-]|\.\w)", text):
        sentence = sentence_around(text, *found.span())
        if STANDS[taken.kind].search(sentence) and not MOODS.search(sentence):
            return sentence
    return ""
