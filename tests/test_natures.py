"""Whether a tool call only looks or changes something, by its name, its statement, its method, its action."""

from __future__ import annotations

from typing import Any

import pytest

from proxy.natures import Nature
from tests.general import policy

NAMES: dict[Nature, str] = {
    "read": """get_order get_shift order_price listOrders order_details orders.list search_flights check_status order_status issue_read email_search
        patron_by_card learner_me mail_list_messages refund_status get_return_options find_user_id_by_name_zip trackShipment weather.forecast
        mcp__linear__list_issues message_get check_refund_eligibility get_update_status list_change_requests todo_write
        查询订单 订单查询 商品_検索 toestel_zoeken boeken_zoeken sendung_abfragen pesquisar_pedido get_予約
        price_extension classes.mine locate_parcel list_repair_partners list_leave_requests bank.accounts calendar_freebusy client_profile
        git_log git_blame k8s__pods_log idp.auditLog terraform_plan konten.liste kalender_suche page.fetch acct_balances
        excess_options fare_rules seat_map invoice.latest expenses_pending db_disk_usage ship_rates fees.schedule maps_travel_time""",
    "change": """create_order order_cancel cancelOrder update_status set_order_status issue_write post_comment message_send
        orders.cancel check_in_passenger checkIn open_dispute resolve_ticket mark_as_read billing_issue_credit hotel_book_room
        return_delivered_order_items transfer_to_human_agents mcp__github__merge_pull_request kubectl_scale refuel_data
        calendar.events.patch rental.extend course.enroll post_status_update
        seats.hold request_price_match shift_event returns_open request_wire_recall endorse_policy release_hold amend_line set_price
        取消订单 批量改价 予約_取消 宿予約 에어컨_제어 예약_변경 consulta_remarcar pedido_aplicar_descuento compte_réinitialiser
        afspraak_inplannen antrag_ablehnen ordine_annullare
        cases.open rooms_book beans_credit repo_invite visits.schedule ship_order
        git__git_commit git_push repo.fetch gh.pr_comment workflow_run truncate_table event_rsvp quote_send""",
    "unknown": """get_or_create_customer find_and_replace HassListAddItem list_remove_item open_file status_update tax_return python shell customer_record
        stand_by me
        orders customer_orders loan_payments bulk_products export_devices new_reservations profile
        查询预约 検索条件_登録 预约检查 保存搜索 予約_検索 予約確認 履歴書提出 退款进度 預約内訳 예약내역 주문_목록 客户资料 部屋 거실 heizung_modus
        message.parents address_book""",
}


@pytest.mark.parametrize(
    ("name", "nature"), [(name, nature) for nature, names in NAMES.items() for name in names.split()]
)
def test_names(name: str, nature: Nature) -> None:
    assert policy().marks.natures.by_name(name) == nature


RECORD = {"no": "40-1187", "name": "Ann", "tier": "plus", "since": 2017}
SHOWN: list[tuple[str, dict[str, Any], Any, str, bool]] = [
    ("customer", {"no": "40-1187"}, RECORD, "", True),
    ("crm.customer", {"customer_no": "40-1187"}, RECORD, "", True),
    ("customer", {"no": "40-1187"}, None, "Customer 40-1187 | Ann | plus | since 2017", True),
    ("catalog_parts", {"category": "C-2", "model": "T"}, {"parts": [{"no": "1"}]}, "", True),
    ("customer", {"no": "40-1187"}, {**RECORD, "no": "40-2"}, "", False),
    ("strava_activities", {"type": "Run"}, [{"id": 1}, {"id": 2}], "", True),
    ("strava_activities", {"type": "Run"}, ["done"], "", False),
    ("bulk_orders", {"type": "Run"}, [{"id": 1}, {"id": 2}], "", False),
    ("customer", {"no": "40-1187"}, {**RECORD, "sent": True}, "", False),
    ("customer", {"no": "40-1187"}, {**RECORD, "state": "queued"}, "", False),
    ("customer", {"no": "40-1187"}, {"no": "40-1187", "ok": True}, "", False),
    ("customer", {"no": "40-1187", "tier": "plus"}, RECORD, "", False),
    ("customer", {"no": "40-1187", "active": True}, RECORD, "", False),
    ("customer", {"no": "40-1187"}, None, "Customer 40-1187 updated | Ann | plus | 2017", False),
    ("customer", {"no": "40-1187"}, None, "Ann", False),
    ("reminder", {"order": "W-1"}, {"order": "W-1", "to": "a@b.c", "at": "09:00", "text": "x"}, "", False),
    ("catalog_parts", {"items": ["a"]}, {"parts": []}, "", False),
    ("catalog_parts", {"category": "C-2"}, {"parts": [], "order": "W-1"}, "", False),
    ("stock_sync", {"shop": "C-2"}, {"stock_sync": {}}, "", False),
    ("", {}, [], "", False),
]


