"""Look for steps of reading and auditing that a repeated text makes grow faster than its length: `python -m bench.growth`."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar

from proxy import auditing, history, ledger
from proxy.amounts import amounts
from proxy.audit import NOTHING, Check, Question, Sight, Unknown
from proxy.errors import RequestError
from proxy.footer import Seals, bare, open_fence
from proxy.library import Library
from proxy.pairing import paired
from proxy.passage import once_each
from proxy.policy import Policy
from proxy.readers import givers
from proxy.reading import Reading
from proxy.reckoning import rates
from proxy.signatures import patch_paths
from proxy.tables import Source
from proxy.transcript import Message, ToolCall, ToolResult, Transcript
from proxy.wire import chat, responses
from proxy.written import written_calls
from tests import general
from tests.transcripts import ROOT, Ran, messages, transcript

LONG = 8_000
"""Code points of the longer text; the shorter one has half of them."""
ALLOWED = 0.05
"""Seconds that a step may take of any text so long: the proxy serves nobody else meanwhile."""
TIMES = 3
"""How many times as long a step that takes more may take for twice the text."""
ROUNDS = 12
"""How often what seems so is looked at again: the machine has others to serve, and one round in proportion is proof."""
PLACES = ("answer", "result", "message", "everywhere")
ANSWER = (
    "I've updated your order W12345 and refunded $54.20 to your card ending in 6791 on 2024-05-06. All 5 tests pass, "
    "and the file a.md is updated. I could not cancel the order W9."
)
PACKS = (
    "coding-agents",
    "database",
    "deposits",
    "general",
    "github",
    "media",
    "publishing",
    "research",
    "review",
    "sources",
)
ATOMS = {
    "nothing": "a b ",
    "reasoning that never ends": "<think> ",
    "ends of reasoning": "a </think> ",
    "formulas that never end": "\\frac $a \\( \\[ ",
    "what somebody has": "you have a b ",
    "texts of links": "[a](http ",
    "a letter": "a",
    "blanks": " ",
    "lines": "\n",
    "tabs": "\t ",
    "dots": ".",
    "bangs": "!",
    "ellipses": "a... ",
    "pipes": "|",
    "pipes and dashes": "|-",
    "dashes": "-",
    "dashes apart": "- ",
    "stars": "*",
    "stars apart": "* ",
    "hashes": "#",
    "backticks": "`",
    "backticks apart": "` `` ",
    "underscores": "a_",
    "slashes": "a/",
    "colons": ":",
    "commas": ",",
    "parentheses": "(",
    "parentheses closed": "() ",
    "doubts in parentheses": "maybe (",
    "brackets": "[",
    "links": "[a](b) ",
    "quotes never closed": "“so a ",
    "quotes never opened": "a” ",
    "straight quotes": '" ',
    "apostrophes": "'a ",
    "angles": "«a ",
    "corners": "「a",
    "quotations": '"abc def" ',
    "code": "`a.md`, ",
    "fences": "```\n",
    "tildes": "~~~\na\n",
    "quoted lines": "> a\n",
    "items": "- a\n",
    "numbered items": "1. a\n",
    "headings": "# a\n",
    "bold labels": "**Name**: value\n",
    "rows": "| x{n} | 12 | $5 |\n",
    "rows of deeds": "| W{n} | updated |\n",
    "a digit": "1",
    "numbers": "12 ",
    "numbers, all others": "{n} ",
    "numbers joined by commas": "1,",
    "versions": "1.2.",
    "shares": "5% ",
    "shares, all others": "{n}.5% of ${n}.20, ",
    "shares of one": "5.{n}% of ${n}.37. ",
    "money": "$54.20 ",
    "money, all others": "${n}.20 ",
    "signs of money": "$",
    "money, broken": "$1,",
    "euros": "1.000,50 EUR ",
    "sums": "$1 + ${n} = $3; ",
    "each": "${n}.20 each ",
    "dates": "2024-05-06 ",
    "dates in words": "May 5, 2024 ",
    "days": "Monday, May {n}. ",
    "times": "10:30 am ",
    "measures": "10 s, 1{n} MB, ",
    "ids": "W{n} ",
    "ids with hashes": "#{n} ",
    "files of videos": "a.mp4",
    "ids in hex": "a1b2c3d4",
    "cards": "card ending in {n} ",
    "mails": "a.b{n}@c.de ",
    "at signs": "a@",
    "paths": "src/a{n}.py, ",
    "addresses": "https://a.b/{n} ",
    "an address": "https://a/",
    "names": "Anna Smith ",
    "words joined": "a-",
    "and": "and ",
    "not": "not ",
    "not yet": "not yet, ",
    "could not": "could not update it, ",
    "n't": "n't ",
    "deeds": "updated ",
    "deeds and objects": "updated the order ",
    "deeds and files": "added a{n}.md b.md ",
    "deeds in clauses": "updated x; ",
    "deeds with colons": "done: ",
    "deeds with dashes": "updated it - ",
    "deeds in sentences": "I updated `a{n}.md`. ",
    "deeds of orders": "Order W{n} has been cancelled and $5.20 was refunded. ",
    "deeds in items": "- Order W{n}: $54.20 refunded\n",
    "deeds in lines": "I cancelled W{n}\n",
    "deeds joined": "I updated a.md and sent it ",
    "deeds failed": "failed to update the order. ",
    "deeds under way": "I am now transferring you, ",
    "deeds of others": "you updated it, which ",
    "deeds in May": "in May ",
    "plans": "we will update it, ",
    "conditions": "if updated, ",
    "looks": "I've checked the stock and ",
    "tests": "all {n} tests pass; ",
    "tests run": "I ran the tests and pushed ",
    "commits": "committed and pushed ",
    "sentences": "This is a plain sentence of some words. ",
    "questions in orders": "how, do it, ",
    "questions": "Shall I cancel it? ",
    "totals": "total of {n} items, ",
    "videos": "00:10:20 video.mp4 is 10 s long. ",
    "Chinese": "已",
    "Chinese clauses": "已取消订单，",
    "Chinese frames": "已将，",
    "Chinese amounts": "12万8,700円",
    "German": "Ich habe die Bestellung storniert und ",
    "Spanish": "he cancelado el pedido y ",
    "objects": '{"a":1},',
    "objects never closed": '{"a":',
    "objects of orders": '{"order_id": "W{n}", "amount": {n}.2, "status": "open"}, ',
    "keys": '"order_id": "W{n}", ',
    "lists never closed": "[",
    "calls as tags": "<tool_call>",
    "calls as code": "get_order(",
    "tags": "<a>",
    "tags never closed": "<",
    "emoji": "✅ ",
    "combined letters": "é",
    "half a pair": "\ud83d",
}
"""What is repeated; `{n}` counts."""

T = TypeVar("T")


def repeated(atom: str, length: int) -> str:
    """An atom as often as it fits into a length, and an end that is none of it: what runs on to the end goes another way."""
    if "{n}" not in atom:
        return (atom * (length // len(atom) + 1))[:length] + "x"
    times = length // len(atom) + 1
    return "".join(atom.replace("{n}", str(number)) for number in range(10, times + 10))[:length] + "x"


@cache
def policy() -> Policy:
    """Every rule of the packs that come with the package, none of which has its source."""
    library = Library(ROOT / "policies")
    return library.policy(Source("growth.toml", f"extends = {json.dumps(PACKS)}"), ())


async def nowhere(source: str, subject: str, question: Question = NOTHING) -> Sight:
    return Unknown("no source")


def request(place: str, text: str) -> Any:
    """A turn of several trades whose answer, results or messages are a text."""
    result = text if place in ("result", "everywhere") else '{"status": "ok", "order_id": "W12345", "amount": 54.2}'
    said = text if place in ("message", "everywhere") else "Please update my order W12345, and refund $54.20."
    wanted = {"order_id": "W12345", "note": said[:2_000]}
    ran = [
        ("update_order", wanted, {"status": "ok", "text": result, "amount": 54.2}),
        ("get_order", {"order_id": "W12345"}, result),
        ("cancel_order", {"order_id": "W9"}, '{"error": "not found"}'),
        ("terminal", {"command": "pytest"}, result),
        ("patch", {"path": "a.md", "old_string": "a", "new_string": "b"}, '{"success": false, "error": "no"}'),
        ("web_search", {"query": said[:2_000]}, result),
    ]
    tools = [{"type": "function", "function": {"name": name, "parameters": {}}} for name, *_ in ran]
    return transcript(messages(ran, user=said), tools=tools)


class Clock:
    """CPU seconds by step, the least of all rounds: another process on the machine makes a step only longer."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(lambda: float("inf"))

    def time(self, step: str, run: Callable[..., T], *given: Any) -> T:
        began = time.thread_time()
        value = run(*given)
        self.spent[step] = min(self.spent[step], time.thread_time() - began)
        return value


