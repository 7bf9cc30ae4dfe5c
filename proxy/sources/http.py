"""Web pages and JSON services as ground truth: GET of a URL that a model wrote, to allowed hosts at public addresses."""

from __future__ import annotations

import asyncio
import re
import socket
import zlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import httpcore
import httpx

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown
from proxy.sources import addresses, page_text

if TYPE_CHECKING:
    import ssl

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""(host name, port) → its addresses, as text. Raises OSError where the name has none."""

LONGEST, HOPS, TRIES = 2_048, 3, 3
"""Code points of a URL, redirects that are followed, and addresses of one name that are tried."""

REDIRECTS = frozenset({301, 302, 303, 307, 308})
NOT_IN_URL = re.compile(r"[\x00-\x20\x7f\\]|^[^/]*//@")
LOGIN_PATH = re.compile(
    r"(?i)/(?:users?/|accounts?/)?(?:log[-_]?in|sign[-_]?in|wp-login\.php|sso|saml2?|oauth2?|auth|authorize|session/new)(?:[/.]|$)"
)
LOGIN_HOST = re.compile(r"(?:log-?in|sign-?in|sso|auth|idp|accounts?)\.")


async def system_resolve(host: str, port: int) -> Sequence[str]:
    """What the system's resolver says."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Http:
    """GET of a URL. What is not in `allow_hosts`, or resolves to an address that is not public, is not connected to.

    A name is resolved once for each request, every address of it is checked, and the connection goes to a checked
    address; TLS and `Host` keep the name. Redirects are checked as the first URL is. Nothing of the environment is
    used, no cookie is kept, no connection is used twice. `timeout` is for the whole look, in seconds; `max_bytes` for
    the body, decompressed; `text` for the text of a page, in code points, of which `lines` makes each paragraph a line.
    `token` is sent to the first URL's own host alone, and over TLS unless `allow_private`.
    """

    def __init__(
        self,
        allow_hosts: Iterable[str] = (),
        *,
        allow_private: bool = False,
        timeout: float = 5.0,
        max_bytes: int = 500_000,
        concurrency: int = 4,
        token: str = "",
        text: int = page_text.TEXT,
        lines: bool = False,
        resolve: Resolve = system_resolve,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed = [_glob(host) for host in allow_hosts]
        self._allow_private, self._timeout, self._max_bytes = allow_private, timeout, max_bytes
        self._slots = asyncio.Semaphore(concurrency)
        self._read = partial(page_text.read, limit=text, lines=lines)
        self._token, self._resolve, self._tls = token, resolve, tls

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        """What a URL answers, as `status`, `url`, `title`, `text`, `content_type`, `login`, and `json` where it is some."""
        try:
            async with self._slots, asyncio.timeout(self._timeout):
                return await self._follow(subject)
        except (TimeoutError, httpcore.TimeoutException):
            return Unknown("timed out")
        except httpcore.ConnectError:
            return Unknown("could not connect")
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
            return Unknown(f"the connection broke: {type(error).__name__}")
        except zlib.error:
            return Unknown("the body cannot be decompressed")

    async def _follow(self, subject: str) -> Sight:
        first = _parsed(subject)
        if first is None:
            return Unknown("not a URL that can be looked at")
        url, trusted = first, bool(self._token)
        for _ in range(HOPS + 1):
            if refusal := self._refusal(url):
                return Unknown(refusal)
            found = await self._addresses(url)
            if isinstance(found, Unknown):
                return found
            trusted = trusted and _origin(url) == _origin(first) and (url.scheme == "https" or self._allow_private)
            answer = await self._get(url, found, self._token if trusted else "")
            if not isinstance(answer, str):
                return answer
            after = _parsed(answer, url)
            if after is None:
                return Unknown("redirects to what is no URL")
            if _to_login(after, first):
                return Unknown("redirects to a login page")
            if (url.scheme, after.scheme) == ("https", "http"):
                return Unknown("redirects from https to http")
            url = after
        return Unknown(f"more than {HOPS} redirects")

    def _refusal(self, url: httpx.URL) -> str:
        """Why a URL is not to be connected to, judged by its text alone; empty where nothing speaks against it."""
        host = _host(url)
        if url.scheme not in ("http", "https"):
            return "not an http URL"
        if url.userinfo or "@" in url.netloc.decode("latin-1"):
            return "a user name in the URL"
        if not host or (url.port is not None and not 0 < url.port < 65_536):
            return "not a URL that can be looked at"
        address = addresses.literal(host)
        if address is None and not addresses.is_name(host):
            return "not a host name"
        spellings = {host, host.removesuffix("."), str(address)}
        return "" if any(one.fullmatch(host) for one in self._allowed for host in spellings) else "host not allowed"

    async def _addresses(self, url: httpx.URL) -> Sequence[str] | Unknown:
        """The checked addresses of a URL's host. One that is not public spoils all of them."""
        host = _host(url)
        try:
            literal = addresses.literal(host)
            found = [str(literal)] if literal is not None else await self._resolve(host, _port(url))
        except (OSError, UnicodeError):
            return Unknown("the host's name does not resolve")
        if not found:
            return Unknown("the host's name does not resolve")
        if not self._allow_private and not all(addresses.public(one) for one in found):
            return Unknown("private address")
        return found[:TRIES]

    async def _get(self, url: httpx.URL, found: Sequence[str], token: str) -> Sight | str:
        """One request: what it tells, or where it redirects to."""
        headers = [("Host", url.netloc.decode("ascii")), ("User-Agent", "groundwire"), ("Accept", "*/*")]
        headers += [("Accept-Encoding", "gzip"), ("Connection", "close")]
        headers += [("Authorization", f"Bearer {token}")] if token else []
        origin = httpcore.Origin(url.raw_scheme, url.raw_host, _port(url))
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        limits = dict.fromkeys(("connect", "read", "write", "pool"), self._timeout)
        tls = await self._context() if url.scheme == "https" else None
        async with (
            httpcore.AsyncHTTPConnection(origin, ssl_context=tls, network_backend=_Pinned(found)) as connection,
            connection.stream("GET", target, headers=headers, extensions={"timeout": limits}) as response,
        ):
            told = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            if response.status in REDIRECTS and told.get("location"):
                return told["location"]
            if response.status in (404, 410):
                return Absent(f"status {response.status}")
            if not 200 <= response.status < 300:
                return Unknown(f"status {response.status}")
            return await self._present(url, response, told)

    async def _present(self, url: httpx.URL, response: httpcore.Response, told: Mapping[str, str]) -> Sight:
        encoding = told.get("content-encoding", "identity").strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            return Unknown("the body's encoding is not read")
        body, whole = await self._body(response, "gzip" in encoding)
        kind = told.get("content-type", "")[:200]
        page = await asyncio.to_thread(self._read, body, kind, whole=whole)
        fields = {
            "status": response.status,
            "url": str(url),
            "title": page.title,
            "text": page.text,
            "content_type": kind,
            "login": page.login,
        }
        return Present({**fields, "json": page.json} if page.is_json else fields)

    async def _body(self, response: httpcore.Response, packed: bool) -> tuple[bytes, bool]:
        """At most `max_bytes` of a body, as received and as unpacked, and whether that is all of it."""
        unpack = zlib.decompressobj(31) if packed else None
        body, received = bytearray(), 0
        async for chunk in response.aiter_stream():
            received += len(chunk)
            body += chunk if unpack is None else unpack.decompress(chunk, self._max_bytes - len(body) + 1)
            if max(received, len(body)) > self._max_bytes:
                return bytes(body[: self._max_bytes]), False
        return bytes(body), unpack is None or unpack.eof or not received

    async def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = await asyncio.to_thread(httpx.create_ssl_context, trust_env=False)
        return self._tls

    async def aclose(self) -> None:
        return None


class _Pinned(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were checked, whatever the name resolves to by now."""

    def __init__(self, found: Sequence[str]) -> None:
        self._found, self._backend = found, httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        failed: httpcore.ConnectError | None = None
        for address in self._found:
            try:
                return await self._backend.connect_tcp(address, port, timeout)
            except httpcore.ConnectError as error:
                failed = error
        raise failed or httpcore.ConnectError()

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError()


def _glob(pattern: str) -> re.Pattern[str]:
    """A host, where `*` stands for any run of characters."""
    bare = pattern.strip().lower().removeprefix("[").removesuffix("]")
    return re.compile(re.escape(bare).replace(r"\*", ".*"))


def _parsed(text: str, base: httpx.URL | None = None) -> httpx.URL | None:
    """A URL, or a redirect's target as seen from its page; None where it is none, or too long."""
    if base is not None:
        text = text.strip().replace(" ", "%20")
    if len(text) > LONGEST or NOT_IN_URL.search(text):
        return None
    try:
        url = httpx.URL(text) if base is None else base.join(text)
        return httpx.URL(str(url)).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError):
        return None


def _host(url: httpx.URL) -> str:
    return url.raw_host.decode("latin-1").lower()


def _port(url: httpx.URL) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


def _origin(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, _host(url), _port(url)


def _to_login(url: httpx.URL, first: httpx.URL) -> bool:
    """Whether a redirect leads to a login, where the first URL did not name one."""
    path = LOGIN_PATH.search(url.path) is not None and LOGIN_PATH.search(first.path) is None
    return path or (LOGIN_HOST.match(_host(url)) is not None and LOGIN_HOST.match(_host(first)) is None)


KEYS = {"type", "allow_hosts", "allow_private", "timeout", "max_bytes", "concurrency", "token_env"}
LIMITS = {"timeout": (5.0, 0.01, 120), "max_bytes": (500_000, 1_024, 50_000_000), "concurrency": (4, 1, 64)}


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Http:
    """From `[sources.NAME] type = "http"`, `allow_hosts`, limits and `token_env`. Raises ValueError("key: problem")."""
    if unknown := set(table) - KEYS:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: {', '.join(sorted(KEYS - {'type'}))}")
    hosts = table.get("allow_hosts", [])
    if not isinstance(hosts, list) or not all(isinstance(host, str) for host in hosts):
        raise ValueError("allow_hosts: must be a list of hosts such as 'example.com' or '*.example.com'")
    for host in hosts:
        bare = host.strip().lower().removeprefix("[").removesuffix("]")
        if not addresses.literal(bare) and not re.fullmatch(r"[a-z0-9*._-]+", bare):
            raise ValueError(f"allow_hosts: {host!r} is no host; right would be 'example.com' or '*.example.com'")
    if not isinstance(private := table.get("allow_private", False), bool):
        raise ValueError("allow_private: must be true or false")
    numbers = {}
    for key, (usual, least, most) in LIMITS.items():
        value = numbers[key] = table.get(key, usual)
        whole = int if isinstance(usual, int) else (int, float)
        if isinstance(value, bool) or not isinstance(value, whole) or not least <= value <= most:
            raise ValueError(f"{key}: must be {least} to {most}")
    token = _token(table.get("token_env", ""), hosts, env)
    return Http(hosts, allow_private=private, token=token, **numbers)


def _token(variable: Any, hosts: Sequence[str], env: Mapping[str, str]) -> str:
    if variable == "":
        return ""
    if not isinstance(variable, str) or not env.get(variable, "").strip():
        raise ValueError(f"token_env: the variable {variable!r} is not set")
    token = env[variable].strip()
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise ValueError(f"token_env: what {variable} holds is no token")
    if any(set(host) <= set("*.") for host in hosts):
        raise ValueError("token_env: would be sent to every host; name the hosts in allow_hosts")
    return token
