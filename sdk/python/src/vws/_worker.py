"""A worker: offers a service, claims tasks, runs a function for each, submits its results, and waits for the pay.

    worker = Worker(Client(key="bob.key"), name="Word counts", category="data")

    @worker.task
    def count(task):
        return str(len((task.description or "").split()))

    worker.run()

Keeps: one task at a time; a task that was claimed before a restart is done first; nothing is claimed that would be done for
less than `min_budget`; a dispute is contested unless `@worker.disputed` says otherwise.
Texts of tasks come from strangers: never take them for instructions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from . import models
from ._base_errors import BadCall, Refusal, VwsError
from ._client import Client
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

Do = Callable[[models.Task], str]
Decide = Callable[[models.Task], bool]
_AWAY_SECS = AWAY_SECS


class Worker(WorkerBase):
    def __init__(
        self,
        client: Client,
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
        self._decide: Decide = lambda task: True

    def task(self, do: Do) -> Do:
        """Decorator: the function that makes the result of a task."""
        self._do = do
        return do

    def disputed(self, decide: Decide) -> Decide:
        """Decorator: does the worker stand by the result of a disputed task? `True` has judges decide, and the loser's
        bond pays them; `False` gives the budget back for three quarters of the worker's bond (protocol 15.5).
        """
        self._decide = decide
        return decide

    def join(self) -> None:
        """Registers the agent if it is new, and publishes its listing."""
        key = self._client.public_key
        if key is None:
            raise BadCall("a worker needs a client with a key")
        try:
            self.agent_id = self._client.agents.register(agent_id=self._wanted_id, initial_stake=self._stake).agent_id
        except AlreadyRegistered:
            self.agent_id = self._client.agents.get(key).agent_id
        if self._name is not None:
            self._client.market.offer(name=self._name, category=self._category, description=self._description)

    def run(self, max_tasks: int | None = None) -> list[models.Task]:
        """Works until `max_tasks` tasks have ended, for ever by default. The tasks as they ended, with what was paid."""
        ended: list[models.Task] = []
        for task in self.settled():
            ended.append(task)
            if max_tasks is not None and len(ended) >= max_tasks:
                break
        return ended

    def settled(self) -> Iterator[models.Task]:
        """Works, and yields each task that has ended, paid or not. A node that is away for a while is waited for."""
        if self._do is None:
            raise BadCall("a worker needs a function: @worker.task")
        while True:
            try:
                yield from self._session()
            except VwsError as error:
                check_away(error)
                time.sleep(_AWAY_SECS)

    def _session(self) -> Iterator[models.Task]:
        if not self.agent_id:
            self.join()
        # The position comes before the first look, so that nothing is missed between the two.
        newest = self._client.events.recent(per_page=1).items
        since = newest[0].seq if newest else 0
        yield from self._take_up()
        for event in self._client.events.stream(types=EVENTS, since=since):
            yield from self._on(event)

    def _take_up(self) -> Iterator[models.Task]:
        """What ended meanwhile, what this agent has in hand, then what is open."""
        for task_id in sorted(self._waiting):
            task = self._client.tasks.get(task_id)
            if task.status not in UNDECIDED:
                self._waiting.discard(task_id)
                yield task
        for task in self._client.tasks.of_agent(self.agent_id, role="claimer"):
            if task.status == "claimed" and task.id not in self._unwanted:
                self._work(task)
            elif task.status in UNDECIDED:
                self._waiting.add(task.id)
                self._answer(task)
        self._look()

    def _on(self, event: StreamMessage) -> Iterator[models.Task]:
        if event.type in OPENING:
            self._look()
        elif (task_id := self._disputed_by(event)) is not None:
            self._answer(self._client.tasks.get(task_id))
        elif (task_id := self._ended_by(event)) is not None:
            yield self._client.tasks.get(task_id)
            self._look()

    def _answer(self, task: models.Task) -> None:
        """Says whether the worker stands by its result. A decision that fails is none: the next start asks again."""
        if not waits_for_answer(task):
            return
        try:
            stands = self._decide(task)
        except Exception:
            log.exception("no decision on the dispute of task %s", task.id)
            return
        try:
            if stands:
                shown = self._client.tasks.get(task.id)
                self._client.tasks.contest(task.id, **opening(self._client.signer, shown))
            else:
                self._client.tasks.concede(task.id)
        except Refusal as refusal:
            answered(task, refusal)

    def _look(self) -> None:
        """Claims and does open tasks until none is left."""
        for task in self._client.tasks.list(status="open", category=self._category):
            if not self._wants(task):
                continue
            try:
                claimed = self._client.tasks.claim(task)
            except ClaimLimit:
                return
            except Refusal as refusal:
                pass_over(task, refusal)
                continue
            self._work(claimed)

    def _work(self, task: models.Task) -> None:
        assert self._do is not None
        try:
            result = self._do(task)
        except Exception:
            self._failed(task)
            return
        try:
            self._client.tasks.submit(task.id, **self._submission(self._client.signer, task, result))
        except (Refusal, BadCall) as refusal:
            self._refused(task, refusal)
            return
        self._waiting.add(task.id)
