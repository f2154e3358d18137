"""The SDK against a real node: money, work, lists, the stream, refusals, spool; blocking and async."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest
from cutting_proxy import cutting_proxy

from vws import TOKEN, AsyncClient, Client, Key, Unreachable, content_key, errors, open_result, seal_result
from vws._lost_answers import REBUILD
from vws.stream_events import TaskPostedEvent, TaskSettledEvent


def test_money(alice: Client, bob: Client) -> None:
    assert alice.public_key is not None
    assert bob.public_key is not None
    before = alice.agents.balance(alice.public_key)
    sent = alice.transactions.transfer(to_agent=bob.public_key, amount=2 * TOKEN, memo='invoice 7 ü\n"\\')
    assert sent.status == "optimistic"
    assert sent.balance == before.balance - 2 * TOKEN
    event = alice.events.get(sent.event_id)
    assert event.payload["memo"] == 'invoice 7 ü\n"\\'
    assert alice.agents.stake(alice.public_key).exposure == 2 * TOKEN


def test_a_task_from_posting_to_pay(alice: Client, bob: Client) -> None:
    task = alice.tasks.create(title="Count", description="Count the words.", category="data", budget=2 * TOKEN)
    assert bob.public_key is not None
    bob.tasks.claim(task.id, claimer_id=bob.public_key)
    bob.tasks.submit(task.id, result_content="There are three words in the description of this task.")
    assert alice.wait_for_task(task.id, "submitted", timeout=10).claimer_id is not None
    done = alice.tasks.approve(task.id)
    assert (done.status, done.worker_net_payout) == ("completed", 1_998_000)
    with pytest.raises(TimeoutError):
        alice.wait_for_task(task.id, "open", timeout=0)


def test_refusals_are_classes(alice: Client, bob: Client) -> None:
    with pytest.raises(errors.TrustLimitExceeded) as caught:
        alice.transactions.transfer(to_agent=bob.public_key or "", amount=10**12)
    assert caught.value.details["trust_limit"] == 100 * TOKEN
    assert caught.value.status == 403


def test_lists_go_on_over_pages(alice: Client) -> None:
    made = {alice.tasks.create(title=f"t{i}", budget=TOKEN, category="paging").id for i in range(5)}
    page = alice.tasks.list(category="paging", per_page=2)
    assert (len(page), page.total, page.has_next) == (2, 5, True)
    assert {task.id for task in page} == made


def test_what_is_not_an_object_is_had_too(alice: Client) -> None:
    assert "vws_" in alice.network.metrics()
    assert "<html" in alice.pages.docs()
    assert isinstance(alice.log.vertices(), bytes)
    assert isinstance(alice.market.categories(), dict)


def test_the_stream_has_every_event_once_and_in_order(alice: Client) -> None:
    task = alice.tasks.create(title="seen", budget=TOKEN)
    seqs: list[int] = []
    for event in alice.events.stream(since=0):
        seqs.append(event.seq)
        if isinstance(event, TaskPostedEvent) and event.data.task_id == task.id:
            assert event.data.budget == TOKEN
            break
    assert seqs == list(range(1, len(seqs) + 1))
    only = alice.events.stream(types=["task_posted"], since=seqs[-1] - 1)
    assert next(iter(only)).seq == seqs[-1]


def test_a_stream_from_now_on_has_only_what_follows(alice: Client) -> None:
    stream = alice.events.stream(types=["task_posted"])
    posted: list[str] = []
    timer = threading.Timer(1.0, lambda: posted.append(alice.tasks.create(title="later", budget=TOKEN).id))
    alice.tasks.create(title="earlier", budget=TOKEN)
    timer.start()
    event = next(iter(stream))
    timer.join()
    assert event.type == "task_posted"
    assert event.data.task_id == posted[0]


def test_a_stream_that_cannot_be_opened_ends_after_its_retries() -> None:
    with Client("http://127.0.0.1:9") as client, pytest.raises(Unreachable):
        next(iter(client.events.stream(since=0, retries=1)))


def test_a_stream_that_is_cut_again_and_again_misses_nothing(node: str, alice: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vws._stream.MIN_RETRY_SECS", 0.01)
    for number in range(30):
        alice.tasks.create(title=f"t{number}", budget=TOKEN)
    newest = alice.events.recent(per_page=1).items[0].seq

    async def followed(url: str) -> list[int]:
        seqs: list[int] = []
        async with AsyncClient(url) as client:
            async for event in client.events.stream(since=0):
                seqs.append(event.seq)
                if event.seq >= newest:
                    return seqs
        return seqs

    with cutting_proxy(node, after=3_000) as proxy, Client(proxy.url) as client:
        seqs: list[int] = []
        for event in client.events.stream(since=0):
            seqs.append(event.seq)
            if event.seq >= newest:
                break
        assert seqs == list(range(1, newest + 1))
        blocking = proxy.connections
        assert asyncio.run(followed(proxy.url)) == seqs
        assert blocking > 3
        assert proxy.connections > 2 * 3


class LosesAnswers(httpx.HTTPTransport):
    """The node gets each write, and its first answer is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.sent: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        nonce = request.headers.get("x-service-nonce")
        if nonce is None:
            return response
        self.sent.append(nonce)
        if nonce in self.seen:
            return response
        self.seen.add(nonce)
        response.read()
        raise httpx.ReadError("gone", request=request)


