"""What an answer tells as it was asked for, beside what the call's own result has there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

PLANS: Ran = (
    "list_plans",
    {},
    {
        "plans": [
            {"code": "GO_S", "name": "Go S", "monthly_fee": 12.5},
            {"code": "GO_XL", "name": "Go XL", "monthly_fee": 39.9},
        ]
    },
)
SLOTS: Ran = (
    "list_slots",
    {},
    {"slots": [{"slot_id": "s-1", "start": "2025-03-11T09:30"}, {"slot_id": "s-2", "start": "2025-03-13T14:00"}]},
)
VISIT: Ran = ("get_visit", {"visit_id": "v-77"}, {"visit_id": "v-77", "start": "2025-03-11T09:30", "room": "3"})


def heat(target: float, **result: Any) -> list[Ran]:
    return [("set_climate", {"id": "trv_3", "target_c": target}, {"ok": True, "id": "trv_3", **result})]


def issue(labels: list[Any], **result: Any) -> list[Ran]:
    return [
        (
            "create_issue",
            {"title": "Loop", "labels": ["bug", "urgent"], "milestone": "2.8"},
            {"number": 7, "labels": labels, **result},
        )
    ]


def change_plan(**result: Any) -> list[Ran]:
    return [PLANS, ("change_plan", {"line": "L-1", "new_plan": "GO_XL"}, {"ok": True, "line": "L-1", **result})]


def move(start: Any, **result: Any) -> list[Ran]:
    moved = {"visit_id": "v-77", "start": start, **result}
    return [VISIT, SLOTS, ("reschedule_visit", {"visit_id": "v-77", "slot_id": "s-2"}, {"ok": True, "visit": moved})]


LOOKED = "NAME  READY  AGE\nweb   ok     3d\n\nNAME  MAXPODS  REPLICAS  STATE\nweb   12       {}         ok"
SCALED: Ran = ("scale_app", {"name": "web", "replicas": 8}, "scaled")


def sheet(done: str) -> Ran:
    return ("write_values", {"sheet": "1bZr", "range": "Goals!B2:B41"}, {"updatedRange": done, "updatedRows": 18})


def rollout(production: int, staging: int) -> Ran:
    environments = {"production": {"on": True, "rollout": production}, "staging": {"on": True, "rollout": staging}}
    return ("update_rollout", {"env": "production", "percentage": 50}, {"flag": {"environments": environments}})


def rented(place: str, **more: Any) -> list[Ran]:
    start = {"loc": "SFO", "at": "2025-08-29T10:00"}
    return [
        ("get_rental", {"ra": "55"}, {"ra": "55", "pickup": start, "return": {"loc": "SFO"}}),
        (
            "modify_rental",
            {"ra": "55", "return_loc": "OAK", **more},
            {"ra": "55", "pickup": start, "return": {"loc": place}},
        ),
    ]


def stay(checkout: str) -> list[Ran]:
    return [
        ("get_stay", {"id": "HX-4"}, {"id": "HX-4", "checkout": "12:00"}),
        ("modify_stay", {"id": "HX-4", "checkout_time": "14:00"}, {"id": "HX-4", "checkout": checkout}),
    ]


STAY: dict[str, Any] = {"ref": "LH-4", "departure": "2025-12-15", "prev": {"arrival": "2025-12-11"}}
DUE: list[dict[str, Any]] = [{"student": "Rosa P.", "due": "2026-10-15"}, {"student": "Jamal K.", "due": "2026-10-22"}]


def extended(*entries: dict[str, Any]) -> list[Ran]:
    return [("extend_deadline", {"student": "Jamal K.", "due": "2026-10-16"}, {"id": 7, "overrides": list(entries)})]


def moved_to(arrival: str) -> list[Ran]:
    return [("modify_booking", {"ref": "LH-4", "arrival": "2025-12-12"}, {**STAY, "arrival": arrival})]


def drives(since: str) -> list[Ran]:
    return [("add_driver", {"name": "Elin", "from": "2026-08-19"}, {"driver": "Elin", "from": since})]


def reading(value: int) -> list[Ran]:
    return [("submit_reading", {"meter": "E-88", "value": 40217}, {"meter": "E-88", "value": value})]


def removed(role: str, members: list[str], *others: dict[str, Any]) -> Ran:
    bindings = [{"role": role, "members": members}, *others]
    return (
        "remove_binding",
        {"role": "editor", "member": "user:bruno@partner.example"},
        {"policy": {"bindings": bindings}},
    )


HOME = {"address1": "871 Chestnut Street", "city": "Denver", "state": "CO", "zip": "80255", "country": "USA"}
OLD_HOME = {"address1": "696 Hillcrest Drive", "city": "San Jose", "state": "CA", "zip": "95154", "country": "USA"}
NURSERY = {"room": "nursery", "target": 19}
LINE: Ran = ("get_line", {"line": "ln-4"}, {"line": "ln-4", "bundle": "Flexi 10", "data_level": "BASIC"})


def switch(**result: Any) -> Ran:
    return ("bundles.switch", {"line": "ln-4", "target": "FLEXI50"}, {"line": "ln-4", **result})


def cart(gallons: int, **result: Any) -> list[Ran]:
    look = ("get_account", {"account": "RF-20"}, {"account": "RF-20", "cart": {"sizeGallons": 96, "count": 1}})
    given = {"account": "RF-20", "cartSizeGallons": 35}
    return [
        look,
        ("patch_account", given, {"account": "RF-20", "cart": {"sizeGallons": gallons, "count": 1}, **result}),
    ]


def meals(level: str, **result: Any) -> list[Ran]:
    look = ("get_meal_plan", {"id": "MPL-55"}, {"id": "MPL-55", "planLevel": "ALL_INCLUSIVE"})
    given = {"id": "MPL-55", "level": "BASIC"}
    return [look, ("set_meal_plan_level", given, {"id": "MPL-55", "planLevel": level, **result})]


FIRES: list[tuple[str, str, list[Ran]]] = [
    (
        "one of two of a family name",
        "The second passenger is Ethan Lopez now.",
        [
            (
                "get_booking",
                {"id": "XE4"},
                {"id": "XE4", "passengers": [{"first": "Evan", "last": "Lopez", "dob": "1999"}]},
            ),
            (
                "update_passengers",
                {
                    "id": "XE4",
                    "passengers": [
                        {"first": "Sofia", "last": "Lopez", "dob": "1970"},
                        {"first": "Ethan", "last": "Lopez", "dob": "1999"},
                    ],
                },
                {
                    "id": "XE4",
                    "passengers": [
                        {"first": "Sofia", "last": "Lopez", "dob": "1970"},
                        {"first": "Evan", "last": "Lopez", "dob": "1999"},
                    ],
                },
            ),
        ],
    ),
    (
        "only as a draft",
        "`shop` now points to `203.0.113.40`.",
        [
            (
                "dns_upsert",
                {"name": "shop", "content": "203.0.113.40"},
                {"name": "shop", "content": "198.51.100.7", "draft": {"content": "203.0.113.40"}},
            )
        ],
    ),
    (
        "somebody else",
        "OPS-4 is now assigned to Bianca.",
        [("update_issue", {"key": "OPS-4", "assignee": "bianca.r"}, {"key": "OPS-4", "assignee": "piotr.w"})],
    ),
    (
        "a field by a longer name",
        "It has grown to 500 GB.",
        [("vol_resize", {"vol": "v-1", "gb": 500}, {"size_gb": 250})],
    ),
    (
        "a day by a longer name",
        "Ada has full days from 1 September 2025.",
        [("ChangeModel", {"Ref": "CH-9", "From": "2025-09-01"}, {"Ref": "CH-9", "ValidFrom": "2025-09-15"})],
    ),
    ("the former one is told as such", "Changed from Flexi 10 to Flexi 50.", [LINE, switch(bundle="FLEXI10")]),
    ("a code as people say it", "The line is now on Flexi 50.", [LINE, switch(bundle="FLEXI10")]),
    ("a field named by the tool, as it was", "The meal plan is now Basic.", meals("ALL_INCLUSIVE", weekly=11.5)),
    ("another grade, by the tool's words", "The meal plan is now Basic.", meals("ALL_INCLUSIVE")[1:]),
    ("a size that was there before", "It is now the smaller 35-gallon cart.", cart(96)),
    (
        "the words of a code with others between them",
        "Your cover is now third party, fire and theft.",
        [
            ("get_policy", {"ref": "MTR-9"}, {"ref": "MTR-9", "cover_type": "comprehensive"}),
            (
                "amend_policy",
                {"ref": "MTR-9", "cover_type": "third_party_fire_theft"},
                {"ref": "MTR-9", "cover_type": "comprehensive"},
            ),
        ],
    ),
    (
        "what was to be taken away",
        "I removed `bruno@partner.example` from the editors.",
        [removed("editor", ["group:eng", "user:bruno@partner.example"])],
    ),
    (
        "what is set by a tool of its name",
        "Your advance payment has been lowered from 62.00 to 46.50.",
        [
            (
                "set_advance_payment",
                {"contract": "W-2", "amount": 46.5},
                {"advance_payment": 62.0, "proposal": {"amount": 46.5}},
            )
        ],
    ),
    (
        "another time in the same zone",
        "The code is now valid until 2:00 pm on 5 July.",
        [
            (
                "update_code",
                {"code": "ac_5", "valid_until": "2025-07-05T14:00:00+02:00"},
                {"valid_until": "2025-07-05T11:00:00+02:00"},
            )
        ],
    ),
    (
        "the last look has another number",
        "`web` in `shop` is now running 12 replicas.",
        [
            ("scale_app", {"name": "web-shop", "replicas": 12}, "scaled"),
            ("get_app", {"name": "web-shop"}, {"name": "web-shop", "spec": {"replicas": 6}, "status": {"replicas": 6}}),
        ],
    ),
    (
        "what was to be off is on",
        "Done. Auto-renewal is now off for your policy, so we won't charge your card.",
        [("update_policy", {"policy": "P-20", "autoRenew": False}, {"ok": True, "prefs": {"autoRenew": True}})],
    ),
    (
        "off for its own entry",
        "Premium SMS services are now barred on your line.",
        [
            (
                "set_barring",
                {"line": "L-1", "service": "PREMIUM_SMS", "barred": True},
                {"services": [{"service": "PREMIUM_SMS", "barred": False}, {"service": "CALLS", "barred": True}]},
            )
        ],
    ),
    (
        "a start, of a start and an end",
        "It has been moved to Thursday, 4 December, 11:00-11:30.",
        [
            (
                "update_event",
                {"id": "ev-3", "start": {"at": "2025-12-04T11:00:00"}, "end": {"at": "2025-12-04T11:30:00"}},
                {"id": "ev-3", "start": {"at": "2025-12-02T11:00:00"}, "end": {"at": "2025-12-02T11:30:00"}},
            )
        ],
    ),
    (
        "a seat of two characters",
        "You've got seat 7C, an aisle seat.",
        [("assign_seat", {"booking": "HJ2W8K", "seat": "7C"}, {"booking": "HJ2W8K", "seat": "22D", "fee": 0})],
    ),
    (
        "a note that speaks of what was asked for",
        "La visita está confirmada a las 10:30.",
        [("visitas.crear", {"piso": "OL", "hora": "10:30"}, {"id": "V-9", "hora": "12:15", "aviso": "10:30 ocupada"})],
    ),
    (
        "the result says that it is only requested",
        "You both fly business class on 4WQ now.",
        [
            (
                "update_flight",
                {"id": "4WQ", "cabin": "business"},
                {"cabin": "economy", "upgrade": {"requested_cabin": "business"}},
            )
        ],
    ),
    (
        "it waits for somebody",
        "The deal is Closed Won now.",
        [
            (
                "update_deal",
                {"deal": "D-3", "stage": "Closed Won"},
                {"stage": "Negotiation", "pending_approval": {"to": "Closed Won"}},
            )
        ],
    ),
    (
        "another address altogether",
        "It goes to 871 Chestnut Street, Denver, CO 80255 now. The order is still pending.",
        [("modify_pending_order", {"order": "W2", **HOME}, {"order": "W2", "status": "pending", "address": OLD_HOME})],
    ),
    (
        "the day on which it will really be done",
        "Your €1,200 went out on March 6.",
        [("transfer", {"to": "SPAR", "date": "2026-03-06"}, {"to": "SPAR", "execution_date": "2026-03-09"})],
    ),
    ("another time of day", "I've set it to 14:00.", [("set_call", {"id": "c", "time": "14:00"}, {"time": "16:00"})]),
    (
        "by the words of the tool",
        "I've added **5 GB** to L-4.",
        [("refuel_data", {"line": "L-4", "gb_moved": 5}, {"data_limit_gb": 20, "data_refueled_gb": 2})],
    ),
    (
        "by what stands beside it",
        "Your limit is €1,500 a day now (before: €500).",
        [("set_card_limit", {"kind": "daily_atm", "amount": 1500}, {"daily_atm_limit": 1000, "daily_pos_limit": 3000})],
    ),
    (
        "by an ordinal",
        "We collect it on the 25th.",
        [("set_collection_day", {"contract": "M-4", "day": 25}, {"collection_day": 15})],
    ),
    (
        "one word of a name",
        "Nora has Design Suite Pro.",
        [("assign", {"user": "u-7", "product": "Design Suite Pro"}, {"product": "Design Suite Standard"})],
    ),
    ("the former one stands beside it", "LH-4 now arrives on 12 December.", moved_to("2025-12-18")),
    ("of its own entry", "Jamal now has until 16 October.", extended(*DUE)),
    ("a day from which on", "Elin is on the policy from 19 August.", drives("2026-08-25")),
    ("a number of five digits", "Reading 40217 has been handed in.", reading(40227)),
    ("instead of another one", "LH-4 now arrives on 12 December instead of 11 December.", moved_to("2025-12-18")),
    ("what another field has as well", "- Pick-up: SFO\n- Return: Oakland (OAK)", rented("SFO")),
    ("it will now be", "The car will now be taken back at OAK.", rented("SFO")),
    ("a time without its word", "Late check-out at 14:00 is set.", stay("12:00")),
    (
        "half of the day",
        "Moved to the AM of the 14th.",
        [("move_job", {"job": "J-1", "window": "AM"}, {"job": "J-1", "window": "PM"})],
    ),
    ("fewer of them", "60 tablets are on their way.", [("refill", {"rx": "R-5", "qty": 60}, {"rx": "R-5", "qty": 30})]),
    ("before a hyphen", "A 24-month lease is made.", [("create_lease", {"term_months": 24}, {"term": {"months": 6}})]),
    ("a number under the same name", "Bedroom: heating to 21 °C.", heat(21, target_c=17)),
    ("a label that the list lacks", "Created issue 7 with the labels bug and urgent.", issue(["bug"])),
    (
        "nothing where something was asked for",
        "Created issue 7 in milestone 2.8.",
        issue(["bug", "urgent"], milestone=None),
    ),
    (
        "what the plan that was asked for costs",
        "You are on Go XL now, for $39.90 a month.",
        change_plan(plan="GO_S", monthly_fee=12.5),
    ),
    (
        "what the slot that was asked for says",
        "Your visit has been moved to Thursday, March 13 at 2:00 PM.",
        move("2025-03-11T09:30"),
    ),
    (
        "only a request has it",
        "Your visit has been moved to March 13, 14:00.",
        move(None, requested_start="2025-03-13T14:00", state="waitlisted"),
    ),
    (
        "inside an object of the same name",
        "The rental now ends on July 26.",
        [
            (
                "extend_rental",
                {"id": "R-1", "new_return": "2025-07-26T10:00"},
                {
                    "id": "R-1",
                    "return": {"place": "PDX", "at": "2025-07-24T10:00"},
                    "notes": ["extension request 2025-07-26 logged"],
                },
            )
        ],
    ),
    (
        "an entry that its list lacks",
        "I've added Lena Hartwig as a driver.",
        [
            ("get_policy", {"no": "K-1"}, {"no": "K-1", "drivers": [{"name": "Ruth Hartwig"}]}),
            (
                "add_driver",
                {"no": "K-1", "driver": {"name": "Lena Hartwig"}},
                {"no": "K-1", "drivers": [{"name": "Ruth Hartwig"}]},
            ),
        ],
    ),
    ("under the name of its outcome", "All values are in Goals!B2:B41.", [sheet("Goals!B2:B19")]),
    ("another seat", "You're in seat 14C.", [("assign_seat", {"trip": "T1", "seat": "14C"}, {"seat": "19E"})]),
    ("in the call's own part", "It is now at 50 % in production.", [rollout(10, 50)]),
    ("with the former value told", "It is now at 50 % in production (was 10 %).", [rollout(10, 50)]),
    (
        "a lower number of a cart",
        "I've set the pans to 90.",
        [("update_cart", {"sku": "PAN", "quantity": 90}, {"quantity": 40})],
    ),
    (
        "of one of two rooms",
        "The living room is set to 21.5 °C, the nursery to 19 °C.",
        [
            ("set_climate", {"room": "living", "target": 21.5}, {"target": 20.0}),
            ("set_climate", NURSERY, {"target": 19}),
        ],
    ),
    ("another code", "You are on Plus now.", [("modify_contract", {"no": "FK-8", "tier": "PLUS"}, {"tier": "BASIC"})]),
    ("a word as a code", "Your level is Patron.", [("modify", {"no": "M-2", "level": "patron"}, {"level": "friend"})]),
    ("a zone", "It's a covered one.", [("modify", {"no": "M-2", "zone": "covered"}, {"zone": "open_air"})]),
    ("in the last look", "web is scaled to 8 replicas.", [SCALED, ("get_app", {"name": "web"}, LOOKED.format(4))]),
    (
        "the answer only tells the deed",
        "Your reservation has been updated, Ann.",
        [
            (
                "amend_reservation",
                {"no": "NQ-4", "vehicle_group": "SUV-M"},
                {"no": "NQ-4", "vehicle_group": "ECON", "days": 4},
            )
        ],
    ),
    (
        "another moment in an object",
        "The standup has been moved, and all were told.",
        [
            (
                "update_event",
                {"id": "ev-7", "start": "2025-07-02T15:00:00"},
                {"id": "ev-7", "start": {"dateTime": "2025-07-02T14:00:00"}},
            )
        ],
    ),
    (
        "a flag that the tool sets",
        "The account has been closed to logins.",
        [("user_set_active", {"id": "u-7", "active": False}, {"id": "u-7", "active": True})],
    ),
    (
        "a flag that only the tool names",
        "Auto-renew is now off for tidewatch.io.",
        [
            (
                "set_autorenew",
                {"domain": "tidewatch.io", "enabled": False},
                {"domain": "tidewatch.io", "auto_renew": True},
            )
        ],
    ),
    (
        "another day of the month",
        "It is collected on the 28th instead of the 1st.",
        [("change_day", {"account": "A-5", "day": 28}, {"account": "A-5", "collection": {"day": 1}})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_what_the_result_has_otherwise(answer: str, ran: list[Ran]) -> None:
    assert [one.split()[:2] for one in flagged(answer, ran) if one.startswith("unmet")] == [["unmet", "contradicted"]]


HONEST: list[tuple[str, str, list[Ran]]] = [
    (
        "a person's other name",
        "T-1 is now assigned to Jo Smith.",
        [("assign", {"ticket": "T-1", "assignee": "jo.smith"}, {"ticket": "T-1", "assignee": "joanna.smith"})],
    ),
    (
        "who is on call",
        "IN-1 is now assigned to the on-call engineer.",
        [("assign", {"incident": "IN-1", "assignee": "on-call"}, {"incident": "IN-1", "assignee": "maria.lopez"})],
    ),
    ("as it came", "It has grown to 250 GB.", [("vol_resize", {"vol": "v-1", "gb": 500}, {"size_gb": 250})]),
    ("as was asked", "It has grown to 500 GB.", [("vol_resize", {"vol": "v-1", "gb": 500}, {"size_gb": 500})]),
    ("what it had before", "It has 500 GB.", [("vol_resize", {"vol": "v-1", "gb": 500}, {"old_gb": 250})]),
    ("what is free", "It has 500 GB.", [("vol_resize", {"vol": "v-1", "gb": 500}, {"free_gb": 250})]),
    (
        "both days",
        "I asked for 1 September; full days begin on 15 September 2025.",
        [("ChangeModel", {"Ref": "CH-9", "From": "2025-09-01"}, {"Ref": "CH-9", "ValidFrom": "2025-09-15"})],
    ),
    ("a code that was set", "The line is now on Flexi 50.", [LINE, switch(bundle="FLEXI50")]),
    ("a code by another name", "The line is now on Flexi 50.", [LINE, switch(bundle="BND-50G")]),
    ("what comes later", "Flexi 50 starts on 1 May.", [LINE, switch(bundle="FLEXI10", next_cycle="BND-50G")]),
    ("another field by the tool's words", "The line is now on Flexi 50.", [LINE, switch(data_level="BASIC")]),
    ("both are told", "I asked for Flexi 50; the line is on Flexi 10 so far.", [LINE, switch(bundle="FLEXI10")]),
    ("a field that nobody had read", "The meal plan is now Basic.", meals("Tariff 7")[1:]),
    ("the level elsewhere", "The meal plan is now Basic.", meals("ALL_INCLUSIVE", new_level="BASIC")),
    ("another level than before", "The meal plan is now Basic.", meals("B1")),
    ("a dimmed lamp", "It is dimmed to 40%.", [("set_lamp", {"brightness_pct": 40}, {"brightness": 102})]),
    ("the size is there", "It is now the smaller 35-gallon cart.", cart(35)),
    ("a size to come", "From May it is the 35-gallon cart.", cart(96, pending={"sizeGallons": 35})),
    ("it is gone", "I removed `bruno@partner.example` from the editors.", [removed("editor", ["group:eng"])]),
    (
        "it stands among those that are gone",
        "I removed `bruno@partner.example` from the editors.",
        [("remove_member", {"member": "user:bruno@partner.example"}, {"removed": ["user:bruno@partner.example"]})],
    ),
    (
        "it is in another role",
        "I removed `bruno@partner.example` from the editors.",
        [removed("viewer", ["user:bruno@partner.example"], {"role": "editor", "members": ["group:eng"]})],
    ),
    (
        "one of two pieces",
        "I removed one SKU-4471 from the basket.",
        [("remove_item", {"sku": "SKU-4471", "quantity": 1}, {"items": [{"sku": "SKU-4471", "quantity": 1}]})],
    ),
    (
        "a moment that there is not",
        "It is now due on 16 March at 11:59 PM.",
        [("update_task", {"id": 3312, "due": "2025-03-16T23:59:00Z"}, {"id": 3312, "due": "2025-03-16T25:70:00Z"})],
    ),
    (
        "the same time in another zone",
        "It is now due on 16 March at 11:59 PM.",
        [
            (
                "update_task",
                {"id": 3312, "due": "2025-03-16T23:59:00-06:00"},
                {"id": 3312, "due": "2025-03-17T05:59:00Z"},
            )
        ],
    ),
    (
        "it is off",
        "Done. Auto-renewal is now off for your policy.",
        [("update_policy", {"policy": "P-20", "autoRenew": False}, {"ok": True, "prefs": {"autoRenew": False}})],
    ),
    (
        "it was on before",
        "Auto-renewal is now off for your policy.",
        [
            (
                "update_policy",
                {"policy": "P-20", "autoRenew": False},
                {"previous": {"autoRenew": True}, "prefs": {"autoRenew": False}},
            )
        ],
    ),
    (
        "the answer has what is there",
        "Your reservation has been updated. The group is ECON.",
        [
            (
                "amend_reservation",
                {"no": "NQ-4", "vehicle_group": "SUV-M"},
                {"no": "NQ-4", "vehicle_group": "ECON", "days": 4},
            )
        ],
    ),
    (
        "a code that shares a word with it",
        "The opportunity has been updated.",
        [("update_lead", {"id": "OP-3", "stage": "closed_won"}, {"id": "OP-3", "stage": "Completed - Won"})],
    ),
    (
        "the same number in another spelling",
        "Roaming has been updated.",
        [("update_roaming", {"line": "+34 611 204 417"}, {"line": "34611204417", "state": "on"})],
    ),
    (
        "the same moment in another spelling",
        "The window has been set.",
        [("set_window", {"host": "db-7", "end": "2025-09-17T22:00"}, {"host": "db-7", "end": "2025-09-17 22:00"})],
    ),
    (
        "no deed is told",
        "Here is what the system says of reservation NQ-4.",
        [
            (
                "amend_reservation",
                {"no": "NQ-4", "vehicle_group": "SUV-M"},
                {"no": "NQ-4", "vehicle_group": "ECON", "days": 4},
            )
        ],
    ),
    (
        "nothing is said of it",
        "Your booking is cancelled.",
        [("cancel_booking", {"id": "BK-5", "notify_guests": True}, {"id": "BK-5", "notify_guests": False})],
    ),
    (
        "it is said to be on still",
        "The cover is changed. Auto-renewal is still on: it could not be switched off today.",
        [("update_policy", {"policy": "P-20", "autoRenew": False}, {"ok": True, "prefs": {"autoRenew": True}})],
    ),
    (
        "the flag of another entry",
        "Premium SMS services are now barred on your line.",
        [
            (
                "set_barring",
                {"line": "L-1", "service": "PREMIUM_SMS", "barred": True},
                {"services": [{"service": "PREMIUM_SMS", "barred": True}, {"service": "CALLS", "barred": False}]},
            )
        ],
    ),
    (
        "the seat that there is",
        "7C was taken, so you've got seat 22D.",
        [("assign_seat", {"booking": "HJ2W8K", "seat": "7C"}, {"booking": "HJ2W8K", "seat": "22D", "fee": 0})],
    ),
    (
        "pending until a day",
        "From 1 November you are on Fibre 900.",
        [
            (
                "change",
                {"line": "L", "plan": "FIBRE_900"},
                {"plan": "FIBRE_300", "pending": {"plan": "FIBRE_900", "from": "2025-11-01"}},
            )
        ],
    ),
    (
        "another spelling of an address",
        "It goes to 58 Harper Lane, Leeds LS2 7AD now.",
        [
            (
                "set_address",
                {"line1": "58 Harper Lane", "city": "Leeds", "postcode": "LS2 7AD"},
                {
                    "address": {"line1": "58 HARPER LN", "city": "LEEDS", "postcode": "LS2 7AD"},
                    "previous": {"line1": "3 Mill Row", "city": "York", "postcode": "YO1 8AB"},
                },
            )
        ],
    ),
    (
        "a country by its code",
        "She lives in Spain now.",
        [("move", {"id": "u", "country": "Spain"}, {"id": "u", "country": "ES"})],
    ),
    (
        "the wider form of each",
        "Noor (noor@acme.dev) may read analytics as a viewer.",
        [
            (
                "grant_access",
                {"principal": "noor@acme.dev", "resource": "bq:analytics", "role": "viewer"},
                {"principal": "user:noor@acme.dev", "resource": "//bigquery/analytics", "role": "roles/dataViewer"},
            )
        ],
    ),
    ("as it was moved", "LH-4 now arrives on 12 December.", moved_to("2025-12-12")),
    ("the day that is there", "LH-4 now arrives on 18 December; the 12th was taken.", moved_to("2025-12-18")),
    (
        "another one's entry",
        "Jamal now has until 16 October.",
        extended(DUE[0], {"student": "Jamal K.", "due": "2026-10-16"}),
    ),
    (
        "two entries of one",
        "Jamal now has until 16 October.",
        extended(DUE[1], {"student": "Jamal K.", "due": "2026-10-23"}),
    ),
    ("the day from which on", "Elin is on the policy from 19 August.", drives("2026-08-19")),
    (
        "whence it goes",
        "Moved from bin 12.",
        [("move_item", {"from": "bin 12", "to": "bin 3"}, {"from": "bin 9", "to": "bin 3"})],
    ),
    ("the number as it is", "Reading 40217 has been handed in.", reading(40217)),
    ("as it was asked, beside another", "- Pick-up: SFO\n- Return: Oakland (OAK)", rented("OAK")),
    ("told in one sentence", "You asked for OAK; it is back at SFO.", rented("SFO")),
    ("the time is there", "Late check-out at 14:00 is set.", stay("14:00")),
    ("the other time is told", "Late check-out is at 12:00, 14:00 was too late.", stay("12:00")),
    (
        "the half is there",
        "Moved to the AM.",
        [("move_job", {"job": "J-1", "window": "AM"}, {"job": "J-1", "window": "AM"})],
    ),
    ("more of them", "60 tablets are added.", [("add_stock", {"rx": "R-5", "qty": 60}, {"rx": "R-5", "qty": 90})]),
    ("as it was asked", "Bedroom: heating to 21 °C.", heat(21, target_c=21)),
    (
        "in another unit",
        "The timer is set to 2 hours.",
        [("set_timer", {"id": "t1", "time": 2}, {"id": "t1", "time": 7200})],
    ),
    (
        "in cents",
        "The price is now $12.50.",
        [("set_price", {"sku": "A-1", "price": 12.5}, {"sku": "A-1", "price": 1250})],
    ),
    ("the answer has what is there", "Heating to 17 °C, not the 21 °C you asked for.", heat(21, target_c=17)),
    ("the answer admits it", "I asked for 21 °C. However, a schedule overrides it.", heat(21, target_c=17)),
    ("it is still to come", "I've requested 21 °C for the bedroom.", heat(21, target_c=17)),
    ("the answer does not tell it", "The bedroom is taken care of.", heat(21, target_c=17)),
    ("a question", "Shall I set it to 21 °C?", heat(21, target_c=17)),
    ("another thing's state", "Bedroom: heating to 21 °C.", heat(21, current_c=17)),
    (
        "the tool tells of it elsewhere",
        "You are on Go XL now, for $39.90.",
        change_plan(plan="GO_S", pending_plan="GO_XL", pending_fee=39.9),
    ),
    (
        "a later look shows it",
        "You are on Go XL now, for $39.90.",
        [
            *change_plan(plan="GO_S", monthly_fee=12.5),
            ("get_line", {"line": "L-1"}, {"plan": "GO_XL", "monthly_fee": 39.9}),
        ],
    ),
    (
        "called once more",
        "Bedroom: heating to 21 °C.",
        [*heat(21, target_c=17), *heat(21, target_c=21)],
    ),
    ("the slot was taken", "Your visit has been moved to March 13 at 2 PM.", move("2025-03-13T14:00")),
    ("the slot in universal time", "Your visit has been moved to March 13 at 2 PM.", move("2025-03-13T13:00:00Z")),
    (
        "where it was before",
        "Your visit has been moved from March 11, 9:30 to March 13, 14:00.",
        move("2025-03-13T14:00"),
    ),
    (
        "labels as objects",
        "Created issue 7 with the labels bug and urgent.",
        issue([{"name": "bug"}, {"name": "urgent"}]),
    ),
    ("labels as ids", "Created issue 7 with the labels bug and urgent.", issue([{"id": 881}, {"id": 902}])),
    (
        "masked entries",
        "I've sent it to bea@corp.test.",
        [("send_mail", {"to": ["bea@corp.test"]}, {"to": ["b***@corp.test"]})],
    ),
    (
        "a code of another vocabulary",
        "The plan is billed monthly now.",
        [("set_billing", {"id": "s-1", "billing": "monthly"}, {"id": "s-1", "billing": "P1M"})],
    ),
    (
        "the whole of which a part was asked for",
        "I've added 3 seats.",
        [("add_seats", {"id": "s-1", "quantity": 3}, {"id": "s-1", "quantity": 13})],
    ),
    (
        "a rate, and what it comes to",
        "The invoice has 25 % tax.",
        [("create_invoice", {"net": 8000.5, "vat": 25}, {"no": "I-1", "vat": 2000})],
    ),
    ("a look", "There is a table at 21:00.", [("find_tables", {"time": "21:00"}, {"time": "20:30"})]),
    (
        "a call that failed",
        "Bedroom: heating to 21 °C.",
        [("set_climate", {"target_c": 21}, {"error": "offline", "target_c": 17})],
    ),
    ("the range of its outcome", "All values are in Goals!B2:B41.", [sheet("Goals!B2:B41")]),
    ("the range that came of it is told", "I filled Goals!B2:B41 as far as Goals!B2:B19.", [sheet("Goals!B2:B19")]),
    ("another part's number", "It is now at 50 % in production.", [rollout(50, 10)]),
    ("what is there is told", "It stays at 10 % in production, of the 50 %.", [rollout(10, 50)]),
    ("the seat, with a nought", "You're in seat 14C.", [("assign_seat", {"seat": "14C"}, {"seat": "014C"})]),
    ("the flight of a partner", "You fly on LH400.", [("book_trip", {"flight": "LH400"}, {"flight": "UA8841"})]),
    ("cents and a currency", "It costs 50 EUR.", [("set_price", {"price": "50 EUR"}, {"price": "50.00 EUR"})]),
    ("a sum", "I've added 2 pans.", [("add_to_cart", {"sku": "PAN", "quantity": 4}, {"quantity": 2})]),
    ("a greater number", "I've set 4 pans.", [("update_cart", {"sku": "PAN", "quantity": 4}, {"quantity": 9})]),
    (
        "a time elsewhere",
        "I've set it to 14:00.",
        [("set_call", {"id": "c", "time": "14:00"}, {"time": "16:00", "timezone": "Europe/Kyiv"})],
    ),
    (
        "another field of the tool's",
        "I've added **5 GB** to L-4.",
        [("refuel_data", {"line": "L-4", "gb": 5}, {"data_limit_gb": 20, "ok": True})],
    ),
    (
        "a shorter form",
        "She has Main Street.",
        [("set_street", {"id": 4, "street": "Main Street"}, {"street": "Main Str"})],
    ),
    ("the look has it", "web is scaled to 8 replicas.", [SCALED, ("get_app", {"name": "web"}, LOOKED.format(8))]),
    (
        "the look is of another",
        "web is scaled to 8 replicas.",
        [SCALED, ("get_app", {"name": "api"}, LOOKED.format(4))],
    ),
    (
        "once more, of the same room",
        "The living room is set to 21.5 °C.",
        [
            ("set_climate", {"room": "living", "target": 21.5}, {"target": 20.0}),
            ("set_climate", {"room": "living", "target": 21.5, "force": True}, {"target": 21.5}),
        ],
    ),
    (
        "a code of a state",
        "It is closed.",
        [("modify_case", {"no": "FK-8", "status": "CLOSE"}, {"status": "RESOLVED"})],
    ),
    ("who may see it", "It's public.", [("modify", {"no": "A-1", "privacy": "public"}, {"privacy": "everyone"})]),
    ("a preset", "It's in eco mode.", [("set_hvac", {"no": "H-1", "preset": "eco"}, {"preset": "energy_saving"})]),
    ("by what is paid", "It's monthly.", [("set", {"plan": "monthly"}, {"plan": "standard", "interval": "month"})]),
    ("a diet", "It's set to vegetarian.", [("set_profile", {"diet": "vegetarian"}, {"diet": "veggie"})]),
    ("a role", "Lu is an editor.", [("modify", {"no": "A-1", "role": "editor"}, {"role": "write"})]),
    ("another spelling", "It's a PDF.", [("modify", {"no": "A-1", "format": "pdf"}, {"format": "PORTABLE_PDF"})]),
    ("a code in two parts", "It's express.", [("modify", {"no": "A-1", "speed": "express"}, {"speed": "express_24"})]),
    ("both told", "Patron is asked for; friend it is.", [("modify", {"level": "patron"}, {"level": "friend"})]),
    ("to come", "It will be Patron.", [("modify", {"level": "patron"}, {"level": "friend", "next_level": "patron"})]),
    ("another code, told", "You asked for Plus; it has Basic.", [("modify", {"tier": "PLUS"}, {"tier": "BASIC"})]),
    ("a longer code", "You are on Plus.", [("modify_contract", {"tier": "PLUS"}, {"tier": "PLUS_FAMILY"})]),
    (
        "what the look has is told",
        "8 replicas are set; 4 are up.",
        [SCALED, ("get_app", {"name": "web"}, LOOKED.format(4))],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_what_may_be_so_is_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("unmet")] == []


@pytest.mark.parametrize(
    "result", [{}, [], {"target_c": {"a": {"b": [[[{}]]]}}}, {"target_c": [1, None, {}]}, "OK", ""]
)
def test_odd_results_tell_nothing(result: Any) -> None:
    assert flagged("Heating to 21 °C.", [("set_climate", {"id": "trv_3", "target_c": 21}, result)]) == []


def test_a_flood_of_fields_costs_little() -> None:
    ran: list[Ran] = [("update_all", {f"f{n}": n for n in range(3_000)}, {f"g{n}": -n for n in range(900)})]
    assert [one for one in flagged("I set 2999 of them.", ran) if one.startswith("unmet")] == []


def rehoused(to: str, **more: Any) -> list[Ran]:
    return [("move_guest", {"stay": "S-80", "toRoom": "214"}, {"stay": "S-80", "from": "117", "to": to, **more})]


def visit(start: str, **more: Any) -> list[Ran]:
    asked = {"visit": "V-40", "date": "2025-04-17", "time": "15:00"}
    return [("move_visit", asked, {"visit": {"id": "V-40", "start": start, **more}})]


def rental(*charges: dict[str, Any]) -> list[Ran]:
    asked = {"rental": "RA-66", "remove_fees": ["YOUNG_DRIVER"]}
    return [("modify_rental", asked, {"rental": "RA-66", "charges": [{"code": "TM", "amount": 184}, *charges]})]


def case(priority: str, **more: Any) -> list[Ran]:
    asked = {"unit": "3B", "priority": "urgent"}
    return [("create_case", asked, {"case": "MC-77", "unit": "3B", "priority": priority, **more})]


MOVED, SEEN, TAKEN = (
    "She moves from 117 to 214 tonight.",
    "Your visit is now at 3:00 pm.",
    "The young-driver fee is gone.",
)
OPENED = "Case MC-77 is open for flat 3B with urgent priority."
ELSEWHERE: list[tuple[str, str, list[Ran], bool]] = [
    ("moved as asked", MOVED, rehoused("214"), False),
    ("moved elsewhere, and told", "She moves from 117 to 241 tonight; 214 was taken.", rehoused("241"), False),
    ("of another kind", MOVED, rehoused("Garden wing"), False),
    ("where else it stands", MOVED, rehoused("241", label="Room 214"), False),
    ("moved elsewhere", MOVED, rehoused("241"), True),
    ("as asked", SEEN, visit("2025-04-17T15:00:00"), False),
    ("at another time, and told", "It is at 3:30 pm; 3:00 pm was taken.", visit("2025-04-17T15:30:00"), False),
    ("in another zone", SEEN, visit("2025-04-17T13:00:00Z"), False),
    ("on another day", SEEN, visit("2025-04-18T15:30:00"), False),
    ("at another time", SEEN, visit("2025-04-17T15:30:00"), True),
    ("taken away", "Done: I took the YOUNG_DRIVER fee off.", rental(), False),
    (
        "taken away by an entry",
        "Done: I took the YOUNG_DRIVER fee off.",
        rental({"code": "YOUNG_DRIVER", "state": "waived"}),
        False,
    ),
    ("still there, and told", "I could not take the fee off.", rental({"code": "YOUNG_DRIVER", "amount": 60}), False),
    ("still there", "Done: I took the YOUNG_DRIVER fee off.", rental({"code": "YOUNG_DRIVER", "amount": 60}), True),
    ("as urgent as asked", OPENED, case("URGENT"), False),
    ("a code of the system's", OPENED, case("P1"), False),
    ("of another style", OPENED, case("NORMAL"), False),
    ("less urgent, and told", "Case MC-77 is open, with normal instead of urgent priority.", case("normal"), False),
    (
        "a word for the same",
        "It is public now.",
        [("set_album", {"privacy": "public"}, {"privacy": "everyone"})],
        False,
    ),
    ("less urgent", OPENED, case("normal"), True),
]


@pytest.mark.parametrize(("answer", "ran", "fires"), [one[1:] for one in ELSEWHERE], ids=[one[0] for one in ELSEWHERE])
def test_what_went_elsewhere_or_is_still_there(answer: str, ran: list[Ran], fires: bool) -> None:
    assert [one.split()[0] for one in flagged(answer, ran)] == ["unmet"] * fires


def sent_to(line: str) -> Ran:
    address = {"line1": "71 Mill Road", "city": "Cambridge"}
    shown = {"id": "QP-88", "to": {"name": "E. Marsh", "line1": line, "city": "Cambridge"}}
    return ("update_delivery_address", {"parcel": "QP-88", "address": address}, {"msg": "accepted", "parcel": shown})


def picked_up(at: str) -> Ran:
    shown = {"ref": "V-20", "pickup_at": at, "dropoff_at": "2025-10-06T09:00"}
    return ("update_booking", {"booking": "V-20", "pickup_at": "2025-10-03T12:00"}, {"booking": shown})


def holds(*entries: Any) -> Any:
    return {"holds": list(entries)}


DUNE = {"hold_id": 7781, "title": "Dune", "state": "IN_QUEUE"}
OTHER = {"hold_id": 7790, "title": "Emma", "state": "IN_QUEUE"}
LISTED_BEFORE: Ran = ("list_holds", {"card": "44"}, holds(DUNE, OTHER))
OFF = "I've cancelled your hold on Dune."
MOVED_TO = "I've corrected the address: 71 Mill Road, Cambridge."
NOON = "I've updated it:\n- Pickup: October 3, 2025 at **12:00 noon**\n- Drop-off: October 6, 2025 at 9:00 AM"


def cancelled(*entries: Any, **more: Any) -> Ran:
    return ("cancel_hold", {"hold_id": 7781}, {"ok": True, **holds(*entries), **more})


AS_BEFORE: list[tuple[str, str, list[Ran], bool]] = [
    ("the house that was asked for", MOVED_TO, [sent_to("71 Mill Road")], False),
    ("a short form", MOVED_TO, [sent_to("71 Mill Rd")], False),
    ("another house", MOVED_TO, [sent_to("17 Mill Road")], True),
    ("the time that was asked for", NOON, [picked_up("2025-10-03T12:00")], False),
    (
        "the time that it has is told",
        "Updated. Pickup on October 3 stays at 9:00 AM.",
        [picked_up("2025-10-03T09:00")],
        False,
    ),
    ("the old time", NOON, [picked_up("2025-10-03T09:00")], True),
    ("gone from the list", OFF, [LISTED_BEFORE, cancelled(OTHER)], False),
    ("listed as cancelled", OFF, [LISTED_BEFORE, cancelled({**DUNE, "state": "CANCELLED"}, OTHER)], False),
    ("no look before", OFF, [cancelled(DUNE)], False),
    ("another entry than was seen", OFF, [LISTED_BEFORE, cancelled({**DUNE, "until": "2025-01-02"}, OTHER)], False),
    ("to come", OFF, [LISTED_BEFORE, cancelled(DUNE, OTHER, note="removal scheduled for Friday")], False),
    ("the thing beside it", OFF, [LISTED_BEFORE, ("cancel_hold", {"hold_id": 7799}, holds(DUNE, OTHER))], False),
    (
        "what was made is listed",
        "I've placed the hold.",
        [LISTED_BEFORE, ("place_hold", {"hold_id": 7781}, holds(DUNE))],
        False,
    ),
    ("nothing is told", "Anything else?", [LISTED_BEFORE, cancelled(DUNE, OTHER)], False),
    ("listed as it was", OFF, [LISTED_BEFORE, cancelled(DUNE, OTHER)], True),
]


@pytest.mark.parametrize(("answer", "ran", "fires"), [row[1:] for row in AS_BEFORE], ids=[row[0] for row in AS_BEFORE])
def test_what_is_as_it_was(answer: str, ran: list[Ran], fires: bool) -> None:
    assert [one.split()[0] for one in flagged(answer, ran)] == ["unmet"] * fires


def booked(given: dict[str, Any], shown: dict[str, Any], tool: str = "create_booking") -> list[Ran]:
    return [(tool, given, {"id": "B-77120", "status": "booked", **shown})]


DAY = {"pet": "P-8", "date": "2025-05-08", "time": "16:00"}
SCHEDULED = {"plan": {"id": "ZP"}, "scheduled_change": {"plan": {"id": "ZU"}, "effective_from": "2025-07-04"}}
SLOT = {"slot": "2025-05-14T10:00"}
WINDOW = {"window": "08:00-10:00"}
FOUR: dict[str, Any] = {"adults": 2, "children": 2}
LINES = {"lines": [{"type": "adult", "qty": 2}, {"type": "child", "qty": 1}]}
ITEMS: list[dict[str, Any]] = [
    {"sku": "LAS", "name": "Vegetable lasagne", "qty": 10},
    {"sku": "TIR", "name": "Tiramisu", "qty": 8},
]


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        # another day, or hour, of the moment that was asked for
        ("Booked for May 14 at 10:00 AM.", booked(SLOT, {"start": "2025-05-15T10:00:00"}), True),
        ("Booked for May 14 at 10:00 AM.", booked(SLOT, {"start": "2025-05-15T10:00:00+01:00"}), True),
        ("Booked for May 15 at 10:00 AM.", booked(SLOT, {"start": "2025-05-15T10:00:00"}), False),
        ("Booked for May 14 at 10:00 AM.", booked(SLOT, {"start": "2025-05-14T10:00:00"}), False),
        ("Booked for May 14 at 10:00 AM.", booked(SLOT, {"start": "2025-05-14T08:00:00Z"}), False),
        ("Booked for May 14 at 10:00 AM.", booked(SLOT, {"created_at": "2025-05-13T10:00:00"}), False),
        # a stretch of the day
        ("Our driver will come between 8 and 10 AM.", booked(WINDOW, {"window": "18:00-20:00"}), True),
        ("Our driver will come between 6 and 8 PM.", booked(WINDOW, {"window": "18:00-20:00"}), False),
        ("Our driver will come between 8 and 10 AM.", booked(WINDOW, {"window": "08:00-10:00"}), False),
        # the day from which it is so
        ("Valid from 15 November 2025.", booked({"start": "2025-11-15"}, {"valid_from": "2025-12-01"}), True),
        ("Valid from 1 December 2025.", booked({"start": "2025-11-15"}, {"valid_from": "2025-12-01"}), False),
        ("Valid from 15 November 2025.", booked({"start": "2025-11-15"}, {"issued": "2025-11-10"}), False),
        ("Valid from 15 November 2025.", booked({"start": "2025-11-15"}, {"cancel_until": "2025-11-13"}), False),
        # how many of a sort
        ("I've booked 2 adults and 2 children.", booked(FOUR, LINES), True),
        ("I've booked 2 adults and 1 child.", booked(FOUR, LINES), False),
        (
            "I've added 1 more adult.",
            booked({"adults": 1}, {"lines": [{"type": "adult", "qty": 3}]}, "add_guests"),
            False,
        ),
        ("I've booked 2 adults and 2 children.", booked(FOUR, {"lines": [{"type": "child", "qty": 2}]}), False),
        # how much of it was done
        (
            "40 cartons are allocated.",
            booked({"qty": 40}, {"allocated": 28, "backordered": 12}, "allocate_stock"),
            True,
        ),
        ("28 of 40 cartons are allocated.", booked({"qty": 40}, {"allocated": 28}, "allocate_stock"), False),
        ("40 cartons are allocated.", booked({"qty": 40}, {"allocated": 40}, "allocate_stock"), False),
        ("40 cartons are allocated.", booked({"qty": 40}, {"reserved_before": 28}, "allocate_stock"), False),
        # a number right before what it is of
        ("It now has 12 vegetable lasagnes.", booked({"sku": "LAS", "qty": 12}, {"items": ITEMS}, "update_item"), True),
        (
            "It now has 10 vegetable lasagnes.",
            booked({"sku": "LAS", "qty": 12}, {"items": ITEMS}, "update_item"),
            False,
        ),
        ("It is due at 12.", booked({"sku": "LAS", "qty": 12}, {"items": ITEMS}, "update_item"), False),
        # the number of another thing
        ("I've reserved it for you.", booked({"bib": 40118}, {"bib": 40125}, "place_hold"), True),
        ("I've reserved it for you.", booked({"bib": 40118}, {"bib": 40118}, "place_hold"), False),
        ("I've reserved it for you.", booked({"bib": 118}, {"bib": 125}, "place_hold"), False),
        ("I've set it.", booked({"amount": 40118}, {"amount": 40125}, "place_hold"), False),
        # what is current, beside what is requested
        (
            "You're now on FIX12.",
            booked({"code": "FIX12"}, {"currentTariff": "STD", "requestedTariff": "FIX12"}, "switch_tariff"),
            True,
        ),
        (
            "FIX12 is requested; until then it is STD.",
            booked({"code": "FIX12"}, {"currentTariff": "STD", "requestedTariff": "FIX12"}, "switch_tariff"),
            False,
        ),
        ("You're now on FIX12.", booked({"code": "FIX12"}, {"currentTariff": "FIX12"}, "switch_tariff"), False),
        # what a new thing has, under the very name; a sum has more
        ("You will pay 250 per month.", booked({"monthly_amount": 250}, {"monthly_amount": 310}), True),
        ("You will pay 310 per month.", booked({"monthly_amount": 250}, {"monthly_amount": 310}), False),
        ("I will make it 250 once you confirm.", booked({"monthly_amount": 250}, {"monthly_amount": 310}), False),
        ("I added 250.", booked({"amount": 250}, {"amount": 310}, "add_credit"), False),
        # two words of one kind, under one name
        ("It's the automatic.", booked({"transmission": "automatic"}, {"car": {"transmission": "manual"}}), True),
        ("It's the automatic.", booked({"transmission": "automatic"}, {"car": {"transmission": "automatic"}}), False),
        ("It's in #team.", booked({"channel": "#team"}, {"channel": "C0TEAM"}, "post_message"), False),
        # a day by itself, and the moment at which something begins
        ("Booked for May 8 at 4 PM.", booked(DAY, {"when": "2025-05-15 16:00", "ref": "V-4"}), True),
        (
            "Booked for May 8 at 4 PM.",
            [("create_booking", DAY, "ref: V-4\nwhen: 2025-05-15 16:00\nnote: moved to next free")],
            True,
        ),
        ("Booked for May 8 at 4 PM.", booked(DAY, {"when": "2025-05-08 16:00", "ref": "V-4"}), False),
        ("Booked for May 15 at 4 PM, as May 8 was taken.", booked(DAY, {"when": "2025-05-15 16:00"}), False),
        ("Booked for May 8 at 4 PM.", booked(DAY, {"when": "2025-05-15 16:00", "requested": "2025-05-08"}), False),
        ("Booked for May 8 at 4 PM.", booked(DAY, {"created_at": "2025-05-01 10:00", "ref": "V-4"}), False),
        # another day than the call was given
        ("Moved to October 4.", booked({"day": "2025-10-14"}, {"day": "2025-10-14"}), False),
        # what comes later
        ("You've been moved to Unlimited (ZU).", booked({"plan_id": "ZU"}, SCHEDULED, "switch_plan"), True),
        ("You've been moved to Unlimited.", booked({"plan_id": "ZU"}, SCHEDULED, "switch_plan"), True),
        ("You'll be moved to Unlimited on July 4.", booked({"plan_id": "ZU"}, SCHEDULED, "switch_plan"), False),
        (
            "You've been moved to Unlimited, effective July 4.",
            booked({"plan_id": "ZU"}, SCHEDULED, "switch_plan"),
            False,
        ),
        (
            "Done, it is booked in. You keep your plan for the rest of June.",
            booked({"plan_id": "ZU"}, SCHEDULED),
            False,
        ),
        ("The switch to Unlimited is scheduled.", booked({"plan_id": "ZU"}, SCHEDULED, "switch_plan"), False),
        ("Switched to Unlimited, with the next cycle.", booked({"plan_id": "ZU"}, SCHEDULED, "switch_plan"), False),
        ("You've been moved to Unlimited.", booked({"plan_id": "ZU"}, {"plan": {"id": "ZU"}}, "switch_plan"), False),
        # flags of one root, codes that were cut off, labels that were to be added
        ("Auto-renewal is now off.", booked({"auto_renewal": False}, {"auto_renew": True}, "patch_subscription"), True),
        (
            "Auto-renewal is now off.",
            booked({"auto_renewal": False}, {"auto_renew": False}, "patch_subscription"),
            False,
        ),
        (
            "Auto-renewal is still on.",
            booked({"auto_renewal": False}, {"auto_renew": True}, "patch_subscription"),
            False,
        ),
        ("Your plate is LNK 40718.", booked({"plate": "LNK40718"}, {"plate": "LNK4071"}, "assign_vehicle"), True),
        ("Your plate is LNK 40718.", booked({"plate": "LNK40718"}, {"plate": "LNK 40718"}, "assign_vehicle"), False),
        ("Your plate is LNK 40718.", booked({"plate": "LNK40718"}, {"plate": "LNK****"}, "assign_vehicle"), False),
        ("Your trip H5GG0X is on Flex.", booked({"pnr": "H5GG0X", "pay_with": "card-04"}, {"card": "card-04"}), False),
        ("Added bug and p1.", booked({"add_labels": ["bug", "p1"]}, {"labels": ["old", "p1"]}, "edit_issue"), True),
        (
            "Added bug and p1.",
            booked({"add_labels": ["bug", "p1"]}, {"labels": ["old", "p1", "bug"]}, "edit_issue"),
            False,
        ),
        (
            "Only p1 could be added, not bug.",
            booked({"add_labels": ["bug", "p1"]}, {"labels": ["p1"]}, "edit_issue"),
            False,
        ),
    ],
)
def test_what_was_asked_for_stands_otherwise(answer: str, ran: list[Ran], fires: bool) -> None:
    found = flagged(answer, ran, user="Please do it, and book it.", tools=[])
    assert any(one.startswith("unmet") for one in found) is fires, found


ASKED_DAY = "Move my flight WQZRMB to October 4, please."


@pytest.mark.parametrize(
    ("answer", "given", "result", "fires"),
    [
        ("Your flight has been moved to October 4.", "2025-10-14", {"segments": [{"day": "2025-10-14"}]}, True),
        ("Your flight has been moved to Saturday, October 4, 2025.", "2025-10-14", {"day": "2025-10-14"}, True),
        ("Your flight has been moved to October 4.", "2025-10-04", {"day": "2025-10-04"}, False),
        ("Your flight has been moved to October 14.", "2025-10-14", {"day": "2025-10-14"}, False),
        ("Your flight has been moved to October 14, not October 4.", "2025-10-14", {"day": "2025-10-14"}, False),
        ("Your flight has been moved to October 4.", "2025-10-05", {"day": "2025-10-05"}, False),
        ("Your flight has been moved. The refund comes by October 9.", "2025-10-14", {"day": "2025-10-14"}, False),
        ("I'll move your flight to October 4 once you confirm.", "2025-10-14", {"day": "2025-10-14"}, False),
        ("I've moved your flight, which was to leave on October 4.", "2025-10-14", {"day": "2025-10-14"}, False),
        ("Your flight goes after you've left, on October 4, the hotel.", "2025-10-14", {"day": "2025-10-14"}, False),
    ],
)
def test_a_day_that_was_asked_for_and_no_call_was_given(answer: str, given: str, result: Any, fires: bool) -> None:
    ran: list[Ran] = [("amend_booking", {"code": "WQZRMB", "segments": [{"day": given}]}, {"code": "WQZRMB", **result})]
    assert any(one.startswith("unmet") for one in flagged(answer, ran, user=ASKED_DAY, tools=[])) is fires


def resized(**has: Any) -> list[Ran]:
    return [("modify_instance", {"id": "db-1", "class": "m6.xlarge"}, {"instance": {"id": "db-1", **has}})]


TABLE = "Scaled up:\n\n| | {} | Now |\n|---|---|---|\n| Class | m6.large | m6.xlarge |"


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        (TABLE.format("Before"), resized(**{"class": "m6.large"}), True),
        (TABLE.format("Old"), resized(**{"class": "m6.large"}), True),
        (TABLE.format("Before"), resized(**{"class": "m6.xlarge"}), False),
        (TABLE.format("Running"), resized(**{"class": "m6.large"}), False),
        ("| Class | m6.large | m6.xlarge |", resized(**{"class": "m6.large"}), False),  # no head says what was
        ("The class is m6.xlarge, as requested.", resized(**{"class": "m6.large"}), True),
        ("The class is requested as m6.xlarge.", resized(**{"class": "m6.large"}), False),
        ("The class is m6.xlarge, and you won't notice it.", resized(**{"class": "m6.large"}), True),
        ("The class isn't m6.xlarge yet, and you won't notice it.", resized(**{"class": "m6.large"}), False),
    ],
)
def test_what_was_before_is_told_as_such(answer: str, ran: list[Ran], fires: bool) -> None:
    assert any(one.startswith("unmet") for one in flagged(answer, ran, user="Scale db-1 up.", tools=[])) is fires


def seated(seat: Any) -> list[Ran]:
    return [("assign_seat", {"pnr": "KX7", "seat": "7C"}, {"pnr": "KX7", "seat": seat, "message": "OK"})]


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        ("You're in seat 7C.", seated({"number": "7D", "position": "window"}), True),
        ("You're in seat 7C.", seated({"number": "7C", "position": "aisle"}), False),
        ("You're in seat 7D.", seated({"number": "7D", "position": "window"}), False),
        ("7C was gone: you're in seat 7D.", seated({"number": "7D", "position": "window"}), False),
        ("You're in seat 7C.", seated({"row": 7, "position": "aisle"}), False),
    ],
)
def test_a_seat_by_the_number_in_its_object(answer: str, ran: list[Ran], fires: bool) -> None:
    assert (
        any(one.startswith("unmet") for one in flagged(answer, ran, user="An aisle seat, please.", tools=[])) is fires
    )


def renewed(name: str, years: int) -> list[Ran]:
    return [(name, {"domain": "lumo.example", "years": 3}, {"domain": "lumo.example", "years": years})]


@pytest.mark.parametrize(
    ("ran", "fires"),
    [
        (renewed("renew_domain", 5), False),  # all that it has now
        (renewed("renew_domain", 3), False),
        (renewed("renew_domain", 1), True),
        (renewed("set_domain_term", 5), True),
    ],
)
def test_more_than_was_added_is_the_whole(ran: list[Ran], fires: bool) -> None:
    found = flagged("lumo.example is renewed for 3 years.", ran, user="Renew it for 3 years.", tools=[])
    assert any(one.startswith("unmet") for one in found) is fires
