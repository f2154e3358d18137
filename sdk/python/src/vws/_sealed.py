"""Texts encrypted to Ed25519 public keys: a result that only its poster and its worker read until a dispute opens it
(protocol 15.10), a webhook secret that only a seat reads.

X25519 over the Montgomery form of the keys, HKDF-SHA-256, ChaCha20-Poly1305; bound to the kind of text and to the id of its
subject, so that a copy used elsewhere does not decrypt. It does not prove who wrote it.
"""

from __future__ import annotations

import binascii
import hmac
import os
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Any

from nacl import bindings
from nacl.exceptions import CryptoError

from ._base_errors import BadCall
from ._signing import Key

BOX = "vws-sealed-v2"
RESULT = "vws-sealed-v1"
HOOK = "vws-hook-v1"
MAX_HOOK_SECRET_BYTES = 39
_KEY_BYTES, _NONCE_BYTES, _TAG_BYTES = 32, 12, 16
_WRAP_BYTES = _KEY_BYTES + _TAG_BYTES
_CONTENT_AT = _KEY_BYTES + 2 * _WRAP_BYTES
_COMMITMENT_TAG = b"VWS-CONTENT-KEY-V2"


def seal_result(key: Key, poster_key: str, task_id: str, text: str) -> dict[str, Any]:
    """Seals a result for its poster and its worker: members of a submission.

    `key`: the worker's, from which, with task and text, the content key follows; `poster_key`: hex public key of the
    poster; `task_id`: the task's id. A text of n bytes takes about 4/3 n + 208 characters."""
    plain = text.encode()
    poster, worker = _key_bytes(poster_key), bytes.fromhex(key.public_key)
    content_key = _own_content_key(key, task_id, plain)
    secret = _derive(content_key, task_id, "ephemeral")[:_KEY_BYTES]
    ephemeral = bindings.crypto_scalarmult_base(secret)
    wraps = b"".join(_encrypt(content_key, _wrap(secret, reader, ephemeral, task_id)) for reader in (poster, worker))
    content = _encrypt(plain, _derive(content_key, task_id, "content"))
    committed = sha256(_COMMITMENT_TAG + bytes.fromhex(task_id) + content_key).hexdigest()
    return {
        "result_content": f"{BOX}:{b64encode(ephemeral + wraps + content).decode()}",
        "result_encrypted": True,
        "key_commitment": committed,
    }


def content_key(key: Key, task_id: str, text: str) -> str:
    """The content key of a sealed result in hex, which opens it in a dispute. `key`: its poster's or its worker's."""
    data = _box_bytes(text)
    if data is None:
        raise BadCall("this is not a sealed result with a content key")
    ephemeral = data[:_KEY_BYTES]
    for at in (_KEY_BYTES, _KEY_BYTES + _WRAP_BYTES):
        try:
            salt = ephemeral + bytes.fromhex(key.public_key)
            material = _expand(_shared(key, ephemeral), salt, _about(task_id, "wrap"))
            found = _decrypt(data[at : at + _WRAP_BYTES], material)
        except (ValueError, CryptoError, RuntimeError):
            continue
        if bindings.crypto_scalarmult_base(_derive(found, task_id, "ephemeral")[:_KEY_BYTES]) == ephemeral:
            return found.hex()
    raise BadCall("the result was altered, or is encrypted to another key or task")


def open_result(key: Key, task_id: str, text: str) -> bytes:
    """Decrypts what `seal_result` made for the holder of this key, or a result of the older form vws-sealed-v1."""
    data = _box_bytes(text)
    if data is not None:
        found = bytes.fromhex(content_key(key, task_id, text))
        try:
            return _decrypt(data[_CONTENT_AT:], _derive(found, task_id, "content"))
        except CryptoError as cause:
            raise BadCall("the result was altered, or is encrypted to another key or task") from cause
    if not text.startswith(f"{RESULT}:"):
        raise BadCall("this is not an encrypted result")
    try:
        data = b64decode(text[len(RESULT) + 1 :], validate=True)
        if len(data) < _KEY_BYTES + _TAG_BYTES:
            raise ValueError("too short")
        ephemeral, sealed = data[:_KEY_BYTES], data[_KEY_BYTES:]
        material = _material(RESULT, _shared(key, ephemeral), ephemeral + bytes.fromhex(key.public_key), task_id)
        return bindings.crypto_aead_chacha20poly1305_ietf_decrypt(sealed, None, *material)
    except (ValueError, binascii.Error, CryptoError) as cause:
        raise BadCall("the result was altered, or is encrypted to another key or task") from cause


