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
from proxy.figures import own_words, sentence_around
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
ELSEWHERE = re.compile(
    r"git (?:-\S+ (?:\S+ )?)*(?:push|pull|merge|rebase|cherry-pick|am|apply|restore|checkout \S+ --)(?:\s|$)|gh pr\b"
)
"""By these a branch or a tag, or what it held, lives on elsewhere when it is gone here."""
MOVES = re.compile(r"(?:git )?mv (?:-\S+ )*(\S+) (\S+\.\w+)")
LOOKS = re.compile(
    r"(?:git (?:log|show|diff|status|rev-parse|ls-\w+|branch (?:-l|--list|-[av]+)|tag (?:-l|--list)|config --get\S*)"
    r"|(?:docker|podman|pm2) (?:compose )?(?:ps|logs|inspect|images?|ls|list|show)|systemctl (?:\S+ )*?(?:status|is-\w+|show)"
    rf"|(?:pip3?|{NPM}|brew|gem|conda) (?:show|list|ls|view|info|why|config get)"
    r"|ls|cat|head|tail|grep|rg|find|which|test|wc|echo|printf|stat|file)(?:\s|$)"
)
"""What names a thing and makes none: by any other command that names it, it may have come back."""
RESTORES = re.compile(
    r"(?:pip3?|uv pip|conda|poetry|uv|npm|pnpm|yarn|bun|bundle|gem|cargo)"
    r"(?: (?:install|i|ci|sync|add|update|upgrade)(?: -\S+)*(?: (?:\.\S*|\S+\.(?:txt|ya?ml|toml)))?)?"
)
"""What installs all that a project asks for, unnamed."""
SCOPE = re.compile(
    r"(?<!\S)(?:-g|--global|--system|--local|(?:-a|-n|-w|-e|-R|--app|--name|--workspace|--filter|--prefix|--org|--env|--repo"
    r"|workspace)[ =]\S+)"
)
"""For whom a package or a setting is: one of another scope may stand."""
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
    r"|briefly|again|kill\w*|no longer|gone|took|taken|back(?:ed)? out|switch\w*|archiv\w*|swap\w*|prun\w*|eras\w*|exit\w*"
    r"|offline|obsolete|land(?:s|ed)"
    r"|\w*gelösch\w*|\w*lösch(?:t|te|en)|entfern\w*|deinstallier\w*|beende\w*|\w*gestoppt|umbenannt|verschoben|zusammengeführt"
    r"|supprim\w*|désinstall\w*|arrêt\w*|renomm\w*|déplac\w*|fusionn\w*|retir\w*"
    r"|elimin\w*|borr\w*|desinstal\w*|detuv\w*|deten\w*|detien\w*|fusion\w*|quit(?:é|ado|ada)|movi\w*)\b"
    r"|删|卸载|停|移|合并|重命名"
)
"""By these an answer may tell that something was taken away."""
MOODS = re.compile(
    r"(?i)\b(?:not|never|no|if|once|when|should|would|could|can|will|want|please|was|were|had|before|after|until|image"
    r"|ran|during|while|against|in (?:ci|production|staging)|transitiv\w*|dependenc(?:y|ies) of|to (?:test|check))\b"
    r"|\?|n['’]t\b"
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
    now: str = ""
    """The name that a file has since."""


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
        text = own_words(compared_text(claims))
        if not text or TAKEN.search(text):
            return []
        if not _takes(Lines(turn.calls, turn.marks.runners)):
            return []  # before the history is read
        lines = Lines((*turn.earlier(), *turn.calls), turn.marks.runners)
        own = len(lines.calls) - len(turn.calls)
        for taken in islice(_taken(lines), MOST):
            if taken.place[0] >= own and (said := _told(taken, text)) and not lines.unseen("build", taken.place):
                reason = f"`{taken.command}` came after it"
                return [Finding("stale", taken.name, reason[:300], one_line(said, 200), taken.call.id)]
        return []


def _takes(lines: Lines) -> bool:
    """Whether a command takes something away, or moves it."""
    shells = (number for number, call in enumerate(lines.calls) if call.effect == "shell")
    texts = (segment.text for number in shells for segment in lines.segments(number))
    return any(MOVES.fullmatch(text) or any(takes.match(text) for _, _, takes in PAIRS) for text in texts)


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
        behind = [one for at, one, _ in done if at > place]
        for kind, makes, takes in PAIRS:
            if not takes.match(segment.text) or (pushed and kind in ("branch", "tag")):
                continue
            for name in _names(segment, kind):
                made = [at for at, one, _ in done if makes.match(one.text) and name in _names(one, kind)]
                alike = kind not in ("package", "setting") or all(
                    _scope(lines, at) == _scope(lines, place) for at in made
                )
                after = [one for one in behind if not takes.match(one.text)]
                # A service may come up again with others, unnamed.
                anew = _named_in(name, after) or any(
                    (kind == "service" and makes.match(one.text))
                    or (kind == "package" and RESTORES.fullmatch(one.text))
                    for one in after
                )
                if any(at < place for at in made) and alike and not anew:
                    yield Taken(kind, name, one_line(segment.text, 120), place, call)
        moved = MOVES.fullmatch(segment.text)
        if moved is None or moved[1].rpartition("/")[2] == moved[2].rpartition("/")[2]:
            continue
        if _written(lines, moved[1], place) and not _named_in(moved[1].rpartition("/")[2], behind):
            yield Taken("file", moved[1], one_line(segment.text, 120), place, call, moved[2].rpartition("/")[2])


def _named_in(name: str, segments: Sequence[Segment]) -> bool:
    """Whether a command that does not only look names a thing, or writes to it."""
    known = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)")
    return any(
        known.search(" ".join((*one.writes, one.text if LOOKS.match(one.text) is None else ""))) for one in segments
    )


def _scope(lines: Lines, place: Place) -> list[str]:
    """For whom a command is: its options that say so, and where its line went before."""
    line = lines.segments(place[0])
    went = [one.text for one in line[: place[1]] if one.words[:1] in (("cd",), ("pushd",))]
    return [*went, *sorted(SCOPE.findall(line[place[1]].text))]


def _written(lines: Lines, path: str, place: Place) -> bool:
    """Whether a call wrote a file before a place, and none after it."""
    base = path.rpartition("/")[2]
    writes = [
        (number, one.path)
        for number, call in enumerate(lines.calls)
        for one in (call.targets if call.effect in MUTATIONS else ())
        if one.outcome == "landed" and one.path.rpartition("/")[2] == base
    ]
    made = any(number < place[0] and one == path for number, one in writes)
    return made and not any(number > place[0] for number, _ in writes)


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
    if len(taken.name) < 2 or (taken.now and taken.now in text):
        return ""
    for found in re.finditer(rf"(?<![\w./-]){re.escape(taken.name)}(?![\w/-]|\.\w)", text):
        sentence = sentence_around(text, *found.span())
        if STANDS[taken.kind].search(sentence) and not MOODS.search(sentence):
            return sentence
    return ""
