"""Amounts of money and numbers in texts and results, in the forms in which people, models and tools write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from proxy.remembered import remembered

MORE = r"(?:\d{0,2}(?:[ \u00a0\u202f'’]\d{3}){1,40}(?:[.,]\d{1,2})?(?!\d)|[\d.,]*\d|)"
"""What is behind the first digit of a number. An expression that begins with the digit itself, and only then looks back, is
searched for at the digits of a text, and not at each of its letters."""
NUM = rf"\d{MORE}"
CODES = "USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|CAD|AUD|NZD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|AED|SGD|HKD|TWD|TRY|THB"
WORDS = "dollars?|euros?|pounds|yen|francs|kroner|kronor|kr|z[łl]|Kč|Ft"
SIGNS = r"[$€£¥₹₩₺₽฿]"
SCALE = r"(?: ?(k|K|m|M|bn|B|thousand|million|billion)\b)?"
MONEY = re.compile(
    rf"(?=[\dA-Z]|{SIGNS})(?:(?<![\w.,])(?:(?:US|CA|AU|NZ|HK|MX|[ACSR])?{SIGNS}|(?:{CODES})\b)[ \u00a0]?(?P<a>{NUM}){SCALE}"
    r"(?![\w%]|[.,]\d)"
    rf"|(?<![\w.,$€£¥])(?P<b>{NUM}){SCALE}[ \u00a0]?(?:{SIGNS}|[円元원]|(?:{CODES}|{WORDS})(?!\w)))"
)
CURRENCY = re.compile(rf"{SIGNS}|[円元원]|(?=[A-ZKdefkpyz])(?:{CODES}|{WORDS})")
"""What must stand in a text for that to find anything."""
EAST = re.compile(
    rf"(?<![\d.,/#-])(?P<sign>{SIGNS}?)(?=\d)(?:(?P<oku>\d[\d,.]*) ?[亿億억] ?)?(?:(?P<man>\d[\d,.]*) ?[万萬만] ?)?"
    rf"(?:(?P<rest>\d[\d,]*(?:\.\d+)?)(?P<more>[千천]?))?[ \u00a0]?(?P<unit>[円元원]|(?:{CODES})\b)?"
)
"""A number in a script without spaces, by tens of thousands or with a unit right behind it: "12万8,700円", "3억 원"."""
EAST_ABOUT = re.compile(
    r"(?:最[多高大低少]|至少|不超过|超过|大[约概]|不到|近|およそ|上限|下限|약|최대|최소|거의)[\s*:：は]*$"
)
EAST_BOUND = re.compile(
    r"(?:[^\S\n]|\*)*(?:以上|以内|以下|以外|未満|未满|まで|左右|程度|前後|上下|起|多|余|弱|強|未滿|이상|이하|이내|미만|초과|까지|정도|안팎|내외|대|~|〜|～|-)"
)
"""Around an amount in such a script, these say that it is not meant so exactly."""
WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Letters of scripts in which counters and other words stand beside a number without a blank."""
NUMBER = re.compile(
    rf"[-\d](?:(?<![\w.,].)|(?<=[{WIDE}].)|(?<=\d[x×].)(?<!\b0x.))(?:(?<=\d){MORE}|(?<=-){NUM})(?!(?![{WIDE}])\w)"
)
SEPARATORS = re.compile(
    r",(?:(?:(?<=[^\W\d_],)|(?<=[\"'],)|(?<=\.\d,)|(?<=\.\d\d,)|(?<=-\d\d,))(?=[-\d])|(?<=\d,)(?=\d{4}))"
)
"""Commas between the values of a line, which part neither thousands nor a fraction."""
HEAD = re.compile(r"\s{0,4}[^\W\d][^\n,]{0,40}(?:,[^\W\d][^\n,]{0,40}){1,40}\n")
"""The line of names over a table whose values commas part."""
GAPS = re.compile(r"[ \u00a0\u202f'’]")
CLOCKS = re.compile(
    r"\d(?:(?<=\b\d)\d{3}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?|(?<!\d\d)\d?:\d\d(?::\d\d)?(?!\d))"
)
"""Dates and times in results: their parts are no numbers to reckon with."""
BESIDE = re.compile(rf"(?:{SIGNS}|{CODES}) ?-?\d|\d ?(?:{SIGNS}|[円元원]|{CODES}|{WORDS})")
"""A number that a currency stands beside."""
ABOUT = re.compile(
    r"(?:[~≈<>]|\b(?:about|around|approx(?:imately|\.)?|roughly|nearly|almost|some|circa|ca\.|over|under|above|below"
    r"|up to|at least|at most|(?:more|less|fewer) than|between|starting (?:at|from)|upwards of|just shy of"
    r"|as (?:low|little|much) as"
    r"|etwa|rund|ungefähr|knapp|bis zu|mindestens|environ|presque|jusqu'à|unos|aproximadamente|hasta)|[約约])[\s*_(]*$"
)
"""Before a number, in small letters, these say that it is not meant so exactly."""
MYRIAD = {**dict.fromkeys("万萬만", 1e4), **dict.fromkeys("億亿억", 1e8)}
SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "b": 1e9, "billion": 1e9}
_IN_ORDER = "two three four five six seven eight nine ten eleven twelve"
NUMERALS = {word: number for number, word in enumerate(_IN_ORDER.split(), 2)}
"""The numbers that are written as words."""
PRICES = re.compile(
    r"(?i)amount|price|total|cost|fee|balance|fare|tax|charge|refund|paid|due|salary|net|gross|credit|debit|discount|deposit|premium"
    r"|excess|payout|limit|budget|unit|extra|daily|monthly|payment|value|amt|spent|spend|revenue|rate|earn|sum|tip|interest|goal|target|cap|(?:^|_)rent(?:$|_)"
)
"""Names of fields that hold amounts of money."""
PERCENT = re.compile(r"(?i)rate|ratio|factor|percent|pct|tax|vat|discount|fx|interest|commission")
EXCHANGE = re.compile(r"(?i)(?:fx|exchange|conversion)?_?rate")
"""Names of fields that hold what amounts are multiplied by."""
CENTS = re.compile(r"(?i)cents?|minor|_c$")
MINOR = frozenset(
    {"amount", "total", "price", "fee", "balance", "unit_amount", "amount_total", "amount_due", "subtotal"}
)
"""Fields that often count in cents without saying so."""
DIGIT = re.compile(r"\d")
TAIL = re.compile(r"[.,](\d{1,2})$")
LARGEST = 1e15
LONGEST = 40_000
"""Code points of one text in which numbers are looked for."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money as a text has it.

    `values` are what it can mean ("1.234" is one or the other), `step` the least that it tells apart; `vague` says that
    "about" or its like stands before it.
    """

    text: str
    start: int
    end: int
    values: tuple[float, ...]
    step: float
    vague: bool


