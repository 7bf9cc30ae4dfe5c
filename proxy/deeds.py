"""What a call and its result say of a deed: whether it can have been this, and whether it is told as so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from proxy.claims import Claim
from proxy.ledger import MUTATIONS, UNDONE, Call, Turn
from proxy.results import Result, has_word, named_strings, objects, scalars, strings
from proxy.roots import CAMEL, COMMON, name_roots, name_words, root, roots, similar, tokens

WHEN = re.compile(r"ed$|(?:_at|_on|_by|At|On|By)$")
"""Names of fields that tell of a deed, where they are not empty."""
PAST = re.compile(r"(?i)(?:ed|paid|sent)(?:_?in|_?out)?$")
"""How the names of flags end that say that something was done."""
OBJECTS = 100
"""Objects of a result whose flags are looked at."""
NOUN = re.compile(r"(?:ations?|ings?|ments?|able|ible)$")
"""How words end that name a deed, and say of nothing that it is done: a cancellation, a booking."""
DONE = re.compile(r"(?:ed|en|[^e]nt|pt|ut|et|ld|id|de)$")
"""How words end that say that something is done."""
_VAGUE = (
    "process execute run do call action handle manage task api request submit perform invoke apply use tool step dispatch"
    " operate operation command http post put patch query mutate sql graphql code python shell bash update set make"
)
_IDLE = (
    "the a an and or of to for in on at by with is are was were has have had been be it its your you i we our my"
    " successfully now all this that as from been done status true false ok success result message id"
)
VALUE = re.compile(
    r"https?://[^\s)>\]\"']+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,80}|(?<![\w.,:/#-])\d[\d.,:]*\d(?![\w-])"
)
"""An address, a link, or a number of two digits or more that is no part of an id."""
BODY = re.compile(r"(?i)body|text|comment|message|note|content|description|remark|reason|reply|instruction")
WHY = re.compile(r"(?i)reason")
"""Arguments that may hold a text, and those of them that say why, and tell nobody anything."""
KEY = re.compile(r"(?i)(?:^|_)(?:id|no|nr|num|number|code|sku|ref|key)$|(?-i:Id|ID|No|Number|Code)$")
"""Names of fields by which a thing is named elsewhere."""
CALLED = re.compile(r"(?i)name|title|label|summary")
"""Those by which people call it."""
VAGUE, IDLE = roots(tuple(_VAGUE.split())), roots(tuple(_IDLE.split()))
"""Words of tools' names by which they may do anything, and words that any sentence and any result may have."""
DUE = re.compile(
    r"(?i)\b(?:as soon as|once|when|after|sobald|wenn|en cuanto|cuando|una vez|dès que|lorsque|quand)\b[^.!?\n]{0,30}"
    r"\b(?:you(?!r)|i|we|me|du|sie|ich|dig[ao]s?|confirm\w*|vous|tu)\b"
    r"|\b(?:is|are|est|sont|ist|sind|está) (?:then|alors|dann)\b"
    r"|\b(?:on|with|after|upon) your (?:go|ok(?:ay)?|word|yes|approval|confirmation|say-so)\b"
)
"""What makes something be so only later: "Queda reservada en cuanto me digas"."""
FORMERLY = re.compile(
    r"(?i)\b(?:a (?:moment|minute|while|second) ago|earlier|just before|already|when I \w+(?:d|t|de)|vorhin|bereits|déjà)\b"
)
SAID = re.compile(r"(?i)\bI (?:told you|said|promised|claimed|wrote)\b")
"""Behind this, what was said before is said again, often to take it back."""
LOOKED = re.compile(r"(?:which|that) (?:I|we)(?: have|[’']ve)? $")
READ = 2_000
"""Code points of a call in which words are looked for."""
_MESSAGES = "mail email sms message msg notification notify reply announce chat whatsapp slack dm nachricht mensaje"
_MORE = "update change set edit modify delete remove verify settings address preferences subscribe account"
MESSAGES, MORE = frozenset(_MESSAGES.split()), frozenset(_MORE.split())
"""Words of tools' names by which they write to somebody, and those beside which they may do more: `update_email`."""
LABEL = re.compile(r" [^\n:]{1,40}:")
"""What stands behind the first word of a label."""
COMMENTS = re.compile(r"(?i)comment|(?:^|[_.-])note")
WHETHER = re.compile(r"(?i)(?<![^.!?\n] )\b(?:has|have|is|are|was|were|did|does)\b[^.!?\n]{0,200}\?")
"""How a question begins and ends whether something is so."""
STATE = 80
"""Code points of the longest text that is still taken for a state."""


