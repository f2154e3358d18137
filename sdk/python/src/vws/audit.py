"""The verdict of `vws audit`: a node's order and state computed again, and its answers compared (docs/guides/auditor.md).

The command does it, with the modules that validators run; it must be installed beside Python (`npm install --global .`),
or be named by `command`.

Keeps: nothing is called checked that the command did not; a report that cannot be read, or one that contradicts the exit
code, is an error and no verdict.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Shown = Literal["checked", "proven", "as_the_node_says", "not_comparable", "lie"]
"""What a result rests on, from the strongest to the weakest."""
_EXITS: dict[Shown, int] = {"checked": 0, "proven": 6, "as_the_node_says": 7, "not_comparable": 8, "lie": 10}
_SHOWN = tuple(_EXITS)
_FINDING_EXIT = 9
_KINDS = ("agent", "task", "event")


class AuditFailed(Exception):
    """There is no verdict: the node did not answer, or the command could not run. The text says why."""


@dataclass(frozen=True)
class Answer:
    """The comparison of one document."""

    kind: str
    id: str
    shown: Shown
    order: int
    text: str


@dataclass(frozen=True)
class Audit:
    """What was found out about a node."""

    shown: Shown
    """Of the log alone."""
    weakest: Shown
    """Of the log and of all that was compared, at all nodes."""
    order: int
    time_ms: int
    state_root: str
    checkpoint: int
    checkpoint_code: str
    """To be compared with somebody else's: who has the same was shown the same history."""
    genesis_hash: str
    answers: tuple[Answer, ...]
    findings: tuple[tuple[str, str], ...]
    """Kind and text of what accuses nobody but must be known, at all nodes."""
    fault: str | None
    """What the node contradicts, if it lied."""

    @property
    def is_good(self) -> bool:
        """Everything was computed here or signed by a quorum, and nothing was found."""
        return self.weakest in ("checked", "proven") and not self.findings


def audit(
    node: str,
    *,
    genesis: str | None = None,
    pin: str | None = None,
    from_checkpoint: bool = False,
    agents: Sequence[str] = (),
    tasks: Sequence[str] = (),
    events: Sequence[str] = (),
    others: Sequence[str] = (),
    keep: str | None = None,
    max_seconds: int | None = None,
    command: Sequence[str] = ("vws",),
) -> Audit:
    """Audits a node, and `others` on the same data. Raises AuditFailed where there is no verdict."""
    given = {"genesis": genesis, "pin": pin, "keep": keep, "max-seconds": max_seconds}
    args = [f"--{name}={value}" for name, value in given.items() if value is not None]
    args += [f"--{kind}={id}" for kind, ids in zip(_KINDS, (agents, tasks, events), strict=True) for id in ids]
    args += [f"--and={other}" for other in others] + (["--checkpoint"] if from_checkpoint else [])
    try:
        done = subprocess.run(  # noqa: S603 - no shell; the caller names the program
            [*command, "audit", "--json", f"--node={node}", *args], capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise AuditFailed(f"the command {command[0]} cannot be run: {error}") from None
    if done.returncode not in (*_EXITS.values(), _FINDING_EXIT):
        raise AuditFailed(done.stderr.strip() or done.stdout.strip() or f"the command ended with {done.returncode}")
    try:
        found = _read(json.loads(done.stdout))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise AuditFailed("the report of the command cannot be read") from None
    is_finding = bool(found.findings) and found.weakest != "lie"
    if done.returncode != (_FINDING_EXIT if is_finding else _EXITS[found.weakest]):
        raise AuditFailed(f"the report of the command contradicts its exit code {done.returncode}")
    return found


def _shown(value: Any) -> Shown:
    if value not in _SHOWN:
        raise ValueError(value)
    return value


def _answer(one: Mapping[str, Any]) -> Answer:
    return Answer(one["kind"], one["id"], _shown(one["shown"]), int(one["order"]), str(one.get("text", "")))


def _read(report: Mapping[str, Any]) -> Audit:
    nodes: list[Mapping[str, Any]] = [report, *report.get("others", [])]
    answers = tuple(_answer(one) for one in report["answers"])
    results = [_shown(node["shown"]) for node in nodes] + [_answer(one).shown for node in nodes for one in node["answers"]]
    fault = next((node["fault"]["text"] for node in nodes if node.get("fault")), None)
    lie = next((answer.text for answer in answers if answer.shown == "lie"), None)
    return Audit(
        shown=_shown(report["shown"]),
        weakest=_SHOWN[max(_SHOWN.index(one) for one in results)],
        order=int(report["order"]),
        time_ms=int(report["timeMs"]),
        state_root=str(report["stateRoot"]),
        checkpoint=int(report["checkpoint"]),
        checkpoint_code=str(report["checkpointCode"]),
        genesis_hash=str(report["genesis_hash"]),
        answers=answers,
        findings=tuple((str(one["kind"]), str(one["text"])) for node in nodes for one in node["findings"]),
        fault=fault or lie,
    )
