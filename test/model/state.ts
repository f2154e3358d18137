// The model's tables: plain objects and arrays, found by walking, never indexed.
// Keeps: everything that a rule may read; derived figures are computed when asked.

import * as abi from '../../assembly/abi.ts';
import type { CoreConfig, Outcome } from '../core/driver.ts';
import type { ModelCanary, ModelChallenge, ModelJob } from './case-state.ts';
import type { RouterModel } from './router.ts';
import { type ModelEpoch, newEpoch } from './silence.ts';
import type { ModelStanding } from './standing.ts';
import type { ModelTask } from './task-state.ts';
import type { ModelSeat, ModelValidator } from './validator-state.ts';
import { COMMITTED_ROWS } from './voting.ts';

export type { ModelSeat, ModelValidator } from './validator-state.ts';

const [RECORDS, VALIDATORS, CATEGORIES] = [5, 6, 7];
/** Those of protocol 2.4, by number. */
export const FIXED_CATEGORIES = [
  'transfer',
  'generation',
  'general',
  'code',
  'code-review',
  'technical',
  'security',
  'data',
  'data-analysis',
  'data-validation',
  'research',
  'analysis',
  'content',
  'writing',
  'documentation',
  'translation',
  'creative',
] as const;

export interface Rec {
  category: number;
  completed: number;
  failed: number;
  lastActive: number;
  earned: bigint;
  scoreSum: number;
  deliverySum: number;
}

export interface ModelAgent {
  index: number;
  /** hex64: public key, or SHA-256 of a free-form id. */
  key: string;
  /** hex64, empty when keyless. */
  publicKey: string;
  id: string;
  fingerprint: string;
  fingerprintVersion: number;
  balance: bigint;
  staked: bigint;
  stakedSince: number;
  firstSeen: number;
  lastActive: number;
  faucetAt: number;
  generated: bigint;
  transferred: bigint;
  /** Decided work in all categories except transfers. */
  completed: number;
  failed: number;
  /** Has a listing, had one, or never had. */
  listing: 'never' | 'listed' | 'taken down';
  records: Rec[];
  /** The treasury's part of the fees of settled tasks that it did or paid for. */
  fees: bigint;
  /** As a poster: tasks paid, disputes opened, won, lost. */
  posted: { paid: number; disputes: number; won: number; lost: number };
  standing: ModelStanding;
  /** KiB that it wrote of those free once, and for each day of those that its holdings gave it. */
  firstKib: number;
  heldKib: Map<number, number>;
}

export interface ModelVote {
  /** GROUND_* of a rejection. */
  ground: number;
  validator: ModelValidator;
  approve: boolean;
  /** The worker's share in tenths: 0 of a rejection, 10 of an approval of anything but a dispute. */
  share: number;
  value: bigint;
  at: number;
}

export interface ModelItem {
  eventId: string;
  kind: number;
  agent: ModelAgent;
  recipient: ModelAgent;
  parties: ModelAgent[];
  /** Validators that may not judge, having judged the submission. */
  barred: ModelValidator[];
  barsClusters: boolean;
  amount: bigint;
  deadline: number;
  created: number;
  assigned: number[];
  votes: ModelVote[];
  /** Of a dispute: votes that are not revealed, and all who committed one, in that order. */
  commitments: { validator: ModelValidator; hash: string; at: number }[];
  order: ModelValidator[];
  /** Votes on a dispute are revealed now; before, they are committed. */
  isRevealing: boolean;
  task: ModelTask | undefined;
  /** Takes no more votes. */
  isClosed: boolean;
  /** Only those assigned judge it. */
  /** All validators judge it; or those assigned; or, a dispute, all announced judges. */
  panel: 'none' | 'seats' | 'judges';
}

/** A decided event on which some that were drawn for it may still vote. */
export interface ModelLate {
  eventId: string;
  category: number;
  /** Outcome, as the share of a vote. */
  share: number;
  at: number;
  drawn: number[];
}

export interface ModelKey {
  id: bigint;
  hash: string;
  owner: ModelAgent;
  seat: number;
  scopes: number;
  hourlyLimit: number;
  created: number;
  expires: number;
  deposit: bigint;
  /** Start of the hour in which it was used last, and its uses in that hour. */
  hour: number;
  uses: number;
}

