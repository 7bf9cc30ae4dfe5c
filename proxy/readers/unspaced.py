"""How a subject and its predicate hang together in scripts without spaces: by what stands between their letters."""

from __future__ import annotations

from proxy.lexicon import Mark
from proxy.prose import Clause, Prose

JOINS = ("between", "auxiliaries", "all", "entire")
"""What may stand between a subject and what is said of it: particles, and words of "all" and "already"."""
OPENS = ("between", "selves", "all", "entire", "scopes")
"""What may stand before the subject of a clause without naming a part of it, or somebody else who did it."""
QUOTES = frozenset("“‘『《〈\"'：:")
"""Behind these somebody else speaks, or what follows is what a label asks for."""


def subject(prose: Prose, clause: Clause, state: str, mark: Mark, stretch: tuple[int, int]) -> Mark | None:
    """What a predicate is said of, in the stretch before or behind it: all of it, and by nobody else.

    So it is in "変更をコミットしました", not in "彼が変更をコミットしました" or "変更履歴をコミットしました".
    """
    ahead, objects = stretch[0] < mark.start, f"objects.{state}"
    listed = [one for one in prose.marks.within("subject", *stretch) if one.value == state and ahead]
    listed = listed or list(prose.marks.within(objects, *stretch))  # "提交了代码"; "通过测试" is "by a test"
    if not listed:
        return None
    nearest = listed[-1 if ahead else 0]
    first, last = sorted((nearest, mark))
    apart = _back(prose, last.start, first.end, JOINS) != first.end
    return None if apart or not _opens(prose, clause, first.start, objects) else nearest


def ends(prose: Prose, clause: Clause, end: int) -> bool:
    """Whether a predicate ends its stretch: "通过了。", not "通过了吗", "通过后", "通过率"."""
    behind = prose.masked[end : end + 1]
    return (
        end >= clause.end
        or not (behind.isalnum() or behind in "\x01?？")
        or any(one.start == end for one in prose.marks.within("follows", end, clause.end))
    )


def taken(prose: Prose, clause: Clause, mark: Mark) -> bool:
    """Whether what stands around a predicate makes it another's, of another time, or no report: "커밋했습니다라고"."""
    marks, start, end = prose.marks, clause.start, mark.end
    if any(one.start == end for one in marks.within("behind", end, end + 6)):
        return True
    return marks.any("others", start, mark.start) or marks.any("before", start, mark.start)


def _opens(prose: Prose, clause: Clause, at: int, objects: str) -> bool:
    at = _back(prose, at, clause.start, (*OPENS, objects))
    before = prose.masked[at - 1 : at] if at > clause.start else ""
    return not before or not (before.isalnum() or before == "\x01" or before in QUOTES)


def _back(prose: Prose, at: int, start: int, categories: tuple[str, ...]) -> int:
    """How far back from a place a stretch holds nothing but blanks and words of some categories."""
    text, marks = prose.masked, prose.marks
    while True:
        while at > start and text[at - 1] in " \n*_":
            at -= 1
        found = [one for name in categories for one in marks.within(name, max(start, at - 12), at) if one.end == at]
        if not found:
            return at
        at = min(found).start
