"""What blocking and async workers have in common: what they were told, what they hold, and which tasks they want."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from . import models
from ._base_errors import BadCall, Refusal, Unreachable, VwsError
from ._sealed import content_key, seal_result
from ._signing import Key
from .stream_events import EventType, StreamMessage, TaskCancelledEvent, TaskDisputedEvent, TaskSettledEvent

log = logging.getLogger("vws.worker")
TRANSIENT = frozenset({429, 500, 502, 503, 504})
AWAY_SECS = 2.0
UNDECIDED = frozenset({"submitted", "disputed"})
EVENTS: tuple[EventType, ...] = (
    "task_posted",
    "subtask_posted",
    "task_routed",
    "claim_expired",
    "task_disputed",
    "task_settled",
    "task_cancelled",
)
_KEY = re.compile("[0-9a-f]{64}")
OPENING = frozenset({"task_posted", "subtask_posted", "task_routed", "claim_expired"})
"""After these a task may be there to be claimed."""


class WorkerBase:
    def __init__(
        self,
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
        self._poster_keys = dict(poster_keys or {})
        self._category, self._name, self._description = category, name, description
        self._wanted_id, self._stake, self._min_budget = agent_id, stake, min_budget
        self._waiting: set[str] = set()
        """Submitted, and not settled yet."""
        self._unwanted: set[str] = set()
        """What failed here, or was refused for good."""
        self.agent_id = ""

    def _wants(self, task: models.Task) -> bool:
        if task.reserved_until is not None and task.reserved_for != self.agent_id:
            return False
        if task.delivery_method == "encrypted" and self._poster_key(task) is None:
            return False
        return task.id not in self._unwanted and task.budget >= self._min_budget and task.poster_id != self.agent_id

    def _poster_key(self, task: models.Task) -> str | None:
        """The poster's key in hex, from no answer of the node: it is the id itself (protocol 1.3), or it is known."""
        known = self._poster_keys.get(task.poster_id)
        return known or (task.poster_id if _KEY.fullmatch(task.poster_id) else None)

    def _submission(self, signer: object, task: models.Task, result: str) -> dict[str, Any]:
        """Sealed where the poster wants it."""
        if task.delivery_method != "encrypted":
            return {"result_content": result}
        key = self._poster_key(task)
        if key is None:
            raise BadCall(f"nothing was sealed: whose key that of the poster {task.poster_id} is, only the node says")
        return seal_result(_own(signer), key, task.id, result)

    def _ended_by(self, event: StreamMessage) -> str | None:
        """The task of ours that an event ends."""
        if not isinstance(event, TaskSettledEvent | TaskCancelledEvent) or event.data.task_id not in self._waiting:
            return None
        self._waiting.discard(event.data.task_id)
        return event.data.task_id

    def _disputed_by(self, event: StreamMessage) -> str | None:
        """The task of ours that an event disputes."""
        if not isinstance(event, TaskDisputedEvent) or event.data.task_id not in self._waiting:
            return None
        return event.data.task_id

    def _failed(self, task: models.Task) -> None:
        # The claim ends at its deadline and the task is open again, for others.
        log.exception("task %s failed", task.id)
        self._unwanted.add(task.id)

    def _refused(self, task: models.Task, refusal: Refusal | BadCall) -> None:
        if refusal.status in TRANSIENT:
            raise refusal
        log.warning("the result of task %s was refused: %s", task.id, refusal)
        self._unwanted.add(task.id)


def waits_for_answer(task: models.Task) -> bool:
    """Is the task disputed, and its worker has not said whether it stands by its result (protocol 15.5)."""
    return task.status == "disputed" and not task.contested


def answered(task: models.Task, refusal: Refusal) -> None:
    """For an answer to a dispute that was refused: it was answered before, or is over."""
    if refusal.status in TRANSIENT:
        raise refusal
    log.warning("the dispute of task %s was not answered: %s", task.id, refusal)


def pass_over(task: models.Task, refusal: Refusal) -> None:
    """For a claim that was refused: somebody else was faster, or may have it."""
    if refusal.status in TRANSIENT:
        raise refusal
    log.info("task %s is not ours: %s", task.id, refusal.code)


def check_away(error: VwsError) -> None:
    """Returns if the node is away for a while."""
    if not isinstance(error, Unreachable) and error.status not in TRANSIENT:
        raise error
    log.warning("waiting for the node: %s", error)


def _own(signer: object) -> Key:
    if isinstance(signer, Key):
        return signer
    raise BadCall("sealing needs a Key: the content key follows from it")


def opening(signer: object, task: models.Task) -> dict[str, Any]:
    """What a contest takes along to open a sealed delivery that nobody has opened; nothing for others."""
    if task.key_commitment is None or task.content_key is not None:
        return {}
    return {"content_key": content_key(_own(signer), task.id, task.result_content or "")}
