// Votes on a dispute with the examples of protocol 15.8: committed, revealed, missed.

import {
  COMMITMENT_DIFFERS,
  COMMITMENTS_OVER,
  CONFIG_PARAMS,
  GROUND_FRAUD,
  IN_COMMIT_EVENT,
  IN_COMMITMENT,
  IN_VERIFY_EVENT,
  IN_VERIFY_GROUND,
  IN_VERIFY_SALT,
  IN_VERIFY_SHARE,
  IN_VERIFY_VERDICT,
  NO_QUORUM_SPLIT,
  NOT_COMMITTED,
  OK,
  OP_VERIFY,
  OP_VOTE_COMMIT,
  PARAM_DISPUTE_DEADLINE_SECS,
  REVEAL_EARLY,
  SHARES,
  TASK_COMPLETED,
  TASK_DISPUTED,
} from '../../../assembly/abi';
import { Agent, keyOf } from '../../../assembly/ledger/agents';
import { SUPPLY } from '../../../assembly/ledger/money';
import { equal32 } from '../../../assembly/lib/bytes';
import { sha256 } from '../../../assembly/lib/sha256';
import { writeDecimal, writeHex, writeLiteral } from '../../../assembly/lib/text';
import { fullSupply } from '../../../assembly/run/audit';
import { assignedOf, Item, itemAt } from '../../../assembly/settlement/items';
import { countVotes, tally } from '../../../assembly/settlement/quorum';
import { root } from '../../../assembly/state/root';
import { contest } from '../../../assembly/tasks/answers';
import { notePosterDispute } from '../../../assembly/tasks/bonds';
import { openDispute } from '../../../assembly/tasks/disputes';
import { deliveryOf, judgingOf, Task } from '../../../assembly/tasks/rows';
import { commitAny, verifyAny } from '../../../assembly/tasks/verdicts';
import { endVoteTime } from '../../../assembly/tasks/voting';
import { operatorOf, validatorAt } from '../../../assembly/validators/validators';
import { beginRecord, run } from '../support/command';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';
import { claimBy, deliver, postTask } from '../support/tasks';

const EVENT: usize = memory.data(32, 8);
const TEXT: usize = memory.data(256, 8);
const SALT: usize = memory.data(32, 8);
/** SHA-256 computed elsewhere: key 1000 as a little-endian number, event 0, salt 32 times 7, share 10, no ground. */
const KNOWN: usize = memory.data<u32>([
  0x58a786b9, 0xcb15c24b, 0x01a97dfc, 0x1b11aa44, 0x963a9680, 0x45d5baca, 0x021acbd0, 0x04551218,
]);
const DAY: u64 = 86400;
const MONDAY: u64 = LAUNCH + 100;
const WEDNESDAY: u64 = MONDAY + 2 * DAY;
const THURSDAY: u64 = WEDNESDAY + DAY;

/** A contested dispute about 100 tokens, with a panel of five drawn from seven announced judges. */
function contested(): Task {
  freshState();
  store<u64>(root().base + <usize>CONFIG_PARAMS + PARAM_DISPUTE_DEADLINE_SECS * 8, 3 * DAY);
  setNow(MONDAY);
  memory.fill(SALT, 7, 32);
  for (let i: u64 = 0; i < 7; i++) newValidator(i, 25000 * TOKEN, 5000).isJudge = 1;
  const task = postTask(1, newAgent(101, 1000 * TOKEN, 0), 100 * TOKEN);
  judgingOf(task).workerBond = 25 * TOKEN;
  judgingOf(task).noQuorum = <u8>NO_QUORUM_SPLIT;
  claimBy(task, newAgent(102, 1000 * TOKEN, 0));
  deliver(task, 5000);
  notePosterDispute(task);
  openDispute(task, EVENT, MONDAY);
  contest(task, MONDAY);
  return task;
}

function itemOf(task: Task): Item {
  return itemAt(deliveryOf(task).disputeItem - 1);
}

/** Validator index of a place of the panel. */
function member(task: Task, place: usize): u32 {
  return load<u16>(assignedOf(itemOf(task)) + (place << 1));
}

/** Writes what is committed to a share and a ground, by the text of 15.8. */
function writeHash(operator: Agent, share: u32, ground: u32, to: usize): void {
  let end = writeHex(writeLiteral(TEXT, 'vote:'), EVENT, 32);
  end = writeHex(writeLiteral(end, ':'), keyOf(operator), 32);
  end = writeDecimal(writeLiteral(end, ':'), share);
  end = writeDecimal(writeLiteral(end, ':'), ground);
  end = writeHex(writeLiteral(end, ':'), SALT, 32);
  sha256(TEXT, <u32>(end - TEXT), to);
}

/** `as`: whose key is in the commitment that is sent. */
function commit(by: u32, share: u32, ground: u32 = 0, as: u32 = by): i32 {
  const record = beginRecord(OP_VOTE_COMMIT, operatorOf(validatorAt(by)));
  memory.copy(record + IN_COMMIT_EVENT, EVENT, 32);
  writeHash(operatorOf(validatorAt(as)), share, ground, record + IN_COMMITMENT);
  return run(commitAny);
}

