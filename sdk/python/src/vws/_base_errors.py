"""What every error of this package is, and the errors of the client itself; `errors` has one for each code of a node.

Keeps: `code` is the node's code (protocol 2.2) or one of the client's four; texts are for people. `txid` is there whenever a
signed write was sent: it names the transaction, so that its outcome can be looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class VwsError(Exception):
    """Any error of a call."""

    code = ""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        details: Mapping[str, Any] | None = None,
        txid: str | None = None,
        may_have_run: bool = False,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """HTTP status; 0 when there was no answer."""
        self.details: dict[str, Any] = dict(details or {})
        self.txid = txid
        """The request's id: that of the transaction, and of its event once it is executed."""
        self.may_have_run = may_have_run
        """The write may be executed, or may have been: send the same request again, do not sign another one."""
        self.retry_after = retry_after
        """Seconds until the same call can pass, where the node says so."""

    def __str__(self) -> str:
        parts = [self.message, f"code {self.code}"]
        if self.details:
            parts.append(f"details {self.details}")
        if self.txid:
            parts.append(f"request {self.txid}")
        return "; ".join(parts)


class Refusal(VwsError):
    """A node said no, with a code; nothing was changed unless `may_have_run`."""

    def __init__(self, message: str, *, code: str | None = None, **more: Any) -> None:
        super().__init__(message, **more)
        if code is not None:
            self.code = code


class Unreachable(VwsError):
    """No connection, no answer in time, or the connection broke."""

    code = "unreachable"


class BadCall(VwsError):
    """The call cannot be made as requested: no key, an id that no URL can carry, a value that is not JSON."""

    code = "bad_call"


class BadAnswer(VwsError):
    """The answer does not follow the protocol, or is half of what it should be."""

    code = "bad_answer"


class AnswerLost(BadAnswer):
    """The write was executed, once; what it was answered cannot be had again."""


class HistoryCut(VwsError):
    """The network lost what this client had seen, own writes perhaps among it (consensus 5.7). Raised once, by a read."""

    code = "history_cut"
