"""As `Worker`, to await: the function may be async; one that is not runs in a thread, so that the loop goes on meanwhile.

    worker = AsyncWorker(AsyncClient(key="bob.key"), name="Word counts", category="data")

    @worker.task
    async def count(task):
        return str(len((task.description or "").split()))

    await worker.run()

Keeps: what `Worker` keeps, one task at a time among it.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from . import models
from ._base_errors import BadCall, Refusal, VwsError
from ._client import AsyncClient
from ._worker_base import (
    AWAY_SECS,
    EVENTS,
    OPENING,
    UNDECIDED,
    WorkerBase,
    answered,
    check_away,
    log,
    opening,
    pass_over,
    waits_for_answer,
)
from .errors import AlreadyRegistered, ClaimLimit
from .stream_events import StreamMessage

Do = Callable[[models.Task], str | Awaitable[str]]
Decide = Callable[[models.Task], bool | Awaitable[bool]]
_AWAY_SECS = AWAY_SECS


class AsyncWorker(WorkerBase):
    def __init__(
        self,
        client: AsyncClient,
        *,
        category: str,
        name: str | None = None,
        description: str | None = None,
        agent_id: str | None = None,
        stake: int = 0,
        min_budget: int = 0,
        poster_keys: Mapping[str, str] | None = None,
    ) -> None:
        """`name`: of the listing; without it nothing is offered. `agent_id`: the name to register.

        `stake`: micro-units of the grant that are staked at the registration; without a stake an agent holds one claim
        (protocol 6.7). `poster_keys`: public keys in hex of posters that have a name for an id; without its poster's key a
        task that wants its result sealed is left to others (protocol 15.10).
        """
        super().__init__(
            category=category,
            name=name,
            description=description,
            agent_id=agent_id,
            stake=stake,
            min_budget=min_budget,
            poster_keys=poster_keys,
        )
        self._client = client
        self._do: Do | None = None
        self._is_async = False
        self._decide: Decide = lambda task: True

    def task(self, do: Do) -> Do:
        """Decorator: the function that makes the result of a task."""
        self._do, self._is_async = do, inspect.iscoroutinefunction(do)
        return do

    def disputed(self, decide: Decide) -> Decide:
        """Decorator: does the worker stand by the result of a disputed task? As in `Worker`; it may be async."""
        self._decide = decide
        return decide

    async def join(self) -> None:
        """Registers the agent if it is new, and publishes its listing."""
        key = self._client.public_key
        if key is None:
            raise BadCall("a worker needs a client with a key")
        try:
            registered = await self._client.agents.register(agent_id=self._wanted_id, initial_stake=self._stake)
            self.agent_id = registered.agent_id
        except AlreadyRegistered:
            self.agent_id = (await self._client.agents.get(key)).agent_id
        if self._name is not None:
            await self._client.market.offer(name=self._name, category=self._category, description=self._description)

    async def run(self, max_tasks: int | None = None) -> list[models.Task]:
        """Works until `max_tasks` tasks have ended, for ever by default. The tasks as they ended, with what was paid."""
        ended: list[models.Task] = []
        async for task in self.settled():
            ended.append(task)
            if max_tasks is not None and len(ended) >= max_tasks:
                break
        return ended

    async def settled(self) -> AsyncIterator[models.Task]:
        """Works, and yields each task that has ended, paid or not. A node that is away for a while is waited for."""
        if self._do is None:
            raise BadCall("a worker needs a function: @worker.task")
        while True:
            try:
                async for task in self._session():
                    yield task
            except VwsError as error:
                check_away(error)
                await asyncio.sleep(_AWAY_SECS)

    async def _session(self) -> AsyncIterator[models.Task]:
        if not self.agent_id:
            await self.join()
        # The position comes before the first look, so that nothing is missed between the two.
        newest = (await self._client.events.recent(per_page=1)).items
        since = newest[0].seq if newest else 0
        async for task in self._take_up():
            yield task
        async for event in self._client.events.stream(types=EVENTS, since=since):
            async for task in self._on(event):
                yield task

    async def _take_up(self) -> AsyncIterator[models.Task]:
        """What ended meanwhile, what this agent has in hand, then what is open."""
        for task_id in sorted(self._waiting):
            task = await self._client.tasks.get(task_id)
            if task.status not in UNDECIDED:
                self._waiting.discard(task_id)
                yield task
        async for task in await self._client.tasks.of_agent(self.agent_id, role="claimer"):
            if task.status == "claimed" and task.id not in self._unwanted:
                await self._work(task)
            elif task.status in UNDECIDED:
                self._waiting.add(task.id)
                await self._answer(task)
        await self._look()

    async def _on(self, event: StreamMessage) -> AsyncIterator[models.Task]:
        if event.type in OPENING:
            await self._look()
        elif (task_id := self._disputed_by(event)) is not None:
            await self._answer(await self._client.tasks.get(task_id))
        elif (task_id := self._ended_by(event)) is not None:
            yield await self._client.tasks.get(task_id)
            await self._look()

    async def _answer(self, task: models.Task) -> None:
        """Says whether the worker stands by its result. A decision that fails is none: the next start asks again."""
        if not waits_for_answer(task):
            return
        try:
            decided = self._decide(task)
            stands = await decided if isinstance(decided, Awaitable) else decided
        except Exception:
            log.exception("no decision on the dispute of task %s", task.id)
            return
        try:
            if stands:
                shown = await self._client.tasks.get(task.id)
                await self._client.tasks.contest(task.id, **opening(self._client.signer, shown))
            else:
                await self._client.tasks.concede(task.id)
        except Refusal as refusal:
            answered(task, refusal)

    async def _look(self) -> None:
        """Claims and does open tasks until none is left."""
        async for task in await self._client.tasks.list(status="open", category=self._category):
            if not self._wants(task):
                continue
            try:
                claimed = await self._client.tasks.claim(task)
            except ClaimLimit:
                return
            except Refusal as refusal:
                pass_over(task, refusal)
                continue
            await self._work(claimed)

    async def _work(self, task: models.Task) -> None:
        assert self._do is not None
        try:
            made = self._do(task) if self._is_async else await asyncio.to_thread(self._do, task)
            result = await made if isinstance(made, Awaitable) else made
        except Exception:
            self._failed(task)
            return
        try:
            await self._client.tasks.submit(task.id, **self._submission(self._client.signer, task, result))
        except (Refusal, BadCall) as refusal:
            self._refused(task, refusal)
            return
        self._waiting.add(task.id)
