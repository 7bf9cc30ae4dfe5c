"""The door to any server that speaks HTTP as OpenAI's does: one pool of connections, the bytes as they are."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from types import SimpleNamespace

import aiohttp
from yarl import URL

from proxy.errors import UpstreamError
from proxy.redaction import redact
from proxy.upstreams import Headers, Outgoing
from proxy.upstreams.decoding import BROKEN, Decoder, decoder

HOP_BY_HOP = frozenset({b"connection", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade"})
"""RFC 9110 §7.6.1, beside every `proxy-…` header and what `connection` itself names."""

REWRITTEN = HOP_BY_HOP | {b"host", b"content-length", b"expect"}
"""What this hop says for itself. `expect` has been answered by our own server, which has read the body."""

CREDENTIALS = frozenset({b"authorization", b"x-api-key", b"api-key", b"openai-organization", b"openai-project"})
"""The headers in which OpenAI, Anthropic and Azure take a key, and whose account it is: ours is not the client's."""

NEVER_INVENTED = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
"""Headers that aiohttp would add of its own accord."""

HEAD_LIMIT = 65_536
"""Bytes of one header line of a reply; aiohttp's own limit of 8 KB is less than some gateways send."""

BUFFER = 65_536
"""Reading from the upstream stops when twice as many bytes wait for the reader."""

_NOT_IN_A_TARGET = re.compile(rb"[^!-~]")


