// What a differential run came across: codes, ends of items and tasks, and every path of the validators' economy.
// Keeps: a run of the default size that misses one of REQUIRED proves little, and fails.

import * as abi from '../../assembly/abi.ts';
import * as figures from '../model/figures.ts';
import type { Leaving, Model } from '../model/model.ts';
import { backing } from '../model/standing.ts';
import type { Rec } from '../model/state.ts';
import { decodeChallengeEvent, decodeJobEvent } from './compare-cases.ts';
import { decodeTaskEvent } from './compare-tasks.ts';
import { decodeSeatWeight, decodeValidatorEvent } from './compare-validators.ts';
import { decodeSettlement, decodeSlash, type EventOutcome, type Outcome, type TxOutcome } from './driver.ts';

const seenCodes = new Map<string, number>();
const count = (what: string): void => void seenCodes.set(what, (seenCodes.get(what) ?? 0) + 1);

function countEvent(event: EventOutcome): void {
  count(`event ${event.type}`);
  const checked = event.type === abi.EVENT_TASK_CHECKED ? decodeTaskEvent(event)! : undefined;
  if (checked) count(`run ${checked.passed ? 'passed' : checked.tries === 3 ? 'ended its claim' : 'failed'}`);
  if (event.type === abi.EVENT_SLASH && decodeSlash(event).cause === abi.SLASH_LOST_DISPUTE)
    count('a lost dispute slashes');
  const job = decodeJobEvent(event);
  const validator = decodeValidatorEvent(event);
  const challenge = decodeChallengeEvent(event);
  if (validator)
    count(`validator status ${validator.status} reason ${validator.reason} cycle ${validator.cycle}`);
  const isAnew =
    validator && validator.status === abi.VALIDATOR_PROBATION && (validator.reason as number) < 5;
  if (isAnew) count('probation starts anew');
  const weight = decodeSeatWeight(event);
  if (weight) count(`seat weight ${weight.change}`);
  if (event.type === abi.EVENT_REPLAY_CREATED) count(`replay reason ${job!.reason} attempt ${job!.attempt}`);
  if (event.type === abi.EVENT_REPLAY_CLOSED) {
    count(`replay status ${job!.status} outcome ${job!.outcome} action ${job!.action}`);
  }
  if (event.type !== abi.EVENT_CHALLENGE_RESOLVED) return;
  const isBonded = challenge!.refunded !== 0n || challenge!.forfeit !== 0n;
  count(`challenge ${challenge!.status} ${isBonded ? 'bonded' : 'by protocol'}`);
  count(`challenge ${challenge!.status} offense ${challenge!.offense}`);
}

/** Settled without participants: the vote of somebody in probation after the decision. */
function isLateVote({ opcode, code, words }: TxOutcome): boolean {
  if (opcode !== abi.OP_VERIFY || code !== abi.OK) return false;
  return words[abi.RESULT_VERIFY_PARTICIPANTS] === 0n && words[abi.RESULT_VERIFY_REASON] !== 0n;
}

export function countOutcome(outcome: Outcome): void {
  if (outcome.kind === 'tx') {
    const details = [abi.INVALID_REQUEST, abi.STAKE_LOCKED, abi.CAPACITY, abi.CLAIM_LIMIT] as number[];
    const detail = details.includes(outcome.code) ? ` ${outcome.words[0]}` : '';
    count(outcome.code === abi.OK ? `op ${outcome.opcode}` : `code ${outcome.code}${detail}`);
    if (isLateVote(outcome)) count('a late vote');
  } else if (outcome.kind === 'event' && outcome.type === abi.EVENT_SETTLEMENT) {
    const { kind, reason } = decodeSettlement(outcome);
    count(`item ${kind} reason ${reason}`);
  } else if (outcome.kind === 'event') countEvent(outcome);
  else count(outcome.kind);
}

