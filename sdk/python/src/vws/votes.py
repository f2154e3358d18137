"""Votes on disputes: a validator first commits to what it says, so that no judge can echo another.

Keep the verdict and its salt before you send the commitment: a second one is refused, and a vote that is not revealed is
a miss. `client.verification.commit(event_id=event, commitment=...)` commits, and, when `voting.stage` of the event is
`reveal`, `client.verification.verify(event_id=event, verdict=..., salt=...)` reveals. `event` is what
`client.verification.pending()` or `client.events.get()` showed, so that its task is signed with the vote; of an id alone
no task is signed, unless `task_id` names it.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal

SHARE_STEP_BP = 1000
_GROUNDS = ("nothing_delivered", "plagiarism", "fraud")

Ground = Literal["nothing_delivered", "plagiarism", "fraud"]


def new_salt() -> str:
    """32 random bytes as hex, for one vote on one dispute."""
    return secrets.token_hex(32)


def vote_commitment(
    event_id: str,
    key: str,
    *,
    verdict: bool,
    salt: str,
    worker_share_bp: int | None = None,
    ground: Ground | None = None,
) -> str:
    """What a vote on the dispute `event_id` commits to, hex.

    key: the agent key of the validator's operator, hex: its public key, unless its agent_id was chosen.
    The other arguments are those of the verdict that reveals it.
    """
    share = 0
    if verdict:
        share = SHARE_STEP_BP * 10 if worker_share_bp is None else worker_share_bp
    number = 0 if ground is None else _GROUNDS.index(ground) + 1
    parts = ("vote", event_id.lower(), key.lower(), str(share // SHARE_STEP_BP), str(number), salt.lower())
    return hashlib.sha256(":".join(parts).encode()).hexdigest()