def selected(own: Policy, asked: Transcript, answer: str, clock: Clock) -> tuple[ledger.Turn, list[Check]]:
    """A turn, and the checks of its answer: each step of the reading by itself."""
    turn = clock.time("read_turn", ledger.read_turn, asked, own.marks)
    reading = Reading(answer, own.lexicon)
    clock.time("prose", getattr, reading, "prose")
    for gives in givers(frozenset().union(*(rule.auditor.reads for rule in own.rules))):
        clock.time(f"reader of {', '.join(sorted(gives))}", reading.claims, gives)
    return turn, clock.time("select", partial(own.select, turn, reading, declares_tools=True))


def audited(place: str, text: str, clock: Clock, run: Callable[[Any], Any]) -> None:
    """Each step that a request and its answer take, by itself."""
    own = policy()
    answer = text if place in ("answer", "everywhere") else ANSWER
    turn, checks = selected(own, request(place, text), answer, clock)
    for check in checks:
        _, failures = clock.time(f"rule {check.rule}", run, auditing.run([check], turn, nowhere, deadline=60))
        assert not [one for one in failures if "kept" not in one.reason], f"{check.rule}: {failures[0].reason}"
    for rule in own.rules if place == "result" else ():
        clock.time(f"told to {rule.name}", rule.told_claims, turn.calls[1], own.lexicon)
    clock.time("footer", lambda: (open_fence(answer), bare(answer)))