def forwardable(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The client's headers without those that stop at this hop: hop-by-hop ones, `host`, `content-length`, our own.

    Names come out in lower case; order and duplicates stay.
    """
    return _without(headers, REWRITTEN, (b"proxy-", b"x-groundwire"))


def _without(headers: Iterable[tuple[bytes, bytes]], names: frozenset[bytes], prefixes: tuple[bytes, ...]) -> Headers:
    lower = [(name.lower(), value) for name, value in headers]
    for name, value in lower:
        if name == b"connection":
            # "Intermediaries MUST … remove any header field(s) … with the same name as the connection-option."
            names = names.union(option.strip().lower() for option in value.split(b","))
    return [(name, value) for name, value in lower if name not in names and not name.startswith(prefixes)]


class HttpUpstream:
    """An OpenAI-compatible server. `base_url` ends where `/chat/completions` begins and may have a query of its own.

    `api_key`, when there is one, goes up in place of the client's credentials, in the header that `auth` names.
    `connect_timeout` bounds the way to a connection, `read_timeout` the silence between two reads; both in seconds, and a
    stream may last for ever. `connections` is the most at once, 0 for no limit; one is kept for `keepalive` seconds of
    idleness.
    Raises ValueError on a `base_url` that cannot be used.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        api_key: str | None = None,
        auth: str = "bearer",
        connect_timeout: float = 10.0,
        read_timeout: float = 600.0,
        connections: int = 0,
        keepalive: float = 60.0,
    ) -> None:
        self.name = name
        self.active = 0
        url = URL(base_url)
        if url.scheme not in ("http", "https") or not url.host or url.raw_user or url.raw_password or url.raw_fragment:
            shown = redact(base_url)
            raise ValueError(f"{shown!r} is no base URL; right would be 'https://host/v1', without a user or '#'")
        self._root = str(url.with_query(None)).rstrip("/").encode()
        self._query = url.raw_query_string.encode()
        self._own: Headers = [] if api_key is None else _authorization(api_key.encode(), auth)
        self._connect_timeout, self._read_timeout = connect_timeout, read_timeout
        self._connections, self._keepalive = connections, keepalive
        self._session: aiohttp.ClientSession | None = None

    def models(self) -> Sequence[str]:
        return ()

    async def start(self) -> None:
        """Open the pool; to be called in the loop that will use it."""
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._connections, keepalive_timeout=self._keepalive),
            timeout=aiohttp.ClientTimeout(connect=self._connect_timeout, sock_read=self._read_timeout),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            skip_auto_headers=NEVER_INVENTED,
            read_bufsize=BUFFER,
            max_line_size=HEAD_LIMIT,
            max_field_size=HEAD_LIMIT,
            trace_configs=[_reuse_noted()],
        )

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def open(self, outgoing: Outgoing) -> HttpReply:
        self.active += 1
        try:
            response = await self._send(outgoing)
        except aiohttp.ClientError as error:
            self.active -= 1
            raise UpstreamError(f"upstream {self.name!r} {self._why(error)}") from error
        except BaseException:
            self.active -= 1
            raise
        return HttpReply(response, outgoing.raw, self._broke, self._released)

    async def _send(self, outgoing: Outgoing) -> aiohttp.ClientResponse:
        """Send, and send once more when a pooled connection turns out to have been closed meanwhile.

        RFC 9110 §9.2.2 forbids a proxy to repeat a request that is not idempotent, unless it knows better. It does for
        what it audits: a completion changes nothing, and the client's own library would ask again. So only such a request
        is repeated, whole, once, and only when a connection used before was closed without a byte of reply. (aiohttp
        itself repeats the idempotent methods.) What is passed through raw may create things and is never repeated.
        """
        trace = SimpleNamespace(reused=False)
        try:
            return await self._request(outgoing, trace)
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            if not trace.reused or outgoing.raw or not isinstance(outgoing.body, bytes):
                raise
        return await self._request(outgoing, trace)

    async def _request(self, outgoing: Outgoing, trace: SimpleNamespace) -> aiohttp.ClientResponse:
        assert self._session is not None, "an upstream is started before it is used"
        return await self._session.request(
            outgoing.method,
            self._url(outgoing.path, outgoing.query),
            headers=[(name.decode("latin-1"), _text(value)) for name, value in self._headers(outgoing)],
            data=outgoing.body or None,
            allow_redirects=False,
            trace_request_ctx=trace,
        )

    def _url(self, path: str, query: bytes) -> URL:
        target = self._root + path.encode()
        if query or self._query:
            target += b"?" + b"&".join(part for part in (self._query, query) if part)
        # A line break in the request line would begin a second request.
        return URL(_NOT_IN_A_TARGET.sub(lambda byte: b"%%%02X" % byte[0][0], target).decode("ascii"), encoded=True)

    def _headers(self, outgoing: Outgoing) -> Headers:
        headers = forwardable(outgoing.headers)
        if self._own:
            there = {name for name, _ in headers} - CREDENTIALS
            headers = [header for header in headers if header[0] not in CREDENTIALS]
            headers += [header for header in self._own if header[0] not in there]
        if not outgoing.raw:
            headers = [header for header in headers if header[0] != b"accept-encoding"]
            headers.append((b"accept-encoding", b"identity"))
        if outgoing.length is not None:
            headers.append((b"content-length", b"%d" % outgoing.length))
        return headers

    def _why(self, error: Exception) -> str:
        """The reason in a few words that hold no URL, header or byte of a body."""
        match error:
            case aiohttp.ConnectionTimeoutError():
                return f"could not be reached: no connection within {self._connect_timeout:g} s"
            case aiohttp.ServerTimeoutError():
                return f"sent nothing for {self._read_timeout:g} s"
            case aiohttp.ClientConnectorCertificateError():
                return "could not be reached: its certificate is not trusted"
            case aiohttp.ClientSSLError():
                return "could not be reached: no TLS on this port, or none in common"
            case aiohttp.ClientConnectorDNSError():
                return "could not be reached: its host name is not known"
            case aiohttp.ClientConnectorError():
                return f"could not be reached: {error.os_error.strerror or 'no connection'}"
            case aiohttp.ServerDisconnectedError() | aiohttp.ClientOSError():
                return "closed the connection without an answer"
            case aiohttp.ClientResponseError():
                return "did not answer in HTTP"
        return f"failed: {type(error).__name__}"

    def _broke(self, reason: Exception | str) -> UpstreamError:
        match reason:
            case aiohttp.ServerTimeoutError():
                why = self._why(reason)
            case Exception():
                why = "broke off in the middle of an answer"
            case _:
                why = reason
        return UpstreamError(f"upstream {self.name!r} {why}")

    def _released(self) -> None:
        self.active -= 1


