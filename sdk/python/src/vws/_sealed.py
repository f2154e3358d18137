"""Texts encrypted to an Ed25519 public key: a result that only the poster reads, a webhook secret that only a seat reads.

X25519 over the Montgomery form of the key, HKDF-SHA-256, ChaCha20-Poly1305; bound to the kind of text and to the id of its
subject, so that a copy used elsewhere does not decrypt. It does not prove who wrote it (protocol 4.4).
"""

from __future__ import annotations

import binascii
import hmac
import os
from base64 import b64decode, b64encode
from hashlib import sha256

from nacl import bindings
from nacl.exceptions import CryptoError

from ._base_errors import BadCall
from ._signing import Key

RESULT = "vws-sealed-v1"
HOOK = "vws-hook-v1"
MAX_HOOK_SECRET_BYTES = 39
_KEY_BYTES, _NONCE_BYTES, _TAG_BYTES = 32, 12, 16


def seal_result(poster_key: str, task_id: str, content: str | bytes) -> str:
    """Encrypts a result to the poster: the `result_content` of a submission with `result_encrypted`.

    `poster_key`: hex public key; `task_id`: the task's id. n bytes take about 4/3 n + 78 characters."""
    return _seal(RESULT, _key_bytes(poster_key), task_id, content.encode() if isinstance(content, str) else content)


def open_result(key: Key, task_id: str, text: str) -> bytes:
    """Decrypts what `seal_result` made for the holder of this key."""
    if not text.startswith(f"{RESULT}:"):
        raise BadCall("this is not an encrypted result")
    try:
        data = b64decode(text[len(RESULT) + 1 :], validate=True)
        if len(data) < _KEY_BYTES + _TAG_BYTES:
            raise ValueError("too short")
        ephemeral, sealed = data[:_KEY_BYTES], data[_KEY_BYTES:]
        own = bytes.fromhex(key.public_key)
        secret = bindings.crypto_scalarmult(bindings.crypto_sign_ed25519_sk_to_curve25519(key.seed + own), ephemeral)
        material = _material(RESULT, secret, ephemeral + own, task_id)
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
    """Nonce and key of the cipher, by HKDF (RFC 5869)."""
    info = f"{kind.upper()}:{about}".encode()
    pseudo_random = hmac.digest(salt, secret, sha256)
    first = hmac.digest(pseudo_random, info + b"\x01", sha256)
    second = hmac.digest(pseudo_random, first + info + b"\x02", sha256)
    return second[:_NONCE_BYTES], first
