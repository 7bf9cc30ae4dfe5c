"""What a file of `policies/words` holds: the words by which an answer in one language says that something was done."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The forms of the verbs of one act: reported, negated or planned, announced.

    A `broad` act ("updated", "processed") may be what any change amounts to; another one ("cancelled") is done by a tool
    that says so in its name, its arguments or its result. `mine` are reported forms that say "I" by themselves. `roots`
    are verbs without their endings, by the name of the `forms` that they take.
    """

    done: list[str] = []
    base: list[str] = []
    doing: list[str] = []
    mine: list[str] = []
    roots: dict[str, list[str]] = {}
    broad: bool = False
    weak: bool = False
    thinks: bool = False


class Forms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How verbs of one kind are inflected: each form with `{}` where the root stands, "{}ado" or "已{}"."""

    done: list[str] = []
    base: list[str] = []
    doing: list[str] = []
    mine: list[str] = []


class Moods(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    negation: list[str] = []
    failure: list[str] = []
    as_before: list[str] = []
    mends: list[str] = []
    mended: list[str] = []
    neutral: list[str] = []
    apart: list[str] = []
    plan: list[str] = []
    condition: list[str] = []
    hedge: list[str] = []
    others: list[str] = []


class Binding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    articles: list[str] = []
    auxiliaries: list[str] = []
    places: list[str] = []
    sources: list[str] = []
    thoughts: list[str] = []
    persons: list[str] = []
    describes: list[str] = []


class Clauses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    turns: list[str] = []
    excepts: list[str] = []


class Reports(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words around a past form by which it reports a deed of just now, or does not.

    `takes`: before the plain form of a verb, in scripts without spaces, these make it such a form; `behind`: right after
    one they take it back. `frames`: words of "I" that may stand far before the form that ends their clause. `announcers`
    with one of the `moments` say that a deed is under way.
    """

    perfect: list[str] = []
    speakers: list[str] = []
    past: list[str] = []
    before: list[str] = []
    success: list[str] = []
    passive: list[str] = []
    present: list[str] = []
    waits: list[str] = []
    labels: list[str] = []
    finished: list[str] = []
    first: list[str] = []
    takes: list[str] = []
    behind: list[str] = []
    frames: list[str] = []
    announcers: list[str] = []
    moments: list[str] = []


class Files(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    extensions: list[str] = []
    names: list[str] = []


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may hold of a project, and how that is said: "the tests pass", "the build is broken", "pushed to main".

    `subjects` with `holds` or `breaks` make a claim; `alone` needs no subject; `does` are acts with their `objects`.
    """

    subjects: list[str] = []
    holds: list[str] = []
    breaks: list[str] = []
    alone: list[str] = []
    does: list[str] = []
    objects: list[str] = []


class Tied(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may stand around the words of a state without changing what they say, and what does change it."""

    between: list[str] = []
    follows: list[str] = []
    partial: list[str] = []
    expects: list[str] = []
    runs: list[str] = []
    selves: list[str] = []
    scopes: list[str] = []
    entire: list[str] = []
    acted: list[str] = []
    elsewhere: list[str] = []
    parts: list[str] = []
    singular: list[str] = []
    counted: list[str] = []
    definite: list[str] = []
    doers: list[str] = []


class WordList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of `policies/words`. `spaces` is false for scripts that write no spaces between words.

    `common` are small words by which a text in this language is known, and that no other listed language has; `letters`
    do the same for scripts (an expression); by each of the words of `unlike` a text is in another language than this one.
    `orders` are expressions for messages that tell somebody to change something.
    `means`: by an English past form, how the reported forms of verbs begin that say the same: tools speak English.
    """

    language: str
    spaces: bool = True
    common: list[str] = []
    unlike: list[str] = []
    letters: str = ""
    orders: list[str] = []
    forms: dict[str, Forms] = {}
    means: dict[str, list[str]] = {}
    acts: dict[str, Act] = {}
    moods: Moods = Moods()
    binding: Binding = Binding()
    clauses: Clauses = Clauses()
    reports: Reports = Reports()
    counts: dict[str, int] = {}
    nouns: dict[str, list[str]] = {}
    files: Files = Files()
    states: dict[str, State] = {}
    tied: Tied = Tied()
    media: dict[str, list[str]] = {}
    pages: dict[str, list[str]] = {}


SINGLE = (
    *(
        "negation",
        "failure",
        "as_before",
        "mends",
        "mended",
        "neutral",
        "apart",
        "plan",
        "condition",
        "hedge",
        "others",
    ),
    *("articles", "auxiliaries", "places", "sources", "thoughts", "persons", "describes", "turns", "excepts"),
    *(
        "between",
        "follows",
        "partial",
        "expects",
        "runs",
        "selves",
        "scopes",
        "entire",
        "acted",
        "elsewhere",
        "parts",
        "singular",
        "counted",
        "definite",
        "doers",
    ),
    *(
        *(
            "perfect",
            "speakers",
            "past",
            "before",
            "success",
            "passive",
            "present",
            "waits",
            "labels",
            "finished",
            "first",
            "takes",
            "behind",
            "frames",
            "announcers",
            "moments",
        ),
    ),
)


def entries(one: WordList) -> Iterator[tuple[str, str, str]]:
    """Each entry of a list as (words, category, value)."""
    for act, forms in one.acts.items():
        for form in ("done", "base", "doing", "mine"):
            listed = (*getattr(forms, form), *inflected(one, forms, form))
            yield from ((entry, form, act) for entry in listed)
            yield from ((entry, "done", act) for entry in listed if form == "mine")
    for part in (one.moods, one.binding, one.clauses, one.reports, one.tied):
        for category in SINGLE:
            yield from ((entry, category, "") for entry in getattr(part, category, ()))
    yield from ((word, "count", str(number)) for word, number in one.counts.items())
    for name, words in one.media.items():
        yield from ((word, f"media.{name}", "") for word in words)
    for name, words in one.pages.items():
        yield from ((word, f"pages.{name}", "") for word in words)
    for kind, nouns in one.nouns.items():
        yield from ((noun, "all" if kind == "all" else "noun", kind) for noun in nouns)
    for state, said in one.states.items():
        yield from ((entry, "subject", state) for entry in said.subjects)
        for form in ("holds", "breaks", "alone", "does", "objects"):  # each state is a category: phrases may be shared
            yield from ((entry, f"{form}.{state}", state) for entry in getattr(said, form))


def inflected(one: WordList, act: Act, form: str) -> Iterator[str]:
    """The verbs that an act gives by their roots, in one of their forms."""
    for kind, roots in act.roots.items():
        for pattern in getattr(one.forms[kind], form):
            yield from (pattern.replace("{}", root) for root in roots)
