"""What an operator may write, and what each mistake is told: file, table, key."""

from __future__ import annotations

import hashlib
import stat
import threading
from pathlib import Path

import pytest

from proxy import config
from proxy.auditors.file_edits import FileEdits
from proxy.errors import ConfigError

LEAST = """
policies = "policies"
[server]
host = "127.0.0.1"
port = 8484
[upstreams.main]
type = "http"
base_url = "http://127.0.0.1:18000/v1"
"""
KEY = "sha256:" + "a" * 64


def write(tmp_path: Path, text: str, **policies: str) -> Path:
    (tmp_path / "policies" / "packs").mkdir(parents=True)
    for name, policy in policies.items():
        (tmp_path / "policies" / f"{name.replace('__', '/')}.toml").write_text(policy)
    path = tmp_path / "config.toml"
    path.write_text(text)
    return path


def test_the_least_form_works_as_it_stands(tmp_path: Path) -> None:
    settings = config.load(write(tmp_path, LEAST), {})
    (tenant,) = settings.tenants
    assert (tenant.anonymous, tenant.upstream, tenant.policy.deadline) == (True, "main", 2.0)
    assert {"file-edits", "deposits", "actions"} <= {rule.name for rule in tenant.policy.rules}
    assert set(config.build_upstreams(settings, {})) == {"main"}


def test_a_workspace_s_own_table_says_how_its_paths_compare(tmp_path: Path) -> None:
    table = '[sources.workspace]\ntype = "files"\nroot = "/ws"\ncase_sensitive = false\n'
    (tenant,) = config.load(write(tmp_path, LEAST + table), {}).tenants
    (auditor,) = (rule.auditor for rule in tenant.policy.rules if rule.name == "file-edits")
    assert isinstance(auditor, FileEdits)
    assert (auditor.source, auditor.root, auditor.case_sensitive) == ("workspace", "/ws", False)


def test_the_example_works_as_it_stands(tmp_path: Path) -> None:
    settings = config.load(Path("config.example.toml"), {})
    assert set(config.build_upstreams(settings, {})) == {"demo"}
    one_line = Path("config.example.toml").read_text().replace('upstream = "demo"', 'upstream = "openai"')
    settings = config.load(write(tmp_path, one_line), {})
    assert set(config.build_upstreams(settings, {"OPENAI_API_KEY": "k"})) == {"openai"}


