"""Rows of the core, read from leaves that lead to its root (consensus 5.18): accounts, reputation, validators.

Keeps: every byte that is read lies in a leaf that leads to the proven root, at a place that the proven header gives; a byte
of a leaf that is not shown is a RowError.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, cast

LEAF_BYTES = 512
MAX_LEAVES = 96
_FAN, _HASH_BYTES, _MAX_LEVELS = 16, 32, 8
_MAX_LEAF_DIGITS = 2 * (LEAF_BYTES + 5 + _MAX_LEVELS * (2 + _FAN * _HASH_BYTES))
_CAPACITIES_AT, _AGENT_COUNT_AT, _VALIDATOR_COUNT_AT = 8, 552, 560
_AGENT_BYTES, _VALIDATOR_BYTES, _RECORD_BYTES, _CATEGORY_BYTES = 256, 456, 48, 56
_MAX_RECORDS = 20
_BUCKETS = 720
_TABLES = (
    "agents",
    "items",
    "votes",
    "txIds",
    "keys",
    "records",
    "validators",
    "categories",
    "tasks",
    "bars",
    "capabilities",
    "calibrations",
)
"""In the order of their capacities in the header."""
_PARTS: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("header", 1536, ()),
    ("generated", 8 * _BUCKETS, ()),
    ("categories", _CATEGORY_BYTES, ("categories",)),
    ("seats", 176, ("validators",)),
    ("validators", _VALIDATOR_BYTES, ("validators",)),
    ("calibrations", 40, ("calibrations",)),
    ("assured", 16 * _BUCKETS, ()),
    ("keys", 96, ("keys",)),
    ("records", _RECORD_BYTES, ("agents", "records")),
    ("seen", 40, ("txIds",)),
    ("votes", 24, ("votes",)),
    ("late", 1024 * 64, ()),
    ("items", 128, ("items",)),
    ("agents", _AGENT_BYTES, ("agents",)),
)
"""What lies in the state, in order: bytes, or bytes for each row of tables."""
_STATUS = {1: "probation", 2: "active", 3: "suspended", 4: "excluded"}


class RowError(Exception):
    """Leaves that cannot be read, or do not show what was asked for."""


def _tagged(data: bytes, tag: int) -> bytes:
    return sha256(data + bytes([tag])).digest()


def _empty_hashes() -> list[bytes]:
    hashes = [_tagged(bytes(_FAN * _HASH_BYTES), 0)]
    for level in range(1, _MAX_LEVELS + 1):
        hashes.append(_tagged(hashes[-1] * _FAN, level))
    return hashes


_EMPTY = _empty_hashes()
"""Hash of an empty tree of each level."""


def _leaf(data: bytes, root: bytes) -> tuple[int, bytes]:
    """Number and bytes of a leaf that leads to this root."""
    try:
        (number,), levels = struct.unpack_from("<I", data), data[4 + LEAF_BYTES]
    except (struct.error, IndexError):
        raise RowError("a leaf of the state cannot be read") from None
    leaf, at, place = data[4 : 4 + LEAF_BYTES], 5 + LEAF_BYTES, number
    if levels > _MAX_LEVELS:
        raise RowError("a leaf of the state cannot be read")
    found = _tagged(leaf, 0)
    for level in range(1, levels + 1):
        bits = int.from_bytes(data[at : at + 2], "little")
        at, own, children = at + 2, place % _FAN, list[bytes]()
        for child in range(_FAN):
            is_shown = bits & (1 << child) != 0
            children.append(found if child == own else data[at : at + _HASH_BYTES] if is_shown else _EMPTY[level - 1])
            at += _HASH_BYTES if is_shown else 0
        if bits & (1 << own) != 0 or at > len(data):
            raise RowError("a leaf of the state cannot be read")
        found, place = _tagged(b"".join(children), level), place // _FAN
    if at != len(data) or place != 0:
        raise RowError("a leaf of the state cannot be read")
    if found != root:
        raise RowError(f"leaf {number} of the state does not lead to the root of the core")
    return number, leaf


class Rows:
    """The state of the core, of which single leaves are known."""

    def __init__(self, state: Any, root: bytes) -> None:
        shown = cast("Sequence[Any]", state) if isinstance(state, list) else None
        if shown is None or len(shown) > MAX_LEAVES:
            raise RowError("the leaves of a row cannot be read")
        self._leaves: dict[int, bytes] = {}
        for text in shown:
            try:
                data = bytes.fromhex(text) if isinstance(text, str) and len(text) <= _MAX_LEAF_DIGITS else b""
            except ValueError:
                data = b""
            number, leaf = _leaf(data, root)
            self._leaves[number] = leaf

    def read(self, at: int, count: int) -> bytes:
        out = b""
        while len(out) < count:
            number, start = divmod(at + len(out), LEAF_BYTES)
            if number not in self._leaves:
                raise RowError(f"leaf {number} of the state is not shown")
            out += self._leaves[number][start : start + count - len(out)]
        return out

    def _u32(self, at: int) -> int:
        return int.from_bytes(self.read(at, 4), "little")

    def _row(self, part: str, size: int, index: int) -> bytes:
        at = 0
        for name, row_bytes, tables in _PARTS:
            if name == part:
                break
            count = sum(self._u32(_CAPACITIES_AT + 4 * _TABLES.index(table)) for table in tables) if tables else 1
            at += -(-row_bytes * count // LEAF_BYTES) * LEAF_BYTES
        return self.read(at + index * size, size)

    def of_agent(self, kind: str, agent: Any, key: bytes) -> dict[str, Any]:
        """What rows say of an agent: its `account`, `reputation` or `validator`; nothing where it operates none."""
        if not isinstance(agent, int) or isinstance(agent, bool) or agent < 0:
            raise RowError("the number of a row cannot be read")
        row = self._row("agents", _AGENT_BYTES, agent) if agent < self._u32(_AGENT_COUNT_AT) else b""
        if row[:32] != key:
            raise RowError(f"row {agent} is not that of the agent")
        if kind == "agent":
            return {"account": _account(row)}
        if kind == "reputation":
            return {"reputation": self._reputation(agent)}
        number = int.from_bytes(row[252:254], "little")
        return {"validator": _validator(self._row("validators", _VALIDATOR_BYTES, number - 1))} if number else {}

    def validators(self, first: int, last: int) -> tuple[int, list[dict[str, Any]]]:
        """How many validators there are, and those with numbers from `first` to `last`."""
        count, found = self._u32(_VALIDATOR_COUNT_AT), list[dict[str, Any]]()
        for index in range(first, min(last + 1, count)):
            row = self._row("validators", _VALIDATOR_BYTES, index)
            agent = self._row("agents", _AGENT_BYTES, int.from_bytes(row[4:8], "little"))
            found.append({**_validator(row), "agent_key": agent[:32].hex(), "staked_amount": _u64(agent, 168)})
        return count, found

    def _reputation(self, agent: int) -> dict[str, Any]:
        records: list[dict[str, Any]] = []
        link = agent + 1
        for _ in range(_MAX_RECORDS):
            if link == 0:
                break
            row = self._row("records", _RECORD_BYTES, link - 1)
            category, link, completed, failed = struct.unpack_from("<IIII", row)
            if completed or failed:
                active, earned, score, secs = struct.unpack_from("<QQQQ", row, 16)
                records.append(
                    {
                        "category": self._category(category),
                        "tasks_completed": completed,
                        "tasks_failed": failed,
                        "total_value_earned": earned,
                        "score_bp_sum": score,
                        "delivery_secs_sum": secs,
                        "last_active": active,
                    }
                )
        return {"records": records, "has_more": link != 0}

    def _category(self, index: int) -> str:
        row = self._row("categories", _CATEGORY_BYTES, index)
        return _text(row, 4, min(_CATEGORY_BYTES - 4, int.from_bytes(row[:4], "little")))


def _u64(row: bytes, at: int) -> int:
    return int.from_bytes(row[at : at + 8], "little")


def _text(row: bytes, at: int, count: int) -> str:
    return row[at : at + count].decode("utf-8", "replace")


def _account(row: bytes) -> dict[str, Any]:
    completed, failed, first_seen = struct.unpack_from("<III", row, 232)
    key = row[32:64]
    return {
        # Missing for an agent without a key.
        **({"public_key": key.hex()} if any(key) else {}),
        "balance": _u64(row, 160),
        "staked_amount": _u64(row, 168),
        "reserved": _u64(row, 176),
        "tasks_completed": completed,
        "tasks_failed": failed,
        "first_seen": first_seen,
        "last_active": _u64(row, 200),
    }


def _validator(row: bytes) -> dict[str, Any]:
    decided, right, processed, slashes, collusions, is_genesis, is_judge = struct.unpack_from("<IIIIIHH", row, 16)
    (status,), (id_bytes,), (challenges,) = (struct.unpack_from("<I", row, at) for at in (0, 44, 156))
    return {
        "id": _text(row, 392, min(64, id_bytes)),
        "status": _STATUS.get(status, "unknown"),
        "is_genesis": is_genesis == 1,
        "is_judge": is_judge == 1,
        "votes_decided": decided,
        "votes_right": right,
        "tasks_processed": processed,
        "slash_count": slashes,
        "collusion_count": collusions,
        "open_challenges": challenges,
        "registered_at": _u64(row, 48),
        "suspended_until": _u64(row, 88),
    }
