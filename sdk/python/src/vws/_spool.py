"""Signed writes kept in files before they are sent, so that a program that was killed repeats them and not their payment.

Keeps: an entry is on disk before its request is sent first; it goes when the outcome is certain, or, under an idempotency
key, stays with its answer, so that the same intention is never carried out twice. Two processes may share a folder: the
first to write an entry wins, the other one uses it. A refusal ends an entry only where no other process sent its request.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ._base_errors import BadCall
from ._signing import SignedRequest, sync_directory

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


@dataclass(frozen=True)
class Entry:
    name: str
    operation: str
    request: SignedRequest
    idempotency_key: str | None = None
    answer: Any = None
    """The body that the node answered; None while the outcome is open."""
    again: bool = False
    """Another copy than the first was sent, or is about to be."""


class Spool:
    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._dir = Path(directory)
        self._dir.mkdir(mode=0o700, parents=True, exist_ok=True)

    @staticmethod
    def name_of(request: SignedRequest, idempotency_key: str | None) -> str:
        if idempotency_key is None:
            return f"tx-{request.txid}"
        return f"key-{sha256(idempotency_key.encode()).hexdigest()}"

    def find(self, idempotency_key: str) -> Entry | None:
        return self._read(f"key-{sha256(idempotency_key.encode()).hexdigest()}")

    def keep(self, entry: Entry) -> Entry:
        """Stores a new entry; the one that is there already if another process was first."""
        temporary = self._write(entry)
        try:
            return self._placed(entry, temporary)
        finally:
            os.unlink(temporary)

    def _placed(self, entry: Entry, temporary: Path) -> Entry:
        while True:
            try:
                os.link(temporary, self._path(entry.name))
            except FileExistsError:
                if (first := self._read(entry.name)) is not None:
                    return first
                # It was dropped just now, so nobody sends its request any more: this one takes its place.
                continue
            self._sync()
            return entry

    def finish(self, entry: Entry, answer: Any) -> None:
        """The outcome is known: an entry with an idempotency key keeps it, another one goes."""
        if entry.idempotency_key is None:
            self.drop(entry)
            return
        with self._locked():
            os.replace(self._write(replace(entry, answer=answer)), self._path(entry.name))
            self._sync()

    def send_again(self, entry: Entry) -> bool:
        """Before another copy than the first is sent. False: it must not be, the entry has ended meanwhile."""
        with self._locked():
            now = self._own(entry)
            if now is None or now.answer is not None:
                return False
            os.replace(self._write(replace(now, again=True)), self._path(entry.name))
            self._sync()
            return True

    def refuse(self, entry: Entry) -> bool:
        """The first copy was refused. False: another one may be on its way, so that this says nothing."""
        with self._locked():
            now = self._own(entry)
            if now is not None and (now.again or now.answer is not None):
                return False
            self._remove(entry)
            return True

    def drop(self, entry: Entry) -> None:
        with self._locked():
            if self._own(entry) is not None:
                self._remove(entry)

    def _remove(self, entry: Entry) -> None:
        self._path(entry.name).unlink(missing_ok=True)
        self._sync()

    def _own(self, entry: Entry) -> Entry | None:
        """What is kept of this request now; under its name may be another one."""
        now = self._read(entry.name)
        return now if now is not None and now.request.txid == entry.request.txid else None

    @contextmanager
    def _locked(self) -> Generator[None, None, None]:
        """Alone among all processes; the system takes the lock from one that dies."""
        with (self._dir / ".lock").open("ab") as file:
            _lock(file.fileno())
            yield

    def unfinished(self) -> list[Entry]:
        """What was sent, or was about to be, and has no known outcome."""
        entries = (self._read(path.stem) for path in sorted(self._dir.glob("*.json")))
        return [entry for entry in entries if entry is not None and entry.answer is None]

    def _path(self, name: str) -> Path:
        return self._dir / f"{name}.json"

    def _read(self, name: str) -> Entry | None:
        try:
            value: dict[str, Any] = json.loads(self._path(name).read_text(encoding="utf-8"))
            request = SignedRequest.from_json(value.pop("request"))
            return Entry(request=request, **value)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as cause:
            raise BadCall(f"{self._path(name)} is not a kept request") from cause

    def _write(self, entry: Entry) -> Path:
        temporary = self._dir / f".{entry.name}.{os.urandom(8).hex()}"
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(asdict(entry), file)
            file.flush()
            os.fsync(file.fileno())
        return temporary

    def _sync(self) -> None:
        sync_directory(self._dir)