OURS = LEAST.replace("[server]", '[server]\nsecrets_env = "S"').replace('/v1"', '/v1"\napi_key_env = "K"')
KEYLESS = '[upstreams.b]\ntype = "http"\nbase_url = "http://127.0.0.1:1/v1"\n'
BAD: list[tuple[str, dict[str, str], tuple[str, str, str]]] = [
    ("x = ", {}, ("config.toml", "", "")),
    (LEAST + "[server2]", {}, ("config.toml", "", "server2")),
    (LEAST.replace("port", "prt"), {}, ("config.toml", "server", "prt")),
    (LEAST.replace("8484", '"8484"'), {}, ("config.toml", "server", "port")),
    (LEAST.replace("8484", "84840"), {}, ("config.toml", "server", "port")),
    (LEAST.replace('"http"', '"htp"'), {}, ("config.toml", "upstreams.main", "type")),
    (LEAST.replace('"http"', '"litellm"'), {}, ("config.toml", "upstreams.main", "models")),
    (LEAST.replace("base_url", "# base_url"), {}, ("config.toml", "upstreams.main", "base_url")),
    ('policies = "policies"', {}, ("config.toml", "upstreams", "")),
    ('upstream = "x"' + LEAST, {}, ("config.toml", "", "upstream")),
    (LEAST.replace('policies = "policies"', 'policies = "elsewhere"'), {}, ("config.toml", "", "policies")),
    (LEAST.replace('127.0.0.1"\nport', '0.0.0.0"\nport'), {}, ("config.toml", "server", "host")),
    (LEAST.replace("port = 8484", "workers = 2"), {}, ("config.toml", "server", "secrets_env")),
    (LEAST.replace("port = 8484", 'secrets_env = "S"'), {}, ("config.toml", "server", "secrets_env")),
    (LEAST.replace("port = 8484", "drain = -1.0"), {}, ("config.toml", "server", "drain")),
    (LEAST.replace("port = 8484", "drain = nan"), {}, ("config.toml", "server", "drain")),
    (LEAST.replace("port = 8484", "keep_audits = -1"), {}, ("config.toml", "server", "keep_audits")),
    (LEAST.replace("port = 8484", "keep_audits = 0.5"), {}, ("config.toml", "server", "keep_audits")),
    (LEAST + "connect_timeout = 0", {}, ("config.toml", "upstreams.main", "connect_timeout")),
    (LEAST + "read_timeout = -1.0", {}, ("config.toml", "upstreams.main", "read_timeout")),
    (LEAST + "modls = []", {}, ("config.toml", "upstreams.main", "modls")),
    (LEAST + "aliases = { a = 1 }", {}, ("config.toml", "upstreams.main", "aliases[*]")),
    (LEAST + '[sources.a]\ntype = "nothing"', {}, ("config.toml", "sources.a", "type")),
    (LEAST, {"default": "deadline = 0"}, ("default.toml", "", "deadline")),
    (LEAST, {"default": "deadlin = 1"}, ("default.toml", "", "deadlin")),
    (LEAST, {"default": 'register = "loud"'}, ("default.toml", "", "register")),
    (LEAST, {"default": 'extends = ["nowhere"]'}, ("default.toml", "", "extends")),
    (LEAST, {"default": 'extends = ["a"]', "packs__a": 'extends = ["a"]'}, ("a.toml", "", "extends")),
    (LEAST, {"default": '[[rules]]\nname = "r"\nauditor = "nobody"'}, ("default.toml", "rules.r", "auditor")),
    (LEAST, {"default": '[[rules]]\nauditor = "file_edits"'}, ("default.toml", "rules[0]", "name")),
    (
        LEAST,
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\ntool = []'},
        ("default.toml", "rules[0]", "tool"),
    ),
    (
        LEAST,
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\nclaims = "(x"'},
        ("default.toml", "rules.r", "claims"),
    ),
    (
        LEAST,
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\nclaims = "x"'},
        ("default.toml", "rules.r", "claims"),
    ),
    (
        LEAST.replace("[server]", '[server]\nworkers = 2\nsecrets_env = "SECRETS"'),
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\nmode = "retry"'},
        ("config.toml", "store", "url"),
    ),
    (
        LEAST,
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\ninject = "yes"'},
        ("default.toml", "rules[0]", "inject"),
    ),
    (LEAST + '[store]\nurl = "http://x"', {"default": ""}, ("config.toml", "store", "url")),
    *(
        (LEAST.replace("[server]", f'[server]\nmetrics = "{one}"'), {}, ("config.toml", "server", "metrics"))
        for one in ("", "on", "sha256:00", KEY.upper(), f"sha256:{hashlib.sha256(b'').hexdigest()}")
    ),
    (LEAST + '[store]\nurl_env = "NOT_SET"', {"default": ""}, ("config.toml", "store", "url_env")),
    (
        LEAST.replace("[server]", '[server]\nworkers = 2\nsecrets_env = "SECRETS"'),
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\ninject = true'},
        ("config.toml", "store", "url"),
    ),
    (
        LEAST,
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\nsource = "s"'},
        ("default.toml", "rules.r", "source"),
    ),
    (
        LEAST,
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\n[rules.options]\ncase = true'},
        ("default.toml", "rules.r.options", "case"),
    ),
    (
        LEAST,
        {"default": '[[rules]]\nname = "r"\nauditor = "file_edits"\n[rules.options]\ncase_sensitive = 3'},
        ("default.toml", "rules.r.options", "case_sensitive"),
    ),
    (LEAST, {"default": 'nudges = ["(x"]'}, ("default.toml", "", "nudges[0]")),
    (
        LEAST,
        {"default": '[[signatures]]\ntools = ["x"]\neffect = "magic"'},
        ("default.toml", "signatures[0]", "effect"),
    ),
    (LEAST.replace("port", 'state = "a\\u0000b"\nport'), {}, ("config.toml", "server", "state")),
    (LEAST.replace('"policies"', f'"{"p" * 300}"'), {}, ("config.toml", "", "policies")),
    (
        LEAST + f'[sources.s]\ntype = "search"\nbackend = "corpus"\nroot = "."\nbase_url = {10**20}',
        {},
        ("config.toml", "sources.s", "base_url"),
    ),
    (LEAST, {"default": 'languages = ["xx"]'}, ("default.toml", "", "languages")),
    (LEAST, {"acme": 'keys = ["abc"]'}, ("acme.toml", "", "keys[0]")),
    (LEAST, {"acme": f'keys = ["sha256:{hashlib.sha256(b"").hexdigest()}"]'}, ("acme.toml", "", "keys[0]")),
    (
        LEAST,
        {"default": '[[rules]]\nname = "file_edit"\nmode = "observe"'},
        ("default.toml", "rules.file_edit", "auditor"),
    ),
    (LEAST, {"acme": f'keys = ["{KEY.upper()}"]'}, ("acme.toml", "", "keys[0]")),
    (LEAST, {"acme": f'tenant = "anonymous:x"\nkeys = ["{KEY}"]'}, ("acme.toml", "", "tenant")),
    (
        OURS.replace("[server]", "[server]\nallow_anonymous = true"),
        {"acme": f'tenant = "default"\nkeys = ["{KEY}"]'},
        ("default.toml", "", "tenant"),
    ),
    (
        OURS,
        {"acme": f'keys = ["{KEY}"]', "zeta": f'tenant = "acme"\nkeys = ["{KEY[:-1]}b"]'},
        ("zeta.toml", "", "tenant"),
    ),
    (
        'upstream = "main"\n' + OURS + KEYLESS + 'aliases = { a = "b" }',
        {"acme": f'keys = ["{KEY}"]'},
        ("config.toml", "upstreams.b", "api_key_env"),
    ),
    (
        'upstream = "main"\n' + OURS + KEYLESS + 'models = ["b*"]',
        {"acme": f'keys = ["{KEY}"]'},
        ("config.toml", "upstreams.b", "api_key_env"),
    ),
    (LEAST, {"acme": f'keys = ["{KEY}"]'}, ("config.toml", "upstreams.main", "api_key_env")),
    (
        LEAST.replace('/v1"', '/v1"\napi_key_env = "K"'),
        {"acme": f'keys = ["{KEY}"]', "other": f'keys = ["{KEY}"]'},
        ("other.toml", "", "keys[0]"),
    ),
    (
        LEAST.replace('/v1"', '/v1"\napi_key_env = "K"'),
        {"acme": f'keys = ["{KEY}"]'},
        ("config.toml", "server", "secrets_env"),
    ),
]


