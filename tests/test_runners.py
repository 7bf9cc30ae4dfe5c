"""What the pack's runners read from a command line and its output: which runs are of a part, and in which no test ran."""

from __future__ import annotations

import pytest

from tests.general import findings
from tests.transcripts import Ran

JEST, PYTEST, GO = (
    "Tests:       30 passed, 30 total",
    "30 passed in 1s",
    "ok  \tacme/core\t0.412s\nok  \tacme/api\t1.118s",
)
VITEST, RSPEC = " Test Files  2 passed (2)\n      Tests  13 passed (13)", "30 examples, 0 failures"
MOCHA, NODE, PHP = "  30 passing (1s)", "ℹ tests 3\nℹ pass 3\nℹ fail 0", "OK (3 tests, 4 assertions)"
BROWSER = "  30 passed (1.2m)"


def verdicts(command: str, output: str, code: int = 0) -> list[str]:
    call: Ran = ("terminal", {"command": command}, {"output": output, "exit_code": code, "error": None})
    found = findings("All tests pass.", [call], user="Run the tests.", tools=[])
    return [one.verdict for one in found if one.rule == "commands"]


WHOLE = [
    ("rspec spec/models/a_spec.rb spec/", RSPEC),
    ("rspec --format documentation", RSPEC),
    ("rspec --order rand:123", RSPEC),
    ("mocha test/a.test.js test/", MOCHA),
    ("mocha --recursive test", MOCHA),
    ("mocha 'test/**/*.test.js'", MOCHA),
    ("mocha --require ./setup.js", MOCHA),
    ("mocha -r ts-node/register 'test/**/*.ts'", MOCHA),
    ("mocha --config .mocharc.js", MOCHA),
    ("playwright test --config=playwright.config.ts", BROWSER),
    ("playwright test -c playwright.config.ts", BROWSER),
    ("vitest run src/cart.test.ts src/", VITEST),
    ("vitest run ./src", VITEST),
    ("vitest run --config ./config/vitest.config.ts", VITEST),
    ("npm test -- --watchAll=false", JEST),
    ("npm test -- --ci --coverage --maxWorkers=2", JEST),
    ("npm test -- --maxWorkers 2", JEST),
    ("npm test -- --reporter verbose", JEST),
    ("npm test -- --config jest.config.js", JEST),
    ("npm test -- --coverage --coverageReporters text", JEST),
    ("npm test -- --silent", JEST),
    ("npm test -- --verbose 2>&1 | tail -20", JEST),
    ("pnpm test -- --run", VITEST),
    ("yarn test --coverage", JEST),
    ("pytest -x --ff", PYTEST),
    ("pytest --maxfail=1 -q", PYTEST),
    ("pytest -c config/pytest.ini", PYTEST),
    ("pytest -W error::DeprecationWarning", PYTEST),
    ("pytest tests/test_a.py tests/", PYTEST),
    ("go test -race -count=1 ./...", GO),
    ("go test ./core ./...", GO),
    ("go test -coverprofile ./c.out ./...", GO),
    ("go test -tags integration ./...", GO),
    ("node --test test/", NODE),
    ("phpunit -c phpunit.xml", PHP),
    ("phpunit tests", PHP),
]
PART = [
    ("rspec spec/models/a_spec.rb", RSPEC),
    ("rspec --tag focus", RSPEC),
    ("rspec --only-failures", RSPEC),
    ("mocha --grep login test/", MOCHA),
    ("playwright test tests/login.spec.ts", BROWSER),
    ("vitest run src/cart.test.ts", VITEST),
    ("vitest run -t cart src/", VITEST),
    ("npm test -- -t login", JEST),
    ("npm test -- --coverage login", JEST),
    ("npm test -- --config jest.config.js src/cart.test.ts", JEST),
    ("npm test -- --onlyChanged", JEST),
    ("npm test -- --shard=1/3", JEST),
    ("bun test a.test.ts", "  3 pass\n  0 fail"),
    ("pytest tests -k login", PYTEST),
    ("go test -run TestLogin ./...", GO),
    ("go test -short ./...", GO),
    ("go test -skip Slow ./...", GO),
    ("go test ./core/...", GO),
    ("node --test test/a.test.js", NODE),
]


@pytest.mark.parametrize(("command", "output"), WHOLE)
def test_an_option_or_a_path_beside_the_whole_makes_no_part(command: str, output: str) -> None:
    assert verdicts(command, output) == ["verified"]