function reveal(by: u32, share: u32, ground: u32 = 0): i32 {
  const record = beginRecord(OP_VERIFY, operatorOf(validatorAt(by)));
  memory.copy(record + IN_VERIFY_EVENT, EVENT, 32);
  store<u16>(record, share != 0 ? 1 : 0, IN_VERIFY_VERDICT);
  store<u16>(record, <u16>ground, IN_VERIFY_GROUND);
  store<u16>(record, <u16>share, IN_VERIFY_SHARE);
  memory.copy(record + IN_VERIFY_SALT, SALT, 32);
  return run(verifyAny);
}

/** The first four commit on Monday, the fifth on Wednesday. */
function fiveCommit(task: Task): void {
  for (let i: usize = 0; i < 4; i++) expect(commit(member(task, i), i < 3 ? SHARES : 0)).toBe(OK);
  expect<u32>(itemOf(task).isRevealing).toBe(0);
  setNow(WEDNESDAY);
  expect(commit(member(task, 4), SHARES)).toBe(OK);
}

describe('a commitment', () => {
  it('is the hash of the text that protocol 15.8 gives', () => {
    contested();
    writeHash(operatorOf(validatorAt(0)), SHARES, 0, TEXT);
    expect(equal32(TEXT, KNOWN)).toBe(true);
  });

  it('has no weight before it is revealed, and no verdict is taken without one', () => {
    const task = contested();
    expect<u32>(itemOf(task).assignedCount).toBe(5);
    expect(reveal(member(task, 0), SHARES)).toBe(NOT_COMMITTED);
    expect(commit(member(task, 0), SHARES)).toBe(OK);
    expect(reveal(member(task, 0), SHARES)).toBe(REVEAL_EARLY);
    countVotes(itemOf(task), MONDAY);
    expect(tally().approveWeight).toBe(0);
    expect(tally().participants).toBe(0);
  });

  it('of another judge is opened by nobody', () => {
    const task = contested();
    const first = member(task, 0);
    const copier = member(task, 4);
    for (let i: usize = 0; i < 4; i++) commit(member(task, i), SHARES);
    expect(commit(copier, SHARES, 0, first)).toBe(OK);
    expect(reveal(copier, SHARES)).toBe(COMMITMENT_DIFFERS);
    expect(reveal(first, SHARES)).toBe(OK);
  });
});

describe('five that are drawn', () => {
  it('reveal as soon as the fifth has committed, and what they reveal is what they committed', () => {
    const task = contested();
    fiveCommit(task);
    expect<u32>(itemOf(task).isRevealing).toBe(1);
    expect(itemOf(task).deadlineSecs).toBe(THURSDAY);
    expect(commit(member(task, 4), 0)).not.toBe(OK);
    expect(reveal(member(task, 0), 4)).toBe(COMMITMENT_DIFFERS);
    expect(reveal(member(task, 3), 0, GROUND_FRAUD)).toBe(COMMITMENT_DIFFERS);
    expect(reveal(member(task, 0), SHARES)).toBe(OK);
    expect<u32>(task.status).toBe(TASK_DISPUTED);
  });

  it('decide with the last reveal: four of five say 10', () => {
    const task = contested();
    fiveCommit(task);
    for (let i: usize = 0; i < 4; i++) expect(reveal(member(task, i), i < 3 ? SHARES : 0)).toBe(OK);
    expect<u32>(task.status).toBe(TASK_DISPUTED);
    expect(reveal(member(task, 4), SHARES)).toBe(OK);
    expect<u32>(task.status).toBe(TASK_COMPLETED);
    expect<u32>(judgingOf(task).share).toBe(SHARES);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('are not enough when one keeps silent: it has missed, three of five are 60 %, and all judges are asked', () => {
    const task = contested();
    fiveCommit(task);
    const silent = member(task, 4);
    for (let i: usize = 0; i < 4; i++) reveal(member(task, i), i < 3 ? SHARES : 0);
    expect<u32>(judgingOf(task).panels).toBe(1);
    setNow(THURSDAY);
    endVoteTime(task, itemOf(task), THURSDAY);
    expect<u32>(task.status).toBe(TASK_DISPUTED);
    expect<u32>(judgingOf(task).panels).toBe(2);
    expect<u32>(validatorAt(silent).isJudge).toBe(0);
    expect<u32>(itemOf(task).voteCount).toBe(4);
    expect<u32>(itemOf(task).isRevealing).toBe(0);
    expect(commit(silent, SHARES)).not.toBe(OK);
  });

  it('take no commitment while others reveal', () => {
    const task = contested();
    for (let i: usize = 0; i < 4; i++) commit(member(task, i), SHARES);
    endVoteTime(task, itemOf(task), MONDAY + 3 * DAY);
    expect<u32>(itemOf(task).isRevealing).toBe(1);
    expect(commit(member(task, 4), SHARES)).toBe(COMMITMENTS_OVER);
  });
});
