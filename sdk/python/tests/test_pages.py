"""Walks through lists that change meanwhile. The node is played."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

import httpx
import pytest

from vws import AsyncClient, Client, Key

KEY = Key(bytes(32))
ROW = {"event_type": "transfer", "agent_id": "a", "amount": 1, "deadline": 1_800_000_000, "timestamp": 1_800_000_000}
VOTES: dict[str, int] = {"approve_weight": 0, "reject_weight": 0, "total_weight": 1, "participants": 0}


class Pending:
    """GET /v1/pending of a list that the test changes."""

    def __init__(self, count: int) -> None:
        self.ids = [f"e{i}" for i in range(count)]
        self.reads = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.reads += 1
        page, size = (int(request.url.params.get(name, default)) for name, default in (("page", 1), ("per_page", 50)))
        more = {**ROW, "assigned_to": list[str](), "votes": VOTES}
        rows = [{**more, "event_id": id} for id in self.ids[(page - 1) * size : page * size]]
        headers = {"x-total-count": str(len(self.ids))}
        if page * size < len(self.ids):
            query = urlencode({**dict(request.url.params), "page": page + 1, "per_page": size})
            headers["link"] = f'</v1/pending?page=1>; rel="first", </v1/pending?{query}>; rel="next"'
        return httpx.Response(200, json=rows, headers=headers)

    def client(self) -> Client:
        return Client("http://node", key=KEY, http_client=httpx.Client(transport=httpx.MockTransport(self)))


@pytest.mark.parametrize("at_once", [1, 7, 60, 110])
def test_what_is_handled_leaves_the_list_and_nothing_is_skipped(at_once: int) -> None:
    node = Pending(230)
    everything = set(node.ids)
    seen: list[str] = []
    batch: list[str] = []
    for event in node.client().verification.pending():
        seen.append(event.event_id)
        batch.append(event.event_id)
        if len(batch) == at_once:
            node.ids = [id for id in node.ids if id not in batch]
            batch = []
    assert set(seen) == everything
    assert len(seen) == len(everything)


def test_what_comes_behind_does_not_hide_what_left() -> None:
    node = Pending(120)
    everything = set(node.ids)
    seen: list[str] = []
    for event in node.client().verification.pending(per_page=20):
        seen.append(event.event_id)
        node.ids.remove(event.event_id)
        if len(seen) < 100:
            node.ids += [f"late{len(seen)}", f"later{len(seen)}"]
    assert everything <= set(seen)


def test_a_list_that_grows_in_front_ends() -> None:
    node = Pending(100)
    everything = set(node.ids)
    seen: list[str] = []
    for event in node.client().verification.pending(per_page=10):
        seen.append(event.event_id)
        node.ids.insert(0, f"new{len(seen)}")
        assert len(seen) < 1000
    assert everything <= set(seen)
    assert len(seen) == len(set(seen))


def test_a_list_that_stays_is_read_once() -> None:
    node = Pending(230)
    assert [event.event_id for event in node.client().verification.pending()] == node.ids
    assert node.reads == 5


def test_the_async_client_walks_alike() -> None:
    node = Pending(120)

    async def story() -> set[str]:
        transport = httpx.AsyncClient(transport=httpx.MockTransport(node))
        seen: set[str] = set()
        async for event in await AsyncClient("http://node", key=KEY, http_client=transport).verification.pending():
            seen.add(event.event_id)
            node.ids.remove(event.event_id)
        return seen

    assert len(asyncio.run(story())) == 120
