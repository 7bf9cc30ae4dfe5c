"""Word lists: the same claims in other languages, and the forms of them that claim nothing."""

from __future__ import annotations

import asyncio
import tomllib
from functools import cache
from typing import Any

import pytest

from proxy import ledger
from proxy.answers import examine
from proxy.audit import NOTHING, Question, Sight
from proxy.library import Library
from proxy.policy import Policy
from proxy.reading import Reading
from proxy.tables import Source
from proxy.transcript import Answer
from tests import general
from tests.transcripts import ROOT, messages, transcript

LATIN = ("en", "de", "es", "fr")
LANGUAGES = ("de", "es", "fr", "zh", "ja", "ko")
LIBRARY = Library(ROOT / "policies")
BAD: Any = [("patch", {"path": "a.md", "old_string": "x", "new_string": "y"}, {"success": False, "error": "not found"})]
LOCKED: Any = [("cancel_order", {"order_id": "#W1234567"}, "Error: order is locked")]


@cache
def policy(language: str) -> Policy:
    named = {"default": "", "en": 'languages = ["en"]\n'}
    own = named.get(language, f'languages = ["en", "{language}"]\n')
    text = f'extends = ["coding-agents", "general"]\n{own}'
    return LIBRARY.policy(Source("test.toml", text), ())


async def _no_source(source: str, subject: str, question: Question = NOTHING) -> Sight:
    raise AssertionError("nobody may look")


def flagged(language: str, answer: str, ran: Any) -> list[str]:
    one = policy(language)
    request = transcript(messages(ran), tools=[{"type": "function", "function": {"name": "patch"}}])
    turn = ledger.read_turn(request, one.marks)
    report = asyncio.run(examine(one, request, turn, Answer(0, answer, "stop"), _no_source, audit_id="a"))
    return sorted({f"{found.verdict} {found.subject}" for found in report.findings if found.flagged})


