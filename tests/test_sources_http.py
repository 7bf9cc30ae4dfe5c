"""Web pages as ground truth: real servers on loopback, and URLs as hostile models write them."""

from __future__ import annotations

import asyncio
import datetime
import gzip
import ipaddress
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from proxy.audit import Absent, Present, Sight, Unknown
from proxy.sources import addresses, build, page_text
from proxy.sources.http import Http
from tests.proportions import in_proportion
from tests.servers import Script, ScriptedUpstream, Seen

HTML = {"content-type": "text/html; charset=utf-8"}
POST = """<!doctype html><html><head><title>Ten &amp; one ways | Blog</title><style>p{color:red}</style></head>
<body><!-- <p>hidden</p> --><h1>Ten ways</h1><script>var x = "<p>not text</p>"</script><p>Some&nbsp;text <b>here</b>.</p></body>"""
LOGIN = '<html><title>Blog</title><form action="/x"><input name=u><input name="p" type="password"></form></html>'


def page(text: str | bytes, status: int = 200, **headers: str) -> Script:
    body = text.encode() if isinstance(text, str) else text
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Script([body], status, {**HTML, **named}, "length")


def to(location: str, status: int = 302) -> Script:
    return Script([], status, {"location": location}, "length")


PAGES: dict[str, Script] = {
    "/post": page(POST),
    "/utf16": page("<title>Grüße</title>".encode("utf-16"), content_type="text/html; charset=utf-16"),
    "/latin": page("<title>Grüße</title>".encode("latin-1"), content_type="text/html; charset=iso-8859-1"),
    "/codec": page("<title>x</title>", content_type="text/html; charset=punycode"),
    "/json": page('{"state": "open", "n": 1}', content_type="application/json"),
    "/bare-json": page("[1, 2]", content_type="text/plain"),
    "/bad-json": page('{"state": ', content_type="application/json"),
    "/gzip": page(gzip.compress(POST.encode()), content_encoding="gzip"),
    "/half-gzip": page(gzip.compress(b'{"a": 1}' + b" " * 99)[:-20], content_encoding="gzip", content_type="text/json"),
    "/not-gzip": page(b"plain", content_encoding="gzip"),
    "/brotli": page(b"x", content_encoding="br"),
    "/bomb": page(gzip.compress(b"<p>" + b"0" * 50_000_000), content_encoding="gzip"),
    "/image": page(b"\x89PNG\0\0", content_type="image/png"),
    "/empty": page("", 204),
    "/login-form": page(LOGIN),
    "/login-title": page("<title>Sign in to your account</title>"),
    "/missing": page("no", 404),
    "/gone": page("no", 410),
    **{f"/{status}": page("no", status) for status in (401, 403, 407, 429, 500, 502, 503, 400, 418)},
    "/moved": to("/post", 301),
    "/moved-to-missing": to("/missing"),
    "/two": to("/moved"),
    "/three": to("/two"),
    "/four": to("/three"),
    "/round": to("/round"),
    "/to-login": to("/users/sign_in?next=/post"),
    "/to-wp-login": to("/wp-login.php?redirect_to=x", 303),
    "/to-sso": to("https://login.example.net/"),
    "/to-metadata": to("http://169.254.169.254/latest/meta-data/"),
    "/to-file": to("file:///etc/passwd"),
    "/to-user": to("http://a:b@127.0.0.1/"),
    "/to-nothing": to("http://[::1"),
    "/to-odd": to("http://0x7f.1/"),
    "/nowhere": Script([], 302, {}, "length"),
    "/hang": Script(hang=True),
    "/slow": Script([b"<p>", *([0.05, b"x"] * 200)], 200, HTML),  # type: ignore[list-item]
    "/endless": Script([b"x" * 65_536] * 2_000, 200, HTML),
    "/broken": Script([b"<p>half"], 200, HTML, "length", reset=True),
}


def serve(seen: Seen) -> Script:
    return PAGES.get(seen.path.partition("?")[0], page("", 404))


@pytest.fixture
async def site() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream(serve) as server:
        yield server


def port(server: ScriptedUpstream) -> str:
    return server.url.removesuffix("/v1").rpartition(":")[2]


async def got(server: ScriptedUpstream, path: str, host: str = "127.0.0.1", **more: Any) -> Sight:
    options: dict[str, Any] = {"allow_private": True, "timeout": 5.0, **more}
    source = Http(options.pop("hosts", ["*"]), **options)
    try:
        return await source.look(f"http://{host}:{port(server)}{path}")
    finally:
        await source.aclose()


