"""Figures that are a slip of a result's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def got(result: Any, **arguments: Any) -> list[Ran]:
    return [("get_order", arguments, result)]


PAID = got({"gross": 4850.00, "tax": 1012.43, "social": 622.80, "net": 3214.77, "currency": "EUR"})
RUN = got("3 failed, 418 passed in 61.22s")
MAIL = got(
    {"report": {"sent": 15220, "opens": 5101, "open_rate": 0.34, "clicks": 612, "unsubs": 47, "revenue": "8412.00"}}
)
TOLD = "- Sent: 15,220\n- Opens: 5,101 (34%)\n- Clicks: 612\n- Revenue: $8,412\n"
DUE = got({"items": [{"no": "A-1", "minor": 184250}, {"no": "A-2", "minor": 99900}, {"no": "A-3", "minor": 240075}]})
LIST = "- A-1: €1,842.50\n- A-2: €999.00\n- A-3: €2,400.75"
QUOTE = got(
    {"lines": [{"n": "Lamp", "sum": 90000}, {"n": "Work", "sum": 27000}], "tax": 11700, "total": 128700, "days": 30}
)
GRADES = got(
    {
        "grades": [
            {"n": "Quiz", "score": 92},
            {"n": "Essay", "score": 78},
            {"n": "Lab", "score": 88},
            {"n": "Mid", "score": 79},
        ]
    }
)
MARKS = "- Quiz: 92\n- Essay: 78\n- Lab: 88\n- Mid: 79\n\n"
MEETING = got({"title": "Review", "start": "2025-10-03T19:15", "room": "Blue"})
SALES = got({"rows": [{"day": "Mon", "orders": 1204}, {"day": "Tue", "orders": 1318}, {"day": "Wed", "orders": 1252}]})

SPENT = [
    ("get_cost", {"account": one}, {"total": {"amount": cost}})
    for one, cost in (("p", "18422.70"), ("s", "3190.15"), ("x", "947.60"))
]
ACCOUNTS = "January:\n- prod: $18,422.70\n- staging: $3,190.15\n- sandbox: $947.60\n\n**Total: ${}**"

SLIPS: list[tuple[str, str, list[Ran], list[str]]] = [
    ("a total of what stands above it", ACCOUNTS.format("24,560.45"), SPENT, ["$24,560.45"]),
    ("as it comes to", ACCOUNTS.format("22,560.45"), SPENT, []),
    ("another total, by no slip", ACCOUNTS.format("19,011.20"), SPENT, []),
    ("two digits swapped", "Your net pay was €3,241.77.", PAID, ["€3,241.77"]),
    ("a digit", "Your net pay was €3,814.77.", PAID, ["€3,814.77"]),
    ("in a table", "| Net |\n|---|\n| €3,241.77 |", PAID, ["€3,241.77"]),
    ("in another language", "Dein Netto war 3.241,77 €.", PAID, ["3.241,77 €"]),
    ("a plain number", "The run ended with 481 passed.", RUN, ["481"]),
    ("a factor of ten", "There were 12,520 orders on Wednesday.", SALES, ["12,520"]),
    ("a time of day", "Your review starts at **18:15**.", MEETING, ["18:15"]),
    ("a time on a clock of twelve hours", "Your review starts at 9:15 PM.", MEETING, ["9:15 PM"]),
    ("another order", "Your net pay was €3,724.17.", PAID, ["€3,724.17"]),
    ("two digits of a long one", "You have 27,420 points.", got({"after": 24120}), ["27,420"]),
    ("thousands as French has them", "Il y a 1 482 contacts.", got({"rows": 1248}), ["1 482"]),
    ("in tens of thousands", "合计约 **12.58万元**。", got({"sum": 128500}), ["12.58万元"]),
    ("in tens of thousands and a rest", "残高は 21万4,300円です。", got({"balance": 243100}), ["21万4,300円"]),
    ("beside a counter", "총 2,418명입니다.", got({"n": 2148}), ["2,418"]),
    ("the only one left", f"{TOLD}- Unsubscribes: **17**", MAIL, ["17"]),
    ("a total of a column", f"In total **€5,642.25**:\n\n{LIST}", DUE, ["€5,642.25"]),
    ("a total that is no total", "The total is ¥136,100.", QUOTE, ["¥136,100"]),
    ("an average", f"{MARKS}Your average is **87.5**.", GRADES, ["87.5"]),
    ("the average", f"{MARKS}Your average is **84.25**.", GRADES, []),
    ("the average, rounded", f"{MARKS}Your average is **84.3**.", GRADES, []),
    ("an average of some", f"{MARKS}The average of the first three is **86**.", GRADES, []),
    ("an average of what is not told", "Your average is **87.5**.", GRADES, []),
    ("all but one, which is left out", f"{TOLD}- Unsubscribes: **68**", MAIL, []),
    ("all but one, in prose", f"{TOLD}\nOne may ask 17 people.", MAIL, []),
    ("all, and one more", f"{TOLD}- Unsubscribes: 47\n- Weeks: **17**", MAIL, []),
    ("the total of a column", f"In total **€5,242.25**:\n\n{LIST}", DUE, []),
    ("a total of some", "A-1 and A-2 come to a total of €2,841.50.", DUE, []),
    ("a total with tax", "The total is ¥128,700.", QUOTE, []),
    ("a total that can be reckoned", "The total without tax is ¥117,000.", QUOTE, []),
    ("a total of two", "Two of them cost ¥257,400 in total.", QUOTE, []),
    ("about a total", "The total is about ¥136,100.", QUOTE, []),
    ("in tens of thousands, rounded", "合计约 12.9万元。", got({"sum": 128500}), []),
    ("behind a proposal", "My proposal:\n- Net pay of €3,241.77", PAID, []),
    ("as it is", "Your net pay was €3,214.77 of 4,850.00 gross.", PAID, []),
    ("rounded", "Your net pay was €3,215.", PAID, []),
    ("in thousands", "Your net pay was €3.2k.", PAID, []),
    ("a sum", "Tax and social security come to €1,635.23.", PAID, []),
    (
        "beside numbers of things that the call was given",
        "Tickets 11, 12 and 14 are refunded at A$18 each; that comes to a total of A$54.",
        [
            (
                "refund",
                {"tickets": [11, 12, 14]},
                {"items": [{"t": 11, "amt": 18}, {"t": 12, "amt": 18}, {"t": 14, "amt": 18}]},
            )
        ],
        [],
    ),
    ("a difference", "Without tax that would have been €4,227.20.", PAID, []),
    ("a year of it", "In a year of 12 months that comes to €38,577.24.", PAID, []),
    ("about", "Your net pay was about €3,241.77.", PAID, []),
    ("the answer has both", "Not €3,241.77 but €3,214.77 was paid.", PAID, []),
    ("the user's own", "You said €2,214.77.", PAID, []),
    ("a question", "Did you mean €3,241.77?", PAID, []),
    ("hypothetical", "You would get €3,241.77 with another class.", PAID, []),
    ("in quotation marks", 'The mail says "€3,241.77".', PAID, []),
    ("quoted", "> €3,241.77\n\nThat is what you sent.", PAID, []),
    ("in code", "```\nnet = 3241.77\n```\nThat is how it is written.", PAID, []),
    ("an offer", "Plans from €3,241.77 are there.", PAID, []),
    ("an id", "See ticket T-481 and build #481.", RUN, []),
    ("a version", "It needs version 4.8.1.", RUN, []),
    ("a share", "The rate is 481% of what it was.", RUN, []),
    ("a range", "It takes 400–481 seconds.", RUN, []),
    ("another number", "There are 575 tests in all suites.", RUN, []),
    ("too short to be sure", "There were 4 failed tests.", RUN, []),
    ("a mean", "That is 1258 orders a day on average.", SALES, []),
    ("a sum of all", "There were 3,774 orders in these days.", SALES, []),
    ("a sum of some", "In total 2,570 orders came on Tuesday and Wednesday.", SALES, []),
    ("by chance among many", "The 1,234 rows are there.", got({"rows": [{"n": n} for n in range(1000, 1200, 3)]}), []),
    ("a time as it is", "Your review starts at 7:15 pm.", MEETING, []),
    ("a time before", "Please arrive 30 minutes before, at 18:45.", MEETING, []),
    ("a time after so long", "With the 60 minutes it ends at 20:15.", MEETING, []),
    ("another time", "The building closes at 22:40.", MEETING, []),
    ("another zone", "It starts at 18:15.", got({"start": "2025-10-03T19:15:00Z"}), []),
    ("another zone, said", "It starts at 18:15 (UTC).", MEETING, []),
    ("no call", "Your net pay was €3,241.77.", [], []),
    ("a failed call", "Your net pay was €3,241.77.", got({"error": "3214.77 is not allowed"}), []),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in SLIPS], ids=[row[0] for row in SLIPS])
def test_slips(answer: str, ran: list[Ran], expected: list[str]) -> None:
    found = [one for one in flagged(answer, ran, user="I think it was 2214.77?") if one.startswith("slips")]
    assert found == [f"slips contradicted {one}" for one in expected]


LINES = [("Ladder", 244.8), ("Cart", 688.0), ("Scanner", 356.1)]
LISTED = "\n".join(f"- {name}: ${price:.2f}" for name, price in LINES)


def revised(*more: tuple[str, float], **field: Any) -> list[Ran]:
    lines = [{"item": name, "price": price} for name, price in (*LINES, *more)]
    return [("revise_requisition", {"id": "REQ-18"}, {"id": "REQ-18", "lines": lines, **field})]


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        (f"It is revised; the new total is $1,163.45.\n{LISTED}", revised(), True),
        (f"It is revised and now sits at $1,163.45, with $20.00 released.\n{LISTED}", revised(released=20.0), True),
        (f"It is revised; the new total is $1,288.90.\n{LISTED}", revised(), False),
        (f"It is revised; with shipping of $15.00 the total is $1,303.90.\n{LISTED}", revised(), False),
        (f"It is revised; less $50.00 and $5.10 the total is $1,233.80.\n{LISTED}", revised(), False),
        (f"It is revised; the subtotal is $1,288.90, the total $1,420.00.\n{LISTED}", revised(), False),
        (f"It is revised; the total is $1,420.00.\n{LISTED}", revised(total=1420.0), False),
        (f"It is revised; with 19% tax the total is $1,533.79.\n{LISTED}", revised(), False),
        (f"It is revised, below your limit of $1,400.00.\n{LISTED}", revised(), False),
        (f"It is revised; the total is about $1,300.\n{LISTED}", revised(), False),
        (f"It is revised; for both sites the total is $2,577.80.\n{LISTED}", revised(), False),
        (f"It is revised; you have saved a total of $1,412.00 so far.\n{LISTED}", revised(), False),
        (f"It is revised; the balance then sits at $1,950.00.\n{LISTED}", revised(), False),
        ("It is revised; the new total is $1,163.45.", revised(), False),
        (f"It is revised; the new total is $1,163.45.\n{LISTED}", revised(("Jack", 545.6)), False),
        (f"It is revised; the new total is $1,163.45.\n{LISTED}", revised(("Credit", -125.45)), False),
        (f"It is revised; the new total is $1,163.45.\n{LISTED}", revised(qty=[2, 1, 1], quantity=4), False),
    ],
)
def test_a_total_is_what_the_lines_come_to_that_are_told_with_it(answer: str, ran: list[Ran], fires: bool) -> None:
    before = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "It would be $1,163.45, I guess."}]
    found = [one for one in flagged(answer, ran, before=before) if one.startswith("slips")]
    assert bool(found) == fires, found


def test_an_earlier_answer_may_have_named_it() -> None:
    before = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "It was 3241.77 in April."}]
    assert flagged("Your net pay was €3,241.77.", PAID, before=before) == []


SPENT = got({"groups": [{"key": "webhook", "amount": "96.4420"}, {"key": "none", "amount": "40.1322"}]})


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("- webhook: $96.44\n- untagged: $40.13", []),  # rounded, or cut off, to the cent
        ("- webhook: $96.45\n- untagged: $40.14", []),  # a cent too many is no slip of the pen
        ("- webhook: $964.42\n- untagged: $40.13", ["$964.42"]),
    ],
)
def test_cents_of_longer_fractions(answer: str, told: list[str]) -> None:
    assert [one.split(" ", 2)[2] for one in flagged(answer, SPENT) if one.startswith("slips")] == told