def tells(call: Call, claim: Claim) -> bool:
    """Whether a call can be the claimed deed: any change for a broad act, else one that says it in its own words."""
    stems = claim.fields.get("stems", "").split()
    if not stems:
        return True
    there = (stem for stem in stems if stem in call.told)
    return any(re.search(rf"(?<![^\W\d_]){re.escape(stem)}", call.told) for stem in there)


def is_due(claim: Claim) -> bool:
    """Whether something is said to be so once somebody has said yes, or after what one is told to do."""
    return "active" not in claim.fields and DUE.search(claim.fields.get("part", "")) is not None


def is_past(claim: Claim) -> bool:
    """Whether a deed is told as one of an earlier turn: "I set it a moment ago"."""
    return FORMERLY.search(claim.quote) is not None


def is_quoted(claim: Claim) -> bool:
    """Whether a deed is only what was said before: "I told you the refund had been started - it hadn't"."""
    return SAID.search(claim.quote) is not None


def is_label(claim: Claim, text: str) -> bool:
    """Whether a deed only names a line, of what is proposed perhaps: "Attached exams: a-001"."""
    line = text.rfind("\n", 0, claim.start) + 1
    return not re.search(r"\w", text[line : claim.start]) and LABEL.match(text, claim.end) is not None


def is_look(claim: Claim, text: str) -> bool:
    """Whether what was opened was only looked at: "the profile, which I opened"."""
    return claim.fields.get("verb") == "open" and LOOKED.search(text[: claim.start]) is not None


def tells_why(failed: Call, verb: str) -> bool:
    """Whether the reason why a call failed has a verb: the car "is reserved", and so could not be had."""
    return bool(verb) and verb.lower() in failed.reason.lower()


def called_so(call: Call, verb: str, claim: Claim) -> bool:
    """Whether a tool goes by the verb of a claim, as the answer has it: "has been released" and `payrun.release`."""
    words = (one.split()[0].lower() for one in (verb, claim.fields.get("means", "")) if one)
    said = {root(one) for one in words} - COMMON
    return not said.isdisjoint(name_roots(call.name))


def may_be(landed: Call, claim: Claim, failed: Call) -> bool:
    """Whether a call that landed can be a claimed deed in place of a failed one: it has the verb, or another word of its act,
    or it came later and was given one of the same values."""
    if claim.fields.get("verb", "\0") in landed.told or ("stems" in claim.fields and tells(landed, claim)):
        return True
    return landed.position > failed.position and any(len(text) > 1 for text in failed.given & landed.given)


def may_tell(call: Call, claim: Claim) -> bool:
    """Whether a call that nobody knows may be the claimed deed: its name says nothing, or they share a word."""
    own = name_roots(call.name)
    said = tokens(f"{claim.quote} {claim.fields.get('stems', '')}") - IDLE
    return (
        own <= VAGUE or any(similar(one, said) for one in own - VAGUE) or not said.isdisjoint(tokens(call.told[:READ]))
    )


def does(turn: Turn, verb: str) -> bool:
    """Whether the request declares a tool that changes something and goes by a verb, by how that begins."""
    verbs = (turn.marks.natures.verb(name) for name in turn.tool_names() if turn.nature_of(name) == "change")
    return any(one.startswith(verb[:5]) for one in verbs)


def has_field(call: Call, label: str) -> bool:
    """Whether a result has something under a name."""
    own = (one.items() for one in islice(objects(call.result_value), OBJECTS))
    return any(value and key.lower() == label.lower() for items in own for key, value in items)