@pytest.mark.parametrize(("command", "output"), PART)
def test_what_selects_is_a_part(command: str, output: str) -> None:
    assert verdicts(command, output) == ["qualified"]


NO_TESTS = "?   \tacme/x\t[no test files]"
NONE = [
    ("go test ./...", f"{NO_TESTS}\n?   \tacme/y\t[no test files]"),
    ("go test ./...", f"go: downloading github.com/x v1.2.3\n{NO_TESTS}"),
    ("go test -v ./...", "testing: warning: no tests to run\nPASS\nok  \tacme/x\t0.1s [no tests to run]"),
    ("npx mocha", "  0 passing (1ms)\n  3 pending"),
    ("rspec", "No examples found.\n\n0 examples, 0 failures"),
    ("ctest", "Test project /b\nNo tests were found!!!"),
    ("vendor/bin/phpunit", "PHPUnit 10.5\n\nNo tests executed!"),
    ("mix test", "All tests have been excluded.\n\n0 tests, 0 failures"),
    ("dotnet test", "Passed!  - Failed:     0, Passed:     0, Skipped:     0, Total:     0"),
    ("dotnet test", "No test is available in /x/App.dll."),
    ("node --test", "# tests 0\n# suites 0\n# pass 0\n# fail 0"),
    ("swift test", "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 seconds"),
    ("deno test", "ok | 0 passed | 0 failed (0ms)"),
    ("cargo test", "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"),
    ("./gradlew test", "> Task :app:testDebugUnitTest NO-SOURCE\n\nBUILD SUCCESSFUL in 1s"),
    ("mvn test", "Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS"),
    ("mvn test", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS"),
    ("npm test", '> x@1 test\n> echo "no tests"\n\nno tests'),
    ("npx jest", "Tests:       3 skipped, 3 total"),
    ("npx vitest run", "      Tests  no tests"),
    ("pytest", "3 skipped in 0.1s"),
    ("python -m unittest", "Ran 0 tests in 0.000s\n\nOK"),
    ("rake test", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips"),
]
SOME = [
    ("go test ./...", f"{NO_TESTS}\nok  \tacme/y\t(cached)"),
    ("go test ./...", f"ok  \tacme/y\t0.41s\tcoverage: 80.0% of statements\n{NO_TESTS}"),
    ("go test ./...", "\tacme/x\t\tcoverage: 0.0% of statements\nok  \tacme/y\t0.41s\tcoverage: 80.0% of statements"),
    ("go test ./...", "ok  \tacme/x\t0.1s [no tests to run]\nok  \tacme/y\t0.2s"),
    ("./gradlew test", "> Task :core:test NO-SOURCE\n> Task :api:test\n\nBUILD SUCCESSFUL in 0s"),
    ("./gradlew test", "> Task :core:test NO-SOURCE\n> Task :api:test UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s"),
    ("mvn test", "Tests run: 0, Failures: 0, Errors: 0\nTests run: 4, Failures: 0, Errors: 0, Skipped: 0"),
    ("cargo test", "test result: ok. 0 passed; 0 failed\ntest result: ok. 3 passed; 0 failed"),
    ("mix test", "0 tests, 0 failures\n==> b\n5 tests, 0 failures"),
    ("swift test", "Executed 0 tests, with 0 failures\nTest run with 5 tests passed after 0.1 seconds."),
    ("dotnet test", "No test is available in /x/Lib.dll\nPassed!  - Failed:     0, Passed:     5"),
    ("npm test", "No tests found in packages/a\nTests: 3 passed, 3 total"),
    ("npm test", "Ran 3 tests in 0.1s\n\nOK"),
    ("python -m unittest", "Ran 3 tests in 0.1s\n\nOK (skipped=1)"),
    ("npx jest", "Tests:       2 skipped, 3 passed, 5 total"),
    ("pytest", "3 passed, 2 skipped in 1s"),
    ("rake test", "0 runs, 0 assertions, 0 failures, 0 errors\n5 runs, 9 assertions, 0 failures, 0 errors, 0 skips"),
    ("tox", "  congratulations :)"),
]


@pytest.mark.parametrize(("command", "output"), NONE)
def test_a_run_in_which_no_test_ran_is_no_pass(command: str, output: str) -> None:
    assert verdicts(command, output) == ["unsupported"]


@pytest.mark.parametrize(("command", "output"), SOME)
def test_one_module_without_tests_takes_nothing_from_the_others(command: str, output: str) -> None:
    assert verdicts(command, output) == ["verified"]