export class ModelState {
  timeMs = 0;
  launch = 0;
  order = 0;
  /** Votes that were committed and not revealed when their time was over. */
  unrevealed = 0;
  seq = 0;
  block = 0;
  blockHash = '';
  entries = 0;
  index = 0;
  eventIndex = 0;
  fired = false;
  genesisDone = false;
  bootstrapOver = false;
  /** Registrations with a grant. */
  grants = 0;
  /** Seat of the open vertex; undefined in a dry run. */
  vertexSeat: number | undefined;
  /** What seats gave out in grants and by the faucet. */
  givenOut: { day: number; seat: number; amount: bigint }[] = [];
  late: ModelLate[] = [];
  /** Registrations, by the seat of their vertex. */
  newcomers: { day: number; seat: number }[] = [];
  baseFees = 0n;
  generated = 0n;
  /** Recognised value by bucket. */
  generatedIn = new Map<number, bigint>();
  pools: bigint[] = [];
  agents: ModelAgent[] = [];
  validators: ModelValidator[] = [];
  seats = new Map<number, ModelSeat>();
  items: ModelItem[] = [];
  keys: ModelKey[] = [];
  seen: { txid: string; at: number }[] = [];
  categories: string[] = [...FIXED_CATEGORIES];
  /** Deposits of registrations with the router, and the rows that they are for, by agent. */
  routerDeposits = new Map<number, bigint>();
  routerRows = new Map<number, number>();
  tasks: ModelTask[] = [];
  /** Tasks whose submission waits for the run of its contract, and the fuel of the runs of the open block. */
  due: ModelTask[] = [];
  blockFuel = 0;
  router!: RouterModel;
  assuranceFees = 0n;
  assuredCompleted: { bucket: number; budget: bigint }[] = [];
  /** Days on which applicants became active, one entry for each. */
  joined: number[] = [];
  seatLog: { day: number; validator: ModelValidator }[] = [];
  commits: { agent: ModelAgent; at: number }[] = [];
  challenges: ModelChallenge[] = [];
  jobs: ModelJob[] = [];
  canaries: ModelCanary[] = [];
  canariesCommitted = 0;
  assuredSubmissions = 0;
  /** Second of the refill of each replay reserve, 0 = none under way. */
  refills = [0, 0, 0, 0, 0];
  /** What the replays of a poster's tasks drew from the reserves. */
  draws: { day: number; poster: ModelAgent; amount: bigint }[] = [];
  /** Excluded by the block, and not told yet. */
  excluded: ModelValidator[] = [];
  /** Seats that resumed with the block, and in which incarnation, not told yet; and the epoch of them. */
  resumed = new Map<number, number>();
  resumedIn = { epoch: 0, mayLose: false };
  /** The open block may lose writes; order and second of the newest that may have. */
  losesWrites = false;
  lostWrites = { order: 0, secs: 0 };
  /** All epochs, the running one last; sum of the steps of T that counts for silence (consensus 5.11). */
  epochs: ModelEpoch[];
  awakeMs = 0;
  /** Seats without ordering weight because they were silent, and changes of that which are not told yet. */
  removed = new Set<number>();
  /** Newest revision that each seat named last, and the one that applies. */
  named = new Map<number, number>();
  revision = 0;
  untold = new Map<number, { change: number; from: number | undefined }>();
  /** Day for which held weights were moved on. */
  weightDay = 0;
  /** Day for which clusters were built. */
  clusterDay = 0;
  /** Verdicts of two validators on one event, by their indexes: in structured categories and in others. */
  pairs = new Map<string, { members: ModelValidator[]; common: number[]; agreed: number[] }>();
  out: Outcome[] = [];

  constructor(readonly config: CoreConfig) {
    this.launch = config.launchSecs;
    this.timeMs = config.launchSecs * 1000;
    this.epochs = [newEpoch(this.timeMs, 0)];
  }

  /** Consensus second; 1 before the clock starts, so that 0 can mean never. */
  get now(): number {
    return Math.max(1, Math.floor(this.timeMs / 1000));
  }

  param(number: number): number {
    return this.config.params[number]!;
  }