def fields(sight: Sight) -> Mapping[str, Any]:
    assert isinstance(sight, Present), sight
    return sight.fields


async def test_a_page_has_title_text_and_address(site: ScriptedUpstream) -> None:
    told = fields(await got(site, "/post#part"))
    assert told["title"] == "Ten & one ways | Blog"
    assert told["text"] == "Ten ways Some text here ."
    assert "hidden" not in told["text"]
    assert "not text" not in told["text"]
    assert "color" not in told["text"]
    assert (told["status"], told["login"]) == (200, False)
    assert told["url"] == f"http://127.0.0.1:{port(site)}/post"
    assert "json" not in told


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ("/utf16", "title", "Grüße"),
        ("/latin", "title", "Grüße"),
        ("/codec", "title", "x"),
        ("/json", "json", {"state": "open", "n": 1}),
        ("/bare-json", "json", [1, 2]),
        ("/gzip", "title", "Ten & one ways | Blog"),
        ("/image", "text", ""),
        ("/empty", "status", 204),
        ("/login-form", "login", True),
        ("/login-title", "login", True),
        ("/moved", "title", "Ten & one ways | Blog"),
        ("/three", "title", "Ten & one ways | Blog"),
    ],
)
async def test_what_a_page_tells(site: ScriptedUpstream, path: str, key: str, value: Any) -> None:
    assert fields(await got(site, path))[key] == value


@pytest.mark.parametrize("path", ["/bad-json", "/half-gzip"])
async def test_json_that_is_cut_off_is_none(site: ScriptedUpstream, path: str) -> None:
    assert "json" not in fields(await got(site, path))


SIGHTS: list[tuple[str, Sight]] = [
    ("/missing", Absent("status 404")),
    ("/gone", Absent("status 410")),
    ("/moved-to-missing", Absent("status 404")),
    *((f"/{status}", Unknown(f"status {status}")) for status in (401, 403, 407, 429, 500, 502, 503, 400, 418)),
    ("/nowhere", Unknown("status 302")),
    ("/four", Unknown("more than 3 redirects")),
    ("/round", Unknown("more than 3 redirects")),
    ("/to-login", Unknown("redirects to a login page")),
    ("/to-wp-login", Unknown("redirects to a login page")),
    ("/to-sso", Unknown("redirects to a login page")),
    ("/to-file", Unknown("not an http URL")),
    ("/to-user", Unknown("a user name in the URL")),
    ("/to-nothing", Unknown("redirects to what is no URL")),
    ("/to-odd", Unknown("not a host name")),
    ("/not-gzip", Unknown("the body cannot be decompressed")),
    ("/brotli", Unknown("the body's encoding is not read")),
]


@pytest.mark.parametrize(("path", "expected"), SIGHTS, ids=[f"57 {row[0]}" for row in SIGHTS])
async def test_only_404_and_410_are_absent(site: ScriptedUpstream, path: str, expected: Sight) -> None:
    assert await got(site, path) == expected


async def test_a_login_that_was_asked_for_is_followed(site: ScriptedUpstream) -> None:
    assert await got(site, "/login/to-login") == Absent("status 404")


@pytest.mark.parametrize("path", ["/hang", "/slow"])
async def test_the_time_is_bounded_for_the_whole_look(site: ScriptedUpstream, path: str) -> None:
    began = time.monotonic()
    assert await got(site, path, timeout=0.3) == Unknown("timed out")
    assert time.monotonic() - began < 2


