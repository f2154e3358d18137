"""Verified Work Settlement: post work, do it, have it verified and be paid.

`Client` and `AsyncClient` have a group of methods for each part of the API (`client.tasks.create`); `Worker` and
`AsyncWorker` do tasks for pay. Errors are in `vws.errors`, the objects of answers in `vws.models`, events in
`vws.stream_events`; `vws.verify` checks signatures by the network's own rule, `vws.proof` what validators signed, and
`vws.audit` gives the verdict of an audit. Amounts are integers of micro-units: 1 token
is `TOKEN` of them.
"""

from . import errors, models, stream_events
from ._async_worker import AsyncWorker
from ._base_errors import AnswerLost, BadAnswer, BadCall, HistoryCut, Refusal, Unreachable, VwsError
from ._client import AsyncClient, Client
from ._pages import AsyncPage, Page
from ._sealed import content_key, open_result, seal_result
from ._seen_order import SeenOrder
from ._signing import Key, SignedRequest, Signer, sign_request
from ._spool import Spool
from ._worker import Worker

TOKEN = 1_000_000
"""Micro-units of one token."""

__all__ = [
    "TOKEN",
    "AnswerLost",
    "AsyncClient",
    "AsyncPage",
    "AsyncWorker",
    "BadAnswer",
    "BadCall",
    "Client",
    "HistoryCut",
    "Key",
    "Page",
    "Refusal",
    "SeenOrder",
    "SignedRequest",
    "Signer",
    "Spool",
    "Unreachable",
    "VwsError",
    "Worker",
    "content_key",
    "errors",
    "models",
    "open_result",
    "seal_result",
    "sign_request",
    "stream_events",
]