def test_lost_answers_are_made_again_from_events(node: str, bob: Client) -> None:
    transport = LosesAnswers()
    alice = Client(node, key=Key.generate(), http_client=httpx.Client(transport=transport))
    assert alice.public_key is not None
    assert bob.public_key is not None
    own = alice.agents.register(initial_stake=100 * TOKEN)
    assert (own.agent_id, own.staked_amount) == (alice.public_key, 100 * TOKEN)
    assert alice.transactions.stake(amount=TOKEN).staked_amount == 101 * TOKEN
    assert alice.transactions.unstake(amount=TOKEN).staked_amount == 100 * TOKEN
    assert alice.agents.faucet().amount > 0
    before = alice.agents.balance(alice.public_key).balance
    assert alice.transactions.transfer(to_agent=bob.public_key, amount=TOKEN).amount == TOKEN
    assert alice.agents.balance(alice.public_key).balance == before - TOKEN
    assert alice.transactions.generation(claimed_value=700, evidence_hash="e").claimed_value == 700
    task = alice.tasks.create(title="t", budget=TOKEN)
    assert bob.tasks.claim(task.id).status == "claimed"
    bob.tasks.submit(task.id, result_content="result")
    assert alice.tasks.approve(task.id).status == "completed"
    assert alice.tasks.cancel(alice.tasks.create(title="t", budget=TOKEN).id).status == "cancelled"
    assert alice.market.offer(name="n", category="data").active
    assert not alice.market.withdraw(alice.public_key).active
    assert alice.market.join_router(categories=["data"]).status == "registered"
    assert alice.market.set_available(alice.public_key, available=False).available is False
    assert alice.market.leave_router(alice.public_key).status == "unregistered"
    # Every write went out twice, as the same request.
    assert len(transport.sent) == 2 * len(transport.seen) == 2 * 15
    assert len(transport.seen) < len(REBUILD)


