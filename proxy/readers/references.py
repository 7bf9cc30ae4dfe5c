"""Claims that name something by a reference: URLs, commits, and the ids of jobs and runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.links import urls
from proxy.prose import Prose, quote

HEX = r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}"
COMMIT = re.compile(
    rf"`({HEX})`|\b(?:commit|commits|sha|revision|rev|hash|HEAD(?: is)?(?: now)?(?: at)?)\b[\s:`(@]{{1,4}}({HEX})\b",
    re.I,
)
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
NAME = r"[a-z]+(?:[_-][a-z]+)*[_-]"
TO_ID = r"(?:[ _-]?id)?[\s:#`('\"]{1,4}"
SHORT = HEX.replace("{7,40}", "{6,40}")
# After "run" and "build", which are verbs too, an id must look like one: "run python3" and "run test_2024" name no job.
JOB = re.compile(
    rf"\b(?:jobs?|tasks?|pipelines?|workflows?){TO_ID}({UUID}|{SHORT}|{NAME}(?=[a-z]*\d)[0-9a-z]{{3,63}}|\d{{9,20}})(?![\w-])"
    rf"|\b(?:runs?|builds?){TO_ID}({UUID}|{HEX}|{NAME}{HEX.replace('{7,40}', '{4,40}')}|\d{{9,20}})(?![\w-])",
    re.I | re.A,
)
ANOTHER = re.compile(
    rf"[`'\"]?(?:, (?:and )?| and )[`'\"]?({UUID}|{SHORT}|{NAME}(?=[a-z]*\d)[0-9a-z]{{3,63}})(?![\w-])", re.I | re.A
)


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kinds `url`, `commit` and `job`, each with the stance of its clause and the act that the clause reports."""
    found = {start: ("commit", subject) for start, subject in _named(COMMIT, prose.text)}
    found |= {start: ("job", subject) for start, subject in _jobs(prose.text)}  # "job `9f8e7d6c`" is no commit
    found |= {start: ("url", prose.text[start:end]) for start, end in urls(prose.text)}
    for start, (kind, subject) in sorted(found.items()):
        clause = prose.at(start)
        if clause is not None:
            act = next((verb.act for verb in clause.verbs if verb.stance == "asserted"), "")
            said = quote(prose.text, clause)
            yield Claim(kind, subject, clause.stance, act, said, start, start + len(subject))


def _named(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    for match in pattern.finditer(text):
        group = next(number for number in range(1, pattern.groups + 1) if match[number])
        yield match.start(group), match[group]


def _jobs(text: str) -> Iterator[tuple[int, str]]:
    """Ids right after a word for a job, and those that stand in one list with them."""
    for start, subject in _named(JOB, text):
        yield start, subject
        end = start + len(subject)
        while another := ANOTHER.match(text, end):
            yield another.start(1), another[1]
            end = another.end(1)
