"""Claims that name something by a reference: URLs, commits, and the ids of jobs and runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.prose import Prose, quote

URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]+", re.I)
HEX = r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}"
COMMIT = re.compile(
    rf"`({HEX})`|\b(?:commit|commits|sha|revision|rev|hash|HEAD(?: is)?(?: now)?(?: at)?)\b[\s:`(@]{{1,4}}({HEX})\b",
    re.I,
)
JOB = re.compile(
    r"\b(?:job|run|task|pipeline|workflow|build)(?: id)?[\s:#`(]{1,4}((?=[\w-]*\d)[A-Za-z0-9][\w-]{5,63})\b",
    re.I | re.A,
)


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kinds `url`, `commit` and `job`, each with the stance of its clause and the act that the clause reports."""
    found = [(match.start(), "url", trimmed(match.group())) for match in URL.finditer(prose.text)]
    for kind, pattern in (("commit", COMMIT), ("job", JOB)):
        for match in pattern.finditer(prose.text):
            group = next(number for number in range(1, pattern.groups + 1) if match[number])
            found.append((match.start(group), kind, match[group]))
    for start, kind, subject in sorted(found):
        clause = prose.at(start)
        if clause is not None:
            act = next((verb.act for verb in clause.verbs if verb.stance == "asserted"), "")
            said = quote(prose.text, clause)
            yield Claim(kind, subject, clause.stance, act, said, start, start + len(subject))


def trimmed(url: str) -> str:
    """A URL without the punctuation of the sentence behind it; a closing parenthesis stays where one is open in it."""
    while url:
        last = url[-1]
        if last in ".,;:!?*_~…" or (last == ")" and url.count(")") > url.count("(")):
            url = url[:-1]
        else:
            break
    return url
