"""Whether a signature is good, by the network's own rule: ZIP-215, computed by the module that nodes run.

Needs the extra `verify` of the package.

Keeps: Python libraries accept other sets of signatures than the network, so none of them decides here. A batch only proves
"all good"; one that fails is verified one by one, so each signature gets the verdict that it has alone.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any, cast

from wasmtime import Engine, Func, Instance, Memory, Module, Store

from ._base_errors import BadCall
from ._jcs import canonical
from ._signing import TX_VERSION, SignedRequest

ABI_VERSION = 1
MAX_JOBS = 1024
JOB_BYTES = 128
MAX_MESSAGE_BYTES = 1_048_576
_KEY_BYTES, _SIGNATURE_BYTES, _RANDOM_BYTES = 32, 64, 16


@dataclass(frozen=True)
class Signed:
    """A signature to be judged."""

    public_key: bytes
    message: bytes
    signature: bytes

    @property
    def has_right_lengths(self) -> bool:
        return len(self.public_key) == _KEY_BYTES and len(self.signature) == _SIGNATURE_BYTES


class Verifier:
    """One instance of the module; not for several threads at once."""

    def __init__(self) -> None:
        engine = Engine()
        self._store = Store(engine)
        module = Module(engine, (files("vws") / "ed25519.wasm").read_bytes())
        self._exports = Instance(self._store, module, []).exports(self._store)
        self._memory = cast("Memory", self._exports["memory"])
        if self._call("abi_version") != ABI_VERSION:
            raise BadCall("ed25519.wasm has another ABI version than this package")
        self._jobs, self._messages = self._call("jobs_ptr"), self._call("messages_ptr")
        self._write(self._jobs, os.urandom(_RANDOM_BYTES))
        self._call("init")

    def verify(self, public_key: bytes, message: bytes, signature: bytes) -> bool:
        return self.verify_batch([Signed(public_key, message, signature)])[0]

    def verify_batch(self, jobs: Sequence[Signed]) -> list[bool]:
        """The verdict of each, in their order."""
        verdicts = [False] * len(jobs)
        load: list[int] = []
        room = MAX_MESSAGE_BYTES
        for index, job in enumerate(jobs):
            if len(job.message) > MAX_MESSAGE_BYTES:
                raise BadCall("a signed message is longer than 1 MiB")
            if not job.has_right_lengths:
                continue
            if len(load) == MAX_JOBS or len(job.message) > room:
                self._judge(jobs, load, verdicts)
                load, room = [], MAX_MESSAGE_BYTES
            load.append(index)
            room -= len(job.message)
        self._judge(jobs, load, verdicts)
        return verdicts

    def _judge(self, jobs: Sequence[Signed], load: Sequence[int], verdicts: list[bool]) -> None:
        if not load:
            return
        messages = b"".join(jobs[index].message for index in load)
        self._write(self._messages, messages)
        # Whoever can predict the coefficients can forge, so they are drawn when the signatures are known.
        chance, at, records = os.urandom(_RANDOM_BYTES * len(load)), 0, bytearray()
        for place, index in enumerate(load):
            job = jobs[index]
            coefficient = chance[_RANDOM_BYTES * place : _RANDOM_BYTES * (place + 1)]
            offsets = struct.pack("<II8x", at, len(job.message))
            records += job.public_key + job.signature + coefficient + offsets
            at += len(job.message)
        self._write(self._jobs, bytes(records))
        self._call("load", len(load))
        are_all_good = self._call("batch", 0, len(load)) == 1
        for place, index in enumerate(load):
            verdicts[index] = self._call("is_open" if are_all_good else "single", place) == 1

    def _call(self, name: str, *args: int) -> int:
        return cast("Func", self._exports[f"ed25519_{name}"])(self._store, *args) or 0

    def _write(self, at: int, data: bytes) -> None:
        self._memory.write(self._store, data, at)


def verify_request(verifier: Verifier, request: SignedRequest) -> bool:
    """Whether a signed write is what its key signed, with the TxID that it names (protocol 5.2)."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    try:
        sign_bytes = _sign_bytes(request, headers)
        key = bytes.fromhex(headers["x-service-actor"])
        signature = bytes.fromhex(headers["x-service-signature"])
    except (KeyError, ValueError):
        return False
    is_named = sha256(sign_bytes).hexdigest() == request.txid and headers["x-service-version"] == TX_VERSION
    return is_named and verifier.verify(key, sign_bytes, signature)


def _sign_bytes(request: SignedRequest, headers: Mapping[str, str]) -> bytes:
    envelope: dict[str, Any] = {
        "version": headers["x-service-version"],
        "chain_id": headers["x-service-chain-id"],
        "actor": headers["x-service-actor"],
        "method": request.method,
        "path": request.path,
        "body_sha256": sha256(request.body.encode()).hexdigest(),
        "created_at": int(headers["x-service-created"]),
        "expires_at": int(headers["x-service-expires"]),
        "nonce": headers["x-service-nonce"],
    }
    return canonical(envelope).encode()
