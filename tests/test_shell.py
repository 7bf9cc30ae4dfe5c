"""Command lines cut into segments: what ran, and whose exit code it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy import shell
from proxy.shell import argv, segments, succeeded
from tests.proportions import in_proportion

LINES: list[tuple[str, list[str]]] = [
    ("pytest -q", ["pytest -q"]),
    ("cd x && pytest -q; ruff check . || true", ["cd x", "pytest -q", "ruff check .", "true"]),
    ("A=b C='d e' timeout 60 uv run pytest -k 'a b'", ["pytest -k a b"]),
    ("timeout --kill-after 5 60 pytest", ["pytest"]),
    ("poetry run python -m pytest tests", ["pytest tests"]),
    ("python3.11 -m mypy .", ["mypy ."]),
    (".venv/bin/python -m pytest", ["pytest"]),
    (".venv/bin/pytest -q", ["pytest -q"]),
    ("npx --yes tsc --noEmit", ["tsc --noEmit"]),
    ("docker exec -it web bash -lc 'cd /app && pytest -q'", ["cd /app", "pytest -q"]),
    ("docker compose exec -T web pytest", ["pytest"]),
    ('bash -lc "npm test && npm run lint"', ["npm test", "npm run lint"]),
    ("echo 'pytest && ruff'", ["echo pytest && ruff"]),
    ("git commit -m \"$(cat <<'EOF'\nfix: pytest passes\n\nmore\nEOF\n)\"", None or []),
    ("cat > a.py <<'EOF'\npytest -q\nEOF\npytest", ["cat", "pytest"]),
    ("(cd a && pytest) | tail -5", ["cd a", "pytest", "tail -5"]),
    ("if pytest; then echo ok; fi", ["pytest", "echo ok"]),
    ("pytest 2>&1 | tee log.txt", ["pytest", "tee log.txt"]),
    ("pytest # all of them", ["pytest"]),
    ("pytest \\\n  -q", ["pytest -q"]),
    ("for f in a b; do pytest $f; done", ["for f in a b", "pytest $f"]),
    ("env -i X=1 pytest", ["pytest"]),
    ("", []),
    ("'", [""]),
    ("&& ||", []),
]


@pytest.mark.parametrize(("line", "expected"), [row for row in LINES if row[0][:10] != "git commit"])
def test_segments(line: str, expected: list[str]) -> None:
    assert [one.text for one in segments(line)] == expected


def test_a_message_in_a_here_document_is_no_command() -> None:
    line = "git add -A && git commit -m \"$(cat <<'EOF'\nfix: x\n\npytest; ruff\nEOF\n)\" && git push"
    found = [one.words[:2] for one in segments(line)]
    assert found == [("git", "add"), ("git", "commit"), ("git", "push")]


def test_files_written() -> None:
    (one,) = segments("echo x > src/a.py 2>/dev/null")
    assert one.writes == ("src/a.py",)


def test_argv() -> None:
    assert [one.text for one in segments(argv(["bash", "-lc", "cd a && pytest -k 'x y'"]))] == ["cd a", "pytest -k x y"]
    assert argv(["pytest", "-q"]) == "pytest -q"
    assert argv({"a": 1}) == ""


CODES: list[tuple[str, str, int, bool | None]] = [
    ("pytest", "pytest", 0, True),
    ("pytest", "pytest", 1, False),
    ("cd a && pytest", "pytest", 1, False),
    ("ruff . && mypy .", "ruff", 0, True),
    ("ruff . && mypy .", "ruff", 1, None),
    ("ruff . ; mypy .", "ruff", 0, None),
    ("ruff . ; mypy .", "mypy", 0, True),
    ("ruff . ; mypy .", "mypy", 1, False),
    ("ruff . ; mypy .", "ruff", 1, None),
    ("ruff . || mypy .", "ruff", 0, None),
    ("ruff . || mypy .", "mypy", 0, None),
    ("pytest || true", "pytest", 0, None),
    ("pytest | tail", "pytest", 0, None),
    ("pytest | tail", "pytest", 1, None),
    ("pytest & ", "pytest", 0, None),
    ("cd a && pytest; echo done", "pytest", 0, None),
]


@pytest.mark.parametrize(("line", "program", "code", "expected"), CODES)
def test_whose_exit_code_it_is(line: str, program: str, code: int, expected: bool | None) -> None:
    found = segments(line)
    at = next(number for number, one in enumerate(found) if one.words[0] == program)
    assert succeeded(found, at, code) is expected


@given(st.text(alphabet="ab '\"\\`$(){}<>|&;\n#-=", max_size=200))
def test_any_line_can_be_cut(line: str) -> None:
    for number, _ in enumerate(found := segments(line)):
        succeeded(found, number, 0)
        succeeded(found, number, 1)


@given(st.text(alphabet="ab ;&|=-!{}.\t", max_size=60))
def test_plain_lines_are_cut_as_all_others(line: str) -> None:
    if line.count("&") == 2 * line.count("&&") and not shell.HARD.search(line):
        assert list(shell._plain_line(line)) == list(shell._tokens(line))


@pytest.mark.parametrize(
    "unit", ["'", '"', "$(", "`", "((", "<<a\n", "a && ", "bash -c 'bash -c '", "\\", "$(a", '"$(', "a=1 "]
)
def test_time_is_bounded(unit: str) -> None:
    assert in_proportion(lambda times: segments(unit * times), 10_000)
