"""Whether a document is under a state root that a quorum of seats signed (consensus 5.18).

Signatures are judged by a `vws.verify.Verifier` (the extra `verify`); the path to the root is hashing alone.

Keeps: an answer is of what was asked for, or a ProofError; a document counts only with its hash in the tree, and a list only
if nothing of it is left out. The seats are given by the caller, who knows them from a pinned genesis or from an audit.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from ._state_rows import RowError, Rows

if TYPE_CHECKING:
    from .verify import Verifier

MAX_KEY_BYTES = 33
MAX_PROOF_BYTES = 262_144
_FAN = 16
_STATEMENT_BYTES = 168
_HIDDEN, _LEAF, _BRANCH = range(3)
"""Kinds of nodes in a part of the tree."""
_KEY_DIGITS = 64
"""Hex digits of a public key."""
_EVENT_ID_DIGITS = 64
_NUMBER_BYTES = 8
_MAX_NUMBER = 2**53 - 1
"""Of an id that is a number, in decimal."""
# Kind: letter of its keys, bytes of an id (0: of an agent), bytes behind the id.
_ITEMS = {
    "agent": ("a", 0, 0),
    "reputation": ("a", 0, 0),
    "validator": ("a", 0, 0),
    "listing": ("L", 0, 0),
    "task": ("x", 16, 1),
    "result": ("u", 16, 0),
    "event": ("e", _NUMBER_BYTES, 0),
}
_WITH_ROWS = ("agent", "reputation", "validator")
_VALIDATORS = "validators"
"""A list of rows of the core: its keys are numbers of rows."""
_LISTS = {
    "agents": ("a", 32),
    "listings": ("L", 32),
    "open_tasks": ("o", 16),
    "open_events": ("e", _NUMBER_BYTES),
    _VALIDATORS: ("", 4),
}


class ProofError(Exception):
    """The node lied, or its answer cannot be read: the text says what is wrong."""


@dataclass(frozen=True)
class Seats:
    """The seats of an epoch: hex key to weight, and how many of them a quorum takes at least."""

    weights: Mapping[str, int]
    epoch_id: str
    min_participants: int = 1

    def are_quorum(self, keys: set[str]) -> bool:
        weight = sum(self.weights[key] for key in keys)
        count = sum(1 for key in keys if self.weights[key] > 0)
        return count >= self.min_participants and 1000 * weight >= 667 * sum(self.weights.values()) > 0


@dataclass(frozen=True)
class Proven:
    """Documents as they were at a checkpoint; none of what was asked for is missing up to `last`."""

    documents: dict[str, str]
    """Key in hex to JSON, or to the content of a result."""
    last: str
    is_end: bool
    height: int
    order: int
    time_ms: int
    rows: dict[str, Any] | None = None
    """Of an agent: its `account`, `reputation` or `validator` in the core. None where the node could not show them."""
    validators: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Of the list of validators: all from the first to the last that was asked for."""
    seq: int | None = None
    """Of an event that was asked for by its id and is not shown: the number that the node says it has.

    That no event with this number is open is proven; that it is the number of the id is not.
    """