  /** Capacity by place in the configuration record. */
  capacity(table: number): number {
    return this.config.capacities[table]!;
  }

  days(from: number, to: number): number {
    return Math.floor((to - from) / this.param(0));
  }

  agentByKey(key: string): ModelAgent | undefined {
    return this.agents.find((a) => a.key === key || (a.publicKey !== '' && a.publicKey === key));
  }

  validatorOf(agent: ModelAgent): ModelValidator | undefined {
    return this.validators.find((v) => v.agent === agent);
  }

  /**
   * An agent's record in a category, made when it is new; undefined when there is no room, or the agent cannot pay: its
   * record of transfers and one more are free (protocol 6.18).
   */
  record(agent: ModelAgent, category: number): Rec | undefined {
    const found = agent.records.find((r) => r.category === category);
    if (found) return found;
    if (category !== abi.CATEGORY_TRANSFER) {
      const paid = agent.records.some((r) => r.category !== abi.CATEGORY_TRANSFER);
      if (this.recordCount() >= this.capacity(RECORDS)) return undefined;
      const fee = paid ? this.rowPrice(RECORDS, this.recordCount()) : 0n;
      if (agent.balance < fee) return undefined;
      this.payFee(agent, fee);
    }
    const added = {
      category,
      completed: 0,
      failed: 0,
      lastActive: 0,
      earned: 0n,
      scoreSum: 0,
      deliverySum: 0,
    };
    agent.records.push(added);
    agent.records.sort((a, b) => a.category - b.category);
    return added;
  }

  /** Rows of records beside those that agents have from the beginning. */
  recordCount(): number {
    const others = (a: ModelAgent): number =>
      a.records.filter((r) => r.category !== abi.CATEGORY_TRANSFER).length;
    return this.agents.reduce((sum, a) => sum + others(a), 0);
  }

  /** Price of the next row of a table with `live` rows. */
  rowPrice(table: number, live: number): bigint {
    const rows = BigInt(this.capacity(table));
    return (BigInt(this.param(abi.PARAM_ROW_DEPOSIT)) * rows) / (rows - BigInt(live));
  }

  /** What the next row of a validator costs, by the stake that is required now. */
  validatorFee(required: bigint): bigint {
    const rows = BigInt(this.capacity(VALIDATORS));
    const free = rows - BigInt(this.validators.length);
    return 2n * free >= rows ? 0n : (required * rows) / (2n * free) - required;
  }

  payFee(agent: ModelAgent, fee: bigint): void {
    agent.balance -= fee;
    this.pools[abi.POOL_TREASURY]! += fee;
  }

  /** What `added` new names of categories cost; undefined when there is no room for them. */
  categoriesFee(added: number): bigint | undefined {
    if (this.categories.length + added > this.capacity(CATEGORIES)) return undefined;
    let fee = 0n;
    for (let i = 0; i < added; i++) fee += 10n * this.rowPrice(CATEGORIES, this.categories.length + i);
    return fee;
  }

  /** Number of a task's category: a new name is the poster's expense, or counts as `general`. */
  nameCategory(poster: ModelAgent, name: string): number {
    const known = this.categories.indexOf(name);
    if (known >= 0) return known;
    const fee = this.categoriesFee(1);
    if (fee === undefined || poster.balance < fee) return abi.CATEGORY_GENERAL;
    this.payFee(poster, fee);
    return this.categories.push(name) - 1;
  }

  voteCount(): number {
    const kept = this.tasks.reduce((sum, t) => sum + t.judges.length, 0);
    const onCases = this.challenges.reduce((sum, c) => sum + c.votes.length, 0);
    const onItem = (i: ModelItem): number => i.votes.length + i.commitments.length * COMMITTED_ROWS;
    return kept + onCases + this.items.reduce((sum, i) => sum + onItem(i), 0);
  }

  /** Item rows that tasks under way may still need. */
  itemsPromised(): number {
    const promised = (t: ModelTask): number => {
      if (t.status === abi.TASK_CLAIMED) return t.lane === abi.LANE_NONE ? 1 : 2;
      return t.status === abi.TASK_SUBMITTED ? 1 : 0;
    };
    return this.tasks.reduce((sum, t) => sum + promised(t), 0);
  }
}