/** Tasks as they leave. */
export function countLeaving(leaving: Leaving): void {
  for (const t of leaving.tasks) {
    count(`task ${t.status} resolution ${t.resolution} lane ${t.lane}`);
    if (t.resolution === abi.RESOLUTION_DISPUTE_QUORUM && t.share % 10 !== 0) count('a split by a quorum');
    if (t.panels > 0) count(`judged by panel ${t.panels} resolution ${t.resolution}`);
    if (t.lane !== abi.LANE_NONE) count(`replay ${t.replay} generation ${t.generation}`);
  }
}

/** What only the state shows, now and then. */
export function countState({ s }: Model): void {
  for (const agent of s.agents) {
    const multiplier = figures.multiplier(s, agent, s.now);
    count(`multiplier ${multiplier}`);
    const power = figures.standingPower(s, agent, s.now);
    if (power > 0n && multiplier > 1) count('a limit that standing carries');
    if (power === 0n && backing(agent.standing) > 0) count('a standing that is gone');
  }
  for (const v of s.validators) {
    if (figures.validatorReputation(s, v, s.now) > v.baselineBp) count('a weight that standing carries');
  }
  for (const v of s.validators) {
    if (v.cluster) count('in a cluster');
    if (v.nextKeyAt !== 0) count('rotation waits');
    if (v.nextRecoveryAt !== 0) count('recovery key waits');
    if (v.belowSince !== 0) count('below the required stake');
    for (const c of v.calibrations.values()) if (c.suspendedUntil > s.now) count('suspended in a category');
  }
  if (s.tasks.some((t) => s.categories[t.category] !== t.categoryName)) count('category without a name');
  const recorded = (records: readonly Rec[]): number =>
    records.reduce((sum, r) => sum + r.completed + r.failed, 0);
  if (s.agents.some((a) => a.fingerprintVersion > recorded(a.records))) count('work without a record');
  if (s.due.length > 0) count('a run waits');
  if (s.tasks.some((t) => t.isDue)) count('task kept by its cases');
  if (s.refills.some((at) => at !== 0)) count('refill under way');
  if (s.unrevealed > 0) count('a vote that was not revealed');
  if (s.bootstrapOver) count('after bootstrap');
  if (s.items.some((i) => i.barred.some((v) => v.cluster))) count('cluster kept out of a dispute');
  const today = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  if (s.seatLog.filter((seat) => seat.day === today).length >= 20) count('caps hold');
}