def called_for(call: Call, turn: Turn) -> int:
    """How many things a call's tool was called for, one by one; 0 where one of them may have been a second attempt."""
    same = turn.of_tool(call.name)
    again = any(_again(call, one) for one in same if one.position > call.position)
    if again or any(one.effect or one.outcome == "unknown" for one in same):
        return 0
    begins = {tuple(str(value).split()[:2]) for one in same for value in one.arguments.values()}
    several = len(call.arguments) == 1 and len(begins) > 1 and any(len(one) > 1 for one in begins)  # kinds of commands
    given = {_told_apart(one) or one.raw for one in same}
    return len(same) if len(given) == len(same) and not several else 0


def _told_apart(call: Call) -> tuple[str, ...]:
    """What a call was given by which a thing is named, and how it is called: three rules of one folder."""
    given = list(scalars(call.arguments))
    keys = [text for key, text in given if KEY.search(key)]
    return tuple(keys + [text for key, text in given if keys and CALLED.fullmatch(key)])


def _again(call: Call, later: Call) -> bool:
    """Whether a later call of a tool was about what one was about: each argument that both have is one, or shares a part."""
    both = [(value, later.arguments[name]) for name, value in call.arguments.items() if name in later.arguments]
    return bool(both) and all(
        one == other or (isinstance(one, list) and isinstance(other, list) and any(each in other for each in one))
        for one, other in both
    )


def has_form(text: str, stems: Iterable[str], *, done: bool = False) -> bool:
    """Whether a text has a word that begins so and does not only name a deed: "reserve", not "reservation".

    `done` asks for a word that says that something is done: "adjusted", not "please adjust".
    """
    found = (word[0] for stem in stems for word in re.finditer(rf"{re.escape(stem)}\w*", text))
    return any(not NOUN.search(word) and (not done or DONE.search(word) is not None) for word in found)


def named_texts(call: Call) -> Iterator[tuple[str, str]]:
    """The texts in a call's result, each with the name of its field."""
    return named_strings(call.result_value)


def is_another(label: str, calls: Iterable[Call], changes: Iterable[Call]) -> bool:
    """Whether a thing that goes by a label, in lower case, is none that changes were about: their results have the field
    under which looks know it, with other texts."""
    fields = {key for call in calls for key, text in named_texts(call) if text.lower() == label}
    shown = {text.lower() for call in changes for key, text in named_texts(call) if key in fields}
    return bool(fields and shown) and label not in shown


def states(result: Result) -> Iterator[str]:
    """What may tell of a state in a result: its short texts, not the names of its fields; or all of it if it is no JSON."""
    if result.value is None:
        yield result.edges.lower()
        return
    yield from (text.lower() for text in strings(result.value) if len(text) <= STATE)
    if isinstance(result.value, dict):  # "refunded_at": "2025-01-17" says it too
        yield from (key.lower() for key, value in result.value.items() if value and WHEN.search(key))
    for one in islice(objects(result.value), OBJECTS):  # "checkedIn": true
        yield from (CAMEL.sub(" ", key).lower() for key, value in one.items() if value is True and PAST.search(key))


def shows_done(call: Call, verb: str) -> bool:
    """Whether a result shows the deed of a verb, by its root, as a state."""
    return call.result is not None and verb in tokens(" ".join(states(call.result)))


def shown_since(claim: Claim, failed: Call, turn: Turn) -> bool:
    """Whether a look after a failed call shows the thing so, or as the state that the sentence gives it."""
    said, stems = claim.quote.lower(), claim.fields.get("stems", claim.fields.get("verb", "")).split()
    for call in turn.after(failed):
        if turn.nature(call) == "read" and call.outcome == "landed" and names(call, claim.subject):
            if (
                call.result is not None
                and call.result.value is None
                and has_form(call.result_text.lower(), [f" {one}" for one in stems], done=True)
            ):
                return True  # "Delivery booked for: Tuesday"
            shown = [
                text.lower() for key, text in named_texts(call) if name_words(key)[-1:] in (("status",), ("state",))
            ]
            if any(one in said or any(stem in one for stem in stems) for one in shown if len(one) > 3):
                return True
            if shows_done(call, root(turn.marks.natures.verb(failed.name)) or "\0"):
                return True  # `void_order`, and "voided_at"
    return False


