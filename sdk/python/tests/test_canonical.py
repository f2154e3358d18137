"""Canonical JSON and signed requests, by the vectors of RFC 8785 and of the protocol (5.3.1)."""

from __future__ import annotations

import json
import math
import random
import struct
import threading
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from vws import BadCall, Key, sign_request
from vws._jcs import canonical

SEED = bytes.fromhex("8f4f8f7790e2962df8313813a235f885e805625051bf60bc0a76115a721a7d44")
PUBLIC_KEY = "902313e1b41cfe4f51bd68fbf54e67e02eb765803176a9338849b75ccb2cd913"
NONCE = bytes(range(16))
SIGNATURE = (
    "c68ef9109f6539a8a2029014b6c845608cb124115453b707d8cfb19d00b3b8b5"
    "87f35f400ad7eb925edd3df3aa032c1270a791ce5d679a02b86defa652d5b302"
)


def test_sample_of_rfc_8785() -> None:
    source = (
        '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],'
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}'
    )
    assert canonical(json.loads(source)) == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_members_are_ordered_by_utf_16() -> None:
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    assert list(json.loads(canonical(dict.fromkeys(names, 1)))) == [
        *("\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"),
    ]


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("c340000000000000", "-9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("44b52d02c7e14af7", "1.0000000000000001e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555557", "333333333.33333343"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_number_sample_of_rfc_8785(bits: str, text: str) -> None:
    assert canonical(struct.unpack(">d", bytes.fromhex(bits))[0]) == text


def test_numbers_read_back_as_the_same() -> None:
    chance = random.Random(7)
    for _ in range(10_000):
        (value,) = struct.unpack(">d", chance.randbytes(8))
        if math.isfinite(value):
            assert float(canonical(value)) == value


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), "\ud800", 2**53, -(2**53), {1: 2}, b"", object(), {"a": ["\udc00b"]}]
)
def test_what_has_no_form_is_refused(value: Any) -> None:
    with pytest.raises(BadCall):
        canonical(value)


def test_the_signed_request_of_the_protocol() -> None:
    body = {"to_agent": "bob", "amount": 2500000, "memo": "invoice 7"}
    key = Key(SEED)
    made = sign_request(key, "vws-testnet-1", "POST", "/v1/transfer", body, created_at=1_800_000_000, nonce=NONCE)
    assert key.public_key == PUBLIC_KEY
    assert made.body == '{"amount":2500000,"memo":"invoice 7","to_agent":"bob"}'
    assert sha256(made.body.encode()).hexdigest() == "438808db562d9e14e10b5dd0c7262fea9959dd82e8cbed162de49d69f08ec9ae"
    assert made.txid == "80a7428d7972d78c1bb57887083ac6b9d8c464d9e18a9035eddf29185a07336b"
    assert made.headers == {
        "content-type": "application/json",
        "X-Service-Version": "SERVICE-TX-V1",
        "X-Service-Chain-ID": "vws-testnet-1",
        "X-Service-Actor": PUBLIC_KEY,
        "X-Service-Created": "1800000000",
        "X-Service-Expires": "1800000060",
        "X-Service-Nonce": NONCE.hex(),
        "X-Service-Signature": SIGNATURE,
    }
    assert made == type(made).from_json(json.loads(json.dumps(made.to_json())))


def test_key_files_are_those_of_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    path.write_text(f'{{"seed":"{SEED.hex()}","public_key":"{PUBLIC_KEY}"}}\n')
    assert Key.load(path).public_key == PUBLIC_KEY
    made = Key.load_or_create(tmp_path / "b.key")
    assert Key.load_or_create(tmp_path / "b.key").seed == made.seed
    assert (tmp_path / "b.key").stat().st_mode & 0o777 == 0o600
    with pytest.raises(BadCall, match="not overwritten"):
        made.save(path)
    path.write_text(f'{{"seed":"{SEED.hex()}","public_key":"{made.public_key}"}}\n')
    with pytest.raises(BadCall, match="does not belong"):
        Key.load(path)
    path.write_text("{}")
    with pytest.raises(BadCall, match="not a key file"):
        Key.load(path)


def test_a_lost_key_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.key.pub").write_text(f"{PUBLIC_KEY}\n")
    with pytest.raises(BadCall, match=r"a\.key is missing.*put it back"):
        Key.load_or_create(tmp_path / "a.key")
    assert [path.name for path in tmp_path.iterdir()] == ["a.key.pub"]


def test_processes_that_make_a_key_file_at_once_have_one_key(tmp_path: Path) -> None:
    path, barrier, keys = tmp_path / "a.key", threading.Barrier(8), list[str]()

    def make() -> None:
        barrier.wait()
        keys.append(Key.load_or_create(path).public_key)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert keys == [Key.load(path).public_key] * 8


def test_an_encrypted_key_file_is_called_that(tmp_path: Path) -> None:
    (tmp_path / "a.key").write_text(f'{{"public_key":"{PUBLIC_KEY}","ciphertext":"00"}}\n')
    with pytest.raises(BadCall, match="is encrypted"):
        Key.load(tmp_path / "a.key")


def test_a_key_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []

    def fail(file: int) -> None:
        synced.append(file)
        raise OSError("no room")

    monkeypatch.setattr("vws._signing.os.fsync", fail)
    with pytest.raises(OSError, match="no room"):
        Key.generate().save(tmp_path / "c.key")
    assert (len(synced), list(tmp_path.iterdir())) == (1, [])
