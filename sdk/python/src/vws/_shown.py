"""What a caller was shown is what it signs: a task that is given instead of its id says the bond, an event its task.

Keeps: a node that shows a small bond, or the event of another task, gets nothing else for the request that is signed then.
"""

from __future__ import annotations

from typing import Literal, TypeVar

from . import models
from ._base_errors import BadAnswer, BadCall

T = TypeVar("T", models.Task, models.TaskResult)
Bond = Literal["worker_bond", "dispute_bond"]
_OF_TASKS = frozenset({"task_submitted", "task_disputed"})


def bonded(task: str | models.Task, max_bond: int | None, bond: Bond) -> tuple[str, int | None]:
    """The task's id, and the most that may be reserved: as given, else the bond that the task shows."""
    if isinstance(task, str):
        return task, max_bond
    shown = task.worker_bond if bond == "worker_bond" else task.dispute_bond
    return task.id, shown if max_bond is None else max_bond


def judged(event: str | models.Event | models.PendingEvent, task_id: str | None) -> tuple[str, str | None]:
    """The event's id, and the task that is judged: as given, else the one that the event shows."""
    if isinstance(event, str):
        return event, task_id
    if task_id is not None and event.task_id is not None and event.task_id != task_id.lower():
        raise BadCall(f"the event is of task {event.task_id}, not of {task_id}")
    named = event.task_id if task_id is None else task_id
    if named is None and event.event_type in _OF_TASKS:
        raise BadAnswer(f"the node shows an event of type {event.event_type} without its task")
    return event.event_id, named


def shown_of(task_id: str, shown: T) -> T:
    """What the node shows of a task, if it is of the one that was asked for: what is sealed or opened for another would be
    so for that one.
    """
    named = shown.id if isinstance(shown, models.Task) else shown.task_id
    if named != task_id.lower():
        raise BadAnswer(f"the node shows another task than {task_id}")
    return shown