def grown(short: Callable[[Clock], None], long: Callable[[Clock], None], rounds: int = ROUNDS) -> list[str]:
    """The steps that take too long, and more than in proportion, in each of some rounds."""
    shorter, longer = Clock(), Clock()
    slow: list[str] = []
    for _ in range(rounds):
        long(longer)
        slow = [step for step, seconds in longer.spent.items() if seconds > ALLOWED]
        if slow:
            short(shorter)
            slow = [step for step in slow if longer.spent[step] > TIMES * shorter.spent[step]]
        if not slow:
            return []
    return [f"{step}: {shorter.spent[step]:.3f} s, then {longer.spent[step]:.3f} s" for step in slow]


def fence(length: int) -> str:
    return open_fence("```\n```\n" + "- " * length)


def pairs(length: int, known: bool) -> int:
    calls = tuple(ToolCall(f"c{number}", "t", "{}") for number in range(length))
    results = (ToolResult(f"{'c' if known else 'x'}{number}", "r", None, "") for number in range(length))
    return paired([Message("assistant", "", calls), *(Message("tool", "", results=(one,)) for one in results)])[1]


def told(rule: str, answer: str, ran: list[Ran]) -> int:
    """What a rule of the default policy finds in a turn, whatever the others find."""
    (auditor,) = [one.auditor for one in general.policy().rules if one.name == rule]
    claims = Reading(answer, general.policy().lexicon).claims(auditor.reads)
    given: tuple[Any, ...] = (general.turn_of(*ran), claims)
    own: Any = auditor
    return len(own.follow(*given, ()) if hasattr(own, "follow") else own.compare(*given))


def charged(length: int, amounts: int) -> int:
    """Amounts that no change has, and as many changes as that, each with another one."""
    answer = f"I've paid {', '.join(f'${number}.25' for number in range(2_000, 2_000 + amounts))}."
    ran = [
        ("pay_bill", {"id": f"b{one}", "amount": one}, {"id": f"p{one}", "amount": one + 50.5}) for one in range(length)
    ]
    return told("charges", answer, [*ran])


def slipped(length: int) -> int:
    """All numbers of a result, and one that is none of them."""
    numbers = [10_000 + 7 * one for one in range(length)]
    answer = f"{' '.join(map(str, numbers[:-1]))} The total is: 543210."
    return told("slips", answer, [("get_all", {}, [{"value": one} for one in numbers])])


