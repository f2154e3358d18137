// The model's tables: plain objects and arrays, found by walking, never indexed.
// Keeps: everything that a rule may read; derived figures are computed when asked.

import * as abi from '../../assembly/abi.ts';
import type { CoreConfig, Outcome } from '../core/driver.ts';
import type { ModelCanary, ModelChallenge, ModelJob } from './case-state.ts';
import type { RouterModel } from './router.ts';
import { type ModelEpoch, newEpoch } from './silence.ts';
import type { ModelTask } from './task-state.ts';
import type { ModelSeat, ModelValidator } from './validator-state.ts';

export type { ModelSeat, ModelValidator } from './validator-state.ts';

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
  /** Has a listing, had one, or never had. */
  listing: 'never' | 'listed' | 'taken down';
  records: Rec[];
}

export interface ModelVote {
  validator: ModelValidator;
  approve: boolean;
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
  amount: bigint;
  deadline: number;
  created: number;
  assigned: number[];
  votes: ModelVote[];
  task: ModelTask | undefined;
  /** Takes no more votes. */
  isClosed: boolean;
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
  revoked: number;
  /** Start of the hour in which it was used last, and its uses in that hour. */
  hour: number;
  uses: number;
}

export class ModelState {
  timeMs = 0;
  launch = 0;
  order = 0;
  seq = 0;
  block = 0;
  blockHash = '';
  entries = 0;
  index = 0;
  eventIndex = 0;
  fired = false;
  genesisDone = false;
  bootstrapOver = false;
  registrations = 0;
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
  categories: string[] = ['transfer', 'generation', 'general'];
  tasks: ModelTask[] = [];
  router!: RouterModel;
  assuranceFees = 0n;
  assuredCreated: { bucket: number; budget: bigint }[] = [];
  assuredCompleted: { bucket: number; budget: bigint }[] = [];
  seatLog: { day: number; validator: ModelValidator }[] = [];
  commits: { agent: ModelAgent; at: number }[] = [];
  challenges: ModelChallenge[] = [];
  jobs: ModelJob[] = [];
  canaries: ModelCanary[] = [];
  canariesCommitted = 0;
  assuredSubmissions = 0;
  /** Second of the refill of each replay reserve, 0 = none under way. */
  refills = [0, 0, 0, 0, 0];
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
  untold = new Map<number, { change: number; from: number | undefined }>();
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

  record(agent: ModelAgent, category: number): Rec {
    const found = agent.records.find((r) => r.category === category);
    if (found) return found;
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

  recordCount(): number {
    return this.agents.reduce((sum, a) => sum + a.records.length, 0);
  }

  voteCount(): number {
    const kept = this.tasks.reduce((sum, t) => sum + t.judges.length, 0);
    const onCases = this.challenges.reduce((sum, c) => sum + c.votes.length, 0);
    return kept + onCases + this.items.reduce((sum, i) => sum + i.votes.length, 0);
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
