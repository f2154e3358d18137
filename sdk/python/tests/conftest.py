"""Tests with a real node need VWS_TEST_NODE: its address. test/sdk/python.long.ts starts one and runs all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from agents import joined

from vws import Client


@pytest.fixture(scope="session")
def node() -> str:
    url = os.environ.get("VWS_TEST_NODE")
    if not url:
        pytest.skip("needs a node: VWS_TEST_NODE")
    return url


@pytest.fixture
def alice(node: str) -> Iterator[Client]:
    with joined(node) as client:
        yield client


@pytest.fixture
def bob(node: str) -> Iterator[Client]:
    with joined(node) as client:
        yield client
