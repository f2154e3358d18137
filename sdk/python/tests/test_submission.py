"""What a client does with lost answers, busy nodes and repeats: nothing is signed or paid twice. The node is played."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from vws import AnswerLost, AsyncClient, BadAnswer, BadCall, Client, HistoryCut, Key, Unreachable, VwsError, errors
from vws._stream import MAX_RETRY_SECS, Follower

KEY = Key(bytes(32))
Play = Callable[[httpx.Request], httpx.Response]
STAKED = {"event_id": "e", "agent_id": "a", "staked_amount": 4, "trust_limit": 4, "balance": 6}


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Sleeps are noted, and not slept."""
    noted: list[float] = []
    monkeypatch.setattr("vws._http.time.sleep", noted.append)
    return noted


class Node:
    """Plays the outcomes of writes in turn; keeps what was sent. `events`: answers by TxID."""

    def __init__(self, *outcomes: tuple[int, Any] | str, found: bool = False, now: int = 0) -> None:
        self.outcomes, self.found, self.now = list(outcomes), found, now
        self.chain = "vws-testnet-1"
        self.sent: list[httpx.Request] = []
        self.reads: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return self._read(request)
        self.sent.append(request)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, str):
            if outcome == "lost":
                raise httpx.ReadTimeout("gone", request=request)
            return httpx.Response(200, text=outcome)
        status, body = outcome
        headers = {"x-service-order": "7"} | ({"retry-after": "2"} if status in {429, 503} else {})
        return httpx.Response(status, json=body, headers=headers)

    def _read(self, request: httpx.Request) -> httpx.Response:
        self.reads.append(request)
        path = request.url.path
        if path == "/v1/status":
            return httpx.Response(200, json={"consensus_time": self.now, "chain_id": self.chain})
        if path.startswith("/v1/events/"):
            if not self.found:
                return httpx.Response(404, json={"error": "no such event", "code": "event_not_found"})
            event: dict[str, Any] = {"event_id": path.rpartition("/")[2], "agent_id": "a", "payload": {}}
            return httpx.Response(200, json=event)
        return httpx.Response(200, json=STAKED)

    @property
    def nonces(self) -> set[str]:
        return {request.headers["x-service-nonce"] for request in self.sent}


def client_of(play: Play, **options: Any) -> Client:
    client = httpx.Client(transport=httpx.MockTransport(play))
    return Client("http://node", key=KEY, chain_id="vws-testnet-1", http_client=client, **options)


def refusal(code: str, **details: Any) -> dict[str, Any]:
    return {"error": code, "code": code, "details": details}


def test_a_lost_answer_is_asked_for_with_the_same_request() -> None:
    node = Node("lost", (200, STAKED))
    assert client_of(node).transactions.stake(amount=4).balance == 6
    assert len(node.sent) == 2
    assert len(node.nonces) == 1


def test_nothing_is_signed_for_the_mainnet_on_the_word_of_a_node() -> None:
    node = Node((200, STAKED))
    node.chain = "vws-mainnet-1"
    unnamed = Client("http://node", key=KEY, http_client=httpx.Client(transport=httpx.MockTransport(node)))
    with pytest.raises(BadCall, match="chain_id='vws-mainnet-1'"):
        unnamed.transactions.stake(amount=4)
    assert not node.sent
    named = httpx.Client(transport=httpx.MockTransport(node))
    Client("http://node", key=KEY, chain_id="vws-mainnet-1", http_client=named).transactions.stake(amount=4)
    assert node.sent[0].headers["x-service-chain-id"] == "vws-mainnet-1"


@pytest.mark.parametrize("code", ["no_quorum", "not_ready", "overloaded", "behind"])
def test_a_busy_node_is_asked_again_when_it_says(code: str, pauses: list[float]) -> None:
    node = Node((503, refusal(code)), (200, STAKED))
    client_of(node).transactions.stake(amount=4)
    assert pauses == [2]
    assert len(node.nonces) == 1