def listed(length: int) -> int:
    """Files of one sentence."""
    answer = f"I updated {', '.join(f'`a{number}.md`' for number in range(length))}."
    return len(Reading(answer, general.policy().lexicon).claims(frozenset({"file"})))


def ordered(length: int) -> bool:
    """A message of line breaks, which may each begin an order in another language."""
    return policy().lexicon.orders("\n" * length + "x")


def tallied(length: int) -> tuple[int, int]:
    """Digits that end in no share, and thousands in a row that end in no amount."""
    return len(rates("7" * length + "x")), len(list(amounts("$1 " + "\u202f111\xa0777" * (length // 8))))


def promised(length: int) -> int:
    """Emphasis where the word for what is under way would stand."""
    answer = f"I'm updating it. I'm {'*_' * (length // 2)}x"
    return told("promises", answer, [("get_order", {"order_id": "W1"}, {"status": "open"})])


def patched(length: int) -> int:
    """Blanks within a path that a patch, or a result, has."""
    blanks = " " * length
    texts = (f"--- a\n+++ a{blanks}b\tc", f"*** Update File: a{blanks}b", f"--- a\n+++ {blanks}")
    return sum(len(patch_paths(text)) for text in texts)


def spelled(length: int) -> int:
    """Line breaks and blanks where an answer might go on to a call, or to a result of one."""
    lines = "\n" * length
    texts = (f"Action:{lines}x", f"Action: x{lines}x", f"```tool_code{' ' * length}x")
    found = [one for text in texts for one in written_calls(text)]
    return len(found) + told("written-calls", f"Done.{lines}x", []) + told("written-calls", f"<tool_call>a{lines}x", [])


def apart(length: int) -> int:
    """Blanks between the names of a list, and before the list that a deed announces."""
    ran: list[Ran] = [("update_order", {"id": f"W{one}"}, {"ok": True}) for one in range(6)]
    ran += [("update_address", {"id": "W9"}, '{"error": "not found"}')]
    answers = (f"I've updated Ann and Ben{' ' * length}x", f"I updated the address:\n\n{' ' * length}x\n- a")
    return told("rosters", answers[0], ran) + told("parts", answers[1], ran)


def located(length: int) -> int:
    """The numbers of lines behind a file."""
    return len(
        Reading(f"I updated `a.md{':1' * (length // 2)}x`.", general.policy().lexicon).claims(frozenset({"file"}))
    )


def parted(length: int) -> int:
    """Deeds of one long part, and breaks before a passive with nothing between them."""
    ran: list[Ran] = [("update_order", {"id": "W1"}, {"ok": True}), ("cancel_order", {"id": "W9"}, '{"error": "no"}')]
    answers = (
        f"I've updated your order {'May 5 eacha1b2' * (length // 14)}",
        f"I'm now cancelling {': ”; ' * (length // 5)} updated W1.",
    )
    return told("parts", answers[0], ran) + told("uncalled", answers[1], ran)


def repaid(length: int) -> int:
    """Parts of an answer, each of which speaks of a refund."""
    ran: list[Ran] = [("refund_order", {"id": "W1"}, {"ok": True, "refunds": [{"amount": 5.5, "type": "refund"}]})]
    return told("payments", f"$5 is paid. {'a|refunded)' * (length // 11)} $5.", ran)


def unlike(length: int) -> int:
    """Entries of a list, each of which has a field of its own."""
    ran: list[Ran] = [("renew_loans", {"ids": ["a"]}, {"loans": [{f"k{one}": False} for one in range(length)]})]
    return told("omissions", "All four loans are renewed.", ran)


def wished(length: int) -> int:
    """One sentence that states again and again what was wished for, and in another way than it was paid."""
    given = {"seat": "14A", "pay": "gift_card_6118904"}
    ran: list[Ran] = [("select_seat", given, {"requestedSeat": "14A", "assignedSeat": "14B"})]
    answer = f"Seat 14A is yours, {'paid to 14A ' * (length // 12)}but not yet."
    return told("granted", answer, ran) + told("values", answer, ran)


def footed(length: int) -> int:
    """Footers in one text, beside a text that is nothing but one and stays, so that each has to be found by its path."""
    seals = Seals((b"k" * 32,))
    footer = seals.seal("a" * 16, "x", "**Groundwire**: 1 claim")
    texts = (footer, f"x{footer}" * length)
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text} for text in texts]}).encode()
    return len(history.clean(body, chat.read(body), chat, seals))


