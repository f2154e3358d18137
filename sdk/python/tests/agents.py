"""Agents of the tests with a real node."""

from __future__ import annotations

from itertools import count

from vws import TOKEN, Client, Key

names = (f"agent-{number}/x:y" for number in count())


def joined(node: str, **options: object) -> Client:
    client = Client(node, key=Key.generate(), **options)  # type: ignore[arg-type]
    client.agents.register(agent_id=next(names), initial_stake=100 * TOKEN)
    return client