def comments(call: Call) -> bool:
    """Whether a call can only have written beside a thing, which moves or closes nothing: `jira_add_comment`."""
    return COMMENTS.search(call.name) is not None


def told_to(message: str) -> str:
    """A message without what it asks whether it is so, and does not tell to do."""
    return WHETHER.sub("", message)


def notices(call: Call) -> bool:
    """Whether a call can only have told somebody something: `mail_send`, `smsSenden`; what a message says is no deed."""
    return not MESSAGES.isdisjoint(name_words(call.name)) and MORE.isdisjoint(name_words(call.name))


def carries(call: Call) -> bool:
    """Whether a call was given a text of its own: it may have told somebody what is in it."""
    given = [(key, value) for key, value in scalars(call.arguments) if value]
    return any((BODY.search(key) and not WHY.search(key)) or len(value.split()) >= 5 for key, value in given)


def _values(text: str) -> set[str]:
    """The addresses, links and numbers of a text."""
    return {one.group().rstrip(".,:") for one in VALUE.finditer(text)}


def gives(calls: Iterable[Call], text: str) -> bool:
    """Whether calls were given, or returned, a value that a text has: an address, a link, a number of two digits or more.

    What a line of an answer has of a change's values is told of that change, whatever other tool is called by its words.
    """
    values = _values(text[:READ])
    return bool(values) and any(
        not values.isdisjoint(_values(f"{call.raw[:READ]}\n{call.result_text[:READ]}")) for call in calls
    )


def names(call: Call, subject: str) -> bool:
    """Whether a call names a thing, with or without the sign before its number."""
    return call.names(subject.lstrip("#"))


def ids_of(calls: Iterable[Call], called: Iterable[str]) -> frozenset[str]:
    """The ids of the things that results list under some names, and the names' own words where there are such things."""
    names = {one.lower() for one in called}
    found = set[str]()
    for call in calls if names else ():
        entries = list(islice(objects(call.result_value), OBJECTS))
        for name in names:
            own = [
                one for one in entries if any(isinstance(text, str) and text.lower() == name for text in one.values())
            ]
            ids = {str(value).lower() for one in own for key, value in one.items() if value and KEY.search(key)}
            found |= {name} | ids if len(own) == 1 and ids else set()  # many are in one city, one has that name
    return frozenset(found)


def names_any(call: Call, said: Iterable[str]) -> bool:
    """Whether a call was given, or has returned, one of some lower-case words or phrases: `2`, which `24` is not."""
    text = f"{call.raw} {call.result_text}".lower()
    return any(has_word(text, one) for one in said)


def echoes(call: Call) -> bool:
    """Whether a result says no more than what was given: one's own list of things to do."""
    return call.result_text != "" and tokens(call.result_text[:READ]) <= tokens(call.raw[:READ])


def sorted_changes(turn: Turn, calls: Sequence[Call]) -> tuple[list[Call], list[Call], list[Call]]:
    """The calls that changed something or may have, those of which that is not known, and the changes that failed.

    What a sub-agent did is not known: its result is words of a model.
    """
    done: list[Call] = []
    opaque: list[Call] = []
    failed: list[Call] = []
    for call in calls:
        nature = turn.nature(call)
        if nature == "read":
            continue
        if call.outcome in UNDONE:
            failed += [call] if nature == "change" and call.effect not in MUTATIONS else []
        else:
            (done if nature == "change" and call.effect != "agent" else opaque).append(call)
    return done, opaque, failed


def reported_by(agents: Iterable[Call], word: str) -> str:
    """Why nothing here tells whether a thing was done of which a sub-agent's result has a word; empty where none has."""
    told = (one.name for one in agents if one.effect == "agent" and word.lower() in one.result_text[:READ].lower())
    name = next(told, "")
    return f"reported by a sub-agent ({name}); no call here shows it" if name else ""