def footed_items(length: int) -> int:
    """Footers in as many items of a response's input, which the transcript has read."""
    footer = Seals((b"k" * 32,)).seal("a" * 16, "x", "**Groundwire**: 1 claim")
    items = [{"role": "assistant", "content": f"x{footer}"}, {"role": "user", "content": "go on"}] * length
    body = json.dumps({"model": "m", "input": items}).encode()
    return len(history.clean(body, responses.read(body), responses, Seals((b"k" * 32,))))


def keyed(length: int) -> None:
    """Keys of one object, the first of which stands twice: the body is refused."""
    with suppress(RequestError):
        once_each(json.dumps({f"k{one}": 1 for one in range(length)}).replace("}", ', "k0": 2}').encode())


WHOLE: dict[str, tuple[Callable[[int], object], int]] = {
    "open_fence": (fence, 200_000),
    "changes and an amount": (partial(charged, amounts=1), 200),
    "changes and amounts": (partial(charged, amounts=60), 200),
    "files of a sentence": (listed, 20_000),
    "parts of a sentence": (parted, 36_000),
    "refunds of a sentence": (repaid, 36_000),
    "entries of a list": (unlike, 8_000),
    "wishes of a sentence": (wished, 18_000),
    "footers of a text": (footed, 4_000),
    "footers of items": (footed_items, 2_000),
    "keys of an object": (keyed, 40_000),
    "numbers of a result": (slipped, 1_800),
    "lines of an order": (ordered, 2_000),
    "digits and thousands": (tallied, 20_000),
    "marks behind a promise": (promised, 16_000),
    "blanks of paths": (patched, 16_000),
    "lines before a call": (spelled, 24_000),
    "blanks of lists": (apart, 16_000),
    "numbers behind a file": (located, 16_000),
    "calls and their results": (partial(pairs, known=True), 4_000),
    "results without a call": (partial(pairs, known=False), 4_000),
}
"""What reads whole conversations, and of how many pieces."""


def of_atom(atom: str, run: Callable[[Any], Any]) -> Iterator[str]:
    """The steps that a repeated text makes grow too fast, each with the place where it stands."""
    short, long = repeated(atom, LONG // 2), repeated(atom, LONG)
    for place in PLACES:
        less, more = (partial(audited, place, text, run=run) for text in (short, long))
        yield from (f"in the {place}: {step}" for step in grown(less, more))


def of_pieces(step: Callable[[int], object], length: int) -> list[str]:
    def timed(clock: Clock, length: int) -> None:
        clock.time("step", step, length)

    return grown(partial(timed, length=length // 2), partial(timed, length=length))


def looked_through(known: Iterable[str], kind: str, find: Callable[[str, asyncio.Runner], Iterable[str]]) -> int:
    """The exit code of a search for steps that grow too fast, in what the command line names, or in all that is known.

    `find` gives a line of each step that does in the one of that name; `kind` says in a word or two what that is.
    """
    known = [*known]
    asked = sys.argv[1:] or known
    if unknown := [one for one in asked if one not in known]:
        print(f"no such {kind}: {unknown[0]!r}; there are {', '.join(known)}")
        return 2
    gc.disable()  # nothing is collected while somebody counts
    slow = 0
    with asyncio.Runner() as runner:
        for name in asked:
            for line in find(name, runner):
                slow += 1
                print(f"{name}, {line}", flush=True)
            gc.collect()
    print(
        f"{len(asked)} {kind}s, {slow} steps that take over {ALLOWED * 1e3:.0f} ms and {TIMES} times as long for twice as much"
    )
    return 1 if slow else 0


def main() -> int:
    def find(name: str, runner: asyncio.Runner) -> Iterable[str]:
        return of_atom(ATOMS[name], runner.run) if name in ATOMS else of_pieces(*WHOLE[name])

    return looked_through((*ATOMS, *WHOLE), "text", find)


if __name__ == "__main__":
    sys.exit(main())
