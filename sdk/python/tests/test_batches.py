"""Many writes in one request: each has its own outcome, and nothing is signed or paid twice. The node is played."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from test_submission import KEY, STAKED, client_of, refusal

from vws import AsyncClient, Client, SignedRequest, Unreachable, VwsError, errors
from vws import _batches as batches
from vws._http import Request

OPERATION = "transactions_stake"


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    noted: list[float] = []
    monkeypatch.setattr("vws._http.time.sleep", noted.append)

    async def note(secs: float) -> None:
        noted.append(secs)

    monkeypatch.setattr("vws._http.asyncio.sleep", note)
    return noted


class Node:
    """Carries out stakes: an amount above 99 is too much. `faults`: what becomes of the first exchanges instead."""

    def __init__(self, *faults: httpx.Response | None) -> None:
        self.faults = list(faults)
        self.exchanges: list[list[dict[str, Any]]] = []
        self.under_way = self.most = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(404, json={"error": "no such event", "code": "event_not_found"})
        content = json.loads(request.content)
        items = content["requests"] if request.url.path == "/v1/batch" else [_alone(request)]
        self.exchanges.append(items)
        if self.faults:
            fault = self.faults.pop(0)
            if fault is None:
                raise httpx.ReadTimeout("gone", request=request)
            return fault
        outcomes = [self._outcome(item["body"]) for item in items]
        if request.url.path == "/v1/batch":
            return httpx.Response(200, json={"results": outcomes})
        (alone,) = outcomes
        return httpx.Response(alone["status"], json=alone["body"], headers={"x-service-order": "1"})

    def _outcome(self, body: str) -> dict[str, Any]:
        amount = json.loads(body)["amount"]
        if amount > 99:
            return {"status": 402, "body": refusal("insufficient_balance")}
        return {"status": 200, "order": amount, "body": {**STAKED, "staked_amount": amount}}

    async def slowly(self, request: httpx.Request) -> httpx.Response:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        for _ in range(20):
            await asyncio.wait({asyncio.ensure_future(_nothing())})
        self.under_way -= 1
        return self(request)

    @property
    def nonces(self) -> list[str]:
        names = [{name.lower(): text for name, text in item["headers"].items()} for part in self.exchanges for item in part]
        return [each["x-service-nonce"] for each in names]


def _alone(request: httpx.Request) -> dict[str, Any]:
    return {"headers": dict(request.headers), "path": request.url.path, "body": request.content.decode()}


async def _nothing() -> None:
    pass


def stakes(client: Client, *amounts: int) -> list[tuple[str, SignedRequest]]:
    return [(OPERATION, client.prepare(OPERATION, "POST", "/v1/stake", {"amount": amount})) for amount in amounts]


def shown(outcomes: list[Any]) -> list[Any]:
    return [each.code if isinstance(each, VwsError) else each["staked_amount"] for each in outcomes]


def test_a_batch_is_one_request_and_each_has_its_outcome() -> None:
    node = Node()
    client = client_of(node)
    assert shown(client.batch(stakes(client, 5, 200, 7))) == [5, "insufficient_balance", 7]
    assert [[json.loads(item["body"])["amount"] for item in part] for part in node.exchanges] == [[5, 200, 7]]
    assert client.seen_order.newest == 7
    assert client.batch([]) == []


def test_the_error_of_one_names_its_transaction() -> None:
    client = client_of(Node())
    writes = stakes(client, 5, 200)
    outcome = client.batch(writes)[1]
    assert isinstance(outcome, errors.InsufficientBalance)
    assert (outcome.txid, outcome.may_have_run) == (writes[1][1].txid, True)


@pytest.mark.parametrize(
    "fault",
    [
        None,
        httpx.Response(503, json=refusal("overloaded")),
        httpx.Response(200, json={"results": []}),
        httpx.Response(200, json={"results": [1, 2, 3]}),
        httpx.Response(200, text="<html>"),
    ],
)
def test_a_batch_without_its_answer_is_sent_again_as_it_was(fault: httpx.Response | None, pauses: list[float]) -> None:
    node = Node(fault)
    client = client_of(node)
    assert shown(client.batch(stakes(client, 1, 2, 3))) == [1, 2, 3]
    assert node.nonces[:3] == node.nonces[3:]
    assert len(pauses) == 1


def test_what_stays_open_is_an_error_of_its_own() -> None:
    client = client_of(Node(*[None] * 4))
    writes = stakes(client, 1, 2)
    outcomes = client.batch(writes)
    assert all(isinstance(each, Unreachable) and each.may_have_run for each in outcomes)
    assert [each.txid for each in outcomes] == [request.txid for _, request in writes]


def test_many_go_in_parts_that_a_node_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MAX_BATCH", 4)
    node = Node()
    client = client_of(node)
    assert shown(client.batch(stakes(client, *range(10)))) == list(range(10))
    assert [len(part) for part in node.exchanges] == [4, 4, 2]
    large = Request("POST", "/v1/stake", {}, "x" * 200_000)
    assert batches.fitting([large] * 3) == 2
    assert batches.fitting([Request("POST", "/", {}, "x" * 2_000_000)] * 2) == 1


def test_one_write_goes_alone() -> None:
    node = Node()
    client = client_of(node)
    assert shown(client.batch(stakes(client, 4))) == [4]
    assert node.exchanges[0][0]["path"] == "/v1/stake"


def async_client(node: Node) -> AsyncClient:
    http = httpx.AsyncClient(transport=httpx.MockTransport(node.slowly))
    return AsyncClient("http://node", key=KEY, chain_id="c", http_client=http)


def test_the_async_client_makes_batches_by_itself_under_load() -> None:
    async def story() -> None:
        node = Node()
        async with async_client(node) as client:
            results = await asyncio.gather(*(client.transactions.stake(amount=n) for n in range(120)), return_exceptions=True)
        for amount, result in enumerate(results):
            if amount > 99:
                assert isinstance(result, errors.InsufficientBalance)
            else:
                assert not isinstance(result, BaseException)
                assert result.staked_amount == amount
        sizes = [len(part) for part in node.exchanges]
        assert sum(sizes) == 120
        # The first leave alone and at once; what waits leaves together.
        assert sizes[: batches.MAX_EXCHANGES] == [1] * batches.MAX_EXCHANGES
        assert len(sizes) < 20
        assert node.most <= batches.MAX_EXCHANGES
        assert len(set(node.nonces)) == 120

    asyncio.run(story())


def test_one_after_the_other_they_go_alone() -> None:
    async def story() -> None:
        node = Node()
        async with async_client(node) as client:
            for amount in range(20):
                await client.transactions.stake(amount=amount)
            assert [len(part) for part in node.exchanges] == [1] * 20
            # An explicit batch is one request all the same.
            writes = [
                (OPERATION, await client.prepare(OPERATION, "POST", "/v1/stake", {"amount": amount})) for amount in (1, 200)
            ]
            assert shown(await client.batch(writes)) == [1, "insufficient_balance"]
        assert len(node.exchanges[-1]) == 2

    asyncio.run(story())


def test_a_lost_exchange_is_a_lost_answer_of_each_that_it_carried() -> None:
    async def story() -> None:
        node = Node(*[None] * 9)
        async with async_client(node) as client:
            results = await asyncio.gather(*(client.transactions.stake(amount=n) for n in range(40)))
        assert [result.staked_amount for result in results] == list(range(40))
        # Sent again as they were.
        assert len(set(node.nonces)) == 40
        assert len(node.nonces) > 40

    asyncio.run(story())


def test_who_gives_up_waiting_is_not_sent() -> None:
    async def story() -> None:
        node = Node()
        async with async_client(node) as client:
            calls = [asyncio.ensure_future(client.transactions.stake(amount=n)) for n in range(30)]
            while node.under_way < batches.MAX_EXCHANGES:
                await asyncio.wait({asyncio.ensure_future(_nothing())})
            calls[20].cancel()
            results = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(results[20], asyncio.CancelledError)
        assert sum(not isinstance(result, BaseException) for result in results) == 29
        sent = [json.loads(item["body"])["amount"] for part in node.exchanges for item in part]
        assert sorted(sent) == [n for n in range(30) if n != 20]

    asyncio.run(story())
