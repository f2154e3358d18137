"""Sends a signed write until there is a result (protocol 1.8).

Keeps: only the same signed request is ever sent again, so it is one transaction however often it arrives; a duplicate of an
executed transaction counts as success. Unsigned writes have no TxID: they are not handled here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._base_errors import BadAnswer, Unreachable, VwsError
from ._http import Flow, Reply, Request, error_of, send, sleep
from ._signing import SignedRequest

_BUSY_CODES = frozenset({"no_quorum", "not_ready", "overloaded", "behind"})
"""503 that means "not now"; `faucet_empty` means "no" and is not among them."""
_NOT_RUN_CODES = frozenset({"not_ready", "overloaded", "behind", "faucet_empty", "ask_a_node"})
"""5xx of a node that did not carry the request out. After any other it may have run: what broke may be the answer."""
MAX_PAUSE_SECS = 5
_FIRST_REFUSAL = 400
_FIRST_FAILURE = 500

FindEvent = Callable[[str], Flow["dict[str, Any] | None"]]


@dataclass(frozen=True)
class Executed:
    """It ran earlier and that answer was lost; this is its event."""

    event: dict[str, Any]


def submit(
    request: SignedRequest, find_event: FindEvent, *, retries: int, may_have_run: bool = False
) -> Flow[Reply | Executed]:
    """
    `may_have_run`: the request was sent before, with an open outcome. Raises the node's refusal; `Unreachable` or the last
    503 when the attempts are used up: then the transaction may still execute.
    """
    attempt = 0
    while True:
        outcome = yield from _attempt(request)
        if isinstance(outcome, Reply) and outcome.is_success:
            return outcome
        error = error_of(outcome, request.txid) if isinstance(outcome, Reply) else outcome
        is_open = _leaves_open(error)
        may_have_run = may_have_run or is_open
        error.may_have_run = may_have_run
        is_waiting = error.code == "DUPLICATE_TX" and error.details.get("executed") is False
        if not (is_waiting or is_open or error.code in _BUSY_CODES):
            event = yield from _event_of_refused(request, error, find_event)
            return Executed(event)
        if attempt >= retries:
            error.may_have_run = may_have_run or is_waiting
            raise error
        wanted = outcome.integer("retry-after") if isinstance(outcome, Reply) else None
        yield from sleep(min(2**attempt / 2 if wanted is None else wanted, MAX_PAUSE_SECS))
        attempt += 1


def _leaves_open(error: VwsError) -> bool:
    """No answer, one that comes too early, a failure behind the request, or what a proxy says that had no answer."""
    return error.code == "unreachable" or (error.status >= _FIRST_FAILURE and error.code not in _NOT_RUN_CODES)


def _attempt(request: SignedRequest) -> Flow[Reply | VwsError]:
    try:
        reply = yield from send(Request(request.method, request.path, request.headers, request.body))
        if reply.is_success:
            reply.json()
    except Unreachable as lost:
        lost.txid = request.txid
        return lost
    except BadAnswer as unreadable:
        # An unreadable 2xx is not an answer either: the transaction ran, but its result is lost.
        return Unreachable(unreadable.message, txid=request.txid)
    return reply


def _event_of_refused(request: SignedRequest, error: VwsError, find_event: FindEvent) -> Flow[dict[str, Any]]:
    """A refusal is final, unless an earlier attempt of the same request was executed."""
    is_duplicate = error.code == "DUPLICATE_TX"
    if is_duplicate or error.may_have_run:
        try:
            event = yield from find_event(request.txid)
        except VwsError as unread:
            unread.txid, unread.may_have_run = request.txid, True
            raise
        if event is not None:
            return event
    if is_duplicate:
        _explain(error)
    raise error


def _explain(error: VwsError) -> None:
    """Of a duplicate without an event here: it was refused, or this node does not have its execution in its store."""
    status = error.details.get("status")
    if isinstance(status, int) and status >= _FIRST_REFUSAL:
        error.status, error.may_have_run = status, False
        error.message = f"the transaction was executed before and refused with status {status}"
    else:
        error.may_have_run = True
        error.message = "the transaction was executed before, and this node does not have its event"
