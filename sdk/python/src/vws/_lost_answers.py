"""Makes the answer of a write again from its event, when the node's own answer was lost; and what is added to a body.

Keeps: ids, amounts and verdicts are those of the event; balances, limits and states are read now, so they show later writes
too. The secret of an API key cannot be made again. Rows are named by the operation's id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ._base_errors import BadCall
from ._http import Flow, segment
from ._sealed import HOOK, seal_webhook_secret

Json = dict[str, Any]


class Reads(Protocol):
    def get(self, path: str) -> Flow[Any]: ...
    @property
    def own_key(self) -> str | None: ...


def _task(reads: Reads, event: Json) -> Flow[Json]:
    return (yield from reads.get(f"/v1/tasks/{segment(event['task_id'])}"))


def _validator(reads: Reads, event: Json) -> Flow[Json]:
    return (yield from reads.get(f"/v1/validators/{segment(event['payload']['validator_id'])}"))


def _challenge(reads: Reads, event: Json) -> Flow[Json]:
    return (yield from reads.get(f"/v1/challenges/{segment(event['payload']['challenge_id'])}"))


def _job(reads: Reads, event: Json) -> Flow[Json]:
    return (yield from reads.get(f"/v1/replay/jobs/{segment(event['payload']['job_id'])}"))


def _program(reads: Reads, event: Json) -> Flow[Json]:
    return (yield from reads.get(f"/v1/programs/{segment(event['payload']['hash'])}"))


def _agent(reads: Reads, event: Json, part: str = "") -> Flow[Json]:
    return (yield from reads.get(f"/v1/agents/{segment(event['agent_id'])}{part}"))


def _ids(event: Json) -> Json:
    return {"event_id": event["event_id"], "agent_id": event["agent_id"]}


def _registration(reads: Reads, event: Json) -> Flow[Json]:
    agent = yield from _agent(reads, event)
    payload = event["payload"]
    granted, limited = payload.get("onboarding_allocation", 0), payload.get("onboarding_limited", False)
    return {**agent, **_ids(event), "onboarding_allocation": granted, "onboarding_limited": limited}


def _faucet(reads: Reads, event: Json) -> Flow[Json]:
    balance = yield from _agent(reads, event, "/balance")
    payload = event["payload"]
    return {
        **_ids(event),
        "amount": event.get("amount", payload.get("amount", 0)),
        "balance": balance["balance"],
        "next_at": payload.get("next_at", 0),
        "message": "granted earlier",
    }


def _stake(reads: Reads, event: Json) -> Flow[Json]:
    stake = yield from _agent(reads, event, "/stake")
    balance = yield from _agent(reads, event, "/balance")
    return {**stake, "balance": balance["balance"], **_ids(event)}


def _transfer(reads: Reads, event: Json) -> Flow[Json]:
    balance = yield from _agent(reads, event, "/balance")
    return {
        **_ids(event),
        "status": "optimistic",
        "deadline": event.get("deadline", 0),
        "amount": event.get("amount", 0),
        "to_agent": event.get("recipient_id", ""),
        "balance": balance["balance"],
    }


def _generation(reads: Reads, event: Json) -> Flow[Json]:
    yield from ()
    return {
        **_ids(event),
        "status": "optimistic",
        "deadline": event.get("deadline", 0),
        "claimed_value": event.get("claimed_value", 0),
        "beneficiary": event.get("recipient_id", event["agent_id"]),
    }


def _verdict(reads: Reads, event: Json) -> Flow[Json]:
    """The event is the verdict; its result is read from the event that was judged."""
    payload = event["payload"]
    judged = payload.get("event_id") or payload.get("target_event_id", "")
    target = yield from reads.get(f"/v1/events/{segment(judged)}")
    state = target["settlement_state"]
    nothing = {"approve_weight": 0, "reject_weight": 0, "total_weight": 0, "participants": 0}
    return {
        **target,
        "verdict": payload.get("verdict") is True,
        "status": "pending" if state == "optimistic" else state,
        "votes": target.get("votes", nothing),
    }


def _commitment(reads: Reads, event: Json) -> Flow[Json]:
    """The event is the commitment; how far the votes are is read from the dispute."""
    payload = event["payload"]
    judged = payload.get("event_id") or payload.get("target_event_id", "")
    target = yield from reads.get(f"/v1/events/{segment(judged)}")
    revealed = len(target.get("voters", []))
    committed = revealed + len(target.get("commitments", []))
    over = {
        "stage": "reveal",
        "committed": committed,
        "revealed": revealed,
        "judges": committed,
        "until": target.get("deadline", event["timestamp"]),
    }
    return {
        "event_id": target["event_id"],
        "validator_id": payload.get("validator_id", ""),
        "commitment": payload.get("commitment", ""),
        "voting": target.get("voting", over),
    }


def _key_revocation(reads: Reads, event: Json) -> Flow[Json]:
    yield from ()
    return {"event_id": event["event_id"], "key_id": event["payload"].get("key_id", ""), "status": "revoked"}


def _trajectory(reads: Reads, event: Json) -> Flow[Json]:
    yield from ()
    payload = event["payload"]
    return {
        "event_id": event["event_id"],
        "task_id": event["task_id"],
        "checkpoint_hash": payload["checkpoint_hash"],
        "checkpoint_size": payload["checkpoint_size"],
    }


def _listing(reads: Reads, event: Json) -> Flow[Json]:
    return (yield from reads.get(f"/v1/registry/{segment(event['agent_id'])}"))


def _with(more: Callable[[Json], Json]) -> Callable[[Reads, Json], Flow[Json]]:
    def rebuild(reads: Reads, event: Json) -> Flow[Json]:
        yield from ()
        return {**_ids(event), **more(event["payload"])}

    return rebuild


def _recovery(reads: Reads, event: Json) -> Flow[Json]:
    yield from ()
    payload = event["payload"]
    return {
        "event_id": event["event_id"],
        "validator_id": payload["validator_id"],
        "status": "recovery_key_set",
        "effective_at": payload["effective_at"],
    }


def _vote(reads: Reads, event: Json) -> Flow[Json]:
    challenge = yield from _challenge(reads, event)
    amounts = ("refunded_bond", "forfeit_amount", "slash_amount", "bounty")
    return {
        "event_id": event["event_id"],
        "challenge_id": challenge["id"],
        "outcome": event["payload"].get("outcome", ""),
        "status": challenge["status"],
        "votes": challenge["votes"],
        **{name: challenge.get(name, 0) for name in amounts},
    }


def _replay_submission(reads: Reads, event: Json) -> Flow[Json]:
    job = yield from _job(reads, event)
    return {
        "event_id": event["event_id"],
        "job": job,
        "outcome": job.get("outcome", ""),
        "action": job.get("action", ""),
        "severity_bp": job.get("severity_bp", 0),
        "mismatch_count": job.get("mismatch_count", 0),
        "comparisons": job.get("comparisons", []),
    }


def _replay_report(reads: Reads, event: Json) -> Flow[Json]:
    job = yield from _job(reads, event)
    return {"event_id": event["event_id"], "job": job}


Rebuild = Callable[[Reads, Json], Flow[Json]]

REBUILD: Mapping[str, Rebuild | None] = {
    "agents_register": _registration,
    "agents_faucet": _faucet,
    "transactions_transfer": _transfer,
    "transactions_generation": _generation,
    "transactions_stake": _stake,
    "transactions_unstake": _stake,
    "tasks_create": _task,
    "tasks_claim": _task,
    "tasks_submit": _task,
    "tasks_approve": _task,
    "tasks_dispute": _task,
    "tasks_contest": _task,
    "tasks_concede": _task,
    "tasks_open": _task,
    "tasks_cancel": _task,
    "tasks_release": _task,
    "tasks_decline": _task,
    "programs_publish": _program,
    "tasks_create_subtask": _task,
    "tasks_commit_trajectory": _trajectory,
    "market_offer": _listing,
    "market_withdraw": _with(lambda _: {"active": False}),
    "market_join_router": _with(lambda payload: {"categories": payload["categories"], "status": "registered"}),
    "market_leave_router": _with(lambda _: {"status": "unregistered"}),
    "market_set_available": _with(lambda payload: {"available": payload["available"]}),
    "verification_verify": _verdict,
    "verification_commit": _commitment,
    "validators_apply": _validator,
    "validators_resume": _validator,
    "validators_judge": _validator,
    "validators_rotate": _validator,
    "validators_set_recovery_key": _recovery,
    "validators_object": _with(
        lambda payload: {
            "validator_id": payload["validator_id"],
            "objection_weight": payload["objection_weight"],
            "total_weight": payload["total_weight"],
            "is_rejected": payload["objection_weight"] * 3 > payload["total_weight"],
        }
    ),
    "challenges_open": _challenge,
    "challenges_vote": _vote,
    "replay_submit": _replay_submission,
    "replay_report": _replay_report,
    # Contains the key itself, which is shown only once.
    "platform_create_key": None,
    "platform_revoke_key": _key_revocation,
}


def _seat_key(reads: Reads) -> Flow[str | None]:
    """Consensus key of the seat of the node that is asked."""
    status = yield from reads.get("/v1/status")
    if not status.get("validator_id"):
        return None
    seat = yield from reads.get(f"/v1/validators/{segment(status['validator_id'])}")
    return seat["consensus_public_key"]


def _issuing_node(reads: Reads, body: Json) -> Flow[Json]:
    if body.get("issuing_node") is not None:
        return body
    key = yield from _seat_key(reads)
    return {**body, "issuing_node": key} if key else body


def _sealed_hook(reads: Reads, body: Json) -> Flow[Json]:
    """What is sent in plain text stays in the log, where everybody can read it."""
    secret = body.get("webhook_secret")
    if not isinstance(secret, str) or secret.startswith(f"{HOOK}:"):
        return body
    agent = reads.own_key or body.get("agent_id")
    if not agent:
        raise BadCall("a webhook secret is encrypted for an agent: give its agent_id")
    profile = yield from reads.get(f"/v1/agents/{segment(agent)}")
    key = yield from _seat_key(reads)
    if not key:
        raise BadCall("this node has no seat to encrypt a webhook secret to")
    return {**body, "webhook_secret": seal_webhook_secret(key, profile["agent_id"], secret)}


COMPLETE: Mapping[str, Callable[[Reads, Json], Flow[Json]]] = {
    "platform_create_key": _issuing_node,
    "market_join_router": _sealed_hook,
}