def test_two_processes_with_one_intention_pay_once(node: str, alice: Client, bob: Client, tmp_path: Path) -> None:
    assert bob.public_key is not None
    assert alice.public_key is not None
    key = tmp_path / "payer.key"
    Key.load_or_create(key)
    clients = [Client(node, key=key, spool=tmp_path / "spool") for _ in range(4)]
    clients[0].agents.register(initial_stake=100 * TOKEN)
    before = clients[0].agents.balance(clients[0].public_key or "").balance
    paid: list[str] = []

    def pay(client: Client) -> None:
        answer = client.transactions.transfer(to_agent=bob.public_key or "", amount=TOKEN, idempotency_key="june")
        paid.append(answer.event_id)

    threads = [threading.Thread(target=pay, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(paid) == 4
    assert len(set(paid)) == 1
    assert clients[0].agents.balance(clients[0].public_key or "").balance == before - TOKEN


PAYS = """
import sys
from vws import TOKEN, Client
url, key, spool, to = sys.argv[1:]
client = Client(url, key=key, spool=spool)
print("up", flush=True)
for number in range(8):
    client.transactions.transfer(to_agent=to, amount=TOKEN, idempotency_key=f"invoice {number}")
print("done", flush=True)
"""


def test_a_program_that_is_killed_at_random_pays_once(node: str, bob: Client, tmp_path: Path) -> None:
    key = tmp_path / "payer.key"
    payer = Client(node, key=Key.load_or_create(key))
    payer.agents.register(initial_stake=100 * TOKEN)
    before = payer.agents.balance(payer.public_key or "").balance
    chance, kills = random.Random(7), 0
    args = [sys.executable, "-c", PAYS, node, str(key), str(tmp_path / "spool"), bob.public_key or ""]
    while True:
        with subprocess.Popen(args, stdout=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            assert program.stdout.readline() == "up\n"
            if kills < 5:
                time.sleep(chance.uniform(0, 0.06))
                program.kill()
                kills += 1
                continue
            assert program.stdout.readline() == "done\n"
            break
    balance = payer.agents.balance(payer.public_key or "")
    assert before - balance.balance == 8 * TOKEN


def test_a_sealed_result_is_read_by_its_parties_until_a_dispute_opens_it(node: str) -> None:
    key, own = Key.generate(), Key.generate()
    alice, bob = Client(node, key=key), Client(node, key=own)
    alice.agents.register()
    bob.agents.register()
    task = alice.tasks.create(title="secret", budget=TOKEN, delivery_method="encrypted")
    bob.tasks.claim(task.id)
    delivery = seal_result(own, key.public_key, task.id, "Vessels of May: 212.")
    sealed = delivery["result_content"]
    bob.tasks.submit(task.id, **delivery)
    text = alice.tasks.result(task.id).result_content
    assert open_result(key, task.id, text or "") == b"Vessels of May: 212."
    for wrong in ((Key.generate(), task.id, sealed), (key, "0" * 32, sealed), (key, task.id, "x")):
        with pytest.raises(errors.BadCall):
            open_result(*wrong)
    alice.tasks.dispute(task.id, reason="two weeks are missing")
    with pytest.raises(errors.ContentKeyNeeded):
        bob.tasks.contest(task.id)
    with pytest.raises(errors.ContentKeyMismatch):
        bob.tasks.open(task.id, content_key="0" * 64)
    assert bob.tasks.contest(task.id, content_key=content_key(own, task.id, sealed)).contested
    assert alice.tasks.result(task.id).opened_content == "Vessels of May: 212."


def test_a_webhook_secret_leaves_encrypted(node: str, bob: Client) -> None:
    answer = bob.market.join_router(categories=["x"], webhook_url="https://example.com/h", webhook_secret="s3cret")
    payload = bob.events.get(answer.event_id).payload
    assert "s3cret" not in str(payload)


def test_a_key_is_made_for_this_node(bob: Client) -> None:
    made = bob.platform.create_key(name="k", scopes=["transfers"])
    assert bob.platform.key(made.key_id).name == "k"


def test_the_async_client_does_all_of_it(node: str) -> None:
    async def story() -> None:
        async with AsyncClient(node, key=Key.generate()) as alice, AsyncClient(node, key=Key.generate()) as bob:
            await asyncio.gather(alice.agents.register(), bob.agents.register())
            newest = await alice.events.recent(per_page=1)
            stream = alice.events.stream(types=["task_settled"], since=newest.items[0].seq)
            task = await alice.tasks.create(title="t", budget=TOKEN, category="async")
            await bob.tasks.claim(task.id)
            await bob.tasks.submit(task.id, result_content="The result of an async worker.")
            await alice.wait_for_task(task.id, "submitted", timeout=10)
            await alice.tasks.approve(task.id)
            async for event in stream:
                if isinstance(event, TaskSettledEvent) and event.data.task_id == task.id:
                    assert event.data.payout > 0
                    break
            found = [one.id async for one in await alice.tasks.list(category="async")]
            assert found == [task.id]
            with pytest.raises(errors.NotPoster):
                await bob.tasks.cancel((await alice.tasks.create(title="t", budget=TOKEN)).id)

    asyncio.run(story())
