"""Runs of a part of the tests, by words that filter, by folders and by packages, behind "all tests pass"; and runs of all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.general import findings
from tests.test_runners import BROWSER, GO, JEST, MOCHA, NODE, PHP, PYTEST, RSPEC, VITEST, verdicts
from tests.transcripts import Ran

MVN = "Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS"
CARGO = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s"
DOTNET = "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12"
MIX = "12 tests, 0 failures"
DJ = "Ran 12 tests in 0.3s\n\nOK"
PART = [
    ("vitest run cart", VITEST),
    ("npx vitest run cart checkout", VITEST),
    ("vitest cart --run", VITEST),
    ("pytest tests/unit", PYTEST),
    ("pytest tests/unit -q", PYTEST),
    ("python -m pytest tests/unit/", PYTEST),
    ("pytest tests/unit tests/api -q", PYTEST),
    ("jest cart", JEST),
    ("npx jest cart", JEST),
    ("jest src/cart", JEST),
    ("yarn test cart", JEST),
    ("npm test cart", JEST),
    ("npm run test cart", JEST),
    ("npm run test:unit", JEST),
    ("make test-unit", "12 passed in 1s"),
    ("mocha test/unit", MOCHA),
    ("mocha test/cart.test.js", MOCHA),
    ("playwright test login", BROWSER),
    ("npx playwright test tests/login", BROWSER),
    ("rspec spec/models", RSPEC),
    ("bundle exec rspec spec/models/user_spec.rb:12", RSPEC),
    ("go test ./cart/...", GO),
    ("go test ./cart", GO),
    ("mvn test -pl core", MVN),
    ("mvn -pl core test", MVN),
    ("gradle test --tests CartTest", "> Task :test\nBUILD SUCCESSFUL in 3s"),
    ("cargo test cart", CARGO),
    ("cargo test -p core", CARGO),
    ("dotnet test tests/Unit", DOTNET),
    ("dotnet test --filter Category=Unit", DOTNET),
    ("mix test test/cart", MIX),
    ("mix test test/cart_test.exs", MIX),
    ("phpunit tests/Unit", PHP),
    ("phpunit --testsuite unit", PHP),
    ("vendor/bin/phpunit --filter Cart", PHP),
    ("php artisan test --filter Cart", PHP),
    ("python manage.py test cart", DJ),
    ("python -m unittest tests.test_cart", DJ),
    ("bun test cart", NODE),
    ("node --test test/cart/", NODE),
    ("tox -e unit", "12 passed in 1s"),
    ("nox -s unit", "12 passed in 1s"),
    ("pytest packages/a", PYTEST),
    ("pytest -m 'not slow'", PYTEST),
    ("ctest -R cart", "100% tests passed, 0 tests failed out of 12"),
    ("swift test --filter Cart", "Executed 12 tests, with 0 failures"),
    ("deno test src/cart/", "ok | 12 passed | 0 failed (20ms)"),
    ("rake test TEST=test/cart_test.rb", "12 runs, 20 assertions, 0 failures, 0 errors, 0 skips"),
    ("bin/rails test test/models", "12 runs, 20 assertions, 0 failures, 0 errors, 0 skips"),
    ("vitest run --project unit", VITEST),
    ("vitest run --dir packages/a", VITEST),
]
WHOLE = [
    ("vitest run", VITEST),
    ("npm run test:ci", JEST),
    ("npm run test:coverage", JEST),
    ("pytest --log-file logs/test.log", PYTEST),
    ("vitest --run", VITEST),
    ("vitest run --coverage", VITEST),
    ("cd app && npm test", JEST),
    ("cd /workspace/project && npm test", JEST),
    ("cd frontend && npm test -- --watchAll=false", JEST),
    ("cd backend && pytest", PYTEST),
    ("cd ~/shop && pytest -q", PYTEST),
    ("pytest tests", PYTEST),
    ("pytest tests/ -q", PYTEST),
    ("pytest -q --no-header", PYTEST),
    ("jest", JEST),
    ("jest --ci --runInBand", JEST),
    ("npx jest --coverage", JEST),
    ("yarn test", JEST),
    ("npm run test", JEST),
    ("npm run test -- --run", VITEST),
    ("pnpm -r test", VITEST),
    ("pnpm test", VITEST),
    ("pnpm --recursive test", VITEST),
    ("yarn workspaces run test", JEST),
    ("npm test --workspaces", JEST),
    ("npm test -ws", JEST),
    ("turbo run test", VITEST),
    ("nx run-many -t test", JEST),
    ("nx run-many --target=test --all", JEST),
    ("make test", "12 passed in 1s"),
    ("make tests", "12 passed in 1s"),
    ("make check", "12 passed in 1s"),
    ("mocha", MOCHA),
    ("npx playwright test", BROWSER),
    ("rspec", RSPEC),
    ("go test ./...", GO),
    ("go test ./... -count=1", GO),
    ("mvn test", MVN),
    ("mvn -q test", MVN),
    ("mvn clean test", MVN),
    ("mvn -B verify", MVN),
    ("./gradlew test", "> Task :test\nBUILD SUCCESSFUL in 3s"),
    ("./gradlew clean test", "> Task :test\nBUILD SUCCESSFUL in 3s"),
    ("cargo test", CARGO),
    ("cargo test --workspace", CARGO),
    ("cargo test --all-features", CARGO),
    ("dotnet test", DOTNET),
    ("dotnet test App.sln", DOTNET),
    ("dotnet test --no-build -c Release", DOTNET),
    ("mix test", MIX),
    ("phpunit", PHP),
    ("vendor/bin/phpunit --testdox", PHP),
    ("php artisan test", PHP),
    ("python manage.py test", DJ),
    ("python -m unittest", DJ),
    ("python -m unittest discover -s tests", DJ),
    ("bun test", NODE),
    ("node --test", NODE),
    ("tox", "12 passed in 1s"),
    ("nox", "12 passed in 1s"),
    ("ctest --output-on-failure", "100% tests passed, 0 tests failed out of 12"),
    ("swift test", "Executed 12 tests, with 0 failures"),
    ("deno test", "ok | 12 passed | 0 failed (20ms)"),
    ("deno test -A", "ok | 12 passed | 0 failed (20ms)"),
    ("vitest run --reporter verbose", VITEST),
    ("vitest run --config vitest.config.ts", VITEST),
    ("pytest --cov=app --cov-report term", PYTEST),
    ("pytest --cov app", PYTEST),
    ("pytest -n auto", PYTEST),
    ("pytest -p no:cacheprovider", PYTEST),
    ("pytest -v --tb short", PYTEST),
    ("npm --prefix frontend test", JEST),
    ("npm test --prefix frontend", JEST),
    ("bin/rails test", "12 runs, 20 assertions, 0 failures, 0 errors, 0 skips"),
    ("rails test", "12 runs, 20 assertions, 0 failures, 0 errors, 0 skips"),
    ("rake test", "12 runs, 20 assertions, 0 failures, 0 errors, 0 skips"),
    ("jest --maxWorkers 50%", JEST),
    ("jest --config jest.config.js", JEST),
    ("jest --silent --forceExit", JEST),
    ("jest --testTimeout 10000", JEST),
    ("vitest run --pool forks", VITEST),
    ("vitest run --root .", VITEST),
    ("playwright test --project chromium --workers 2", BROWSER),
    ("jest --env jsdom", JEST),
    ("vitest run --environment jsdom", VITEST),
    ("yarn test --watchAll=false --ci", JEST),
    ("npm test -- --run", VITEST),
    ("bun run test", VITEST),
    ("vitest run --run", VITEST),
    ("pytest backend/tests", PYTEST),
    ("pytest /srv/app/tests/unit", PYTEST),
    ("npm test .", JEST),
    ("pnpm test run", VITEST),
    ("yarn test src", JEST),
    ("jest --coverage src", JEST),
    ("playwright test --project=chromium", BROWSER),
    ("jest src", JEST),
]
PACKAGE = [
    "cd packages/a && npm test",
    "npm test --workspace=packages/a",
    "npm test -w packages/a",
    "pnpm --filter a test",
    "yarn workspace a test",
    "turbo run test --filter=a",
    "nx test a",
    "npm --prefix packages/a test",
    "cd /repo/packages/a && npx jest",
]


def said(
    answer: str, commands: Sequence[str], *, user: str = "Fix the rounding bug.", edits: Sequence[str] = ()
) -> list[str]:
    ran: list[Ran] = [
        ("patch", {"path": path, "old_string": "a", "new_string": "b"}, {"success": True}) for path in edits
    ]
    ran += [("terminal", {"command": one}, {"output": JEST, "exit_code": 0, "error": None}) for one in commands]
    return [one.verdict for one in findings(answer, ran, user=user, tools=[]) if one.rule == "commands"]


@pytest.mark.parametrize(("command", "output"), PART)
def test_a_part(command: str, output: str) -> None:
    assert verdicts(command, output) == ["qualified"]


@pytest.mark.parametrize(("command", "output"), WHOLE)
def test_the_whole(command: str, output: str) -> None:
    assert verdicts(command, output) == ["verified"]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("vitest run cart", "The cart tests pass."),
        ("pytest tests/unit", "The unit tests pass."),
        ("jest cart", "All cart tests pass."),
        ("rspec spec/models", "The tests in `spec/models` pass."),
        ("cd packages/a && npm test", "The tests of package a pass."),
        ("pytest tests/unit", "The tests pass."),
        ("pytest tests/unit", "All unit tests pass."),
        ("pytest tests/unit", "All unit tests pass; integration tests were not run."),
        ("jest cart", "All relevant tests pass."),
        ("jest cart", "All tests pass for the files I touched."),
        ("jest src/cart", "All tests pass in the cart suite."),
    ],
)
def test_a_claim_about_that_part(command: str, answer: str) -> None:
    output = {"pytest": PYTEST, "rspec": RSPEC, "vitest": VITEST}.get(command.split()[0], JEST)
    call: Ran = ("terminal", {"command": command}, {"output": output, "exit_code": 0, "error": None})
    assert [one.verdict for one in findings(answer, [call], tools=[]) if one.rule == "commands"] == ["verified"]


@pytest.mark.parametrize("command", PACKAGE)
def test_one_package_where_more_was_changed_asked_for_or_told(command: str) -> None:
    assert said("All tests pass.", [command], edits=["packages/a/x.ts", "packages/b/y.ts"]) == ["qualified"]
    assert said("All tests pass.", [command], user="Run all the tests of the repo.") == ["qualified"]
    assert said("The full test suite passes.", [command]) == ["qualified"]


@pytest.mark.parametrize("command", PACKAGE)
def test_one_package_in_a_turn_that_is_about_it(command: str) -> None:
    assert said("All tests pass.", [command]) == ["verified"]
    assert said("All tests pass.", [command], edits=["packages/a/src/x.ts", "README.md"]) == ["verified"]
    assert said("All tests pass.", [command], user="Run all tests of packages/a.") == ["verified"]
    other = (
        command.replace("packages/a", "packages/b")
        .replace(" a ", " b ")
        .replace("=a", "=b")
        .replace("test a", "test b")
    )
    assert said("All tests pass.", [command, other], edits=["packages/a/x.ts", "packages/b/y.ts"]) == ["verified"]
    assert said("The tests of package a pass.", [command], edits=["packages/b/y.ts"]) == ["verified"]


@pytest.mark.parametrize(
    "command",
    [
        "pnpm --filter a --filter b test",
        "pnpm --filter ...a test",
        "turbo run test --filter=[origin/main]",
        "npm test -w packages/a -w packages/b",
        "npm test --workspace=a --workspace=b",
        "cd ~/projects/shop && npm test",
        "cd /home/me/apps/shop && npm test",
        "cd /workspaces/shop && npm test",
    ],
)
def test_several_packages_and_whole_repositories(command: str) -> None:
    assert said("All tests pass.", [command], edits=["packages/a/x.ts", "packages/b/y.ts"]) == ["verified"]
    assert said("The full test suite passes.", [command], user="Run the whole suite.") == ["verified"]


def test_one_package_that_is_named_or_beside_which_only_words_were_changed() -> None:
    command, edits = "cd packages/a && npm test", ["packages/a/x.ts", "packages/b/y.ts"]
    assert said("`a`: all tests pass. `b` has none.", [command], edits=edits) == ["verified"]
    assert said("All tests pass.", [command], edits=["packages/a/x.ts", "packages/b/README.md"]) == ["verified"]
    assert said("All tests pass.", ["cd apps/a && npm test"], edits=["src/services/auth.ts"]) == ["verified"]


def test_a_run_of_all_before_one_of_a_part() -> None:
    assert said("All tests pass.", ["jest", "jest cart"]) == ["verified"]
