"""Which history a node shows: the code of a checkpoint, a checkpoint that is known from elsewhere, and the proof that a
network has two histories. The same rules and the same file as `vws audit` (docs/guides/auditor.md).

Needs the extra `verify` for signatures.

Keeps: nothing here asks a node; what is handed in is judged by hashes and signatures alone.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_BYTES, _GROUP, _BITS = 20, 4, 5
_STATEMENT_BYTES, _HASH_BYTES, _SIGNATURE_BYTES = 168, 32, 64
_MAX_U32, _MAX_U64, _MAX_SEATS = 2**32 - 1, 2**64 - 1, 65_536
_KIND = "vws-two-histories-1"
_VOTE_DISTANCES, _MAX_RUN = (1, 2), 64
_MAX_LEADERS = 5

Judge = Callable[[bytes, bytes, bytes], bool]
"""Public key, message, signature: `vws.verify.Verifier().verify`."""


class NoProof(ValueError):
    """Why a file proves nothing."""


@dataclass(frozen=True)
class Pin:
    """A checkpoint that is known from elsewhere than from the node."""

    height: int
    code: str

    def is_met_by(self, statement: bytes) -> bool:
        """Whether these signed bytes, as GET /v1/checkpoints gives them in hex, are the pinned checkpoint."""
        if len(statement) != _STATEMENT_BYTES or _height(statement) != self.height:
            return False
        return checkpoint_code(statement) == self.code


@dataclass(frozen=True)
class Double:
    """What a proof shows: these seats, by their keys in hex, signed two statements of one height."""

    genesis_hash: str
    height: int
    codes: tuple[str, str]
    signers: tuple[str, ...]
    weight: int
    total: int


def _grouped(text: str) -> str:
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def _code_of(digest: bytes) -> str:
    bits = int.from_bytes(digest[:_CODE_BYTES], "big")
    count = _CODE_BYTES * 8 // _BITS
    return _grouped("".join(_ALPHABET[bits >> (_BITS * (count - 1 - at)) & 31] for at in range(count)))


def checkpoint_code(statement: bytes) -> str:
    """The first 160 bits of a checkpoint's hash in Crockford's base 32, to be read aloud."""
    return _code_of(sha256(statement).digest())


def read_pin(text: str) -> Pin:
    """Reads "height:hash", the hash in 64 hexadecimal characters or as a code. Raises ValueError for anything else."""
    match = re.fullmatch(r"([1-9][0-9]{0,14}):([0-9A-Za-z-]+)", text)
    if match is None:
        raise ValueError("a pin is height:hash")
    height, rest = int(match[1]), match[2]
    if re.fullmatch(r"[0-9a-fA-F]{64}", rest):
        return Pin(height, _code_of(bytes.fromhex(rest)))
    plain = rest.upper().replace("-", "").replace("O", "0").replace("I", "1").replace("L", "1")
    if len(plain) != _CODE_BYTES * 8 // _BITS or any(letter not in _ALPHABET for letter in plain):
        raise ValueError("the hash of a pin cannot be read")
    return Pin(height, _grouped(plain))


def _height(statement: bytes) -> int:
    return struct.unpack_from("<Q", statement, 8)[0]


def _fields(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _items(value: Any, what: str) -> Sequence[Any]:
    if not isinstance(value, list) or len(cast("list[Any]", value)) > _MAX_SEATS:
        raise NoProof(f"{what} cannot be read")
    return cast("list[Any]", value)


def _bytes(value: Any, length: int, what: str) -> bytes:
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-f]{{{2 * length}}}", value):
        raise NoProof(f"{what} cannot be read")
    return bytes.fromhex(value)


def _number(value: Any, what: str, limit: int = _MAX_U32) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= limit:
        raise NoProof(f"{what} cannot be read")
    return value


def _seat(value: Any) -> tuple[bytes, int, bool]:
    fields = _fields(value)
    weight = fields.get("weight")
    if not isinstance(weight, str) or not re.fullmatch("[0-9]{1,20}", weight) or int(weight) > _MAX_U64:
        raise NoProof("the weight of a seat cannot be read")
    late = fields.get("late", False)
    if not isinstance(late, bool) or (not late and "late" in fields):
        raise NoProof("whether a seat is late cannot be read")
    return _bytes(fields.get("key"), _HASH_BYTES, "the key of a seat"), int(weight), late


def _leaders(seats: list[tuple[bytes, int, bool]], min_participants: int) -> int:
    """Leader slots of a round (consensus 5.4): one where a seat is a quorum alone, else one less than seats may lead."""
    total = sum(weight for _, weight, _ in seats)
    if min_participants == 1 and any(1000 * weight >= 667 * total for _, weight, _ in seats if weight > 0):
        return 1
    leading = sum(weight > 0 and not late for _, weight, late in seats)
    return max(1, min(leading - 1, _MAX_LEADERS))


def _epoch(value: Any, genesis_hash: bytes) -> tuple[list[tuple[bytes, int]], bytes]:
    """The seat table of the file, and the id of the epoch that it makes with the genesis hash (consensus 5.17)."""
    fields, limits = _fields(value), _fields(_fields(value).get("limits"))
    seats = [_seat(seat) for seat in _items(fields.get("seats"), "the seats")]
    rows = b"".join(key + struct.pack("<QB", weight, late) for key, weight, late in seats)
    table = b"VWS-SEATS-V5" + struct.pack("<I", len(seats)) + rows
    small = [_number(fields.get(name), name, 2**16 - 1) for name in ("min_participants", "max_parents")]
    leaders = _leaders(seats, small[0])
    table += struct.pack("<HHHHHH", small[0], *_VOTE_DISTANCES, leaders, small[1], _MAX_RUN)
    table += struct.pack("<IIII", *(_number(limits.get(n), "a limit") for n in ("earlyBlocks", "blocks", "vertices", "timeMs")))
    number = _number(fields.get("number"), "the epoch")
    seal = _bytes(fields.get("seal_block"), _HASH_BYTES, "the seal")
    digest = sha256(table).digest()
    return [(key, weight) for key, weight, _ in seats], sha256(
        b"VWS-EPOCH-V1" + genesis_hash + struct.pack("<Q", number) + seal + digest
    ).digest()


def _side(value: Any, height: int, epoch_id: bytes, judge: Judge) -> tuple[bytes, set[bytes]]:
    """The statement of a side, and the keys that signed it."""
    fields = _fields(value)
    statement = _bytes(fields.get("statement"), _STATEMENT_BYTES, "a statement")
    if statement[:8] != b"VWC1\0\0\0\0":
        raise NoProof("a statement cannot be read")
    if _height(statement) != height or statement[40:72] != epoch_id:
        raise NoProof("a statement is of another height, epoch or network")
    message = b"VWS-CHECKPT-V1" + sha256(statement).digest()
    keys: set[bytes] = set()
    for one in _items(fields.get("signatures"), "the signatures"):
        key = _bytes(_fields(one).get("public_key"), _HASH_BYTES, "a key")
        signature = _bytes(_fields(one).get("signature"), _SIGNATURE_BYTES, "a signature")
        if key not in keys and judge(key, message, signature):
            keys.add(key)
    return statement, keys


def check_two_histories(file: str | bytes | Mapping[str, Any], judge: Judge) -> Double:
    """Checks a file that `vws audit` wrote. Raises NoProof with the reason why it shows nothing."""
    try:
        fields = _fields(json.loads(file) if isinstance(file, (str, bytes)) else file)
    except (ValueError, RecursionError) as error:
        raise NoProof("the file is not JSON") from error
    if fields.get("kind") != _KIND:
        raise NoProof("this is no proof of two histories")
    genesis_hash = _bytes(fields.get("genesis_hash"), _HASH_BYTES, "the genesis hash")
    seats, epoch_id = _epoch(fields.get("epoch"), genesis_hash)
    height = _number(fields.get("height"), "the height")
    one, its_keys = _side(fields.get("one"), height, epoch_id, judge)
    other, other_keys = _side(fields.get("other"), height, epoch_id, judge)
    if one == other:
        raise NoProof("both statements are the same")
    both = [(key, weight) for key, weight in seats if weight > 0 and key in its_keys and key in other_keys]
    if not both:
        raise NoProof("no seat has signed both")
    return Double(
        genesis_hash=genesis_hash.hex(),
        height=height,
        codes=(checkpoint_code(one), checkpoint_code(other)),
        signers=tuple(key.hex() for key, _ in both),
        weight=sum(weight for _, weight in both),
        total=sum(weight for _, weight in seats),
    )
