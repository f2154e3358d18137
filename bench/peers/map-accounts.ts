// Accounts of the plain JavaScript ledger: agents in a Map, amounts as BigInt, and what depends on one account alone.
// Keeps: the sum over all accounts is tracked, as in the core; credits and debits come in pairs.
// Sources: protocol 6.1, 6.8, 6.10, 6.11, 6.15, 6.17, 6.18.

import { hash } from 'node:crypto';
import type { MapAgent } from './map-types.ts';

const TOKEN = 1_000_000n;
const SUPPLY = 1_000_000_000n * TOKEN;
const OPERATOR_STAKE = 25_000n * TOKEN;
const OPERATOR_FUNDS = 25_000n * TOKEN;
export const DAY_SECS = 86_400;
/** Half of a standing is left after so many days. */
const HALF_DAYS = 60;
/** Halvings from here on leave nothing of any standing. */
const MAX_HALVINGS = 32;
const STANDING_UNIT = 1000n;
/** A token of standing carries so many tokens of trust limit or of vote weight. */
const POWER_PER_TOKEN = 10n;
/** Past half of the rows, a day takes one in so many of the free ones. */
const NEWCOMER_SHARE = 100;

const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer');

/** Math.min takes no BigInt. */
export function lowerOf(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** Grant by the number of earlier registrations. */
function grantTier(before: number): bigint {
  if (before < 1000) return 50_000n * TOKEN;
  if (before < 10_000) return 10_000n * TOKEN;
  if (before < 100_000) return 1000n * TOKEN;
  return before < 800_000 ? 100n * TOKEN : 0n;
}

/** What a day gives out, and rows for agents: those of the core beside which it runs. */
export interface MapLimits {
  dailyBudget: bigint;
  agents: number;
}

export class MapAccounts {
  readonly agents: MapAgent[] = [];
  /** Agents by agent key and by public key. */
  protected readonly byKey = new Map<string, MapAgent>();
  protected touched = new Set<number>();
  treasury = 100_000_000n * TOKEN - 250n * TOKEN;
  private ecosystem = 300_000_000n * TOKEN;
  protected supply: bigint;
  private grants = 0;
  /** The running day, what it gave out, and how many agents joined on it. */
  private readonly today = { day: 0, given: 0n, joined: 0 };
  protected nowSecs = 0;

  /** `operator`: hex key of the only seat, an agent with genesis stake and testnet funds. */
  constructor(
    operator: string,
    private readonly limits: MapLimits,
  ) {
    // All other pools together: no rule here moves them.
    const others = SUPPLY - this.treasury - this.ecosystem - OPERATOR_STAKE - OPERATOR_FUNDS;
    this.supply = others + this.treasury + this.ecosystem;
    const agent = this.addAgent(operator, operator, operator);
    agent.validator = 0;
    this.credit(agent, OPERATOR_FUNDS);
    agent.staked = OPERATOR_STAKE;
    this.supply += OPERATOR_STAKE;
  }

  /** Throws if the accounts no longer add up. */
  protected checkSupply(): void {
    if (this.supply !== SUPPLY) throw new Error('the accounts do not sum to the supply');
  }

  protected addAgent(key: string, publicKey: string, id: string): MapAgent {
    const agent: MapAgent = {
      index: this.agents.length,
      key,
      publicKey,
      id,
      fingerprint: sha256(`vws-fingerprint-v1:${id}`),
      balance: 0n,
      staked: 0n,
      reserved: 0n,
      exposure: 0n,
      stakedSince: 0,
      firstSeen: this.nowSecs,
      lastActive: this.nowSecs,
      transferred: 0n,
      completed: 0,
      failed: 0,
      standing: undefined,
      records: new Map(),
      validator: undefined,
    };
    this.agents.push(agent);
    this.byKey.set(key, agent);
    this.byKey.set(publicKey, agent);
    return agent;
  }

  /** The grant of the next registration by the schedule, and what is left of it today. */
  protected nextGrant(): { due: bigint; grant: bigint } {
    const due = lowerOf(grantTier(this.grants), this.ecosystem);
    const day = Math.floor(this.nowSecs / DAY_SECS);
    if (this.today.day !== day) Object.assign(this.today, { day, given: 0n, joined: 0 });
    return { due, grant: lowerOf(due, this.limits.dailyBudget - this.today.given) };
  }

  /** Half of the rows may be taken at once, a part of the others in a day. After `nextGrant`, which begins a day. */
  protected mayAddAgent(): boolean {
    const free = this.limits.agents - this.agents.length;
    if (free > this.limits.agents / 2) return true;
    return free > 0 && this.today.joined < Math.max(1, Math.floor(free / NEWCOMER_SHARE));
  }

  /** Counts a new agent and pays its grant, part of it as stake. */
  protected join(agent: MapAgent, grant: bigint, stake: bigint): void {
    this.today.joined += 1;
    this.today.given += grant;
    if (grant > 0n) this.grants += 1;
    this.ecosystem -= grant;
    this.supply -= grant;
    this.credit(agent, grant);
    if (stake === 0n) return;
    this.debit(agent, stake);
    agent.staked = stake;
    agent.stakedSince = this.nowSecs;
    this.supply += stake;
  }

  protected extendFingerprint(agent: MapAgent, eventId: string, outcome: 'completed' | 'failed'): void {
    const step = sha256(
      `{"category":"transfer","event_id":"${eventId}","outcome":"${outcome}","score_bp":0,"value":0}`,
    );
    agent.fingerprint = sha256(Buffer.concat([agent.fingerprint, step]));
  }

  /** Transfers are not part of the sums. */
  protected reputationBp(agent: MapAgent): bigint {
    if (agent.completed === 0) return 0n;
    const volume = Math.min(this.effectiveTasks(agent), 100);
    return (BigInt(agent.completed) * BigInt(volume) * 100n) / BigInt(agent.completed + agent.failed);
  }

  private effectiveTasks(agent: MapAgent): number {
    const idleDays = Math.floor((this.nowSecs - agent.lastActive) / DAY_SECS);
    return Math.max(0, agent.completed - Math.floor(idleDays / 30) * 25);
  }

  /** Stake times a multiplier of 1 to 5, above the stake only as far as standing carries it. */
  protected trustLimit(agent: MapAgent): bigint {
    if (agent.completed < 25) return agent.staked;
    const days = agent.staked === 0n ? 0 : Math.floor((this.nowSecs - agent.stakedSince) / DAY_SECS);
    const tier = Math.min(Math.floor(this.effectiveTasks(agent) / 25), Math.floor(days / 30), 4);
    if (tier === 0) return agent.staked;
    return lowerOf(agent.staked * BigInt(tier + 1), agent.staked + this.standingPower(agent));
  }

  /** What reputation may add to a trust limit or a vote weight. */
  protected standingPower({ standing }: MapAgent): bigint {
    if (!standing) return 0n;
    const periods = Math.floor((this.nowSecs - standing.since) / (HALF_DAYS * DAY_SECS));
    const units = BigInt(standing.units) >> BigInt(Math.min(periods, MAX_HALVINGS));
    return units * STANDING_UNIT * POWER_PER_TOKEN;
  }

  protected credit(agent: MapAgent, amount: bigint): void {
    agent.balance += amount;
    this.supply += amount;
    this.touch(agent);
  }

  protected debit(agent: MapAgent, amount: bigint): void {
    agent.balance -= amount;
    this.supply -= amount;
    this.touch(agent);
  }

  protected touch(agent: MapAgent): void {
    this.touched.add(agent.index);
  }
}
