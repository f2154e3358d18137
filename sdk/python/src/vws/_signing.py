"""Keys, and writes signed with them: SERVICE-TX-V1 over method, path and body (protocol 5.2).

Keeps: a signed request never changes, so sending it again is always the same transaction; the body is sent in the canonical
form that was hashed. Signs only: whether a signature is good is decided by the network's own rule (`vws.verify`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from nacl.signing import SigningKey

from ._base_errors import BadCall
from ._jcs import canonical

TX_VERSION = "SERVICE-TX-V1"
LIFETIME_SECS = 60
"""Within the 120 s that a request may live, with room for clocks that differ."""
_SEED_BYTES = 32


def sync_directory(path: str | os.PathLike[str]) -> None:
    """Until the names in a directory are on disk; Windows opens no directories, and keeps names by itself."""
    if os.name == "nt":
        return
    directory = os.open(path, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _write_synced(path: Path, text: str) -> None:
    """A new file for its owner alone: whoever registers a key and is paid must find it again after a power cut."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


class Signer(Protocol):
    """Whatever signs for an agent: a `Key`, or a device that keeps its key to itself."""

    @property
    def public_key(self) -> str:
        """64 lower-case hex characters."""
        ...

    def sign(self, message: bytes) -> bytes:
        """64 bytes, RFC 8032."""
        ...


class Key:
    """An Ed25519 key in memory."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != _SEED_BYTES:
            raise BadCall("an Ed25519 seed has 32 bytes")
        self._key = SigningKey(seed)
        self.public_key = bytes(self._key.verify_key).hex()

    @classmethod
    def generate(cls) -> Key:
        return cls(os.urandom(_SEED_BYTES))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Key:
        """Reads a key file of `vws keygen` or of `save`."""
        try:
            file = json.loads(Path(path).read_text(encoding="utf-8"))
            if "ciphertext" in file:
                raise BadCall(f"key file {path} is encrypted: open it with its passphrase and give Key(seed)")
            key = cls(bytes.fromhex(file["seed"]))
            is_whole = file["public_key"] == key.public_key
        except (ValueError, KeyError, TypeError) as cause:
            raise BadCall(f"{path} is not a key file") from cause
        if not is_whole:
            raise BadCall(f"key file {path}: public_key does not belong to the seed")
        return key

    @classmethod
    def load_or_create(cls, path: str | os.PathLike[str]) -> Key:
        """The key in a file, which is made if there is none. Another key than one that was lost would be another agent."""
        had_one = Path(f"{path}.pub").exists()
        if Path(path).exists():
            return cls.load(path)
        if had_one:
            raise BadCall(f"key file {path} is missing, but {path}.pub is there: put it back from its copy, or name another")
        key = cls.generate()
        try:
            key.save(path)
        except BadCall:
            # Another process was first.
            return cls.load(path)
        return key

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a key file for its owner alone, not encrypted, as `vws keygen` does. Never overwrites one."""
        text = json.dumps({"seed": bytes(self._key).hex(), "public_key": self.public_key}) + "\n"
        target = Path(path)
        temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}")
        try:
            _write_synced(temporary, text)
            try:
                os.link(temporary, target)
            except FileExistsError:
                raise
            except OSError:
                # A file system without hard links.
                _write_synced(target, text)
            sync_directory(target.parent)
        except FileExistsError as cause:
            raise BadCall(f"{path} exists and is not overwritten") from cause
        finally:
            temporary.unlink(missing_ok=True)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message).signature

    @property
    def seed(self) -> bytes:
        return bytes(self._key)


@dataclass(frozen=True)
class SignedRequest:
    """A write that is signed: keep it, and send exactly this transaction as often as need be."""

    method: str
    path: str
    body: str
    headers: Mapping[str, str]
    txid: str
    """The transaction's id, and the id of its event once it is executed."""
    expires_at: int
    """Unix seconds. With 60 s for clocks that differ, it can never run later."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SignedRequest:
        return cls(**value)


def sign_request(
    signer: Signer,
    chain_id: str,
    method: str,
    path: str,
    body: Mapping[str, Any],
    *,
    created_at: int,
    nonce: bytes | None = None,
) -> SignedRequest:
    """Signs one write. `path` is the raw path, percent-encoded, without a query; `nonce` is 16 random bytes."""
    text = canonical(dict(body))
    expires_at = created_at + LIFETIME_SECS
    nonce_hex = (os.urandom(16) if nonce is None else nonce).hex()
    signed = canonical(
        {
            "version": TX_VERSION,
            "chain_id": chain_id,
            "actor": signer.public_key,
            "method": method,
            "path": path,
            "body_sha256": sha256(text.encode()).hexdigest(),
            "created_at": created_at,
            "expires_at": expires_at,
            "nonce": nonce_hex,
        }
    ).encode()
    headers = {
        "content-type": "application/json",
        "X-Service-Version": TX_VERSION,
        "X-Service-Chain-ID": chain_id,
        "X-Service-Actor": signer.public_key,
        "X-Service-Created": str(created_at),
        "X-Service-Expires": str(expires_at),
        "X-Service-Nonce": nonce_hex,
        "X-Service-Signature": signer.sign(signed).hex(),
    }
    return SignedRequest(method, path, text, headers, sha256(signed).hexdigest(), expires_at)
