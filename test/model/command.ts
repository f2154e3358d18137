// A command as a plain object, which the model executes and the core gets as a record.

import * as abi from '../../assembly/abi.ts';
import * as cases from '../core/case-records.ts';
import { unhex } from '../core/outcomes.ts';
import * as records from '../core/records.ts';

export interface Command {
  opcode: number;
  auth: number;
  /** hex64 */
  txid: string;
  /** hex64: public key of the signer, or agent key. */
  actor: string;
  lastSecond: number;
  /** Seconds from the first second at which it may run to the last one. */
  windowSecs: number;
  /** Whole KiB of the request. */
  kib: number;
  keyId: bigint;
  seat: number;
  /** Recipient, beneficiary or target event, hex64. */
  other: string;
  amount: bigint;
  verdict: boolean;
  value: bigint | undefined;
  /** Registration. */
  publicKey: string;
  id: string;
  /** Key creation and revocation. */
  newKey: records.KeyInit;
  /** hex32: the task, of a subtask its parent. */
  taskId: string;
  /** TASK_*, SUBMIT_* or COMMIT_*. */
  flags: number;
  lane: number;
  reviewSecs: number;
  deliverySecs: number;
  category: string;
  tags: string[];
  overallBp: number;
  /** Of a contract; 0: none. */
  fuel: number;
  /** Of a verdict, GROUND_*. */
  ground: number;
  /** Of a verdict with true: the worker's share in tenths; 0: all. */
  share: number;
  /** NO_QUORUM_*. */
  noQuorum: number;
  /** With TASK_BOND_GIVEN. */
  workerBond: bigint;
  /** With TASK_RESERVED: for whom, hex64, and for how long; 0: a day. */
  reservedFor: string;
  reservedSecs: number;
  /** Capability: tasks at a time, categories; the price is the amount, availability the verdict. */
  most: number;
  categories: string[];
  /** Of an application: what its row may cost. */
  maxFee: bigint;
  /** The validator that is meant, by id, agent_id or key; empty: the actor's own. */
  target: string;
  /** hex24 */
  challenge: string;
  offense: number;
  /** CHALLENGE_* of a vote, OUTCOME_* of a replay; its job, a consensus or recovery key, a commitment: `other`. */
  outcome: number;
  /** COMPARED_* of each baseline check. */
  checks: number[];
  /** Of a revealed canary or vote, hex64; of a canary the truth is the verdict. */
  salt: string;
  /** To a vote on a dispute, hex64. */
  commitment: string;
  canaryType: number;
}

const ZERO = '0'.repeat(64);

export function command(opcode: number, fields: Partial<Command>): Command {
  return {
    opcode,
    auth: abi.AUTH_TX_V1,
    txid: ZERO,
    actor: ZERO,
    lastSecond: 0,
    windowSecs: abi.MAX_WINDOW_SECS,
    kib: 0,
    keyId: 0n,
    seat: abi.NO_SEAT,
    other: ZERO,
    amount: 1n,
    verdict: true,
    value: undefined,
    publicKey: ZERO,
    id: '',
    taskId: '0'.repeat(32),
    flags: 0,
    lane: abi.LANE_NONE,
    reviewSecs: 0,
    deliverySecs: 0,
    category: 'general',
    tags: [],
    overallBp: 0,
    fuel: 0,
    ground: abi.GROUND_NONE,
    share: 0,
    noQuorum: abi.NO_QUORUM_SPLIT,
    workerBond: 0n,
    reservedFor: ZERO,
    reservedSecs: 0,
    most: 1,
    categories: ['general'],
    maxFee: 0n,
    target: '',
    challenge: '0'.repeat(24),
    offense: abi.OFFENSE_FRAUDULENT_APPROVAL,
    outcome: abi.CHALLENGE_SUCCEEDED,
    checks: [],
    salt: ZERO,
    commitment: ZERO,
    canaryType: abi.CANARY_KNOWN_GOOD,
    newKey: { id: 0n, hash: new Uint8Array(32), scopes: 1, hourlyLimit: 1000, expires: 0, seat: 0 },
    ...fields,
  };
}