/** Everything that a run of the default size must have met, so that a weak generator is noticed. */
export const REQUIRED = [
  ...[abi.OP_REGISTER, abi.OP_FAUCET, abi.OP_TRANSFER, abi.OP_GENERATION, abi.OP_STAKE].map((o) => `op ${o}`),
  ...[abi.OP_UNSTAKE, abi.OP_VERIFY, abi.OP_KEY_CREATE, abi.OP_KEY_REVOKE, abi.OP_CANARY_RETURN].map(
    (o) => `op ${o}`,
  ),
  ...Array.from({ length: abi.ALREADY_REGISTERED }, (_, i) => i + 1)
    .filter((code) => code !== abi.INVALID_REQUEST)
    .map((code) => `code ${code}`),
  ...[1, 2, 3, 4, 5, 7, abi.REASON_GROUND, abi.REASON_SHARE].map(
    (reason) => `code ${abi.INVALID_REQUEST} ${reason}`,
  ),
  'a lost dispute slashes',
  'a split by a quorum',
  `op ${abi.OP_VALIDATOR_JUDGE}`,
  `op ${abi.OP_VOTE_COMMIT}`,
  ...[abi.NOT_COMMITTED, abi.COMMITMENTS_OVER, abi.REVEAL_EARLY, abi.COMMITMENT_DIFFERS],
  `code ${abi.INVALID_REQUEST} ${abi.REASON_COMMITMENT}`,
  'a vote that was not revealed',
  `judged by panel 1 resolution ${abi.RESOLUTION_DISPUTE_QUORUM}`,
  `judged by panel 2 resolution ${abi.RESOLUTION_DISPUTE_DEADLINE}`,
  ...[abi.FAUCET_COOLDOWN, abi.FAUCET_EMPTY, abi.RECIPIENT_NOT_FOUND, abi.TRUST_LIMIT_EXCEEDED],
  ...[abi.INSUFFICIENT_BALANCE, abi.INSUFFICIENT_STAKE, abi.NOT_PENDING, abi.SELF_DEALING],
  ...[abi.NOT_A_VALIDATOR, abi.ALREADY_VOTED, abi.KEY_NOT_FOUND, abi.FORBIDDEN_ACTOR],
  ...[0, 1, 2].map((lock) => `code ${abi.STAKE_LOCKED} ${lock}`),
  ...[0, 1].map((bound) => `code ${abi.CLAIM_LIMIT} ${bound}`),
  ...[1, 2, 3, 4, 5, 9].map((table) => `code ${abi.CAPACITY} ${table}`),
  ...Array.from({ length: 8 }, (_, i) => `op ${abi.OP_TASK_CREATE + i}`),
  ...[abi.OP_TASK_CONTEST, abi.OP_TASK_CONCEDE, abi.OP_TASK_OPEN].map((o) => `op ${o}`),
  ...[abi.NOT_SEALED, abi.NOT_PARTY, abi.CONTENT_KEY_NEEDED, abi.CONTENT_KEY_MISMATCH],
  ...[abi.OP_SERVICE_LIST, abi.OP_SERVICE_UNLIST].map((o) => `op ${o}`),
  ...[abi.OP_ROUTER_REGISTER, abi.OP_ROUTER_REMOVE, abi.OP_ROUTER_AVAILABLE].map((o) => `op ${o}`),
  ...[abi.ROUTED_TO_OTHER, abi.CAPABILITY_NOT_FOUND, `event ${abi.EVENT_TASK_ROUTED}`],
  ...[abi.NOT_ASSIGNED, abi.TASK_NOT_FOUND, abi.NOT_POSTER, abi.TASK_STATE, abi.SELF_CLAIM, abi.CLAIM_BARRED],
  ...[
    abi.TOO_FEW_JUDGES,
    abi.NOT_CLAIMER,
    abi.SUBTASKS_OPEN,
    abi.DELIVERY_MISMATCH,
    abi.RESULT_HASH_MISMATCH,
  ],
  ...[
    abi.BUDGET_BELOW_MINIMUM,
    abi.SECURITY_FLOOR,
    abi.COMMIT_NOT_FOUND,
    abi.COMMIT_RATE,
    abi.LISTING_NOT_FOUND,
  ],
  ...[abi.ITEM_SUBMISSION, abi.ITEM_DISPUTE].flatMap((k) => [1, 2, 3].map((r) => `item ${k} reason ${r}`)),
  ...[1, 2, 3, 4].map((r) => `task ${abi.TASK_COMPLETED} resolution ${r} lane ${abi.LANE_NONE}`),
  ...[3, 4, 5, 6, 7].map((r) => `task ${abi.TASK_CANCELLED} resolution ${r} lane ${abi.LANE_NONE}`),
  `task ${abi.TASK_COMPLETED} resolution ${abi.RESOLUTION_CONTRACT} lane ${abi.LANE_NONE}`,
  `task ${abi.TASK_CANCELLED} resolution ${abi.RESOLUTION_UNREVIEWED} lane ${abi.LANE_NONE}`,
  ...['passed', 'failed', 'ended its claim'].map((end) => `run ${end}`),
  ...[`op ${abi.OP_TASK_DECLINE}`, `code ${abi.RESERVED_FOR_OTHER}`],
  `task ${abi.TASK_CANCELLED} resolution ${abi.RESOLUTION_DECLINED} lane ${abi.LANE_NONE}`,
  ...['a run waits', 'op 60', 'op 61', `code ${abi.DELIVERY_MISSING}`],
  ...[1, 2].map((lane) => `task ${abi.TASK_COMPLETED} resolution 1 lane ${lane}`),
  ...[abi.EVENT_TASK_DISPUTED, abi.EVENT_CLAIM_EXPIRED].map((e) => `event ${e}`),
  ...[abi.ITEM_TRANSFER, abi.ITEM_GENERATION].flatMap((k) => [1, 2, 3].map((r) => `item ${k} reason ${r}`)),
  ...[abi.EVENT_GENESIS, abi.EVENT_SLASH, abi.EVENT_SEAT_RESUMED].map((e) => `event ${e}`),
  ...[1, 2, 3, 4, 5].map((m) => `multiplier ${m}`),
  ...['a limit that standing carries', 'a standing that is gone', 'a weight that standing carries'],
  'a late vote',
  'touched',
  'work without a record',
  'category without a name',
  ...Array.from({ length: 10 }, (_, i) => `op ${abi.OP_VALIDATOR_APPLY + i}`),
  ...Array.from({ length: 13 }, (_, i) => abi.VALIDATOR_NOT_FOUND + i),
  `code ${abi.CAPACITY} ${abi.TABLE_CHALLENGES}`,
  `code ${abi.INVALID_REQUEST} ${abi.REASON_CONSENSUS_KEY}`,
  ...[abi.STATUS_REASON_STAKE, 2, 3, 4].map((reason) => `validator status 3 reason ${reason} cycle 0`),
  ...[4, abi.STATUS_REASON_EQUIVOCATION].map((reason) => `validator status 4 reason ${reason} cycle 0`),
  ...[abi.STATUS_REASON_PROBATION, abi.STATUS_REASON_CANARY].map(
    (reason) => `validator status 2 reason ${reason} cycle 0`,
  ),
  `validator status 1 reason ${abi.STATUS_REASON_PROBATION} cycle 1`,
  'probation starts anew',
  ...[abi.SEAT_WEIGHT_REMOVED, abi.SEAT_WEIGHT_HEARD, abi.SEAT_WEIGHT_BOUND].map((c) => `seat weight ${c}`),
  ...[2, 3, 4].flatMap((status) => [`challenge ${status} bonded`, `challenge ${status} by protocol`]),
  ...[1, 2, 3].map((offense) => `challenge ${abi.CHALLENGE_SUCCEEDED} offense ${offense}`),
  ...[1, 2, 3].map((attempt) => `replay reason ${abi.REPLAY_SAMPLED} attempt ${attempt}`),
  ...[abi.REPLAY_PROBATION, abi.REPLAY_CLUSTER].map((reason) => `replay reason ${reason} attempt 1`),
  ...['1 action 1', '1 action 4', '2 action 2', '2 action 3', '2 action 4', '3 action 3', '3 action 4'].map(
    (end) => `replay status ${abi.JOB_COMPLETED} outcome ${end}`,
  ),
  `replay status ${abi.JOB_FAILED} outcome 0 action 0`,
  ...[
    '0 generation 2',
    '0 generation 3',
    '2 generation 2',
    '2 generation 3',
    '3 generation 2',
    '3 generation 3',
  ].map((end) => `replay ${end}`),
  ...['in a cluster', 'cluster kept out of a dispute', 'caps hold', 'suspended in a category'],
  ...['rotation waits', 'recovery key waits', 'below the required stake', 'task kept by its cases'],
  ...['refill under way', 'after bootstrap'],
].map((what) => (typeof what === 'number' ? `code ${what}` : what));

/** Of them what comes about once in half a million commands, since judges who differ decide less often alike. */
const RARE = new Set([
  'a run waits',
  'validator status 2 reason 5 cycle 0',
  'replay reason 3 attempt 1',
  'in a cluster',
  'cluster kept out of a dispute',
]);

/** What was not met; `isMillion`: of what is rare, too. */
export const missed = (isMillion: boolean): string[] =>
  REQUIRED.filter((what) => !seenCodes.has(what) && (isMillion || !RARE.has(what)));

const isPath = (what: string): boolean => !/^(code|op|item|event|task|multiplier) \d/.test(what);

/** Counts as text, sorted: of everything, or of the paths of validators, challenges, replays and canaries alone. */
export function counted(isWhole: boolean): string {
  const rows = [...seenCodes].filter(([what]) => isWhole || isPath(what)).sort();
  return rows.map(([what, n]) => `${what}: ${n}`).join(isWhole ? '\n' : '; ');
}
