"""Every exception that Groundwire raises.

GroundwireError
├── ConfigError         a file that an operator wrote: names file, table and key
├── RequestError        what a client sent: carries the HTTP status and the fields of an OpenAI error
├── StoreError          the store between workers that did not answer
└── UpstreamError       a model's server that could not be reached or that broke off
"""

from __future__ import annotations


class GroundwireError(Exception):
    """The root of the tree; never raised itself."""


class ConfigError(GroundwireError):
    """A configuration or policy that cannot be used.

    `file` is the path as the operator spelled it, `table` the TOML table (`rules[2].options`, empty for the top
    level), `key` the key inside it (empty when the whole table is meant) and `problem` says what is wrong and what
    would be right.
    """

    def __init__(self, file: str, table: str, key: str, problem: str) -> None:
        self.file, self.table, self.key, self.problem = file, table, key, problem
        place = ".".join(part for part in (table, key) if part)
        super().__init__(f"{file}: {place}: {problem}" if place else f"{file}: {problem}")


class RequestError(GroundwireError):
    """A request that is answered with an error: `status` is the HTTP status, the rest are OpenAI's error fields."""

    def __init__(
        self, status: int, message: str, *, kind: str = "invalid_request_error", param: str = "", code: str = ""
    ) -> None:
        self.status, self.message, self.kind, self.param, self.code = status, message, kind, param, code
        super().__init__(message)


class StoreError(GroundwireError):
    """The store that workers share did not answer."""


class UpstreamError(GroundwireError):
    """An upstream that could not be reached (before its reply) or that broke off (inside it)."""
