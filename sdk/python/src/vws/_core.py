"""What both clients do: reads that are not older than the agent's own writes, and writes that are carried out once.

Keeps: a write is signed once for one intention and sent again only as that same request; with a spool it is on disk before
it is sent. Written as flows (`_http`), so that the blocking and the async client cannot differ.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._base_errors import AnswerLost, BadCall, HistoryCut, VwsError
from ._http import Flow, Reply, Request, error_of, query_text, segment, send, sleep
from ._jcs import canonical
from ._lost_answers import COMPLETE, REBUILD
from ._seen_order import SeenOrder
from ._signing import SignedRequest, Signer, sign_request
from ._spool import Entry, Spool
from ._submission import MAX_PAUSE_SECS, Executed, submit

Query = Mapping[str, str | int | None]
_BUSY = 503
MAINNET = "vws-mainnet-1"
_MAX_SKEW_SECS = 60
"""A request may run until this long after it has expired (protocol 5.3)."""


@dataclass
class Core:
    signer: Signer | None = None
    api_key: str | None = None
    chain: str | None = None
    retries: int = 3
    seen_order: SeenOrder = field(default_factory=SeenOrder)
    spool: Spool | None = None
    now: Callable[[], float] = time.time

    @property
    def own_key(self) -> str | None:
        return self.signer.public_key if self.signer else None

    def get(self, path: str) -> Flow[Any]:
        reply = yield from self.read(path)
        return reply.json()

    def read(self, path: str, query: Query | None = None) -> Flow[Reply]:
        """A read that must answer 2xx. Repeated while the node is busy."""
        attempt = 0
        while True:
            newest = self.seen_order.newest
            headers = {} if newest is None else {"X-Service-Min-Order": str(newest)}
            reply = yield from send(Request("GET", path + query_text(query or {}), headers))
            if reply.is_success:
                self.seen_order.read(reply.order, self.now())
                return reply
            error = error_of(reply)
            if error.code == "behind":
                lost = self.seen_order.refused(reply.is_behind, error.details)
                if lost is not None:
                    raise HistoryCut(
                        f"the network lost acknowledged writes after order {newest} was seen: check what was written since",
                        status=reply.status,
                        details={"seen": newest, "writes_may_be_lost": lost},
                    )
            if reply.status != _BUSY or attempt >= self.retries:
                raise error
            wanted = reply.integer("retry-after")
            yield from sleep(min(1 if wanted is None else wanted, MAX_PAUSE_SECS))
            attempt += 1

    def write(
        self,
        operation: str,
        method: str,
        path: str,
        body: Mapping[str, Any],
        idempotency_key: str | None = None,
    ) -> Flow[Any]:
        """A write, signed once and sent until there is a result; unsigned without a key. The answer's body."""
        if self.signer is None:
            if idempotency_key is not None:
                raise BadCall("an idempotency key needs a client with a key and a spool")
            return (yield from self._unsigned(operation, method, path, body))
        if idempotency_key is None:
            request = yield from self.prepare(operation, method, path, body)
            if self.spool is None:
                return (yield from self.submit(operation, request))
            entry = Entry(self.spool.name_of(request, None), operation, request)
            return (yield from self.finish(self.spool.keep(entry), may_have_run=False))
        return (yield from self._write_once(operation, method, path, body, idempotency_key))

    def _write_once(self, operation: str, method: str, path: str, body: Mapping[str, Any], idempotency_key: str) -> Flow[Any]:
        if self.spool is None:
            raise BadCall("an idempotency key needs a spool: Client(..., spool=directory)")
        while True:
            entry = self.spool.find(idempotency_key)
            is_new = entry is None
            if entry is None:
                request = yield from self.prepare(operation, method, path, body)
                name = self.spool.name_of(request, idempotency_key)
                own = Entry(name, operation, request, idempotency_key)
                entry = self.spool.keep(own)
                is_new = entry is own
            kept = entry.request
            # What was completed (COMPLETE) may differ from call to call; the intention is what the caller gave.
            if (kept.method, kept.path) != (method, path) or not _is_of(kept, body, operation):
                raise BadCall(f"the idempotency key {idempotency_key!r} was used for another request", txid=kept.txid)
            if entry.answer is not None:
                return entry.answer
            # Otherwise it ended in this moment: the next turn sees how.
            if is_new or self.spool.send_again(entry):
                return (yield from self.finish(entry, may_have_run=not is_new))

    def resend(self, entry: Entry) -> Flow[Any]:
        """Sends what was not finished again. Raises BadCall where it has ended since."""
        assert self.spool is not None
        if not self.spool.send_again(entry):
            raise BadCall("this request was refused or answered meanwhile, so it is not sent again", txid=entry.request.txid)
        return (yield from self.finish(entry, may_have_run=True))

    def finish(self, entry: Entry, *, may_have_run: bool) -> Flow[Any]:
        """Sends a kept request until its outcome is known, and notes it."""
        assert self.spool is not None
        try:
            answer = yield from self.submit(entry.operation, entry.request, may_have_run=may_have_run)
        except VwsError as error:
            # What ran keeps its key for ever: freed, it would be carried out once more.
            if isinstance(error, AnswerLost) and entry.idempotency_key is None:
                self.spool.drop(entry)
            elif not error.may_have_run:
                error.may_have_run = not self.spool.refuse(entry)
            if error.may_have_run and error.code == "tx_expired" and (yield from self._can_never_run(entry.request)):
                error.may_have_run = False
                self.spool.drop(entry)
            raise
        self.spool.finish(entry, answer)
        return answer

    def _can_never_run(self, request: SignedRequest) -> Flow[bool]:
        """Its time has passed in the order itself, and it has no event."""
        status = yield from self.get("/v1/status")
        if status["consensus_time"] <= request.expires_at + _MAX_SKEW_SECS:
            return False
        return (yield from self.find_event(request.txid)) is None

    def prepare(self, operation: str, method: str, path: str, body: Mapping[str, Any]) -> Flow[SignedRequest]:
        """Signs a write without sending it."""
        if self.signer is None:
            raise BadCall("signing needs a key")
        whole = yield from self._whole(operation, body)
        chain = yield from self._own_chain()
        return sign_request(self.signer, chain, method, path, whole, created_at=int(self.now()))

    def submit(self, operation: str, request: SignedRequest, *, may_have_run: bool = False) -> Flow[Any]:
        """Sends a signed write until there is a result; safe to call again with the same request."""
        outcome = yield from submit(request, self.find_event, retries=self.retries, may_have_run=may_have_run)
        if not isinstance(outcome, Executed):
            self.seen_order.wrote(outcome.order, self.now())
            return outcome.json()
        cause: VwsError | None = None
        rebuild = REBUILD.get(operation)
        if rebuild is not None:
            try:
                return (yield from rebuild(self, outcome.event))
            except VwsError as error:
                # The write ran: an error of the reads for its answer must not look like a refusal of the write.
                cause = error
        text = "the write was executed, but its answer was lost"
        raise AnswerLost(text, txid=request.txid, may_have_run=True) from cause

    def _own_chain(self) -> Flow[str]:
        """
        The chain that writes are signed for: the given one, otherwise a testnet that the node names, which is asked once. What
        is signed for the mainnet can be carried out there whoever asked for it, so no node's word is enough for that.
        """
        if self.chain is None:
            status = yield from self.get("/v1/status")
            chain = str(status["chain_id"])
            if chain == MAINNET:
                text = f"the node says that its chain is {chain}, for which nothing is signed on its word"
                raise BadCall(f"{text}: name it, Client(..., chain_id={chain!r})")
            self.chain = chain
        return self.chain

    def find_event(self, txid: str) -> Flow[dict[str, Any] | None]:
        try:
            reply = yield from self.read(f"/v1/events/{segment(txid)}")
        except VwsError as error:
            if error.code == "event_not_found":
                return None
            raise
        # The write was executed at or below the order of this answer.
        self.seen_order.wrote(reply.order, self.now())
        return reply.json()

    def _whole(self, operation: str, body: Mapping[str, Any]) -> Flow[dict[str, Any]]:
        given = _given(body)
        complete = COMPLETE.get(operation)
        return given if complete is None else (yield from complete(self, given))

    def _unsigned(self, operation: str, method: str, path: str, body: Mapping[str, Any]) -> Flow[Any]:
        whole = yield from self._whole(operation, body)
        headers = {"content-type": "application/json"}
        if self.api_key is not None:
            headers["X-API-Key"] = self.api_key
        reply = yield from send(Request(method, path, headers, canonical(whole)))
        if not reply.is_success:
            raise error_of(reply)
        self.seen_order.wrote(reply.order, self.now())
        return reply.json()


def _given(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}


def _is_of(kept: SignedRequest, body: Mapping[str, Any], operation: str) -> bool:
    sent, given = json.loads(kept.body), _given(body)
    if operation in COMPLETE:
        # An encrypted secret is another text each time.
        sent = {name: sent.get(name) for name in given if name != "webhook_secret"}
        given.pop("webhook_secret", None)
    return canonical(sent) == canonical(given)
