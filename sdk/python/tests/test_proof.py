"""A proof of a running node, with the signatures of its seat, and one that somebody altered."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest
from agents import joined

from vws.proof import ProofError, Seats, check_proof
from vws.verify import Verifier

MAX_WRITES = 400


@pytest.fixture(scope="module")
def proving(node: str) -> str:
    """The node, once it has a checkpoint: one is due every 100 vertices, and a write makes some."""
    with joined(node) as client:
        for _ in range(MAX_WRITES):
            if httpx.get(node + "/v1/proof/agents").is_success:
                return node
            client.transactions.stake(amount=1)
    raise AssertionError(f"the node has no checkpoint after {MAX_WRITES} writes")


def answer_of(node: str, path: str) -> dict[str, Any]:
    """Of the newest checkpoint, which its seat has signed a moment later."""
    for _ in range(100):
        answer: dict[str, Any] = httpx.get(node + path).raise_for_status().json()
        if answer["checkpoint"]["signatures"]:
            return answer
        time.sleep(0.1)
    raise AssertionError("the newest checkpoint has no signature")


def seats_of(answer: dict[str, Any]) -> Seats:
    """The seat of a network that has one, as its manifest says."""
    statement = bytes.fromhex(answer["checkpoint"]["statement"])
    keys = {one["public_key"]: 1 for one in answer["checkpoint"]["signatures"]}
    return Seats(keys, statement[40:72].hex())


def test_agents_are_proven_and_none_is_left_out(proving: str) -> None:
    answer = answer_of(proving, "/v1/proof/agents")
    verifier, seats = Verifier(), seats_of(answer)
    proven = check_proof(answer, "agents", "", seats, verifier)
    assert proven.documents
    with pytest.raises(ProofError, match="tree has"):
        check_proof({**answer, "documents": answer["documents"][1:]}, "agents", "", seats, verifier)
    forged = {**answer["checkpoint"]["signatures"][0], "signature": "00" * 64}
    with pytest.raises(ProofError, match="forged"):
        check_proof(answer, "agents", "", seats, verifier, signatures=[forged])
    with pytest.raises(ProofError, match="too little weight"):
        check_proof(answer, "agents", "", seats, verifier, signatures=[])
    absent = answer_of(proving, "/v1/proof/task/" + "ab" * 16)
    assert check_proof(absent, "task", "ab" * 16, seats, verifier).documents == {}


def test_rows_of_the_core_are_proven_of_the_validators_and_their_operators(proving: str) -> None:
    answer = answer_of(proving, "/v1/proof/validators")
    verifier, seats = Verifier(), seats_of(answer)
    (validator,) = check_proof(answer, "validators", "", seats, verifier).validators
    with pytest.raises(ProofError, match="not shown"):
        check_proof({**answer, "state": answer["state"][:-1]}, "validators", "", seats, verifier)
    operator = validator["agent_key"]
    for kind, name in (("agent", "account"), ("reputation", "reputation"), ("validator", "validator")):
        answer = answer_of(proving, f"/v1/proof/{kind}/{operator}")
        rows = check_proof(answer, kind, operator, seats, verifier).rows
        assert rows is not None
        assert name in rows
        altered = {**answer, "agent_row": answer["agent_row"] + 1}
        with pytest.raises(ProofError, match=r"row|leaf"):
            check_proof(altered, kind, operator, seats, verifier)