async def test_a_resolver_that_hangs_is_part_of_the_time(site: ScriptedUpstream) -> None:
    async def never(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    assert await got(site, "/post", "example.com", timeout=0.1, resolve=never) == Unknown("timed out")


async def test_a_bomb_is_not_unpacked_beyond_the_limit(site: ScriptedUpstream) -> None:
    told = fields(await got(site, "/bomb", max_bytes=10_000))
    assert len(told["text"]) <= 10_000


async def test_what_is_over_the_limit_is_not_read(site: ScriptedUpstream) -> None:
    told = fields(await got(site, "/endless", max_bytes=100_000))
    assert len(told["text"]) <= page_text.TEXT
    await asyncio.wait_for(site.closed.wait(), 5)
    assert site.sent < 50_000_000


async def test_a_server_that_breaks_off_accuses_nobody(site: ScriptedUpstream) -> None:
    assert isinstance(await got(site, "/broken"), Unknown)
    assert await Http(["*"], allow_private=True).look("http://127.0.0.1:9/") == Unknown("could not connect")


async def test_garbage_is_no_answer() -> None:
    async def garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"\0\1\2 hello\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(garbage, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    assert isinstance(await Http(["*"], allow_private=True).look(url), Unknown)
    server.close()


PRIVATE = ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "[::]", "0.0.0.0", "169.254.169.254"]
PRIVATE += [
    "10.0.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "172.16.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "[fd00:ec2::254]",
    "[fe80::1]",
]
PRIVATE += ["[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[ff02::1]", "168.63.129.16", "192.0.0.192", "255.255.255.255"]
ODD = [
    "0x7f.1",
    "2130706433",
    "0177.0.0.1",
    "127.1",
    "0x7f000001",
    "127.0.0.1.",
    "127%2e0.0.1",
    "１２７.0.0.1",
    "[fe80::1%25lo]",
]


@pytest.mark.parametrize("host", PRIVATE)
async def test_private_addresses_are_not_connected_to(site: ScriptedUpstream, host: str) -> None:
    assert await got(site, "/post", host, allow_private=False) == Unknown("private address")
    assert site.connections == 0


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("host", ODD)
async def test_odd_spellings_of_addresses_are_not_connected_to(
    site: ScriptedUpstream, host: str, private: bool
) -> None:
    assert isinstance(await got(site, "/post", host, allow_private=private), Unknown)
    assert site.connections == 0


HOSTILE = [
    "",
    "post",
    "/etc/passwd",
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "javascript:alert(1)",
    "http://",
    "http:///x",
    "http://user@{}/post",
    "http://user:pass@{}/post",
    "http://@{}/post",
    "http://example.com\\@{}/post",
    "http://{}\\@example.com/",
    "http://example.com@{}/post",
    "http://{}/post\r\nX-Evil: 1",
    "http://{}/po st",
    "http://{}\x00/post",
    "http://[{}/post",
    "http://127.0.0.1:0/",
    "http://127.0.0.1:99999/",
    "http://a..b/",
    "http://-a/",
    "http://\ud83d/",
    "http://{}/" + "x" * 3_000,
]


@pytest.mark.parametrize("url", HOSTILE)
async def test_what_is_no_plain_url_is_not_looked_at(site: ScriptedUpstream, url: str) -> None:
    source = Http(["*"], allow_private=True)
    assert isinstance(await source.look(url.replace("{}", f"127.0.0.1:{port(site)}")), Unknown)
    assert site.connections == 0


@pytest.mark.parametrize(
    ("hosts", "host", "allowed"),
    [
        ([], "127.0.0.1", False),
        (["127.0.0.1"], "127.0.0.1", True),
        (["127.*"], "127.0.0.1", True),
        (["example.com"], "example.com", True),
        (["example.com"], "EXAMPLE.com", True),
        (["example.com"], "example.com.", True),
        (["*.example.com"], "a.b.example.com", True),
        (["*.example.com"], "example.com", False),
        (["*.example.com"], "evilexample.com", False),
        (["example.com"], "example.com.evil.net", False),
        (["example.com"], "xexample.com", False),
        (["example.com"], "exampleXcom", False),
        (["exämple.com", "x"], "example.com", False),
    ],
)
async def test_only_allowed_hosts_are_asked(site: ScriptedUpstream, hosts: list[str], host: str, allowed: bool) -> None:
    sight = await got(site, "/post", host, hosts=hosts, resolve=here)
    assert isinstance(sight, Present) if allowed else sight == Unknown("host not allowed")
    assert site.connections == int(allowed)


async def here(host: str, port: int) -> Sequence[str]:
    """A name server that knows every name, all on loopback."""
    return ["127.0.0.1"]


async def test_a_public_name_that_resolves_to_loopback_is_refused(site: ScriptedUpstream) -> None:
    sight = await got(site, "/post", "example.com", allow_private=False, resolve=here)
    assert sight == Unknown("private address")
    assert site.connections == 0


