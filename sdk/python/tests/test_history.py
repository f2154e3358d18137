"""Codes, pins and proofs of two histories: the file is the one that the TypeScript auditor makes and checks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vws import history
from vws.history import NoProof, Pin, check_two_histories, checkpoint_code, read_pin
from vws.verify import Verifier

FILE = (Path(__file__).parent / "two_histories.json").read_text()
CODE = "0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ"
HASH = "00443214c74254b635cf84653a56d7c675be77dfb0ad1e0a2d9c4a11f0c3b2a1"


@pytest.mark.parametrize(
    ("weights", "late", "leaders"),
    [
        ([9], 0, 1),
        ([9] * 2, 0, 1),
        ([9] * 4, 0, 3),
        ([9] * 4, 1, 2),
        ([9] * 17, 0, 5),
        ([9] * 4 + [0] * 4, 0, 3),
        ([667, 166, 167], 0, 1),
    ],
)
def test_a_round_has_one_leader_less_than_seats_may_lead(weights: list[int], late: int, leaders: int) -> None:
    seats = [(b"", weight, seat < late) for seat, weight in enumerate(weights)]
    assert history._leaders(seats, 1) == leaders  # pyright: ignore[reportPrivateUsage]


def test_a_proof_names_the_seats_that_signed_both() -> None:
    double = check_two_histories(FILE, Verifier().verify)
    proof = json.loads(FILE)
    seats = proof["epoch"]["seats"]
    assert double.genesis_hash == proof["genesis_hash"]
    assert double.height == 7
    assert double.signers == (seats[1]["key"], seats[2]["key"])
    assert double.weight * 5 == double.total * 2
    statement = bytes.fromhex(proof["one"]["statement"])
    assert double.codes[0] == checkpoint_code(statement)
    assert Pin(7, double.codes[0]).is_met_by(statement)
    assert not Pin(7, double.codes[1]).is_met_by(statement)
    assert not Pin(8, double.codes[0]).is_met_by(statement)


SPOILS: list[Callable[[dict[str, Any]], Any]] = [
    lambda f: {**f, "other": f["one"]},
    lambda f: {**f, "genesis_hash": "00" * 32},
    lambda f: {**f, "height": 8},
    lambda f: {**f, "kind": "x"},
    lambda f: {**f, "one": {**f["one"], "signatures": f["other"]["signatures"]}},
    lambda f: {**f, "one": {**f["one"], "signatures": 7}},
    lambda f: {**f, "epoch": {**f["epoch"], "min_participants": 2}},
    lambda f: {**f, "epoch": {**f["epoch"], "seats": f["epoch"]["seats"][1:]}},
    lambda f: {**f, "epoch": {**f["epoch"], "seats": [{**s, "late": True} for s in f["epoch"]["seats"]]}},
    lambda f: {**f, "epoch": {**f["epoch"], "seats": [{**s, "late": False} for s in f["epoch"]["seats"]]}},
    lambda f: {**f, "epoch": {**f["epoch"], "seats": [{**s, "late": 1} for s in f["epoch"]["seats"]]}},
    lambda _: [],
    lambda _: None,
]


@pytest.mark.parametrize("spoil", SPOILS)
def test_everything_else_proves_nothing(spoil: Callable[[dict[str, Any]], Any]) -> None:
    with pytest.raises(NoProof):
        check_two_histories(json.dumps(spoil(json.loads(FILE))), Verifier().verify)


def test_pins_are_read_as_people_type_them() -> None:
    for text in (f"24:{HASH}", f"24:{CODE}", f"24:{CODE.lower()}", "24:O1234567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ"):
        assert read_pin(text) == Pin(24, CODE)
    for text in ("", "24", f"0:{HASH}", f"24:{HASH}0", "24:U123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ"):
        with pytest.raises(ValueError, match="pin"):
            read_pin(text)
