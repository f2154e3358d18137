"""Commitments to votes on disputes, by the vectors of the TypeScript client."""

import pytest

from vws.votes import Ground, new_salt, vote_commitment

EVENT = "ab" * 32
KEY = "11" * 32
SALT = "5a" * 32
VECTORS: list[tuple[bool, int | None, Ground | None, str]] = [
    (True, None, None, "2f8a70faca55d2a7e01076903aed2bcdaa1ba00c45bfbd4915dbc46c7b7e8e08"),
    (True, 4000, None, "57d23ed7ae528758d3fe0d4c0fa21a48655a9c0978997aa1ea7feda08d08bc78"),
    (True, 10000, None, "2f8a70faca55d2a7e01076903aed2bcdaa1ba00c45bfbd4915dbc46c7b7e8e08"),
    (False, None, None, "428478950b73fe9940e68ca2117bf894fca9edaf4817d9e1edbdadd96a392429"),
    (False, None, "fraud", "64f6c8db770576ec21935d4337cb336eed1ef8a88f31b123e08e15e520b4514e"),
]


@pytest.mark.parametrize(("verdict", "share", "ground", "expected"), VECTORS)
def test_a_vote_commits_to_what_the_core_computes(
    verdict: bool, share: int | None, ground: Ground | None, expected: str
) -> None:
    made = vote_commitment(EVENT, KEY, verdict=verdict, worker_share_bp=share, ground=ground, salt=SALT)
    assert made == expected


def test_a_salt_is_new_each_time() -> None:
    assert len(new_salt()) == 64
    assert new_salt() != new_salt()
