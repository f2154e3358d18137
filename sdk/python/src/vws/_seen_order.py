"""The newest order that an agent has seen, which its reads ask for, so that it reads its own writes at any node.

Keeps: nothing is known before a write of the agent's own; reads move it by a bounded step only; an order that no honest node
confirms is dropped. Share one between clients of several nodes. Source: protocol 1.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, cast

MAX_AHEAD = 10_000
"""Nodes answer `behind` at once beyond this; no honest node that keeps up is this far below a write."""
MAX_SKEW_SECS = 60
"""Clocks of clients and consensus time differ by no more, else the client's writes are refused."""


class LostWrites(TypedDict):
    """The newest block with which acknowledged writes may have been lost, as nodes show it."""

    order: int
    consensus_time: int


class SeenOrder:
    def __init__(self) -> None:
        self.newest: int | None = None
        self._seen_secs = 0.0
        self._told_order = 0

    def wrote(self, order: int | None, now: float) -> None:
        """The answer of a write that was executed."""
        if order is None or order <= (-1 if self.newest is None else self.newest):
            return
        self.newest = order
        self._seen_secs = now

    def read(self, order: int | None, now: float) -> None:
        """The answer of a read."""
        if order is None or self.newest is None or order > self.newest + MAX_AHEAD:
            return
        self.wrote(order, now)

    def refused(self, is_behind: bool, details: Mapping[str, Any]) -> LostWrites | None:
        """A node answered `behind`. What it shows, if the history was cut after the newest order was seen."""
        if self.newest is None:
            return None
        lost = _lost_in(details)
        if lost is not None and lost["consensus_time"] + MAX_SKEW_SECS >= self._seen_secs and lost["order"] != self._told_order:
            self._told_order = lost["order"]
            self.forget()
            return lost
        order = details.get("order")
        if not is_behind and isinstance(order, int) and self.newest > order + MAX_AHEAD:
            self.forget()
        return None

    def forget(self) -> None:
        """Reads no longer wait for what was seen before: for an order that a lying node gave."""
        self.newest = None


def _lost_in(details: Mapping[str, Any]) -> LostWrites | None:
    found = details.get("writes_may_be_lost")
    if not isinstance(found, dict):
        return None
    lost = cast("dict[str, object]", found)
    order, consensus_time = lost.get("order"), lost.get("consensus_time")
    if not isinstance(order, int) or not isinstance(consensus_time, int):
        return None
    return {"order": order, "consensus_time": consensus_time}