@pytest.mark.parametrize(("text", "policies", "place"), BAD)
def test_mistakes_name_file_table_and_key(
    tmp_path: Path, text: str, policies: dict[str, str], place: tuple[str, str, str]
) -> None:
    with pytest.raises(ConfigError) as failure:
        config.load(write(tmp_path, text, **policies), {"SECRETS": "s" * 32} if "SECRETS" in text else {})
    error = failure.value
    assert (Path(error.file).name, error.table, error.key) == place
    assert error.problem


@pytest.mark.parametrize(
    ("text", "policies", "right"),
    [
        (LEAST.replace('type = "http"', ""), {}, "is missing; right would be one of 'http', 'litellm', 'demo'"),
        (LEAST, {"default": 'extends = ["nowhere"]'}, "no packs/nowhere.toml beside the policies"),
        (LEAST, {"acme": f'keys = ["sha256:{hashlib.sha256(b"").hexdigest()}"]'}, "an empty key, which everybody has"),
        (LEAST, {"acme": 'keys = ["abc"]'}, "`groundwire key NAME` makes one"),
    ],
)
def test_mistakes_say_what_would_be_right(tmp_path: Path, text: str, policies: dict[str, str], right: str) -> None:
    with pytest.raises(ConfigError) as failure:
        config.load(write(tmp_path, text, **policies), {})
    assert right in failure.value.problem