@pytest.mark.parametrize("found", [["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["fe80::1%lo"], ["garbage"]])
async def test_one_address_that_is_not_public_spoils_all(site: ScriptedUpstream, found: list[str]) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return found

    assert await got(site, "/post", "example.com", allow_private=False, resolve=resolve) == Unknown("private address")


async def test_a_name_without_an_address_is_unknown(site: ScriptedUpstream) -> None:
    async def none(host: str, port: int) -> Sequence[str]:
        raise OSError("no such name")

    async def empty(host: str, port: int) -> Sequence[str]:
        return []

    for resolve in (none, empty):
        sight = await got(site, "/post", "example.com", resolve=resolve)
        assert sight == Unknown("the host's name does not resolve")


async def test_a_name_is_resolved_once_and_the_checked_address_is_connected_to(site: ScriptedUpstream) -> None:
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.9"]

    assert isinstance(await got(site, "/post", "rebind.example", resolve=rebinding), Present)
    assert asked == ["rebind.example"]
    (seen,) = site.requests
    assert seen.header("host") == f"rebind.example:{port(site)}"


async def test_a_second_address_is_tried(site: ScriptedUpstream) -> None:
    async def two(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.2", "127.0.0.1"]  # the server listens on the second alone

    assert isinstance(await got(site, "/post", "example.com", resolve=two), Present)


async def test_every_redirect_is_checked_anew(site: ScriptedUpstream) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return {"a.example": ["127.0.0.1"]}[host]

    hosts = ["a.example", "b.example"]
    assert await got(site, "/to-metadata", "a.example", hosts=hosts, resolve=resolve) == Unknown("host not allowed")
    PAGES["/to-b"] = to(f"http://b.example:{port(site)}/post")

    async def both(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"] if host == "a.example" else ["garbage"]

    assert isinstance(await got(site, "/to-b", "a.example", hosts=["a.example"], resolve=here), Unknown)
    assert isinstance(await got(site, "/to-b", "a.example", hosts=hosts, resolve=here), Present)
    assert isinstance(await got(site, "/to-b", "a.example", hosts=hosts, resolve=both), Unknown)


async def test_the_environment_s_proxies_are_not_used(site: ScriptedUpstream, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert isinstance(await got(site, "/post"), Present)


async def test_no_cookie_is_kept_and_nothing_of_the_client_is_told(site: ScriptedUpstream) -> None:
    PAGES["/cookie"] = Script([], 302, {"location": "/post", "set-cookie": "a=b; Path=/"}, "length")
    source = Http(["*"], allow_private=True)
    for _ in range(2):
        assert isinstance(await source.look(f"http://127.0.0.1:{port(site)}/cookie"), Present)
    assert all(seen.header("cookie") is None and seen.header("authorization") is None for seen in site.requests)
    assert {seen.method for seen in site.requests} == {"GET"}


async def test_a_token_goes_to_the_first_host_alone(site: ScriptedUpstream) -> None:
    async with ScriptedUpstream(serve) as other:
        PAGES["/across"] = to(f"http://127.0.0.1:{port(other)}/back")
        PAGES["/back"] = to(f"http://127.0.0.1:{port(site)}/post")
        env = {"TOKEN": "secret-token-1234"}
        table = {"type": "http", "allow_hosts": ["127.0.0.1"], "allow_private": True, "token_env": "TOKEN"}
        source = build("web", table, env)
        assert isinstance(await source.look(f"http://127.0.0.1:{port(site)}/across"), Present)
        assert [seen.header("authorization") for seen in site.requests] == ["Bearer secret-token-1234", None]
        assert [seen.header("authorization") for seen in other.requests] == [None]
        assert "secret" not in repr(await source.look(f"http://127.0.0.1:{port(site)}/403"))


async def test_looks_at_once_are_bounded(site: ScriptedUpstream) -> None:
    PAGES["/wait"] = Script([0.05, b"x"], 200, HTML)
    source, began = Http(["*"], allow_private=True, concurrency=2), time.monotonic()
    await asyncio.gather(*(source.look(f"http://127.0.0.1:{port(site)}/wait?{n}") for n in range(6)))
    assert time.monotonic() - began >= 0.15


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({"hosts": ["a"]}, "hosts"),
        ({"allow_hosts": "example.com"}, "allow_hosts"),
        ({"allow_hosts": ["https://example.com"]}, "allow_hosts"),
        ({"allow_hosts": ["example.com:80"]}, "allow_hosts"),
        ({"allow_hosts": [1]}, "allow_hosts"),
        ({"allow_private": "yes"}, "allow_private"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"max_bytes": 1.5}, "max_bytes"),
        ({"concurrency": 0}, "concurrency"),
        ({"token_env": "NONE"}, "token_env"),
        ({"token_env": "BAD"}, "token_env"),
        ({"token_env": "GOOD", "allow_hosts": ["*"]}, "token_env"),
    ],
)
def test_a_table_that_is_wrong_says_which_key(table: dict[str, Any], key: str) -> None:
    with pytest.raises(ValueError, match=f"^{key}: "):
        build("web", {"type": "http", **table}, {"BAD": "a\nb", "GOOD": "a-token"})


def test_addresses() -> None:
    assert all(addresses.public(one) for one in ("8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1"))
    assert not any(addresses.public(one) for one in ("", "x", "10.0.0.1", "2001:0:1::1", "64:ff9b:1::1", "::7f00:1"))
    assert not any(addresses.is_name(one) for one in ("1.2.3.4", "a.1", "0x", "a b", "", ".", "a.0x7f", "ä.de"))


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What a server of a name shows, and what a client that trusts it has."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder().subject_name(who).issuer_name(who).public_key(key.public_key()).serial_number(1)
    made = made.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    signed = made.add_extension(x509.BasicConstraints(True, None), critical=True).sign(key, hashes.SHA256())
    public = signed.public_bytes(serialization.Encoding.PEM)
    form = serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    path = folder / "both.pem"
    path.write_bytes(public + secret)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    return server, ssl.create_default_context(cadata=public.decode())


async def test_tls_keeps_the_name_while_the_address_is_pinned(tmp_path: Path, site: ScriptedUpstream) -> None:
    theirs, ours = certificate(tmp_path, "blog.example")
    names: list[str | None] = []
    theirs.sni_callback = lambda connection, name, context: names.append(name)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        there = f"http://blog.example:{port(site)}/post" if b"/down" in head else ""
        status = f"302 Found\r\nlocation: {there}" if there else "200 OK"
        writer.write(f"HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=theirs)
    at = server.sockets[0].getsockname()[1]
    source = Http(["*"], allow_private=True, resolve=here, tls=ours)
    assert isinstance(await source.look(f"https://blog.example:{at}/"), Present)
    assert names == ["blog.example"]
    assert await source.look(f"https://other.example:{at}/") == Unknown("could not connect")
    assert await source.look(f"https://blog.example:{at}/down") == Unknown("redirects from https to http")
    assert isinstance(await Http(["*"], allow_private=True, resolve=here).look(f"https://blog.example:{at}/"), Unknown)
    server.close()


@given(st.text(max_size=200), st.sampled_from(["http://", "https://", "", "http://a.example/", "http://["]))
def test_any_text_is_only_unknown_when_nothing_is_allowed(text: str, before: str) -> None:
    assert isinstance(asyncio.run(Http([]).look(before + text)), Unknown)


@given(st.integers(0, 2**32 - 1))
def test_hidden_forms_are_as_public_as_what_they_hide(number: int) -> None:
    plain = ipaddress.IPv4Address(number)
    forms = [f"::ffff:{plain}", str(ipaddress.IPv6Address((0x64FF9B << 96) | number))]
    forms.append(str(ipaddress.IPv6Address((0x2002 << 112) | (number << 80))))
    assert {addresses.public(form) for form in forms} == {addresses.public(str(plain))}


PIECES = [
    "<",
    ">",
    "<!--",
    "-->",
    "<script",
    "</script>",
    "<title",
    "</title",
    "<input type=password",
    "a",
    "&amp;",
    "&#",
    "1" * 5_000,
    "\0",
    "</",
]


@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_markup_can_be_read(pieces: list[str]) -> None:
    found = page_text.read("".join(pieces).encode(), "text/html", whole=True)
    assert len(found.text) <= page_text.TEXT


def test_a_sign_of_a_number_too_long_to_be_read_costs_only_itself() -> None:
    markup = f"<title>a&#{'1' * 5_000};</title><p>b&#{'1' * 5_000}c &#0000065;".encode()
    assert page_text.read(markup, "text/html", whole=True) == page_text.Page("a\ufffd", "b\ufffdc A")


@pytest.mark.parametrize(
    "piece",
    ["<", "<a", "<!--", "<script>", "<title>", "</x ", "<input type=", "&", "&#", "&#1", "<a>", "<title></title>"],
)
def test_reading_markup_is_linear(piece: str) -> None:
    def read(times: int) -> None:
        page_text.read(piece.encode() * times, "text/html", whole=True)

    assert in_proportion(read, 500_000 // len(piece))