def seal_webhook_secret(seat_key: str, agent_id: str, secret: str) -> str:
    """Encrypts the secret of a webhook to the seat whose node will deliver; 1 to 39 bytes."""
    plain = secret.encode()
    if not 1 <= len(plain) <= MAX_HOOK_SECRET_BYTES:
        raise BadCall(f"a webhook secret has 1 to {MAX_HOOK_SECRET_BYTES} bytes, not {len(plain)}")
    return _seal(HOOK, _key_bytes(seat_key), agent_id, plain)


def _key_bytes(key: str) -> bytes:
    try:
        value = bytes.fromhex(key)
    except ValueError:
        value = b""
    if len(value) != _KEY_BYTES:
        raise BadCall("a public key has 64 hex characters")
    return value


def _seal(kind: str, to: bytes, about: str, plain: bytes) -> str:
    own = os.urandom(_KEY_BYTES)
    ephemeral = bindings.crypto_scalarmult_base(own)
    try:
        secret = bindings.crypto_scalarmult(own, bindings.crypto_sign_ed25519_pk_to_curve25519(to))
    except CryptoError as cause:
        raise BadCall("nothing can be encrypted to this key") from cause
    material = _material(kind, secret, ephemeral + to, about)
    sealed = bindings.crypto_aead_chacha20poly1305_ietf_encrypt(plain, None, *material)
    return f"{kind}:{b64encode(ephemeral + sealed).decode()}"


def _material(kind: str, secret: bytes, salt: bytes, about: str) -> tuple[bytes, bytes]:
    """Nonce and key of the cipher."""
    material = _expand(secret, salt, f"{kind.upper()}:{about}".encode())
    return material[_KEY_BYTES:], material[:_KEY_BYTES]


def _expand(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """Key and nonce of a cipher, by HKDF (RFC 5869)."""
    pseudo_random = hmac.digest(salt or bytes(sha256().digest_size), secret, sha256)
    first = hmac.digest(pseudo_random, info + b"\x01", sha256)
    second = hmac.digest(pseudo_random, first + info + b"\x02", sha256)
    return first + second[:_NONCE_BYTES]


def _about(task_id: str, part: str) -> bytes:
    return f"{BOX.upper()}:{task_id.lower()}:{part}".encode()


def _derive(key: bytes, task_id: str, part: str) -> bytes:
    return _expand(key, b"", _about(task_id, part))


def _own_content_key(key: Key, task_id: str, plain: bytes) -> bytes:
    """The content key of a worker that keeps nothing: the same for the same task and text, another for every other."""
    own = bindings.crypto_sign_ed25519_pk_to_curve25519(bytes.fromhex(key.public_key))
    return _derive(_shared(key, own), task_id, f"key:{sha256(plain).hexdigest()}")[:_KEY_BYTES]


def _wrap(secret: bytes, reader: bytes, ephemeral: bytes, task_id: str) -> bytes:
    try:
        shared = bindings.crypto_scalarmult(secret, bindings.crypto_sign_ed25519_pk_to_curve25519(reader))
    except (CryptoError, RuntimeError) as cause:
        raise BadCall("nothing can be encrypted to this key") from cause
    return _expand(shared, ephemeral + reader, _about(task_id, "wrap"))


def _encrypt(plain: bytes, material: bytes) -> bytes:
    return bindings.crypto_aead_chacha20poly1305_ietf_encrypt(plain, None, material[_KEY_BYTES:], material[:_KEY_BYTES])


def _decrypt(sealed: bytes, material: bytes) -> bytes:
    return bindings.crypto_aead_chacha20poly1305_ietf_decrypt(sealed, None, material[_KEY_BYTES:], material[:_KEY_BYTES])


def _shared(key: Key, other: bytes) -> bytes:
    """X25519 of the Montgomery form of a key and another one."""
    own = bindings.crypto_sign_ed25519_sk_to_curve25519(key.seed + bytes.fromhex(key.public_key))
    return bindings.crypto_scalarmult(own, other)


def _box_bytes(text: str) -> bytes | None:
    """The bytes of a sealed box; None for a text of another form."""
    if not text.startswith(f"{BOX}:"):
        return None
    try:
        data = b64decode(text[len(BOX) + 1 :], validate=True)
    except (ValueError, binascii.Error):
        return None
    return data if len(data) >= _CONTENT_AT + _TAG_BYTES else None
