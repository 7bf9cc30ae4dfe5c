"""Secrets are taken out, and what only looks like one stays readable."""

from __future__ import annotations

import logging
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.redaction import MARK, Unworded, log_unworded, redact

SECRETS = [
    ("key sk-proj-abc123def456ghi789", "abc123def456"),
    ("token ghp_abcdefghij0123456789abcd", "abcdefghij0123456789"),
    ("AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"),
    ("xoxb-123456789012-abcdef", "123456789012"),
    ("Authorization: Bearer abcdef123456", "abcdef123456"),
    ('{"password": "hunter2"}', "hunter2"),
    ("api_key=abcdef&x=1", "abcdef"),
    ("https://ada:s3cret@host/x", "s3cret"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh", "eyJzdWIi"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----", "MIIabc"),
    ("psql --password hunter2", "hunter2"),
    ("curl -u ada:hunter2 x", "hunter2"),
    ("- `api_key` = `hunter2`", "hunter2"),
    ("<wsse:Password>hunter2</wsse:Password>", "hunter2"),
    ("mysql -u root -phunter2 shop", "hunter2"),
    ("mysqldump -h db -p'hunter 2' shop", "hunter 2"),
    ("sshpass -p hunter2 ssh ada@host", "hunter2"),
    ("redis-cli -h cache -a hunter2 ping", "hunter2"),
    ("postgres://ada:hun/ter2@db.example/x", "hun/ter2"),
    ("redis://:hun/ter2@cache:6379/0", "hun/ter2"),
]
PLAIN = [
    "old_string not found in file",
    "unexpected token: identifier",
    "bearer token is missing",
    "pwd: /home/ada/src",
    "EACCES: permission denied, open '/srv/a.md'",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "Basic authentication is not supported",
    "- `password`: the user's own",
    "<password></password>",
    "mysql -u root -p shop",
    "ssh -p 2222 host",
    "docker run -p 80:80 redis-cli",
    "https://blog.example/@ada/x",
    "https://host:8080/a/@ada",
    "see https://host.example:c and ada@host.example",
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_secrets_are_taken_out(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in redact(text)
    assert MARK in redact(text)


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


@given(st.text(max_size=200))
def test_twice_is_as_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)


def test_a_logged_exception_says_where_and_not_what() -> None:
    secret = "-".join(("sk", "secret0123456789"))
    try:
        raise ValueError(secret)
    except ValueError:
        record = logging.LogRecord("groundwire", logging.ERROR, "", 0, "failed", (), sys.exc_info())
    said = Unworded("%(levelname)s %(message)s").format(record)
    assert said.startswith("ERROR failed\n")
    assert "test_redaction.py" in said
    assert said.endswith("ValueError")
    assert secret not in said


def test_the_server_s_own_line_on_an_answer_that_broke_off_is_left_out() -> None:
    """Ours says which upstream it was."""
    log_unworded()
    log = logging.getLogger("uvicorn.error")
    told = ("ASGI callable returned without completing response.", "Exception in ASGI application\n")
    assert [bool(log.filter(logging.makeLogRecord({"msg": one}))) for one in told] == [False, True]
