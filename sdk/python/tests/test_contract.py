"""The SDK against the description that the node itself gives: one method for each operation, one class for each code."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from vws import AsyncClient, Client, errors, stream_events
from vws._lost_answers import REBUILD


@pytest.fixture(scope="module")
def api(node: str) -> dict[str, Any]:
    with Client(node) as client:
        return client.pages.openapi()


def operations(api: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for methods in api["paths"].values():
        for method, doc in methods.items():
            # The door for models speaks a protocol of its own; a batch carries requests of the others.
            if doc["operationId"] not in {"pages_mcp", "transactions_batch"}:
                yield method, doc["operationId"]


def methods_of(client: object) -> set[str]:
    groups = {name: group for name, group in vars(client).items() if not name.startswith("_") and name != "base_url"}
    return {
        f"{name}_{method}"
        for name, group in groups.items()
        for method, _ in inspect.getmembers(group, inspect.ismethod)
        if not method.startswith("_")
    }


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_every_operation_has_one_method(api: dict[str, Any], kind: type[Client | AsyncClient]) -> None:
    ids = [operation for _, operation in operations(api)]
    assert len(ids) > 80
    assert methods_of(kind("http://node")) == set(ids)


def test_every_write_knows_how_its_answer_is_made_again(api: dict[str, Any]) -> None:
    assert set(REBUILD) == {operation for method, operation in operations(api) if method != "get"}


def test_every_code_has_one_class(api: dict[str, Any]) -> None:
    codes = {row["code"] for row in api["x-error-codes"]}
    assert set(errors.BY_CODE) == codes
    assert len(set(errors.BY_CODE.values())) == len(codes)
    for code, error in errors.BY_CODE.items():
        assert error.code == code
        assert issubclass(error, errors.Refusal)


def test_every_event_has_one_class(api: dict[str, Any]) -> None:
    assert set(stream_events.BY_TYPE) == {*api["x-stream-data"], "gap"}
