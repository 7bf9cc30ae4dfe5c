"""Which internet addresses are public: those that a URL written by a model may lead to."""

from __future__ import annotations

import ipaddress
import re

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# IANA's special-purpose registries (RFC 6890), spelled out: what the standard library calls global differs by version.
# 168.63.129.16 is a cloud's own metadata address in a public range.
NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "168.63.129.16/32",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "2001::/23",
            "2001:db8::/32",
            "3fff::/20",
            "2620:4f:8000::/48",
        ),
    )
)
GLOBAL_6 = ipaddress.IPv6Network("2000::/3")
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
HOST_NAME = re.compile(
    r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
)
NUMERIC = re.compile(r"(?:.*\.)?(?:\d+|0x[0-9a-f]*)")
"""The URL standard's "ends in a number": resolvers read such names as addresses (`0x7f.1`, `017700000001`, `2130706433`)."""


def literal(host: str) -> Address | None:
    """The address that a host is in its usual spelling; None where it is a name, or an odd spelling."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_name(host: str) -> bool:
    """Whether a host, in lower case, is a name that can only be resolved as one."""
    bare = host.removesuffix(".")
    return HOST_NAME.fullmatch(bare) is not None and NUMERIC.fullmatch(bare) is None


def public(text: str) -> bool:
    """Whether an address leads to the internet, and not home by a detour (mapped, 6to4 or NAT64 forms)."""
    address = literal(text)
    if address is None or "%" in text:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return public(str(inner))
        if address not in GLOBAL_6:
            return False
    return not any(address.version == net.version and address in net for net in NOT_PUBLIC)
