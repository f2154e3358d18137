"""Signatures in the module that nodes run: its own vectors, and what other libraries judge otherwise."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from vws import BadCall, Key, sign_request
from vws.verify import MAX_JOBS, MAX_MESSAGE_BYTES, Signed, Verifier, verify_request

VECTORS = Path(os.environ.get("VWS_VECTORS", Path(__file__).parents[3] / "test/embed/vectors.txt"))


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return Verifier()


def vectors() -> list[tuple[Signed, bool]]:
    """The loads of the section of ed25519.wasm, each with the verdicts of its single verifications."""
    section = VECTORS.read_text().split("\nmodule ed25519.wasm")[1].split("\nmodule ")[0]
    found: list[tuple[Signed, bool]] = []
    load: list[Signed] = []
    for line in section.splitlines():
        if line.startswith("load "):
            parts = [bytes.fromhex(part[1:]) for part in line.split(" = ")[0].split(" ")[1:]]
            load = [Signed(part[:32], part[112:], part[32:96]) for part in parts]
        elif line.startswith("single "):
            question, answer = line.split(" = ")
            found.append((load[int(question.split(" ")[1])], answer == "1"))
    return found


def test_the_vectors_of_the_module(verifier: Verifier) -> None:
    cases = vectors()
    assert len(cases) > 200
    assert len({verdict for _, verdict in cases}) == 2
    assert verifier.verify_batch([job for job, _ in cases]) == [verdict for _, verdict in cases]
    for job, verdict in cases[:50]:
        assert verifier.verify(job.public_key, job.message, job.signature) is verdict


def test_another_library_judges_some_of_them_otherwise(verifier: Verifier) -> None:
    def by_nacl(job: Signed) -> bool:
        try:
            VerifyKey(job.public_key).verify(job.message, job.signature)
        except (BadSignatureError, ValueError):
            return False
        return True

    assert any(by_nacl(job) is not verdict for job, verdict in vectors())


def test_batches_of_any_size_and_share_of_bad_ones(verifier: Verifier) -> None:
    key = Key.generate()
    public_key = bytes.fromhex(key.public_key)
    messages = [os.urandom(30) for _ in range(MAX_JOBS + 5)]
    jobs = [Signed(public_key, message, key.sign(message)) for message in messages]
    assert verifier.verify_batch(jobs) == [True] * len(jobs)
    jobs[7] = replace(jobs[7], message=b"another")
    jobs[9] = replace(jobs[9], signature=jobs[9].signature[:-1])
    assert [i for i, good in enumerate(verifier.verify_batch(jobs)) if not good] == [7, 9]
    long = b"x" * (MAX_MESSAGE_BYTES - 10)
    assert verifier.verify_batch([Signed(public_key, long, key.sign(long)), jobs[0], jobs[1]]) == [True] * 3
    assert verifier.verify_batch([]) == []
    with pytest.raises(BadCall, match="1 MiB"):
        verifier.verify(public_key, b"x" * (MAX_MESSAGE_BYTES + 1), bytes(64))


def test_a_signed_request_is_what_its_key_signed(verifier: Verifier) -> None:
    request = sign_request(Key.generate(), "vws-testnet-1", "POST", "/v1/stake", {"amount": 1}, created_at=1_800_000_000)
    assert verify_request(verifier, request)
    for other in (
        replace(request, path="/v1/unstake"),
        replace(request, body='{"amount":2}'),
        replace(request, txid="0" * 64),
        replace(request, headers={**request.headers, "X-Service-Expires": "1800000061"}),
        replace(request, headers={}),
    ):
        assert not verify_request(verifier, other)
