"""The worker against a real node: it is paid for what it does, also over restarts and lost connections."""

from __future__ import annotations

import asyncio
import random
import threading
import time

import httpx
import pytest
from agents import joined

from vws import TOKEN, AsyncClient, AsyncWorker, Client, Key, Worker, models, open_result
from vws.errors import ReservedForOther


def test_a_worker_does_what_was_posted_and_is_paid(node: str, alice: Client) -> None:
    client = Client(node, key=Key.generate())
    # What fails stays claimed, so more than the one claim without a stake is needed.
    worker = Worker(client, name="Word counts", category="counting", stake=1000 * TOKEN, min_budget=TOKEN)

    @worker.task
    def count_words(task: models.Task) -> str:
        if task.title == "fails":
            raise ValueError("no")
        return f"The description has {len((task.description or '').split())} words, counted one by one."

    ended: list[models.Task] = []
    thread = threading.Thread(target=lambda: ended.extend(worker.run(max_tasks=2)))
    alice.tasks.create(title="cheap", category="counting", budget=TOKEN // 2)
    alice.tasks.create(title="fails", category="counting", budget=TOKEN)
    first = alice.tasks.create(title="first", description="a b c", category="counting", budget=TOKEN)
    thread.start()
    assert alice.wait_for_task(first.id, "submitted", timeout=30).claimer_id == worker.agent_id
    second = alice.tasks.create(title="second", description="a b", category="counting", budget=TOKEN)
    alice.wait_for_task(second.id, "submitted", timeout=30)
    assert (alice.tasks.result(second.id).result_content or "").startswith("The description has 2 words")
    alice.tasks.approve(first.id)
    alice.tasks.approve(second.id)
    thread.join(30)
    assert [(task.id, task.worker_net_payout) for task in ended] == [(first.id, 999_000), (second.id, 999_000)]
    assert any(row.agent_id == worker.agent_id for row in alice.market.search(q="Word counts"))


def test_a_worker_does_what_it_is_hired_for_and_passes_over_what_others_are(node: str, alice: Client) -> None:
    client, other = joined(node), joined(node)
    worker = Worker(client, category="hired")
    worker.task(lambda task: f"The result of task {task.id}, as hired.")
    me, them = (each.agents.get(each.public_key or "").agent_id for each in (client, other))
    theirs = alice.tasks.create(title="t", category="hired", budget=TOKEN, reserved_for=them)
    mine = alice.tasks.create(title="m", category="hired", budget=TOKEN, reserved_for=me, reserved_then="open")
    assert [task.id for task in client.tasks.of_agent(me, role="hired")] == [mine.id]
    approval = threading.Thread(
        target=lambda: alice.wait_for_task(mine.id, "submitted", timeout=30) and alice.tasks.approve(mine.id)
    )
    approval.start()
    assert next(worker.settled()).id == mine.id
    approval.join()
    with pytest.raises(ReservedForOther):
        client.tasks.claim(theirs.id)
    declined = other.tasks.decline(theirs.id, reason="busy")
    assert (declined.status, declined.resolution) == ("cancelled", "declined")


def test_a_worker_that_begins_anew_goes_on_with_its_claims(node: str, alice: Client) -> None:
    client = joined(node)
    task = alice.tasks.create(title="t", category="resumed", budget=TOKEN)
    client.tasks.claim(task.id)
    worker = Worker(client, category="resumed")
    worker.task(lambda task: f"The result of task {task.id} after the restart.")
    settled = worker.settled()
    approval = threading.Thread(
        target=lambda: alice.wait_for_task(task.id, "submitted", timeout=30) and alice.tasks.approve(task.id)
    )
    approval.start()
    assert next(settled).id == task.id
    approval.join()


def is_contested(client: Client, task_id: str) -> bool:
    deadline = time.monotonic() + 30
    while not client.tasks.get(task_id).contested:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("stands", [True, False])
def test_a_worker_answers_a_dispute(node: str, alice: Client, stands: bool) -> None:
    worker = Worker(joined(node), category=f"disputed-{stands}")
    worker.task(lambda task: f"A result of task {task.id} that its poster does not like at all.")
    asked: list[str] = []

    @worker.disputed
    def decide(task: models.Task) -> bool:
        asked.append(task.id)
        return stands

    task = alice.tasks.create(title="t", category=f"disputed-{stands}", budget=TOKEN)
    thread = threading.Thread(target=lambda: worker.run(max_tasks=1), daemon=True)
    thread.start()
    alice.wait_for_task(task.id, "submitted", timeout=30)
    alice.tasks.dispute(task.id, reason="not what was asked for")
    if stands:
        assert is_contested(alice, task.id)
    else:
        assert alice.wait_for_task(task.id, "cancelled", timeout=30).resolution == "conceded"
        thread.join(30)
    assert asked == [task.id]


def test_an_async_worker_that_begins_anew_contests_what_was_disputed_meanwhile(node: str, alice: Client) -> None:
    key = Key.generate()
    client = Client(node, key=key)
    client.agents.register(initial_stake=100 * TOKEN)
    task = alice.tasks.create(title="t", category="contested", budget=TOKEN)
    client.tasks.claim(task.id)
    client.tasks.submit(task.id, result_content="A result that was delivered before the restart.")
    alice.tasks.dispute(task.id, reason="not what was asked for")

    async def work() -> None:
        worker = AsyncWorker(AsyncClient(node, key=key), category="contested")
        worker.task(lambda task: "never called")
        run = asyncio.create_task(worker.run(max_tasks=1))
        assert await asyncio.to_thread(is_contested, alice, task.id)
        run.cancel()

    asyncio.run(work())


class Fails(httpx.HTTPTransport):
    """One request in eight does not reach the node, and the answer of another is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.chance = random.Random(7)
        self.failed = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        lot = self.chance.randrange(8)
        self.failed += lot in (0, 1)
        if lot == 0:
            raise httpx.ConnectError("away", request=request)
        response = super().handle_request(request)
        if lot == 1:
            response.read()
            raise httpx.ReadError("gone", request=request)
        return response


def test_a_worker_waits_for_a_node_that_is_away(node: str, alice: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vws._worker._AWAY_SECS", 0.05)
    transport = Fails()
    client = Client(node, key=Key.generate(), retries=0, http_client=httpx.Client(transport=transport))
    worker = Worker(client, category="away")
    worker.task(lambda task: f"The result of task {task.id}, in spite of all.")
    tasks = [alice.tasks.create(title="t", category="away", budget=TOKEN) for _ in range(3)]
    ended: list[models.Task] = []
    thread = threading.Thread(target=lambda: ended.extend(worker.run(max_tasks=3)))
    thread.start()
    for task in tasks:
        alice.wait_for_task(task.id, "submitted", timeout=60)
        alice.tasks.approve(task.id)
    thread.join(60)
    assert {task.id for task in ended} == {task.id for task in tasks}
    assert sum(task.worker_net_payout or 0 for task in ended) == 3 * 999_000
    assert transport.failed > 3


def test_a_worker_seals_where_the_poster_wants_it_and_opens_what_is_disputed(node: str) -> None:
    key = Key.generate()
    alice = Client(node, key=key)
    alice.agents.register()
    task = alice.tasks.create(title="secret", category="sealed", budget=TOKEN, delivery_method="encrypted")
    worker = Worker(Client(node, key=Key.generate()), category="sealed")
    worker.task(lambda task: f"The result of task {task.id} for its poster alone.")
    # Nobody judges here, so its task does not end.
    threading.Thread(target=worker.run, daemon=True).start()
    alice.wait_for_task(task.id, "submitted", timeout=30)
    text = alice.tasks.result(task.id).result_content or ""
    made = f"The result of task {task.id} for its poster alone."
    assert open_result(key, task.id, text) == made.encode()
    alice.tasks.dispute(task.id)
    deadline = time.monotonic() + 30
    while not alice.tasks.get(task.id).contested and time.monotonic() < deadline:
        time.sleep(0.1)
    assert alice.tasks.result(task.id).opened_content == made


def test_a_worker_seals_to_no_key_that_only_the_node_says(node: str) -> None:
    key = Key.generate()
    poster, name = Client(node, key=key), f"harbour-{key.public_key[:8]}"
    poster.agents.register(agent_id=name)
    unnamed = Client(node, key=Key.generate())
    unnamed.agents.register()

    def post(by: Client, title: str) -> models.Task:
        return by.tasks.create(title=title, category=name, budget=TOKEN, delivery_method="encrypted")

    def start(**known: object) -> None:
        worker = Worker(Client(node, key=Key.generate()), category=name, **known)  # type: ignore[arg-type]
        worker.task(lambda task: "Fifty vessels.")
        threading.Thread(target=worker.run, daemon=True).start()

    named, plain = post(poster, "named"), post(unnamed, "plain")
    start()
    unnamed.wait_for_task(plain.id, "submitted", timeout=30)
    assert poster.tasks.get(named.id).status == "open"
    start(poster_keys={name: key.public_key})
    poster.wait_for_task(named.id, "submitted", timeout=30)
    assert open_result(key, named.id, poster.tasks.result(named.id).result_content or "") == b"Fifty vessels."


@pytest.mark.parametrize("kind", ["async", "blocking"])
def test_an_async_worker_does_the_same_and_its_loop_goes_on(node: str, kind: str) -> None:
    turns = 0

    async def slowly(task: models.Task) -> str:
        if task.title == "fails":
            raise ValueError("no")
        await asyncio.sleep(0.2)
        return f"The result of task {task.id}, made without haste."

    def blocking(task: models.Task) -> str:
        if task.title == "fails":
            raise ValueError("no")
        time.sleep(0.2)
        return f"The result of task {task.id}, made without haste."

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0.01)

    async def main() -> list[models.Task]:
        category = f"async-{kind}"
        async with AsyncClient(node, key=Key.generate()) as alice, AsyncClient(node, key=Key.generate()) as bob:
            await alice.agents.register(initial_stake=100 * TOKEN)
            worker = AsyncWorker(bob, name="Slow", category=category, stake=1000 * TOKEN, min_budget=TOKEN)
            worker.task(slowly if kind == "async" else blocking)
            await alice.tasks.create(title="cheap", category=category, budget=TOKEN // 2)
            await alice.tasks.create(title="fails", category=category, budget=TOKEN)
            posted = [await alice.tasks.create(title="t", category=category, budget=TOKEN) for _ in range(2)]
            counting = asyncio.create_task(count_turns())
            working = asyncio.create_task(worker.run(max_tasks=2))
            for task in posted:
                await alice.wait_for_task(task.id, "submitted", timeout=60)
                await alice.tasks.approve(task.id)
            ended = await asyncio.wait_for(working, 60)
            counting.cancel()
            assert {task.id for task in ended} == {task.id for task in posted}
            return ended

    ended = asyncio.run(main())
    assert [task.worker_net_payout for task in ended] == [999_000, 999_000]
    # 0.4 s of work: a loop that was held up would have had fewer turns.
    assert turns > 10