// Operations of validators, challenges, replays and canaries; undefined for others.
function toCaseRecord(c: Command, head: records.Head): Uint8Array | undefined {
  const [task, other] = [unhex(c.taskId), unhex(c.other)];
  switch (c.opcode) {
    case abi.OP_VALIDATOR_APPLY:
      return cases.validatorApply(head, c.categories, c.maxFee);
    case abi.OP_VALIDATOR_RESUME:
    case abi.OP_VALIDATOR_OBJECT:
      return cases.onValidator(c.opcode, head, c.target);
    case abi.OP_VALIDATOR_JUDGE:
      return cases.judge(head, c.target, c.verdict);
    case abi.OP_RECOVERY_SET:
    case abi.OP_KEY_ROTATE:
      return cases.withKey(c.opcode, head, c.target, other);
    case abi.OP_CHALLENGE_OPEN:
      return cases.challengeOpen(head, { task, target: c.target, offense: c.offense, bond: c.value });
    case abi.OP_CHALLENGE_VOTE:
      return cases.challengeVote(head, unhex(c.challenge), c.outcome);
    case abi.OP_REPLAY_SUBMIT:
      return cases.replaySubmit(head, other, task, c.checks);
    case abi.OP_REPLAY_OUTCOME:
      return cases.replayOutcome(head, other, c.outcome, c.verdict);
    case abi.OP_CANARY_COMMIT:
      return cases.canaryCommit(head, other);
    case abi.OP_CANARY_RETURN:
      return cases.canaryReturn(head);
    case abi.OP_CANARY_REVEAL:
      return cases.canaryReveal(head, { task, salt: unhex(c.salt), type: c.canaryType, truth: c.verdict });
    default:
      return undefined;
  }
}

const termsOf = (c: Command): records.Terms => ({
  ...c,
  budget: c.amount,
  reservedFor: unhex(c.reservedFor),
});

export function toRecord(c: Command): Uint8Array {
  const head = {
    auth: c.auth,
    txid: unhex(c.txid),
    actor: unhex(c.actor),
    lastSecond: c.lastSecond,
    windowSecs: c.windowSecs,
    kib: c.kib,
    keyId: c.keyId,
    seat: c.seat,
  };
  const ofCase = toCaseRecord(c, head);
  if (ofCase) return ofCase;
  switch (c.opcode) {
    case abi.OP_REGISTER:
      return records.register(head, unhex(c.publicKey), c.amount, c.id);
    case abi.OP_FAUCET:
      return records.faucet(head);
    case abi.OP_TRANSFER:
      return records.transfer(head, unhex(c.other), c.amount);
    case abi.OP_GENERATION:
      return records.generation(head, unhex(c.other), c.amount);
    case abi.OP_STAKE:
      return records.stake(head, c.amount);
    case abi.OP_UNSTAKE:
      return records.unstake(head, c.amount);
    case abi.OP_VERIFY:
      return records.verify(head, unhex(c.other), c.verdict, c.value, c.ground, c.share, unhex(c.salt));
    case abi.OP_VOTE_COMMIT:
      return records.voteCommit(head, unhex(c.other), unhex(c.commitment));
    case abi.OP_KEY_CREATE:
      return records.keyCreate(head, c.newKey);
    case abi.OP_KEY_REVOKE:
      return records.keyRevoke(head, c.newKey.id);
    case abi.OP_TASK_CREATE:
      return records.taskCreate(head, termsOf(c));
    case abi.OP_SUBTASK_CREATE:
      return records.subtaskCreate(head, unhex(c.taskId), termsOf(c));
    case abi.OP_TASK_DISPUTE:
    case abi.OP_TASK_CONTEST:
    case abi.OP_TASK_OPEN:
      return records.onTaskWithFlags(c.opcode, head, unhex(c.taskId), c.flags, 0);
    case abi.OP_TASK_SUBMIT:
    case abi.OP_TRAJECTORY_COMMIT:
      return records.onTaskWithFlags(c.opcode, head, unhex(c.taskId), c.flags, c.overallBp);
    case abi.OP_TASK_CLAIM:
    case abi.OP_TASK_APPROVE:
    case abi.OP_TASK_CANCEL:
    case abi.OP_TASK_RELEASE:
    case abi.OP_TASK_CONCEDE:
    case abi.OP_TASK_DECLINE:
      return records.onTask(c.opcode, head, unhex(c.taskId));
    case abi.OP_ROUTER_REGISTER:
      return records.routerRegister(head, c.amount, c.most, c.categories, c.tags);
    case abi.OP_ROUTER_AVAILABLE:
      return records.routerAvailable(head, c.verdict);
    case abi.OP_PROGRAM_PUBLISH:
    case abi.OP_ROUTER_REMOVE:
    case abi.OP_SERVICE_LIST:
    case abi.OP_SERVICE_UNLIST:
      return records.plain(c.opcode, head);
    default:
      return records.invalidEntry(head.txid);
  }
}