@dataclass(frozen=True)
class _Place:
    depth: int
    prefix: bytes

    def below(self, nibble: int) -> _Place:
        half = self.depth // 2
        if self.depth % 2 == 0:
            return _Place(self.depth + 1, self.prefix + bytes([nibble << 4]))
        return _Place(self.depth + 1, self.prefix[:half] + bytes([self.prefix[half] | nibble]))

    def holds(self, key: bytes) -> bool:
        return 2 * len(key) >= self.depth and _prefix_of(key, self.depth) == self.prefix

    def may_hold(self, first: bytes, last: bytes) -> bool:
        size = len(first)
        low = self.prefix[:size].ljust(size, b"\0")
        high = bytearray(self.prefix[:size].ljust(size, b"\xff"))
        if self.depth % 2 == 1 and self.depth // 2 < size:
            high[self.depth // 2] |= 15
        return low <= last and bytes(high) >= first


def _prefix_of(key: bytes, depth: int) -> bytes:
    prefix = key[: (depth + 1) // 2]
    return prefix if depth % 2 == 0 else prefix[:-1] + bytes([prefix[-1] & 0xF0])


class _Tree:
    """Reads a part of the tree; see consensus 5.18 for its form."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0
        self.leaves: list[tuple[bytes, bytes]] = []
        self.hidden: list[_Place] = []
        self.root = bytes(32) if not data else self._node(_Place(0, b""))
        if self._at != len(data):
            raise ProofError("bytes follow the part of the tree")

    def _take(self, count: int) -> bytes:
        part = self._data[self._at : self._at + count]
        self._at += count
        if len(part) != count:
            raise ProofError("the part of the tree is cut off")
        return part

    def _node(self, place: _Place) -> bytes:
        kind = self._take(1)[0]
        if kind == _HIDDEN:
            self.hidden.append(place)
            return self._take(32)
        if kind == _LEAF:
            key = self._take(self._take(1)[0])
            value = self._take(32)
            if len(key) > MAX_KEY_BYTES or not place.holds(key):
                raise ProofError("a leaf lies where it cannot")
            self.leaves.append((key, value))
            return sha256(bytes([0, len(key)]) + key + value).digest()
        if kind == _BRANCH:
            return self._branch(place)
        raise ProofError("the part of the tree has a node of no kind")

    def _branch(self, place: _Place) -> bytes:
        depth = self._take(1)[0]
        prefix = self._take((depth + 1) // 2)
        (bits,) = struct.unpack("<H", self._take(2))
        is_placed = place.depth <= depth < 2 * MAX_KEY_BYTES and place.holds(prefix)
        if not is_placed or _prefix_of(prefix, depth) != prefix or bits & (bits - 1) == 0:
            raise ProofError("a branch lies where it cannot")
        here = _Place(depth, prefix)
        hashes = [self._node(here.below(nibble)) for nibble in range(_FAN) if bits & (1 << nibble)]
        return sha256(bytes([1, depth]) + prefix + struct.pack("<H", bits) + b"".join(hashes)).digest()


def key_range(kind: str, id: str = "") -> tuple[bytes, bytes]:
    """First and last key of a document (`kind` with an id), or of a list; `id` is then what it goes on behind."""
    if kind in _ITEMS:
        letter, size, tail = _ITEMS[kind]
        name = _agent_key(id) if size == 0 else _number(id) if size == _NUMBER_BYTES else _id(id, size)
        return letter.encode() + name + b"\0" * tail, letter.encode() + name + b"\xff" * tail
    if kind not in _LISTS:
        raise ValueError(f"{kind} is no kind of documents")
    letter, size = _LISTS[kind]
    begin = bytes.fromhex(id)
    if len(begin) > size:
        raise ValueError(f"{id} is longer than an id")
    first = 0 if id == "" else int.from_bytes(begin.ljust(size, b"\xff"), "big") + 1
    return letter.encode() + first.to_bytes(size, "big"), letter.encode() + b"\xff" * size


def _id(text: str, size: int) -> bytes:
    data = bytes.fromhex(text)
    if len(data) != size:
        raise ValueError(f"{text} is no id of {size} bytes")
    return data


def _number(text: str) -> bytes:
    if not text.isascii() or not text.isdecimal() or text != str(int(text)) or int(text) > _MAX_NUMBER:
        raise ValueError(f"{text} is no number of an event")
    return int(text).to_bytes(_NUMBER_BYTES, "big")


def _agent_key(id: str) -> bytes:
    try:
        if len(id) == _KEY_DIGITS:
            return bytes.fromhex(id)
    except ValueError:
        pass
    return sha256(id.encode()).digest()


def _member(answer: Any, name: str, kind: type) -> Any:
    value = cast(Mapping[str, Any], answer).get(name) if isinstance(answer, Mapping) else None
    if not isinstance(value, kind):
        raise ProofError(f"{name} of a proof cannot be read")
    return value


def _hex(answer: Any, name: str) -> bytes:
    text = _member(answer, name, str)
    try:
        if len(text) <= 2 * MAX_PROOF_BYTES:
            return bytes.fromhex(text)
    except ValueError:
        pass
    raise ProofError(f"{name} of a proof cannot be read")


def check_proof(
    answer: Mapping[str, Any], kind: str, id: str, seats: Seats, verifier: Verifier, *, signatures: Sequence[Any] | None = None
) -> Proven:
    """Checks an answer of `/v1/proof`, of any kind and list.

    `id`: of an event its number, or its id. `signatures`: those of the checkpoint, if newer than the ones in the answer.
    """
    is_by_id = kind == "event" and len(id) == _EVENT_ID_DIGITS
    first, last = _event_keys(answer) if is_by_id else key_range(kind, id)
    until = _hex(answer, "last")
    is_inside = len(until) == len(first) and first <= until <= last
    if _hex(answer, "first") != first or not is_inside:
        raise ProofError("the proof is of other keys than were asked for")
    checkpoint = _member(answer, "checkpoint", dict)
    statement = _hex(checkpoint, "statement")
    if len(statement) != _STATEMENT_BYTES or statement[:8] != b"VWC1\0\0\0\0":
        raise ProofError("the statement of a proof cannot be read")
    tree = _Tree(_hex(answer, "proof"))
    core_root = _hex(answer, "core_root")
    root = sha256(b"VWS-STATE-V2" + core_root + tree.root).digest()
    if root != statement[104:136]:
        raise ProofError("the proof does not lead to the state root of its checkpoint")
    found = _validators(answer, core_root, (first, until, last)) if kind == _VALIDATORS else list[dict[str, Any]]()
    documents = {} if kind == _VALIDATORS else _all_documents(answer, tree, (first, until, last))
    rows = _rows(answer, kind, core_root, first[1:]) if kind in _WITH_ROWS and documents else None
    _check_signatures(statement, checkpoint.get("signatures") if signatures is None else signatures, seats, verifier)
    height, order, _, time_ms = struct.unpack_from("<QQQQ", statement, 8)
    seq = _number_of_absent(id, first, documents) if is_by_id else None
    return Proven(documents, until.hex(), until == last, height, order, time_ms, rows, found, seq)


def _event_keys(answer: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """The key under which a node shows an event that it was asked for by its id."""
    first = _hex(answer, "first")
    if len(first) != 1 + _NUMBER_BYTES or first[:1] != b"e" or int.from_bytes(first[1:], "big") > _MAX_NUMBER:
        raise ProofError("a proof is of no event")
    return first, first


def _number_of_absent(id: str, key: bytes, documents: Mapping[str, str]) -> int | None:
    for text in documents.values():
        if json.loads(text).get("event_id") != id.lower():
            raise ProofError(f"the node shows another event than {id}")
    return None if documents else int.from_bytes(key[1:], "big")


def _all_documents(answer: Mapping[str, Any], tree: _Tree, keys: tuple[bytes, bytes, bytes]) -> dict[str, str]:
    first, until, last = keys
    if any(place.may_hold(first, until) for place in tree.hidden):
        raise ProofError("the proof leaves out a part of what it is about")
    documents = _documents(answer, [leaf for leaf in tree.leaves if first <= leaf[0] <= until])
    if until != last and not documents:
        raise ProofError("the proof ends before it shows anything")
    return documents


def _rows(answer: Mapping[str, Any], kind: str, core_root: bytes, key: bytes) -> dict[str, Any] | None:
    if answer.get("state") is None:
        return None
    try:
        return Rows(answer["state"], core_root).of_agent(kind, answer.get("agent_row"), key)
    except RowError as error:
        raise ProofError(str(error)) from None


def _validators(answer: Mapping[str, Any], core_root: bytes, keys: tuple[bytes, bytes, bytes]) -> list[dict[str, Any]]:
    first, until, last = (int.from_bytes(key, "big") for key in keys)
    try:
        count, found = Rows(answer.get("state"), core_root).validators(first, until)
    except RowError as error:
        raise ProofError(str(error)) from None
    if until != last and until >= count:
        raise ProofError("the proof goes on behind the last validator")
    return found


def _documents(answer: Mapping[str, Any], leaves: list[tuple[bytes, bytes]]) -> dict[str, str]:
    shown = _member(answer, "documents", list)
    if len(shown) != len(leaves):
        raise ProofError(f"the tree has {len(leaves)} documents where the node shows {len(shown)}")
    documents: dict[str, str] = {}
    for (key, value), one in zip(leaves, shown, strict=True):
        text = _member(one, "text", str)
        if _member(one, "key", str) != key.hex():
            raise ProofError(f"the node does not show the document {key.hex()}, which the tree has")
        if sha256(text.encode("utf-8", "surrogatepass")).digest() != value:
            raise ProofError(f"the document {key.hex()} is not the one under the state root")
        documents[key.hex()] = text
    return documents


def _check_signatures(statement: bytes, signatures: Any, seats: Seats, verifier: Verifier) -> None:
    if statement[40:72].hex() != seats.epoch_id:
        raise ProofError("the checkpoint is of another epoch than the seats")
    shown = cast(list[Any], signatures) if isinstance(signatures, list) else None
    if shown is None or len(shown) > len(seats.weights):
        raise ProofError("the signatures of a proof cannot be read")
    message = b"VWS-CHECKPT-V1" + sha256(statement).digest()
    keys = [_member(one, "public_key", str) for one in shown]
    for key, one in zip(keys, shown, strict=True):
        if key not in seats.weights or not verifier.verify(bytes.fromhex(key), message, _hex(one, "signature")):
            raise ProofError("the checkpoint has a forged signature")
    if not seats.are_quorum(set(keys)):
        raise ProofError("the seats that signed the checkpoint have too little weight")