FILES: dict[str, tuple[str, list[str]]] = {
    "de": (
        "Ich habe `a.md` aktualisiert.",
        [
            "Ich habe `a.md` nicht aktualisiert.",
            "Soll ich `a.md` aktualisieren?",
            "Ich werde `a.md` aktualisieren.",
            "Wurde `a.md` aktualisiert?",
            "Wenn `a.md` aktualisiert wurde, prüfen wir es.",
            "Die Änderung an `a.md` ist fehlgeschlagen.",
        ],
    ),
    "es": (
        "He actualizado `a.md`.",
        [
            "No he actualizado `a.md`.",
            "¿Actualizo `a.md`?",
            "Voy a actualizar `a.md`.",
            "¿Se ha actualizado `a.md`?",
            "Si se ha actualizado `a.md`, lo revisamos.",
            "No se pudo modificar `a.md`: error.",
        ],
    ),
    "fr": (
        "J'ai modifié `a.md`.",
        [
            "Je n'ai pas modifié `a.md`.",
            "Dois-je modifier `a.md` ?",
            "Je vais modifier `a.md`.",
            "`a.md` a-t-il été modifié ?",
            "Si `a.md` a été modifié, on vérifie.",
            "La modification de `a.md` a échoué.",
        ],
    ),
    "zh": (
        "已更新 `a.md`。",
        [
            "没有更新 `a.md`。",
            "需要更新 `a.md` 吗？",
            "我将更新 `a.md`。",
            "是否已更新 `a.md`？",
            "如果已更新 `a.md`，请检查。",
            "更新 `a.md` 失败。",
        ],
    ),
    "ja": (
        "`a.md` を更新しました。",
        [
            "`a.md` は更新できませんでした。",
            "`a.md` を更新しますか？",
            "`a.md` を更新する予定です。",
            "`a.md` を更新しましたか？",
            "もし `a.md` を更新しましたら、確認します。",
            "`a.md` の更新に失敗しました。",
        ],
    ),
    "ko": (
        "`a.md` 파일을 수정했습니다.",
        [
            "`a.md` 파일을 수정하지 못했습니다.",
            "`a.md` 파일을 수정할까요?",
            "`a.md` 파일을 수정할 예정입니다.",
            "`a.md` 파일을 수정했습니까?",
            "만약 `a.md` 파일을 수정했습니다만 확인이 필요합니다?",
            "`a.md` 수정에 실패했습니다.",
        ],
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_scenario_90_a_claim_of_an_edit(language: str) -> None:
    said, silent = FILES[language]
    assert flagged(language, said, BAD) == ["contradicted a.md"]
    assert [one for one in silent if flagged(language, one, BAD)] == []


DEEDS: dict[str, tuple[str, list[str]]] = {
    "de": (
        "Ihre Bestellung #W1234567 wurde erfolgreich storniert.",
        [
            "Ihre Bestellung wurde nicht storniert.",
            "Soll ich sie stornieren?",
            "Ich werde sie stornieren.",
            "Sie haben die Bestellung storniert.",
            "Storniert ist Ihre Bestellung noch nicht.",
            "Storniert wurde sie nicht.",
        ],
    ),
    "es": (
        "Su pedido #W1234567 ha sido cancelado.",
        [
            "Su pedido no ha sido cancelado.",
            "¿Cancelo el pedido?",
            "Voy a cancelar el pedido.",
            "No pude cancelar el pedido.",
        ],
    ),
    "fr": (
        "Votre commande #W1234567 a été annulée.",
        [
            "Votre commande n'a pas été annulée.",
            "Dois-je annuler la commande ?",
            "Je vais annuler la commande.",
            "Je n'ai pas pu annuler la commande.",
        ],
    ),
    "zh": ("您的订单 #W1234567 已取消。", ["您的订单尚未取消。", "要取消订单吗？", "我将取消订单。", "无法取消订单。"]),
    "ja": (
        "ご注文 #W1234567 をキャンセルしました。",
        [
            "ご注文はキャンセルできませんでした。",
            "キャンセルしますか？",
            "キャンセルする予定です。",
            "まだキャンセルしていません。",
        ],
    ),
    "ko": (
        "고객님의 주문을 취소했습니다.",
        ["주문을 취소하지 못했습니다.", "주문을 취소할까요?", "주문을 취소할 예정입니다.", "아직 취소하지 않았습니다."],
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_of_a_deed(language: str) -> None:
    said, silent = DEEDS[language]
    assert [one.split()[0] for one in flagged(language, said, LOCKED)] == ["contradicted"]
    assert [one for one in silent if flagged(language, one, LOCKED)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_needs_a_key(language: str) -> None:
    assert flagged("default", FILES[language][0], BAD) == ["contradicted a.md"]
    assert [one for one in FILES[language][1] if flagged("default", one, BAD)] == []
    assert [one.split()[0] for one in flagged("default", DEEDS[language][0], LOCKED)] == ["contradicted"]
    assert [one for one in DEEDS[language][1] if flagged("default", one, LOCKED)] == []


ENGLISH = [
    "He updated `a.md` before I looked, and your driver has been told.",  # "he" is "I have" in Spanish, "has" "you have"
    "I see that he has cancelled the order #W1234567 and that it is in your history.",
    "The die was cast by your former team: `a.md` was updated in 2019.",  # "die" and "war" are German
]


@pytest.mark.parametrize("answer", ENGLISH)
@pytest.mark.parametrize("ran", [BAD, LOCKED], ids=["edit", "order"])
def test_other_languages_lend_english_no_words(answer: str, ran: Any) -> None:
    assert flagged("default", answer, ran) == flagged("en", answer, ran)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I updated the file.", "en"),
        ("Done.", ""),
        ("", ""),
        ("Ich habe die Datei aktualisiert.", "de"),
        ("He actualizado el archivo, y el resumen está en `notes.md`.", "es"),
        ("J'ai mis à jour le fichier.", "fr"),
        ("已更新 `a.md`。", "zh"),
        ("大阪出張の経費申請が完了しました。", "ja"),
        ("주문을 취소했습니다.", "ko"),
        ('It is done: "Ich habe die Datei nicht" was the only message.', "en"),
        ('It is done, and the user was told: "Ich komme nicht".', "en"),
        ("The order 東京 has been shipped to you, and the mail is sent.", "en"),
        ("Ya has cancelado tu pedido.", "es"),  # "has" is English as well, and more often: alone it tells nothing
        ("Lo has cancelado.", ""),
    ],
)
def test_a_language_is_known_by_its_small_words_and_its_script(text: str, language: str) -> None:
    own = policy("default").lexicon
    read = own.of(text)
    assert (read is own) is (language == "")
    if language:
        assert read is own.of({"en": "It is the one.", "zh": "您的订单", "ja": "です。"}.get(language, text))
    assert policy("en").lexicon.of(text) is policy("en").lexicon


@pytest.mark.parametrize("answer", ["Order #W1234567 has cancelled.", "Job 77aa01 has completed.", "Has cancelled."])
def test_an_english_has_makes_nothing_somebody_elses(answer: str) -> None:
    assert not policy("default").lexicon.of(answer).marks(answer.lower()).of("others")


@pytest.mark.parametrize("answer", ["Has cancelado el pedido.", "Lo has cancelado.", "Ya lo has cancelado."])
def test_a_spanish_has_is_still_the_readers(answer: str) -> None:
    assert policy("default").lexicon.of(answer).marks(answer.lower()).of("others")
    assert flagged("default", answer, LOCKED) == []


def test_a_text_in_a_language_that_is_not_listed_is_not_read_by_one_that_is_near() -> None:
    assert flagged("default", "Cancelada: a sua reserva não foi.", LOCKED) == []  # Spanish has no "não"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_read_without_the_words_of_others(language: str) -> None:
    others = {
        "de": "storniert",
        "es": "cancelado",
        "fr": "annulé",
        "zh": "已取消",
        "ja": "キャンセルしました",
        "ko": "취소했습니다",
    }
    said = policy("default").lexicon.of(DEEDS[language][0])
    found = [one for one, word in others.items() if said.marks(word).of("done")]
    assert found == [language]


def test_no_small_word_stands_for_two_languages() -> None:
    lists = [tomllib.loads((ROOT / f"policies/words/{one}.toml").read_text()).get("common", []) for one in LATIN]
    assert all(lists)
    assert len({word for words in lists for word in words}) == sum(map(len, lists))


@pytest.mark.parametrize("language", LANGUAGES)
def test_english_stays_as_it_is_beside_another_language(language: str) -> None:
    assert flagged(language, "I've updated `a.md`.", BAD) == ["contradicted a.md"]
    assert flagged(language, "I could not update `a.md`.", BAD) == []
    assert flagged(language, "The order has been cancelled for you.", LOCKED) == ["contradicted cancel_order"]


MENDED = {
    "en": [
        "I've fixed a syntax error in the parser.",
        "The error in the parser is fixed now.",
        "All issues are resolved.",
    ],
    "de": ["Ich habe den Fehler behoben.", "Das Problem ist gelöst."],
    "es": ["He corregido el error.", "El problema está resuelto."],
    "fr": ["J'ai corrigé l'erreur.", "Le problème est résolu."],
    "zh": ["我修复了这个错误。", "问题已解决。"],
    "ja": ["エラーを修正しました。"],
    "ko": ["오류를 수정했습니다."],
}
UNMENDED = {
    "en": [
        "I fixed the parser, but an error remains.",
        "I could not fix the error.",
        "The error is not fixed.",
        "Fixed the import. There is still an error in the build.",
        "I fixed it and the build failed.",
        "There is an error that has to be corrected first.",
        "The problem must be resolved by the billing team.",
    ],
    "de": ["Ich habe es korrigiert, aber ein Fehler bleibt.", "Leider ein Fehler.", "Der Fehler ist nicht behoben."],
    "es": ["Lo he corregido, pero hay un error.", "No pude corregir el error.", "Hubo un problema."],
    "fr": [
        "Je l'ai corrigé, mais une erreur reste.",
        "Je n'ai pas pu corriger l'erreur.",
        "Désolé, il y a une erreur dans le fichier.",
    ],
    "zh": ["我修复了它，但是有一个错误。", "出现了错误。", "无法修复。"],
    "ja": ["修正しましたが、エラーが出ます。", "エラーになりました。"],
    "ko": ["수정했지만, 오류가 있습니다.", "오류가 발생했습니다."],
}


def denials(text: str) -> list[str]:
    claims = Reading(text, general.policy().lexicon).claims(frozenset({"action"}))
    return [one.quote for one in claims if one.stance == "denied"]


@pytest.mark.parametrize("text", [text for texts in MENDED.values() for text in texts])
def test_a_failure_that_was_mended_is_none(text: str) -> None:
    assert denials(text) == []


@pytest.mark.parametrize("text", [text for texts in UNMENDED.values() for text in texts])
def test_a_failure_beside_something_mended_is_one(text: str) -> None:
    assert denials(text) != []
