"""The verdict of `vws audit` from Python: of a real node, and of commands that say something else."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from agents import joined

from vws.audit import AuditFailed, audit

REPORT: dict[str, Any] = {
    "shown": "checked",
    "order": 7,
    "timeMs": 1,
    "stateRoot": "ab",
    "checkpoint": 0,
    "checkpointCode": "",
    "genesis_hash": "cd",
    "answers": [],
    "findings": [],
}
LIE = {"kind": "agent", "id": "bob", "shown": "lie", "order": 7, "text": "balance is 1, the node says 2"}
STALE = [{"kind": "stale", "text": "the log ends 9 min ago"}]


def saying(folder: Path, report: object, code: int) -> list[str]:
    """A command that prints a report and ends with a code."""
    program = folder / "command.py"
    program.write_text(f"import sys\nprint({json.dumps(json.dumps(report))})\nsys.exit({code})\n")
    return [sys.executable, str(program)]


def test_each_result_is_read(tmp_path: Path) -> None:
    good = audit("http://n", command=saying(tmp_path, REPORT, 0))
    assert (good.shown, good.weakest, good.order, good.is_good) == ("checked", "checked", 7, True)
    lie = audit("http://n", command=saying(tmp_path, {**REPORT, "answers": [LIE]}, 10))
    assert (lie.shown, lie.weakest, lie.fault, lie.is_good) == ("checked", "lie", LIE["text"], False)
    stale = audit("http://n", command=saying(tmp_path, {**REPORT, "findings": STALE}, 9))
    assert (stale.weakest, stale.findings, stale.is_good) == ("checked", (("stale", "the log ends 9 min ago"),), False)
    other = {**REPORT, "shown": "lie", "fault": {"kind": "order", "text": "other order"}}
    two = audit("http://n", others=["http://m"], command=saying(tmp_path, {**REPORT, "others": [other]}, 10))
    assert (two.shown, two.weakest, two.fault) == ("checked", "lie", "other order")


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (REPORT, 5),
        (REPORT, 10),
        ({**REPORT, "answers": [LIE]}, 0),
        ({**REPORT, "findings": STALE}, 0),
        ({**REPORT, "shown": "true"}, 0),
        ({}, 0),
        ([], 0),
    ],
)
def test_what_is_no_verdict_is_an_error(tmp_path: Path, report: object, code: int) -> None:
    with pytest.raises(AuditFailed):
        audit("http://n", command=saying(tmp_path, report, code))
    with pytest.raises(AuditFailed, match="cannot be run"):
        audit("http://n", command=[str(tmp_path / "none")])


def test_a_real_node_is_checked_from_its_first_vertex(node: str) -> None:
    command = json.loads(os.environ["VWS_TEST_COMMAND"])
    with joined(node) as client:
        own = client.public_key
    assert own is not None
    found = audit(node, agents=[own], command=command)
    assert [(answer.id, answer.shown) for answer in found.answers] == [(own, "checked")]
    assert (found.shown, found.weakest, found.fault) == ("checked", "checked", None)
    assert found.order > 0