@pytest.mark.parametrize(("name", "arguments", "value", "text", "shows"), SHOWN)
def test_what_a_noun_has_only_shown(name: str, arguments: dict[str, Any], value: Any, text: str, shows: bool) -> None:
    assert policy().marks.natures.shows(name, arguments, value, text) is shows


GIVEN: list[tuple[str, dict[str, Any], Nature]] = [
    ("run_query", {"sql": "UPDATE users SET plan='x' WHERE id=1"}, "change"),
    ("run_query", {"sql": "-- all\nSELECT * FROM users"}, "read"),
    ("run_query", {"sql": "WITH old AS (SELECT 1) DELETE FROM users"}, "change"),
    ("run_query", {"sql": "SELECT updated FROM inserts"}, "read"),
    ("query", {"query": "cheap flights"}, "read"),
    ("graphql", {"query": "mutation { archive(id: 1) { id } }"}, "change"),
    ("http_request", {"method": "PATCH", "url": "https://x.example"}, "change"),
    ("http_request", {"method": "GET", "url": "https://x.example"}, "read"),
    ("fetch", {"method": "POST", "url": "https://x.example"}, "change"),
    ("crm", {"action": "update_contact"}, "change"),
    ("crm", {"action": "get_contact"}, "read"),
    ("crm", {"action": "frobnicate"}, "unknown"),
    ("crm", {}, "unknown"),
    ("delete_user", {"sql": "SELECT 1"}, "change"),
]


@pytest.mark.parametrize(("name", "arguments", "nature"), GIVEN)
def test_statements_methods_and_actions(name: str, arguments: dict[str, Any], nature: Nature) -> None:
    assert policy().marks.natures.of(name, lambda: arguments) == nature


@pytest.mark.parametrize(
    ("text", "nature"),
    [
        ("File a claim for my car", "change"),
        ("Hi, please cancel order 7", "change"),
        ("check my order and cancel it", "change"),
        ("Find the smallest channel, and add Alice to that channel", "change"),
        ("Find and delete the largest file in the drive.", "change"),
        ("Invite Dora to the workspace. Her page has the address.", "change"),
        ("Find the smallest channel, and tell me who is in it", "read"),
        ("Tag Manager is slow", "unknown"),
        ("Show me my orders please", "read"),
        ("please list the open tickets", "read"),
        ("It is line 2. Can you correct it and get the adjuster?", "change"),
        ("can u cancel it", "change"),
        ("The 3 pm one is off (lead is sick). Refund everyone in block A", "change"),
        ("merge !318 in platform/gateway", "change"),
        ("shut down the two old agents", "change"),
        ("bump it to 12 replicas", "change"),
        ("I want to know whether you ship to Norway", "unknown"),
        ("Get me the status of ticket 4410", "read"),
        ("Bring up my last order", "unknown"),
        ("Order status?", "unknown"),
        ("remind me when it renews?", "unknown"),
        ("how do I shut down the agents?", "unknown"),
        ("What is a B-tree?", "unknown"),
        ("yes", "unknown"),
    ],
)
def test_what_a_message_tells_to_do(text: str, nature: Nature) -> None:
    assert policy().marks.natures.asked(text) == nature


@pytest.mark.parametrize(
    ("name", "undoes"),
    [
        ("cancel_order", True),
        ("crm__contact.unsubscribe", True),
        ("newsletter_opt_out", True),
        ("termin_stornieren", True),
        ("create_order", False),
        ("list_cancelled_orders", False),
        ("uncancel_order", False),
        ("get_leave_balance", True),  # by its name; it only looks, so nobody asks
    ],
)
def test_tools_that_leave_a_thing_gone(name: str, undoes: bool) -> None:
    assert policy().marks.natures.undoes(name) is undoes


@pytest.mark.parametrize(
    ("message", "nature"),
    [
        ("take me off the waiting list", "change"),
        ("I no longer need an allotment, take me off the waiting list.", "change"),
        ("Can you take it off again?", "change"),
        ("take me through the list", "unknown"),
        ("They took me off the list.", "unknown"),
    ],
)
def test_orders_of_three_words(message: str, nature: str) -> None:
    assert policy().marks.natures.asked(message) == nature
