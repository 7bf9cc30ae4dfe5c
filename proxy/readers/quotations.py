"""Claims that a source has these words: according to the page, "…"; "…" ([source](https://…)); a block quote of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.prose import Prose, quote

QUOTED = re.compile(r"[\"“«]([^\"“”«»\n]{20,600})[\"”»]")
# Marks of other languages, and single ones, in which an apostrophe stands between letters.
OTHERWISE = re.compile(
    r"[„‚]([^„“”‚\"\n]{20,600})[“”‘\"]|»([^«»\n]{20,600})«|[「『]([^「」『』\n]{10,600})[」』]"
    r"|(?<![\w*'‘’])['‘]((?:[^'‘’\"“”\n]|(?<=\w)['’](?=\w)){20,600})['’](?![\w'’])"
)
SAYS = (
    r"(?:says?|said|states?|stated|writes?|wrote|notes?|noted|(?<!the )(?<!this )(?<!your )reports?|reported|explains?"
    r"|explained|describes?|reads)"
)
BEFORE = re.compile(
    rf"(?i)https?://|\baccording to\b|\bas .{{1,60}}\bputs? it\b|\b{SAYS}\b[^.!?\n]{{0,40}}$|\b(?:quotes?|quoted|source)\b"
)
BEHIND = re.compile(r"(?i)[.,]?\s{0,2}(?:\(|\[|[—–-] ?)[^.!?\n]{0,60}https?://|[.,]?\s?\(source\b")
MORE = (
    r"(?:warns?|warned|adds?|added|claims?|claimed|argues?|argued|concludes?|concluded|recommends?|advises?|advised|confirms?"
    r"|confirmed|clarif(?:y|ies|ied)|specif(?:y|ies|ied)|defines?|mentions?|mentioned|remarks?|remarked|cautions?|tells us)"
)
ABROAD = r"(?:laut|gemäß|zufolge|heißt es|schreibt|sagt|erklärt|selon|d['’]après|écrit|indique|según|dice|afirma)"
WORKS = r"(?:docs?|documentation|page|article|report|paper|study|post|guide|manual|readme|faq|spec)"
THE = r"(?:the|its|their|this|that|these|official)"
TOLD = re.compile(
    rf"(?i)\b{MORE}\b[^.!?\n]{{0,40}}$|\bin (?:\S+ ){{1,5}}(?:own )?words\b|\bin the words of\b"
    rf"|\b(?:exact|own|original|literal) (?:words|wording|text)\b|\bword for word\b|\bverbatim\b|\b{ABROAD}\b"
    rf"|\b(?:from|in|per|by|of) {THE} [^.!?\n\"“”]{{0,40}}\b{WORKS}\b[^.!?\n\"“”]{{0,40}}[:：][\s*_]*$"
    rf"|^(?!.*\b(?:here|below|your|for)\b).*\b{THE} (?:\w+ ){{0,3}}{WORKS} [^.!?\n\"“”]{{1,40}}[:：][\s*_]*$"
)
"""Further words that name a source. What they quote may be a headline, or meant loosely: it is judged where it is near."""
NAMES = re.compile(
    rf"(?i)[.,]?['’”\"]?[*_]*,? (?:(?:according to|{ABROAD}|steht (?:auf|in))\b|as [^.!?\n]{{1,40}} puts? it\b"
    rf"|(?:the |its |their )?[\w.’' -]{{0,40}}?\b(?:{SAYS}|{MORE})\b)"
    r"|[.,]?\s{0,2}(?-i:\((?:[A-Z][\w.& -]{1,40}, )?(?:\d{4}|p\. ?\d+|§ ?\d+)\)|[—–-] ?[A-Z[])"
)
OWN = re.compile(
    rf"(?i)\b(?:I|we|you|let['’]s|would|could|should|might|can|to|please|people|some|many|others)\s+(?:\w+\s+)?"
    rf"(?:{SAYS}|{MORE}|read|claim|argue)\b[^.!?\n]{{0,40}}$"
)
"""Words that the answer proposes, or reports of itself, or of nobody."""
TITLE = re.compile(
    rf"(?i)\b(?:{WORKS}|section|chapter|talk|book|thread|issue|video|course|titled|called)[ *_(]*$|\b(?:a|an|so-called)[ *_]*$"
)
"""Before a quotation, what makes it a title, or a word of the answer's for a thing: the article "…", a "…" approach."""
LOOSELY = re.compile(
    r"(?i)\b(?:paraphras\w*|in my (?:own )?words|my (?:words|wording|summary)|summari[sz]\w+|translat\w+|übersetz\w*|sinngemäß"
    r"|traduc\w*|tradu(?:it|cido))\b"
)
"""Around any quotation these tell that its words are the answer's."""
DENIES = re.compile(
    r"(?i)(?:\b(?:not|never|nowhere|nothing|none|neither|nobody|without|no longer|rather than|instead of"
    r"|if|whether|unless|used to)\b"
    r"|n['’]t\b)[^.!?;:\n]{0,60}$|\bno (?:\w+ ){1,4}(?:that )?\w+s?\b[^.!?;:,\n]{0,20}$"
)
"""Before a quotation these tell that a source does not have it, or that it may."""
LOOSE = re.compile(
    r"(?i)\b(?:summar\w+|draft\w*|rewrit\w+|rewrote|reword\w*|rephras\w*|translat\w+|paraphras\w*|in short|tl;dr"
    r"|in other words|roughly|essentially|basically|in effect|something like|along the lines|suggest\w*|propos\w*|repl(?:y|ies)"
    r"|e-?mail|message|template|headlines?|titled?|entitled|called|labell?ed|example|version|section|heading|search(?:ed)?|quer(?:y|ies)|keywords?"
    r"|übersetz\w*|sinngemäß|traduc\w*|tradu\w*|résum\w*|resum\w*)\b"
)
"""Beside a quotation of the further forms these tell that its words are no source's own."""
NEAR = 120
"""Code points before and behind a quotation in which somebody is named for it."""
BLOCK = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|\Z))+", re.M)
MARK = re.compile(r"(?m)^[ \t]*>+[ \t]?")
SIGNED = re.compile(r"(?m)^[ \t*_]*(?:[—–]|--?(?= ?[\[A-Z])|source:)[^\n]*\Z", re.I)
LINKED = re.compile(r"\s*(?:[—–-]|\(|\[|source:)[^\n]{0,100}", re.I)
DRAFT = re.compile(
    r"(?i)\bhere(?: is|['’]s) (?:your|the|a|an) \w+:|\byour \w+:|^[\W_]*(?:\w+ ){0,2}(?:post|tweet|article|announcement"
    r"|newsletter|caption|copy|abstract|bio|release|text)[\W_]*$"
)
"""Above a block these tell that it is what the answer was to write."""
LABEL = re.compile(r"[*_]*\w[\w ;]{0,20}:[*_]*\s")
"""How a block begins that is the answer's own: "Tip: …"."""
LONGEST = 1_200
"""Code points of a block that is one quotation."""


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kind `quotation`: words of a source, which is named beside them. `subject` is the words as quoted.

    The field `near` tells that it is to be judged only where it resembles what a source has.
    """
    for found in (*QUOTED.finditer(prose.text), *OTHERWISE.finditer(prose.text)):
        before = prose.text[max(0, found.start() - NEAR) : found.start()].rpartition("\n")[2]
        behind = prose.text[found.end() : found.end() + NEAR]
        known = found.re is QUOTED and (BEFORE.search(before) or BEHIND.match(behind))
        if OWN.search(before) or DENIES.search(before) or not (known or _names(before, behind)):
            continue
        if TITLE.search(before) or LOOSELY.search(before) or LOOSELY.search(behind.partition("\n")[0]):
            continue
        clause = prose.at(found.start())
        if clause is None or prose.text[clause.sentence[1] - 4 : clause.sentence[1]].rstrip('"”’)*_ ').endswith("?"):
            continue
        said = quote(prose.text, clause)
        words = next(group for group in found.groups() if group)
        if words.rstrip().endswith(("?", "？")):
            continue
        at = found.start() + 1
        fields = {} if known else {"near": "yes"}
        yield Claim("quotation", words, "asserted", "", said, at, at + len(words), fields=fields)
    yield from _blocks(prose.text)


def _names(before: str, behind: str) -> bool:
    """Whether a source is named beside a quotation in one of the further ways."""
    said = BEFORE.search(before) or BEHIND.match(behind) or TOLD.search(before) or NAMES.match(behind)
    return said is not None and LOOSE.search(before) is None


def _blocks(text: str) -> Iterator[Claim]:
    """Block quotes that stand under their source, or above it."""
    for found in BLOCK.finditer(text) if ">" in text else ():
        above = text[max(0, found.start() - 2 * NEAR) : found.start()].rstrip().rpartition("\n")[2]
        words = MARK.sub("", found.group()).strip()
        signed = SIGNED.search(words)
        behind = text[found.end() : found.end() + NEAR]
        named = BEFORE.search(above) or TOLD.search(above)
        under = LINKED.match(behind)
        if signed is not None:
            words = words[: signed.start()].strip()
        if not (named or signed or (under and (BEHIND.match(under.group()) or "source" in under.group().lower()))):
            continue
        plain = words.strip('"“”„«»*_ ')
        loose = any(one.search(above) for one in (LOOSE, OWN, DENIES, DRAFT)) or LABEL.match(plain)
        if not loose and 20 <= len(plain) <= LONGEST and "|" not in plain:
            at = found.start()
            said = " ".join(f"{above[-80:]} {plain}".split())[:200]
            yield Claim("quotation", plain, "asserted", "", said, at, found.end(), fields={"near": "yes"})
