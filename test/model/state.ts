// The model's tables: plain objects and arrays, found by walking, never indexed.
// Keeps: everything that a rule may read; derived figures are computed when asked.

import type { CoreConfig, Outcome } from '../core/driver.ts';

export interface Rec {
  category: number;
  completed: number;
  failed: number;
  lastActive: number;
  earned: bigint;
  scoreSum: number;
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
  records: Rec[];
}

export interface ModelValidator {
  index: number;
  id: string;
  status: number;
  agent: ModelAgent;
  seat: number;
  baselineBp: number;
  registeredAt: number;
  lastDuty: number;
  /** Votes on events decided by quorum: category and whether right. */
  decided: { category: number; right: boolean }[];
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
  amount: bigint;
  deadline: number;
  created: number;
  assigned: number[];
  votes: ModelVote[];
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
}

export interface ModelSeat {
  operator: ModelAgent;
  validator: ModelValidator | undefined;
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
  generatedLog: { bucket: number; value: bigint }[] = [];
  pools: bigint[] = [];
  agents: ModelAgent[] = [];
  validators: ModelValidator[] = [];
  seats = new Map<number, ModelSeat>();
  items: ModelItem[] = [];
  keys: ModelKey[] = [];
  seen: { txid: string; at: number }[] = [];
  categories: string[] = ['transfer', 'generation'];
  out: Outcome[] = [];

  constructor(readonly config: CoreConfig) {
    this.launch = config.launchSecs;
    this.timeMs = config.launchSecs * 1000;
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
    const added = { category, completed: 0, failed: 0, lastActive: 0, earned: 0n, scoreSum: 0 };
    agent.records.push(added);
    agent.records.sort((a, b) => a.category - b.category);
    return added;
  }

  recordCount(): number {
    return this.agents.reduce((sum, a) => sum + a.records.length, 0);
  }

  voteCount(): number {
    return this.items.reduce((sum, i) => sum + i.votes.length, 0);
  }
}