class HttpReply:
    """A reply that is still coming in; see `Reply`."""

    __slots__ = ("_broke", "_closed", "_released", "_response", "body", "headers", "opaque", "status")

    def __init__(
        self,
        response: aiohttp.ClientResponse,
        raw: bool,
        broke: Callable[[Exception | str], UpstreamError],
        released: Callable[[], None],
    ) -> None:
        self.status = response.status
        self.opaque = False
        self._response: aiohttp.ClientResponse | None = response
        self._broke, self._released = broke, released
        self.headers = _without(response.raw_headers, HOP_BY_HOP, (b"proxy-",))
        decode = None
        if not raw:
            encodings = b",".join(value for name, value in self.headers if name == b"content-encoding")
            decode = decoder(encodings)
            self.opaque = decode is None and encodings.strip().lower() not in (b"", b"identity")
            if not self.opaque:
                own = (b"content-encoding", b"content-length")
                self.headers = [header for header in self.headers if header[0] not in own]
        # aiohttp's parser drops a body whose chunks it cannot read, and wakes nobody who waits for more of it.
        protocol = response.connection.protocol if response.connection is not None else None
        self._closed = protocol.closed if protocol is not None else None
        if self._closed is not None:
            self._closed.add_done_callback(self._lost)
            self._closed.remove_done_callback(_heard)  # of the reply before, on the same connection
            self._closed.add_done_callback(_heard)
        elif protocol is not None:
            self._lost()  # it is closed already
        pieces = self._pieces(response.content)
        self.body: AsyncGenerator[bytes, None] = pieces if decode is None else self._decoded(pieces, decode)

    async def _pieces(self, content: aiohttp.StreamReader) -> AsyncGenerator[bytes, None]:
        try:
            while piece := await content.readany():
                yield piece
        except aiohttp.ClientError as error:
            # What came before the break is the reader's: aiohttp would keep it behind its exception.
            content.set_exception(None)  # type: ignore[arg-type]
            if rest := content.read_nowait():
                yield rest
            raise self._broke(error) from error
        finally:
            self._close()

    async def _decoded(self, pieces: AsyncIterator[bytes], decode: Decoder) -> AsyncGenerator[bytes, None]:
        try:
            async for piece in pieces:
                for text in decode.feed(piece):
                    yield text
        except BROKEN as error:
            raise self._broke("sent a body that is not in its content-encoding") from error
        finally:
            self._close()
        if not decode.complete():
            raise self._broke("ended its reply inside its content-encoding")

    async def aclose(self) -> None:
        self._close()

    def _lost(self, _: object = None) -> None:
        content = self._response.content if self._response is not None else None
        if content is not None and not content.is_eof() and content.exception() is None:
            content.set_exception(aiohttp.ClientPayloadError("the connection was closed inside the body"))

    def _close(self) -> None:
        response, self._response = self._response, None
        if response is None:
            return
        if self._closed is not None:
            self._closed.remove_done_callback(self._lost)  # it outlives the reply where the connection is used again
        if response.connection is not None and response.connection.transport is not None:
            # Not read to its end: the server must notice now, not after the rest of an upload or a TLS farewell.
            response.connection.transport.abort()
        response.close()
        self._released()


def _heard(closed: asyncio.Future[None]) -> None:
    """Take note of how a connection was lost, in use or idle: else asyncio logs it as an error that nobody has looked at."""
    if not closed.cancelled():
        closed.exception()


def _authorization(key: bytes, auth: str) -> Headers:
    """How our key goes up. Anthropic's API takes no request without its version, which not every client names."""
    if auth == "x-api-key":
        return [(b"x-api-key", key), (b"anthropic-version", b"2023-06-01")]
    return [(b"authorization", b"Bearer " + key)]


def _text(value: bytes) -> str:
    """A header's value as aiohttp wants it, which writes UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _reuse_noted() -> aiohttp.TraceConfig:
    async def reused(session: aiohttp.ClientSession, trace: SimpleNamespace, params: object) -> None:
        trace.trace_request_ctx.reused = True

    config = aiohttp.TraceConfig()
    config.on_connection_reuseconn.append(reused)
    return config
