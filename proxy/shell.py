"""Cut a shell command line into its segments: which program ran with which words, and what joins it to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

LIMIT = 20_000
"""Code points of a command line that are read."""
MOST = 200
"""Segments of one command line that are read."""
DEPTH = 3
"""How deep `bash -c '…'` is followed."""

TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+|\\\n)
    |(?P<comment>(?<![^\s;&|()])\#[^\n]*)
    |(?P<heredoc><<-?[ \t]*(?P<quote>['"]?)(?P<mark>[\w.-]+)(?P=quote))
    |(?P<redirect>(?:\d*|&)(?:>>|>\||>&|>|<<<|<&|<)(?![(]))
    |(?P<join>\|\||&&|\|&|;;|;|\||&|\n|[()])
    |(?P<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[$<>]\((?:[^()]|\([^()]*\))*\)|`[^`]*`|[^\s;&|()<>\\'"`]|[\\'"`])+)
    """,
    re.X | re.S,
)
PIECE = re.compile(r"""'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^'"\\]+)|(.)""", re.S)
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
KEYWORDS: frozenset[str] = frozenset(
    {"if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "fi", "done", "time"}
)

WRAPPERS: Mapping[tuple[str, ...], str] = {
    ("timeout",): "1", ("gtimeout",): "1", ("nice",): "", ("nohup",): "", ("env",): "=", ("sudo",): "", ("exec",): "",
    ("command",): "", ("stdbuf",): "", ("xvfb-run",): "", ("unbuffer",): "", ("time",): "",
    ("uv", "run"): "", ("poetry", "run"): "", ("pipenv", "run"): "", ("pdm", "run"): "", ("hatch", "run"): "",
    ("rye", "run"): "", ("uvx",): "", ("pipx", "run"): "", ("npx",): "", ("bunx",): "", ("pnpm", "exec"): "",
    ("pnpm", "dlx"): "", ("yarn", "exec"): "", ("npm", "exec"): "", ("bundle", "exec"): "", ("python", "-m"): "",
    ("python3", "-m"): "", ("py", "-m"): "", ("coverage", "run", "-m"): "", ("docker", "exec"): "1",
    ("podman", "exec"): "1", ("docker", "compose", "exec"): "1", ("docker-compose", "exec"): "1",
    ("docker", "compose", "run"): "1", ("docker-compose", "run"): "1", ("kubectl", "exec"): "1",
}  # fmt: skip
"""What only runs another program. Behind its flags come so many words of its own: "1", or assignments: "="."""

VALUED: frozenset[str] = frozenset(
    {
        "-s",
        "-k",
        "-n",
        "-u",
        "-w",
        "-e",
        "-p",
        "-g",
        "--signal",
        "--kill-after",
        "--with",
        "--extra",
        "--group",
        "--python",
        "--package",
        "--workdir",
        "--user",
        "--env",
        "--project",
        "--directory",
        "-c",
        "--container",
        "--namespace",
    }
)
"""Flags of wrappers that take the next word."""

SHELLS: frozenset[str] = frozenset({"bash", "sh", "zsh", "dash", "fish"})


@dataclass(frozen=True, slots=True)
class Segment:
    """One simple command. `before` and `after` are what joins it: `&&`, `||`, `;` (a line's end too), `|`, `&`, or nothing.

    `words` are without quotes, assignments, redirections and wrappers (`timeout 60`, `uv run`, `python -m`); `writes`
    are the files that its output goes to.
    """

    words: tuple[str, ...]
    before: str = ""
    after: str = ""
    writes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The words, joined by single spaces."""
        return " ".join(self.words)


def segments(line: str, depth: int = 0) -> list[Segment]:
    """The segments of a command line, in order. Never raises, and reads at most `LIMIT` code points."""
    found: list[Segment] = []
    for words, writes, before, after in _simple(_without_heredocs(line[:LIMIT])):
        if len(found) >= MOST:
            break
        plain = _unwrapped(words)
        inner = _inner(plain) if depth < DEPTH else ""
        if inner:
            inside = segments(inner, depth + 1)
            for number, one in enumerate(inside):
                first, last = number == 0, number == len(inside) - 1
                found.append(
                    Segment(
                        one.words,
                        before if first else one.before,
                        after if last else one.after,
                        one.writes + (writes if last else ()),
                    )
                )
        elif plain or writes:
            found.append(Segment(tuple(plain), before, after, writes))
    return found[:MOST]


def succeeded(line: list[Segment], at: int, code: int) -> bool | None:
    """Whether an exit code of the whole line says how one segment ended; None where it belongs to others as well."""
    if line[at].after in ("|", "&") or line[at].before == "||":
        return None
    rest, before = [one.after for one in line[at:-1]], [one.before for one in line[1 : at + 1]]
    if any(join == "||" for join in (*before, *rest)):
        return None
    if code == 0:
        if "|" in rest or "&" in rest or ";" in rest:
            return None
        return True
    if rest and any(join != "&&" for join in rest):
        return None
    others = [one for one in line if one is not line[at] and not _trivial(one)]
    chained = [one for one in others if one.before == "&&" or one.after == "&&"]
    if at == len(line) - 1 and line[at].before != "&&":
        return False
    return None if chained or (rest and others) else False


def _trivial(segment: Segment) -> bool:
    return segment.words[:1] in (
        ("cd",),
        ("echo",),
        ("export",),
        ("source",),
        (".",),
        ("set",),
        ("pwd",),
        ("mkdir",),
        ("true",),
    )


def argv(line: object) -> str:
    """A command argument as one line: a text as it is; a list of words quoted, `["bash", "-lc", "…"]` too."""
    if isinstance(line, str):
        return line
    if isinstance(line, list) and all(isinstance(word, str) for word in line):
        return " ".join(
            "'" + word.replace("'", "'\\''") + "'" if re.search(r"[^\w./:=@%+,-]", word) or not word else word
            for word in line
        )
    return ""


def _without_heredocs(line: str) -> str:
    """The line without the bodies of its here-documents, each searched for once."""
    if "<<" not in line:
        return line
    kept: list[str] = []
    marks: list[str] = []
    for one in line.split("\n"):
        if marks:
            if one.strip() == marks[0]:
                marks.pop(0)
            continue
        kept.append(one)
        marks = [found.group(2) for found in re.finditer(r"(?<!<)<<-?[ \t]*(['\"]?)([\w.-]+)\1", one)]
    return "\n".join(kept)


HARD = re.compile(r"""['"\\$`()<>#\n]|;;|\|&|[^\x20-\x7e]""")
JOIN = re.compile(r"(&&|\|\||;|\|)")
BLANK = re.compile(r"[ \t\r]+")

Simple = tuple[list[str], tuple[str, ...], str, str]


def _simple(line: str) -> Iterator[Simple]:
    """The simple commands of a line as words, files written, and the joins on both sides."""
    if not HARD.search(line) and line.count("&") == 2 * line.count("&&"):
        return _plain_line(line)
    return _tokens(line)


def _plain_line(line: str) -> Iterator[Simple]:
    """The same for a line without quotes, expansions and redirections, as most are, at a third of the cost."""
    parts = JOIN.split(line)
    before = ""
    for at in range(0, len(parts), 2):
        after = parts[at + 1] if at + 1 < len(parts) else ""
        words = BLANK.split(parts[at].strip(" \t\r"))
        while words and (words[0] in KEYWORDS or not words[0]):
            words = words[1:]
        if words:
            yield words, (), before, after
        if words or after:
            before = after


def _tokens(line: str) -> Iterator[Simple]:
    words: list[str] = []
    writes: list[str] = []
    before, redirect, fresh = "", "", True
    for found in TOKEN.finditer(line):
        kind = found.lastgroup
        if kind == "word":
            word = _plain(found.group())
            if redirect:
                if ">" in redirect and "&" not in redirect[-1:] and not word.startswith("/dev/"):
                    writes.append(word)
                redirect = ""
            elif not (fresh and word in KEYWORDS):
                words.append(word)
                fresh = False
        elif kind == "redirect":
            redirect = found.group()
        elif kind == "join":
            join = {"\n": ";", ";;": ";", "|&": "|", "(": "", ")": ""}.get(found.group(), found.group())
            if words or writes:
                yield words, tuple(writes), before, join or ";" if found.group() == ")" else join
                words, writes, before = [], [], join
            elif join:
                before = join
            redirect, fresh = "", True
    if words or writes:
        yield words, tuple(writes), before, ""


def _plain(word: str) -> str:
    """A word without its quotes and escapes."""
    if not any(char in word for char in "'\"\\"):
        return word
    pieces = []
    for single, double, escaped, bare, other in PIECE.findall(word):
        pieces.append(
            single or re.sub(r'\\([$`"\\\n])', r"\1", double) or escaped or bare or ("" if other in "'\"\\" else other)
        )
    return "".join(pieces)


def _unwrapped(words: list[str]) -> list[str]:
    """The words from the program on, whatever was put before it."""
    for _ in range(8):
        words = _without_assignments(words)
        if not words:
            return words
        head = words[0].rsplit("/", 1)[-1]
        if head.startswith("python") and head[6:].replace(".", "").isdecimal():
            head = "python"
        known = [n for n in (3, 2, 1) if (head, *words[1:n]) in WRAPPERS and len(words) > n]
        if not known:
            return [head, *words[1:]]
        rest = _behind_flags(words[known[0] :])
        own = WRAPPERS[(head, *words[1 : known[0]])]
        if not rest or (own == "1" and len(rest) < 2):
            return [head, *words[1:]]
        words = rest[1:] if own == "1" else rest
    return words


def _without_assignments(words: list[str]) -> list[str]:
    at = 0
    while at < len(words) and ASSIGNMENT.match(words[at]):
        at += 1
    return words[at:]


def _behind_flags(words: list[str]) -> list[str]:
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        if words[at] == "--":
            return words[at + 1 :]
        at += 2 if words[at] in VALUED else 1
    return words[at:]


def _inner(words: list[str]) -> str:
    """The command line that a shell is given by `-c`; empty where it is none."""
    if not words or words[0] not in SHELLS:
        return ""
    for at, word in enumerate(words[1:-1], 1):
        if not word.startswith("-"):
            return ""
        if not word.startswith("--") and word.endswith("c"):
            return words[at + 1]
    return ""
