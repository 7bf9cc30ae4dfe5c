"""How an auditor asks an operator's endpoint about what an answer names, and holds the answer to what that says.

The templates are the operator's: `{subject}`, and the other groups of the rule's pattern, stand in them for what a claim says.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import quote

import jmespath
from jmespath.exceptions import JMESPathError

from proxy.audit import Finding, Look, Present, Verdict
from proxy.claims import Claim
from proxy.ledger import Turn
from proxy.results import WRAPPERS, has_word, one_line
from proxy.tool_names import fold, spellings

SUBJECT = "{subject}"
GROUP = re.compile(r"\{(\w*)\}")
ENDS = " .,;:!"
"""What a group may have taken with it of the end of its sentence."""


def groups_in(template: Any) -> Collection[str]:
    """The groups that a template names, in order."""
    return dict.fromkeys(name for text in templates(template) for name in GROUP.findall(text))


def templates(value: Any) -> Iterator[str]:
    """Every text in a template, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from templates(inner)


def check_groups(where: str, names: Iterable[str], groups: Collection[str], spelled: str = "{{{}}}") -> None:
    """Raise ValueError where an option names a group that the rule's pattern does not have."""
    for name in names:
        if name != "subject" and name not in groups:
            place = spelled.format(name)
            raise ValueError(f"{where} holds {place}, and the claims pattern has no group {name!r} to fill it")


def check_path(key: str, expression: str) -> None:
    """Raise ValueError where an option is no JMESPath; empty is one."""
    try:
        jmespath.compile(expression or "@")
    except JMESPathError as error:
        raise ValueError(f"{key}: is no JMESPath: {one_line(str(error))}") from None


def asserted(claims: Sequence[Claim]) -> list[Claim]:
    """What an answer asserts of the subjects of the rule's own pattern."""
    return [claim for claim in claims if claim.kind == "pattern" and claim.stance == "asserted"]


def said(claim: Claim) -> dict[str, str]:
    """What a claim says, by the groups of its pattern, without the blanks around it."""
    return {name: value.strip() for name, value in {**claim.fields, "subject": claim.subject}.items()}


def unsaid(names: Iterable[str], given: Mapping[str, Any]) -> str:
    """That an answer does not say the first of some groups of which it says nothing; empty where it says them all."""
    return next((f"the answer does not say its {name}" for name in names if not given.get(name)), "")


def filled(template: Any, given: Mapping[str, Any], write: Callable[[str], str] = str) -> Any:
    """A template with what is given in place of its groups; a list for one that stands alone in its text."""
    if isinstance(template, str):
        if isinstance(alone := given.get(template[1:-1]), list) and GROUP.fullmatch(template):
            return alone
        return GROUP.sub(lambda found: write(given[found[1]]) if found[1] in given else found[0], template)
    if isinstance(template, dict):
        return {name: filled(inner, given, write) for name, inner in template.items()}
    return [filled(inner, given, write) for inner in template] if isinstance(template, list) else template


def in_url(value: str) -> str:
    """A value, percent-encoded, so that it stays one part of a URL, whatever a model wrote."""
    return quote(value, safe="")


def finding(verdict: Verdict, claim: Claim, reason: str, facts: Mapping[str, Any] | None = None) -> Finding:
    """What an endpoint's answer says of a claim."""
    return Finding(verdict, claim.subject, one_line(reason), claim.quote, "", {**(facts or {}), "looked": True})


def missing(claim: Claim, turn: Turn, reason: str, state: str, tool: str = "") -> Finding:
    """What an endpoint does not have contradicts a claim, but not where a change of this turn named it.

    What that made may not be there for everybody yet: services remember, and a replica lags behind. `state` says so in the
    endpoint's terms; a call of the `tool` that is asked now made nothing.
    """
    made = (call for call in turn.possible_changes() if fold(tool) not in spellings(call.name))
    if any(has_word(call.result_text, claim.subject.strip()) for call in made):
        return finding("unverifiable", claim, f"a tool named it in this turn, and {state} yet")
    return finding("contradicted", claim, reason)


def word(value: Any) -> str:
    """A value of a service or a database as an answer spells it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def same(found: Any, wanted: str) -> bool:
    """Whether a value and a text say the same: as text, case and blanks aside, and as numbers where both are."""
    wanted, told = wanted.strip().rstrip(ENDS), word(found).strip().rstrip(ENDS)
    return told.casefold().split() == wanted.casefold().split() or _same_number(found, wanted)


def _same_number(found: Any, wanted: str) -> bool:
    number = None if isinstance(found, bool) else _number(str(found))
    return number is not None and number == _number(wanted)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip().replace(",", ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


async def ask(
    look: Look, source: str, turn: Turn, subject: str, *, url: str, tool: str, arguments: Mapping[str, str]
) -> Mapping[str, Any] | None:
    """The object that an endpoint answers for an id; None where it has none, or could not be asked.

    With a `tool`, the source is asked to call it with `arguments`; else it is asked for `url`. In both `{subject}` is the
    id; in a URL of more than that it is percent-encoded.
    """
    given = {"subject": subject}
    if tool:
        question = {"tool": tool, "arguments": json.dumps(filled(dict(arguments), given)), "since": since(turn)}
        sight = await look(source, subject, question)
    else:
        where = subject if url == SUBJECT else filled(url, given, in_url)
        sight = await look(source, where, {"since": since(turn)})
    if not isinstance(sight, Present):
        return None
    page = sight.fields.get("json", sight.fields)  # an HTTP source puts what it read beside what it knows of the page
    return page if isinstance(page, Mapping) else None


def texts(answer: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """The texts under some names of an answer, or of the object in a known wrapper."""
    for one in (answer, *(answer.get(name) for name in WRAPPERS)):
        if isinstance(one, Mapping):
            yield from (value for name in names if isinstance(value := one.get(name), str) and value)


def since(turn: Turn) -> str:
    """When an answer was asked for, and after which call: what was said before may not hold now."""
    last = turn.calls[-1] if turn.calls else None
    text = f"{turn.at}\n{len(turn.calls)}"
    if last is not None:
        text += last.raw + last.result_text
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
