"""What a caller was shown is what is signed: a node that lies about a bond or an event gets nothing else for it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from vws import AsyncClient, AsyncWorker, BadAnswer, BadCall, Client, Key, Worker, models
from vws.errors import InvalidRequest

ID, OTHER, EVENT = "ab" * 16, "cd" * 16, "e" * 64
KEY = Key(bytes(32))
TASK: dict[str, Any] = {
    **dict.fromkeys(("title", "description", "escrow_account", "routing", "payout_status", "no_quorum", "delivered"), "x"),
    **dict.fromkeys(("success_criteria", "tags", "subtask_ids"), ()),
    **dict.fromkeys(("downgraded", "is_subtask", "result_encrypted"), False),
    "id": ID,
    "status": "open",
    "category": "data",
    "poster_id": "alice",
    "budget": 2_000_000,
    "escrow_amount": 2_000_000,
    "posted_at": 1,
    "worker_bond": 7,
    "dispute_bond": 9,
    "delivery_method": "public",
    "contract": {
        **dict.fromkeys(("spec_hash", "policy_version"), "x"),
        **dict.fromkeys(("success_criteria", "required_checks"), ()),
        **dict.fromkeys(("challenge_window_secs", "max_delivery_time_secs"), 1),
        "generation_eligible": False,
    },
}
PENDING: dict[str, Any] = {
    "event_id": EVENT,
    "event_type": "task_submitted",
    "agent_id": "bob",
    "amount": 1,
    "deadline": 1,
    "timestamp": 1,
    "assigned_to": [],
    "votes": dict.fromkeys(("approve_weight", "reject_weight", "total_weight", "participants"), 0),
    "task_id": ID,
}


class Liar:
    """Shows a bond that is too small; what is signed is refused by the network, as its rules say."""

    def __init__(self, **shown: Any) -> None:
        self.task = TASK | shown
        self.sent: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if request.method == "GET":
            if path == "/v1/tasks":
                return httpx.Response(200, json=[self.task])
            return httpx.Response(200, json=[] if path.startswith("/v1/tasks/agent/") else self.task)
        self.sent.append((path, json.loads(request.content)))
        return httpx.Response(400, json={"error": "the task reserves more", "code": "invalid_request"})

    @property
    def client(self) -> Client:
        client = httpx.Client(transport=httpx.MockTransport(self))
        return Client("http://node", key=KEY, chain_id="vws-testnet-1", http_client=client)

    @property
    def async_client(self) -> AsyncClient:
        client = httpx.AsyncClient(transport=httpx.MockTransport(self))
        return AsyncClient("http://node", key=KEY, chain_id="vws-testnet-1", http_client=client)


def test_the_bond_that_a_task_showed_is_the_most_that_is_reserved() -> None:
    node = Liar()
    tasks = node.client.tasks
    task = tasks.get(ID)
    for write in (tasks.claim, tasks.dispute):
        with pytest.raises(InvalidRequest):
            write(task)
        with pytest.raises(InvalidRequest):
            write(task, max_bond=3)
        with pytest.raises(InvalidRequest):
            write(ID)
    assert node.sent == [
        (f"/v1/tasks/{ID}/{verb}", body)
        for verb, bond in (("claim", 7), ("dispute", 9))
        for body in ({"max_bond": bond}, {"max_bond": 3}, {})
    ]


def test_a_worker_signs_the_bond_that_it_saw() -> None:
    node = Liar()
    worker = Worker(node.client, category="data")
    worker.task(lambda task: "done")
    worker.agent_id = "bob"
    worker._look()  # pyright: ignore[reportPrivateUsage]
    assert node.sent == [(f"/v1/tasks/{ID}/claim", {"max_bond": 7})]

    async def look() -> None:
        again = AsyncWorker(node.async_client, category="data")
        again.task(lambda task: "done")
        again.agent_id = "bob"
        await again._look()  # pyright: ignore[reportPrivateUsage]

    asyncio.run(look())
    assert node.sent[1:] == node.sent[:1]


def test_a_verdict_is_signed_with_the_task_of_the_event_that_was_shown() -> None:
    node = Liar()
    verification = node.client.verification
    event = models.PendingEvent.model_validate(PENDING)
    for given, task_id in ((event, None), (EVENT, ID), (event, ID)):
        with pytest.raises(InvalidRequest):
            verification.verify(event_id=given, task_id=task_id, verdict=True)
        with pytest.raises(InvalidRequest):
            verification.commit(event_id=given, task_id=task_id, commitment="42" * 32)
    assert all(body["task_id"] == ID and body["event_id"] == EVENT for _, body in node.sent)
    assert len(node.sent) == 6
    with pytest.raises(BadCall):
        verification.verify(event_id=event, task_id=OTHER, verdict=True)
    with pytest.raises(BadAnswer):
        verification.verify(event_id=event.model_copy(update={"task_id": None}), verdict=True)
    assert len(node.sent) == 6


def test_another_task_than_was_asked_for_is_no_answer() -> None:
    tasks = Liar(id=OTHER).client.tasks
    with pytest.raises(BadAnswer):
        tasks.get(ID)
    assert Liar(id=OTHER).client.tasks.get(OTHER.upper()).id == OTHER