def test_an_upstream_s_password_is_not_told(tmp_path: Path) -> None:
    settings = config.load(write(tmp_path, LEAST.replace("http://", "http://me:hush-hush@")), {})
    with pytest.raises(ConfigError) as failure:
        config.build_upstreams(settings, {})
    assert "hush" not in str(failure.value)


def test_a_key_that_is_not_in_the_environment_is_named(tmp_path: Path) -> None:
    settings = config.load(write(tmp_path, LEAST + 'api_key_env = "NO_SUCH"'), {})
    with pytest.raises(ConfigError, match="NO_SUCH"):
        config.build_upstreams(settings, {})


def test_open_to_others_only_when_it_is_meant(tmp_path: Path) -> None:
    text = LEAST.replace('"127.0.0.1"\n', '"0.0.0.0"\nallow_anonymous = true\n')
    assert config.load(write(tmp_path, text), {}).server.host == "0.0.0.0"


def test_the_secret_is_made_once_and_for_us_alone(tmp_path: Path) -> None:
    path = write(tmp_path, LEAST)
    first, second = config.load(path, {}).secrets, config.load(path, {}).secrets
    assert first == second
    assert len(first[0]) == 64
    assert stat.S_IMODE((tmp_path / ".groundwire" / "secret").stat().st_mode) == 0o600


@pytest.mark.parametrize("routing", ['models = ["b*"]', 'aliases = { a = "b" }', ""])
def test_an_upstream_that_a_tenant_cannot_reach_needs_no_key(tmp_path: Path, routing: str) -> None:
    path = write(
        tmp_path, 'upstream = "main"\n' + OURS + KEYLESS + routing, acme=f'upstream = "main"\nkeys = ["{KEY}"]'
    )
    settings = config.load(path, {"S": "s" * 16})
    assert set(config.build_upstreams(settings, {"K": "ours"})) == {"main"}


@pytest.mark.parametrize("content", ["", "\n", "short"])
def test_a_secret_that_is_none_is_not_signed_with(tmp_path: Path, content: str) -> None:
    path = write(tmp_path, LEAST)
    (tmp_path / ".groundwire").mkdir()
    (tmp_path / ".groundwire" / "secret").write_text(content)
    with pytest.raises(ConfigError) as failure:
        config.load(path, {})
    assert (failure.value.table, failure.value.key) == ("server", "state")


def test_nothing_but_the_secret_is_left_in_the_state_folder(tmp_path: Path) -> None:
    config.load(write(tmp_path, LEAST), {})
    assert [file.name for file in (tmp_path / ".groundwire").iterdir()] == ["secret"]


def test_secrets_from_the_environment_sign_and_verify_in_order(tmp_path: Path) -> None:
    path = write(tmp_path, LEAST.replace("[server]", '[server]\nsecrets_env = "S"'))
    assert config.load(path, {"S": f"{'a' * 16}, {'b' * 20}"}).secrets == (b"a" * 16, b"b" * 20)


def test_servers_that_start_at_once_sign_with_one_secret(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / str(number)).mkdir()
        path, found, start = write(tmp_path / str(number), LEAST), set[bytes](), threading.Barrier(8)

        def load(path: Path = path, found: set[bytes] = found, start: threading.Barrier = start) -> None:
            start.wait()
            found.update(config.load(path, {}).secrets)

        servers = [threading.Thread(target=load) for _ in range(8)]
        for server in servers:
            server.start()
        for server in servers:
            server.join()
        assert len(found) == 1


def test_an_override_of_a_rule_that_no_pack_has_is_told_so(tmp_path: Path) -> None:
    text = 'extends = ["coding-agents"]\n[[rules]]\nname = "file_edits"\nmode = "observe"\n'
    with pytest.raises(ConfigError, match="no pack has a rule 'file_edits'"):
        config.load(write(tmp_path, LEAST, default=text), {})