class Pool(NamedTuple):
    """The numbers that are known: all of them, those that are amounts, those that amounts are multiplied by, small ones."""

    known: set[float]
    amounts: set[float]
    rates: set[float]
    counts: set[int]


def amounts(text: str) -> Iterator[Amount]:
    """The amounts of money in a text: those of scripts with spaces, then the others, each in order."""
    for found in MONEY.finditer(text) if CURRENCY.search(text) else ():
        plain = found["a"] or found["b"]
        scale = SCALES.get((found[2] or found[4] or "").lower(), 1.0)
        values = tuple(round(one * scale, 4) for one in readings(plain))
        if values:
            yield Amount(found.group(), *found.span(), values, _step(plain) * scale, _is_vague(text, *found.span()))
    yield from (one for one, priced in _eastern(text) if priced)


def myriads(text: str) -> Iterator[tuple[Amount, bool]]:
    """The numbers of a text that count by tens of thousands, and whether each is an amount of money."""
    return ((one, priced) for one, priced in _eastern(text) if any(scale in one.text for scale in MYRIAD))


def _eastern(text: str) -> Iterator[tuple[Amount, bool]]:
    """The numbers by tens of thousands, and those with a unit that the expression for scripts with spaces does not find."""
    for found in EAST.finditer(text) if not text.isascii() else ():
        parts = [(found["oku"], 1e8), (found["man"], 1e4), (found["rest"], 1e3 if found["more"] else 1.0)]
        told = [(number.rstrip(".,"), scale) for number, scale in parts if number]
        scaled = bool(found["oku"] or found["man"])
        if not told or not (scaled or (found["unit"] and not MONEY.match(text, found.start()))):
            continue
        values = [readings(number) for number, _ in told]
        if all(values):
            value = sum(one[0] * scale for one, (_, scale) in zip(values, told, strict=True))
            number, scale = told[-1]
            step = _step(number) * scale
            said = text[found.start() : found.end()].rstrip()
            rounded = scale >= 1e4 and "." not in number and (number.endswith("0") or len(number) < 3)  # "3,800만원"
            vague = rounded or _is_vague(text, *found.span())
            one = Amount(said, found.start(), found.end(), (round(value, 4),), step, vague)
            yield one, bool(found["unit"] or found["sign"])


def _is_vague(text: str, start: int, end: int) -> bool:
    """Whether what stands around a number says that it is not meant so exactly."""
    if is_about(text, start):
        return True
    if text.isascii():
        return False
    return bool(EAST_ABOUT.search(text, max(0, start - 8), start) or EAST_BOUND.match(text, end))


def is_about(text: str, start: int) -> bool:
    """Whether "about" or its like stands before the number that begins there."""
    begin = max(0, start - 24)
    before = text[max(0, begin - 1) : start].lower()  # an expression that need not fold letters is much faster
    return ABOUT.search(before, min(begin, 1)) is not None