@pytest.mark.parametrize(
    ("status", "code"),
    [(503, "faucet_empty"), (402, "insufficient_balance"), (429, "rate_limited"), (400, "tx_expired")],
)
def test_a_refusal_is_not_repeated(status: int, code: str) -> None:
    node = Node((status, refusal(code, need=1)))
    with pytest.raises(errors.BY_CODE[code]) as caught:
        client_of(node).transactions.stake(amount=4)
    assert (caught.value.status, caught.value.code, caught.value.details) == (status, code, {"need": 1})
    assert caught.value.txid is not None
    assert len(caught.value.txid) == 64
    assert not caught.value.may_have_run
    assert caught.value.retry_after == (2 if status in {429, 503} else None)
    assert len(node.sent) == 1


def test_the_page_of_a_proxy_that_had_no_answer_leaves_the_outcome_open(tmp_path: Path) -> None:
    page: tuple[int, Any] = (504, "<html>Gateway Timeout</html>")
    node = Node(page, (200, STAKED))
    assert client_of(node).transactions.stake(amount=4).balance == 6
    assert len(node.nonces) == 1
    lasting = client_of(Node(page, page), retries=1, spool=tmp_path)
    with pytest.raises(BadAnswer) as caught:
        lasting.transactions.stake(amount=4)
    assert (caught.value.status, caught.value.may_have_run) == (504, True)
    assert len(lasting.unfinished()) == 1


@pytest.mark.parametrize(("status", "code"), [(500, "internal"), (502, "upstream_failed"), (504, "GATEWAY_TIMEOUT")])
def test_what_broke_on_the_way_back_leaves_the_outcome_open(status: int, code: str, tmp_path: Path) -> None:
    broken = (status, refusal(code))
    node = Node(broken, (409, refusal("DUPLICATE_TX", executed=True, status=200)), found=True)
    assert client_of(node).transactions.stake(amount=4).balance == 6
    assert len(node.nonces) == 1
    lasting = client_of(Node(broken, broken), retries=1, spool=tmp_path)
    with pytest.raises(VwsError) as caught:
        lasting.transactions.stake(amount=4, idempotency_key="june")
    assert (caught.value.code, caught.value.may_have_run) == (code, True)
    assert len(lasting.unfinished()) == 1


def test_a_message_of_the_stream_without_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []

    def refusing(_url: str, **options: Any) -> None:
        given.append(options)
        raise OSError("no stream")

    monkeypatch.setattr("vws._stream.connect", refusing)
    with pytest.raises(Unreachable):
        next(iter(client_of(Node()).events.stream(since=0, retries=0)))
    assert 0 < given[0]["max_size"] <= 64 * 1024 * 1024


def pieces(count: int, size: int, taken: list[int]) -> Iterator[bytes]:
    for i in range(count):
        taken.append(i)
        yield b" " * size


@pytest.mark.parametrize("status", [200, 404])
def test_an_answer_without_end_is_not_read_to_its_end(status: int) -> None:
    taken: list[int] = []

    def endless(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, content=pieces(100, 4_000_000, taken))

    with pytest.raises(BadAnswer, match="longer than") as caught:
        client_of(endless).network.status()
    assert caught.value.status == status
    assert len(taken) < 50


