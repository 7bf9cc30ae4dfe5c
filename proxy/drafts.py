"""Whether an answer holds the text that it says was written: a draft, a quotation, what the message gave, anew."""

from __future__ import annotations

import re

from proxy.patterns import expression

SHOWN = expression(
    r"(?im)^\s*(?:>|```|~~~)"
    r"|\b(?:below|above|unten|oben|folgende[nrsm]?|a continuación|abajo|siguientes?|ci-dessous|suivante?s?|voici)\b"
    r"|[“\"„][^”“\"\n]{25,}[”“\"]|[«「][^»」\n]{25,}[»」]|如下|以下|下面|次のとおり|次の通り|下記|上記|아래|다음과 같"
)
"""What an answer holds that was written in it: a quotation, a code block, or words that point to it."""
WRITES = frozenset({"draft", "writ", "compo", "rewri", "rephr", "trans", "summa", "sort"})
"""How verbs begin by which a text is made that an answer may hold."""
DRAFTED = expression(
    r"(?im)\b(?:drafted|wrote|written|composed|rewritten|rewrote|rephrased|translated|summari[sz]ed|drafts?|version)\b"
    r"[^\n]{0,80}:[ \t*_]*\n+[ \t]*[^\s|*#-]|^[\W_]{0,4}(?:subject|betreff|asunto|objet)\b[\W_]{0,4}:"
)
"""A text behind the words that announce it: "I've drafted it:", and what was drafted."""


LINE = re.compile(r"`([^`\n]{1,200})`|(?<!\w)[“\"„']([^”\"'\n]{8,300})[”\"'](?!\w)")
"""A line of code, or a sentence, that an answer holds."""
ITEM = re.compile(r"[\n,;]|\d[.)] |\. ")
"""What stands between the items of a list in a message."""
ARRANGES = expression(
    r"(?i)\W*(?:sort|order|group|rank|count|add up|dedup\w*)\b(?=[^.!?\n]*(?::|\b(?:these|this|those)\b))"
)
"""Messages that order to arrange what they hold."""
NAME = re.compile(r"[\w./-]+")
WORD = re.compile(r"\w{2,}")
ITEMS = 3
"""Items of a message by which it gives a list."""


def rewritten(asked: str, text: str) -> bool:
    """Whether an answer holds anew what a message gave it: "Shorten this: …", "Fix the SQL: SELECT * FORM users"."""
    asked = asked.lower()
    given = frozenset(WORD.findall(asked.partition(":")[2]))
    for found in LINE.finditer(text) if given else ():
        line = (found[1] or found[2]).lower()
        own = frozenset(WORD.findall(line))
        if own and line not in asked and not NAME.fullmatch(line) and 2 * len(own & given) >= len(own):
            return True
    return False


def rearranged(asked: str, text: str) -> bool:
    """Whether an answer holds anew the items that a message gave, all but one of three or more: "Sort these: …"."""
    if ARRANGES.match(asked):
        return True
    held = frozenset(WORD.findall(text.lower()))
    asked = asked.lower()
    items = [one for each in ITEM.split(asked.partition(":")[2] or asked) if (one := frozenset(WORD.findall(each)))]
    return len(items) >= ITEMS and sum(2 * len(one & held) >= len(one) for one in items) >= max(ITEMS, len(items) - 1)


def shows(text: str) -> bool:
    """Whether an answer holds what was written in it, or points to it."""
    return SHOWN.search(text) is not None or drafted(text)


def drafted(text: str) -> bool:
    """Whether an answer announces a text, and has it."""
    return DRAFTED.search(text) is not None


def is_written(verb: str) -> bool:
    """Whether a verb tells that a text was made."""
    return verb[:5] in WRITES
