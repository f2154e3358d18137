"""Sealed results, against vectors that the TypeScript client shares, and against what is broken on purpose."""

import json
from pathlib import Path
from typing import Any

import pytest

from vws import Key, content_key, errors, open_result, seal_result

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "sealed_vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: str(v["task_id"]))
def test_a_box_is_that_of_the_vector(vector: dict[str, Any]) -> None:
    poster, worker = Key(bytes.fromhex(vector["poster_seed"])), Key(bytes.fromhex(vector["worker_seed"]))
    task, box = vector["task_id"], vector["box"]
    assert seal_result(worker, poster.public_key, task, vector["text"]) == {
        "result_content": box,
        "result_encrypted": True,
        "key_commitment": vector["key_commitment"],
    }
    for key in (poster, worker):
        assert content_key(key, task, box) == vector["content_key"]
        assert open_result(key, task, box) == vector["text"].encode()


def test_a_box_opens_for_nobody_else_and_for_no_other_task() -> None:
    vector = VECTORS[0]
    poster = Key(bytes.fromhex(vector["poster_seed"]))
    box = vector["box"]
    spoiled = box[:100] + ("A" if box[100] != "A" else "B") + box[101:]
    for key, task, text in (
        (Key.generate(), vector["task_id"], box),
        (poster, "0" * 32, box),
        (poster, vector["task_id"], spoiled),
        (poster, vector["task_id"], "vws-sealed-v2:%%%"),
    ):
        with pytest.raises(errors.BadCall):
            open_result(key, task, text)
        with pytest.raises(errors.BadCall):
            content_key(key, task, text)


def test_nothing_is_sealed_to_a_key_that_is_none() -> None:
    for bad in ("00" * 32, "01" + "00" * 31, "zz", ""):
        with pytest.raises(errors.BadCall):
            seal_result(Key.generate(), bad, "0" * 32, "x")