def test_an_answer_that_never_ends_is_a_lost_one(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr("vws._http.time.monotonic", lambda: 1.0 * len(taken))

    def dripping(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=pieces(1000, 1, taken))

    http = httpx.Client(transport=httpx.MockTransport(dripping), timeout=15)
    client = Client("http://node", key=KEY, chain_id="vws-testnet-1", http_client=http)
    with pytest.raises(Unreachable, match="took too long"):
        client.network.status()
    assert len(taken) < 20


def test_a_duplicate_of_what_was_executed_is_a_success() -> None:
    node = Node("lost", (409, refusal("DUPLICATE_TX", executed=True, status=200, order=7)), found=True)
    assert client_of(node).transactions.stake(amount=4).staked_amount == 4


def test_a_duplicate_that_still_waits_is_waited_for() -> None:
    node = Node("lost", (409, refusal("DUPLICATE_TX", executed=False)), (200, STAKED))
    client_of(node).transactions.stake(amount=4)
    assert len(node.sent) == 3


def test_a_duplicate_that_was_refused_is_a_refusal() -> None:
    node = Node("lost", (409, refusal("DUPLICATE_TX", executed=True, status=402)))
    with pytest.raises(errors.DuplicateTx) as caught:
        client_of(node).transactions.stake(amount=4)
    assert caught.value.status == 402
    assert not caught.value.may_have_run


def test_a_refused_repeat_of_what_ran_is_a_success() -> None:
    node = Node("lost", (400, refusal("tx_expired")), found=True)
    assert client_of(node).transactions.stake(amount=4).balance == 6


def test_an_unreadable_success_is_a_lost_answer() -> None:
    node = Node("<html>", (409, refusal("DUPLICATE_TX", executed=True, status=200)), found=True)
    assert client_of(node).transactions.stake(amount=4).balance == 6


def test_an_answer_that_cannot_be_made_again_says_that_the_write_ran() -> None:
    node = Node("lost", (409, refusal("DUPLICATE_TX", executed=True, status=201)), found=True)
    with pytest.raises(BadAnswer, match="executed, but its answer was lost"):
        client_of(node).platform.create_key(name="k", issuing_node=KEY.public_key)


def test_giving_up_names_the_transaction() -> None:
    node = Node(*["lost"] * 4)
    with pytest.raises(Unreachable) as caught:
        client_of(node).transactions.stake(amount=4)
    assert caught.value.may_have_run
    assert caught.value.txid is not None
    assert len(node.nonces) == 1


def test_a_repeated_intention_sends_the_kept_request(tmp_path: Path) -> None:
    node = Node(*["lost"] * 4, (200, STAKED))
    with pytest.raises(Unreachable):
        client_of(node, spool=tmp_path).transactions.stake(amount=4, idempotency_key="june")
    # The program was killed and began anew: another client, the same folder.
    again = client_of(node, spool=tmp_path)
    assert [entry.idempotency_key for entry in again.unfinished()] == ["june"]
    assert again.transactions.stake(amount=4, idempotency_key="june").balance == 6
    # Known now: not even asked.
    assert client_of(node, spool=tmp_path).transactions.stake(amount=4, idempotency_key="june").balance == 6
    assert len(node.sent) == 5
    assert len(node.nonces) == 1
    with pytest.raises(BadCall, match="used for another request"):
        again.transactions.stake(amount=5, idempotency_key="june")
    with pytest.raises(BadCall, match="needs a spool"):
        client_of(node).transactions.stake(amount=4, idempotency_key="june")


def test_a_certain_refusal_frees_the_key(tmp_path: Path) -> None:
    node = Node((402, refusal("insufficient_balance")), (200, STAKED))
    client = client_of(node, spool=tmp_path)
    with pytest.raises(errors.InsufficientBalance):
        client.transactions.stake(amount=4, idempotency_key="june")
    assert client.transactions.stake(amount=4, idempotency_key="june").balance == 6
    assert len(node.nonces) == 2


class TwoAtOnce(Node):
    """Refuses the first copy once a second one is on its way, and carries that one out later."""

    def __init__(self, second: Callable[[], Any]) -> None:
        super().__init__((402, refusal("insufficient_balance")), (200, STAKED), (200, STAKED))
        self.thread = threading.Thread(target=second)
        self.is_out, self.may_run = threading.Event(), threading.Event()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST" and not self.sent:
            answer = super().__call__(request)
            self.thread.start()
            assert self.is_out.wait(10)
            return answer
        if request.method == "POST" and threading.current_thread() is self.thread:
            self.is_out.set()
            assert self.may_run.wait(10)
        return super().__call__(request)


@pytest.mark.parametrize("key", ["june", None])
def test_a_refusal_of_one_copy_is_not_certain_while_another_process_sends_a_second(tmp_path: Path, key: str | None) -> None:
    def second() -> None:
        other = client_of(node, spool=tmp_path)
        if key is None:
            other.resend()
        else:
            other.transactions.stake(amount=4, idempotency_key=key)

    node = TwoAtOnce(second)
    client = client_of(node, spool=tmp_path)
    with pytest.raises(errors.InsufficientBalance) as caught:
        client.transactions.stake(amount=4, idempotency_key=key)
    assert caught.value.may_have_run
    if key is not None:
        assert client.transactions.stake(amount=4, idempotency_key=key).balance == 6
    node.may_run.set()
    node.thread.join()
    assert len(node.nonces) == 1
    assert client.unfinished() == []


def test_a_copy_is_not_sent_any_more_once_the_first_was_refused(tmp_path: Path) -> None:
    node = Node((402, refusal("insufficient_balance")), (200, STAKED))
    client = client_of(node, spool=tmp_path)
    kept: list[Any] = []
    play = node.__call__

    def noting(request: httpx.Request) -> httpx.Response:
        # Another process reads what is unfinished now, and sends it later.
        kept.extend(client.unfinished())
        return play(request)

    with pytest.raises(errors.InsufficientBalance):
        client_of(noting, spool=tmp_path).transactions.stake(amount=4)
    assert len(kept) == 1
    outcome = client.resend(kept)[kept[0].request.txid]
    assert isinstance(outcome, BadCall)
    assert "refused" in outcome.message
    assert len(node.sent) == 1
    assert client.unfinished() == []


def test_an_uncertain_refusal_keeps_the_request_until_it_can_never_run(tmp_path: Path) -> None:
    node = Node(*["lost"] * 4, (402, refusal("insufficient_balance")), *[(400, refusal("tx_expired"))] * 2, (200, STAKED))
    client = client_of(node, spool=tmp_path)
    for _ in range(3):
        # Lost, refused while the first may wait elsewhere, and out of its time by one node's clock only.
        with pytest.raises(VwsError) as caught:
            client.transactions.stake(amount=4, idempotency_key="june")
        assert caught.value.may_have_run
    assert len(node.nonces) == 1
    node.now = 4_000_000_000
    with pytest.raises(errors.TxExpired) as caught:
        client.transactions.stake(amount=4, idempotency_key="june")
    assert not caught.value.may_have_run
    assert client.transactions.stake(amount=4, idempotency_key="june").balance == 6
    assert len(node.nonces) == 2


def test_a_key_of_what_ran_is_not_freed_when_its_answer_is_lost(tmp_path: Path) -> None:
    duplicate = (409, refusal("DUPLICATE_TX", executed=True, status=201))
    node = Node("lost", duplicate, duplicate, found=True)
    client = client_of(node, spool=tmp_path)
    for _ in range(2):
        with pytest.raises(AnswerLost, match="executed, but its answer was lost"):
            client.platform.create_key(name="k", issuing_node=KEY.public_key, idempotency_key="june")
    assert len(node.sent) == 3
    assert len(node.nonces) == 1


def test_what_ran_and_whose_answer_is_lost_does_not_wait_in_the_spool(tmp_path: Path) -> None:
    client = client_of(Node("lost", (409, refusal("DUPLICATE_TX", executed=True, status=201)), found=True), spool=tmp_path)
    with pytest.raises(AnswerLost):
        client.platform.create_key(name="k", issuing_node=KEY.public_key)
    assert client.unfinished() == []


@pytest.mark.parametrize("details", [{"executed": True}, {"executed": True, "status": 201, "order": 7}])
def test_a_duplicate_whose_event_is_not_here_may_have_run(tmp_path: Path, details: dict[str, Any]) -> None:
    # A node that joined later does not have the execution in its store (protocol 1.8).
    node = Node("lost", (409, refusal("DUPLICATE_TX", **details)), (200, STAKED))
    client = client_of(node, spool=tmp_path)
    with pytest.raises(errors.DuplicateTx) as caught:
        client.transactions.stake(amount=4, idempotency_key="june")
    assert caught.value.may_have_run
    client.transactions.stake(amount=4, idempotency_key="june")
    assert len(node.nonces) == 1


def test_what_was_not_finished_is_sent_again_by_the_spool(tmp_path: Path) -> None:
    node = Node(*["lost"] * 4, (200, STAKED))
    client = client_of(node, spool=tmp_path)
    with pytest.raises(Unreachable) as caught:
        client.transactions.stake(amount=4)
    assert client.resend() == {caught.value.txid: STAKED}
    assert client.unfinished() == []
    assert len(node.nonces) == 1


def test_reads_ask_for_the_newest_order_that_was_seen() -> None:
    node = Node((200, STAKED))
    client = client_of(node)
    client.pages.openapi()
    client.transactions.stake(amount=4)
    client.pages.openapi()
    asked = [request.headers.get("x-service-min-order") for request in node.reads]
    assert asked == [None, "7"]


def test_a_cut_history_is_reported_once() -> None:
    shown = {"order": 5, "writes_may_be_lost": {"order": 3, "consensus_time": 4_000_000_000}}

    def play(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(200, json=STAKED, headers={"x-service-order": "7"})
        if "x-service-min-order" in request.headers:
            return httpx.Response(503, json=refusal("behind", **shown))
        return httpx.Response(200, json={"name": 1})

    client = client_of(play)
    client.transactions.stake(amount=4)
    assert client.seen_order.newest == 7
    with pytest.raises(HistoryCut) as caught:
        client.market.categories()
    assert caught.value.details["seen"] == 7
    assert client.market.categories() == {"name": 1}


def test_half_an_answer_is_an_error() -> None:
    with pytest.raises(BadAnswer, match="not a whole StakeResult"):
        client_of(Node((200, {"event_id": "e"}))).transactions.stake(amount=4)


@pytest.mark.parametrize("task_id", ["", ".", ".."])
def test_ids_that_no_url_carries_are_refused(task_id: str) -> None:
    with pytest.raises(BadCall, match="no URL"):
        client_of(Node()).tasks.get(task_id)


def test_an_id_stays_one_segment() -> None:
    seen: list[bytes] = []

    def play(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.raw_path)
        return httpx.Response(404, json=refusal("task_not_found"))

    with pytest.raises(errors.TaskNotFound):
        client_of(play).tasks.get("a/b:c ?#ü%2e")
    assert seen == [b"/v1/tasks/a%2Fb%3Ac%20%3F%23%C3%BC%252e"]


def test_pages_follow_the_links_of_the_node() -> None:
    def play(request: httpx.Request) -> httpx.Response:
        page = int(request.url.params.get("page", 1))
        row = {"agent_id": f"a{page}", "reputation_score": 1, "standing": 1, "tasks_completed": 1}
        row |= {"balance": 1, "staked_amount": 1}
        link = f'</v1/agents?page=1>; rel="first", </v1/agents?page={page + 1}>; rel="next"' if page < 3 else ""
        headers = {"x-total-count": "3", **({"link": link} if link else {})}
        return httpx.Response(200, json=[{**row, "trust_limit": 1}], headers=headers)

    page = client_of(play).agents.list()
    assert (len(page), page.total, page.has_next) == (1, 3, True)
    assert [agent.agent_id for agent in page] == ["a1", "a2", "a3"]


def test_an_unknown_code_is_a_refusal_all_the_same() -> None:
    with pytest.raises(VwsError) as caught:
        client_of(Node((418, refusal("teapot")))).transactions.stake(amount=4)
    assert (caught.value.code, caught.value.status) == ("teapot", 418)


def test_the_async_client_does_the_same() -> None:
    async def story() -> None:
        node = Node("lost", (503, refusal("no_quorum")), (200, STAKED))
        transport = httpx.AsyncClient(transport=httpx.MockTransport(node))
        async with AsyncClient("http://node", key=KEY, chain_id="c", http_client=transport) as client:
            assert (await client.transactions.stake(amount=4)).balance == 6
        assert len(node.sent) == 3
        assert len(node.nonces) == 1
        assert json.loads(node.sent[0].content) == {"amount": 4}

    asyncio.run(story())


def test_a_stream_goes_on_trying_for_days() -> None:
    follower = Follower("http://node", None, 0, None)
    pauses = [follower.failed(Unreachable("away")) for _ in range(3_000)]
    assert max(pauses) <= MAX_RETRY_SECS
    assert min(pauses) > 0