def readings(plain: str) -> tuple[float, ...]:
    """What a number can mean: a comma or a point before three digits parts thousands or the fraction."""
    if plain.isdecimal() and len(plain) <= 18:
        return (float(plain),)
    bare = GAPS.sub("", plain).rstrip(".,")
    if len(bare) > 18 or not bare:
        return ()
    last = max(bare.rfind("."), bare.rfind(","))
    if last < 0:
        return (float(bare),)
    mark, tail = bare[last], len(bare) - last - 1
    head, end = bare[:last].replace(".", "").replace(",", ""), bare[last + 1 :]
    whole, fraction = float(head + end), float(f"{head}.{end}")
    mixed = {".", ","} <= set(bare)
    if mixed or tail != 3 or bare[0] == "0":
        return (whole,) if bare.count(mark) > 1 and not mixed else (fraction,)
    return (whole, fraction) if bare.count(mark) == 1 else (whole,)


def _step(plain: str) -> float:
    """The least that a number as written tells apart: a cent, a whole unit."""
    tail = TAIL.search(plain)
    return 10.0 ** -len(tail[1]) if tail else 1.0


def numbers(texts: Iterable[str]) -> Iterator[float]:
    """All numbers of some texts, dates and times apart, every way in which they can be read."""
    for text in texts:
        yield from (one for found in each_number(text) for one in found)


def each_number(text: str) -> Iterator[tuple[float, ...]]:
    """The numbers of a text, dates and times apart, each with the ways in which it can be read."""
    if DIGIT.search(text) is None:
        return
    plain = apart(text[:LONGEST])
    for found in NUMBER.finditer(CLOCKS.sub(" ", plain) if ":" in plain or "-" in plain else plain):
        number = found.group()
        yield tuple(-one for one in readings(number[1:])) if number[0] == "-" else readings(number)
    yield from (one.values for one, _ in myriads(text[:LONGEST]))


def apart(text: str) -> str:
    """A text with a blank behind the commas that part values: those of a table all, of another text what can be none else."""
    if "," not in text:
        return text
    if (head := HEAD.match(text)) is not None:
        lines = text.splitlines()
        if sum(line.count(",") == head.group().count(",") for line in lines) > len(lines) / 2:
            return text.replace(",", ", ")
    return SEPARATORS.sub(", ", text)


def pool(values: Iterable[Any], texts: Iterable[str], spoken: Iterable[str]) -> Pool:
    """The numbers of arguments and results as JSON, of those that are text, and of what people said."""
    found = Pool(set(), set(), set(), set())
    for value in values:
        _of_json(value, "", found, 8)
    for text in texts:
        _of_text(text, found)
    for text in spoken:
        _of_text(text, found)
    return found


class _Kind(NamedTuple):
    """What the name of a field says of the numbers in it."""

    priced: bool
    cents: bool
    share: bool
    rate: bool


def is_priced(name: str) -> bool:
    """Whether a field of this name holds an amount of money."""
    return _kind(name).priced


@remembered
def _kind(name: str) -> _Kind:
    parts = (PRICES.search(name), CENTS.search(name), PERCENT.search(name), EXCHANGE.fullmatch(name))
    return _Kind(*(one is not None for one in parts))


def _of_json(value: Any, key: str, found: Pool, depth: int) -> None:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        if abs(value) >= LARGEST:
            return  # no number of anything, and more than a float may hold
        _keep(float(value), key, found, priced=isinstance(value, float) or is_priced(key))
        if isinstance(value, int) and value >= 100 and (key.lower() in MINOR or _kind(key).cents):
            found.amounts.add(abs(value) / 100)
    elif isinstance(value, str):
        _of_text(value, found, key)
    elif depth:
        for name, inner in value.items() if isinstance(value, dict) else ((key, one) for one in value):
            _of_json(inner, str(name), found, depth - 1)


def _of_text(text: str, found: Pool, key: str = "") -> None:
    if DIGIT.search(text) is None:
        return
    text = apart(text[:LONGEST])
    if len(text) > 8 and (":" in text or "-" in text):
        text = CLOCKS.sub(" ", text)
    named = len(text) <= 40 and is_priced(key)
    for match in NUMBER.finditer(text, 0, LONGEST):
        plain = match.group().lstrip("-")
        priced = (
            named or _step(plain) < 1 or BESIDE.search(text, max(0, match.start() - 4), match.end() + 5) is not None
        )
        for value in readings(plain):
            _keep(value, key, found, priced=priced)


def _keep(value: float, key: str, found: Pool, *, priced: bool) -> None:
    value = abs(value)
    if value >= LARGEST:
        return
    found.known.add(round(value, 4))
    whole = value.is_integer()
    if whole and value >= 100:  # many interfaces count in cents, some in millionths
        found.known.update((value / 100, round(value / 1e6, 2)))
    kind = _kind(key)
    if priced and 0 < value < 1e9 and not kind.cents:
        found.amounts.add(value)
    if value and (kind.share if value <= 100 else kind.rate):
        found.rates.add(value)
    if whole and 1 < value <= 400:
        found.counts.add(int(value))
