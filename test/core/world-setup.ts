// Random configurations and genesis seats for the differential test: seeded, with borders of the rules among them.
// Keeps: everything follows from the seed.

import { createHash } from 'node:crypto';
import * as abi from '../../assembly/abi.ts';
import { type CoreConfig, DEFAULT_PARAMS, unhex } from './driver.ts';
import type { SeatInit } from './records.ts';

const TOKEN = 1_000_000n;
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Public key of a name. */
export const keyFor = (name: string): string => hash(`key ${name}`);

/**
 * What a world is about: everything; one agent's claims and verdicts, many of them; tasks; few agents that take what
 * they can; cases (challenges, replays, validators' lives, canaries); few judges that always agree; canaries.
 */
export type Kind = 'mixed' | 'busy' | 'tasks' | 'hoard' | 'court' | 'clan' | 'canaries';

export function kindOf(seed: number): Kind {
  if (seed % 16 === 6) return 'hoard';
  if (seed % 16 === 13) return 'clan';
  if (seed % 16 === 9) return 'canaries';
  const kinds: Kind[] = ['busy', 'court', 'tasks', 'mixed'];
  return kinds[seed % 4]!;
}

export const isOfCases = (kind: Kind): boolean => ['court', 'clan', 'canaries'].includes(kind);
export const isOfTasks = (kind: Kind): boolean => ['tasks', 'hoard'].includes(kind) || isOfCases(kind);

/** mulberry32: small, seeded, good enough to choose test cases. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 .. below - 1 */
  int(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  }

  hit(oneIn: number): boolean {
    return this.int(oneIn) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!;
  }
}

const TIGHT = [40, 12, 8, 150, 8, 30, 24, 22, 6, 3, 300, 9, 3, 2, 20, 3];
const ROOMY = [300, 300, 900, 4000, 300, 600, 32, 26, 200, 200, 300, 300, 60, 60, 300, 6];
// Agents, items, votes, TxIDs, keys, records, validators, categories, tasks, bars, capabilities, calibrations,
// challenges, jobs, pairs, canaries.
const TIGHT_CASES = [70, 100, 60, 4000, 20, 200, 30, 34, 30, 40, 20, 20, 2, 2, 20, 3];
const FOR_CASES = [110, 300, 2000, 4000, 60, 600, 40, 54, 400, 300, 60, 300, 200, 200, 400, 60];

const TIGHT_SEEDS: Partial<Record<Kind, (seed: number) => boolean>> = {
  mixed: (seed) => seed % 8 === 3,
  tasks: (seed) => seed % 3 === 0,
  court: (seed) => seed % 32 === 17,
};

/** Parameters under which tasks move: short windows, and quorums that are reached. */
function hastenTasks(chance: Chance, params: number[]): void {
  params[abi.PARAM_REVIEW_DEFAULT_SECS] = chance.pick([300, 20]);
  params[abi.PARAM_MAX_DELIVERY_TIME_SECS] = chance.pick([600, 60]);
  params[abi.PARAM_DISPUTE_DEADLINE_SECS] = chance.pick([3600, 100, 0]);
  params[abi.PARAM_CONTEST_SECS] = 3600;
  params[abi.PARAM_DAY_SECS] = chance.pick([86400, 3600, 100]);
  params[abi.PARAM_MIN_PARTICIPANTS] = chance.pick([1, 1, 2]);
}

const CANARY_RATES: Partial<Record<Kind, number>> = { canaries: 10_000, clan: 0 };

/** Likewise for challenges, replays, rotations, and whatever days bring. */
function hastenCases(chance: Chance, params: number[], kind: Kind): void {
  params[abi.PARAM_CHALLENGE_TTL_SECS] = chance.pick([259_200, 600, 100]);
  params[abi.PARAM_REPLAY_SUBMISSION_SECS] = chance.pick([7200, 200, 30]);
  params[abi.PARAM_RECOVERY_DELAY_SECS] = chance.pick([86_400, 100, 10]);
  params[abi.PARAM_CANARY_RATE_BP] = CANARY_RATES[kind] ?? chance.pick([0, 0, 5000]);
  params[abi.PARAM_DAY_SECS] = chance.pick(kind === 'court' ? [3600, 100, 20] : [3600, 600]);
  if (kind === 'court') return;
  params[abi.PARAM_REVIEW_DEFAULT_SECS] = 300;
  params[abi.PARAM_MAX_DELIVERY_TIME_SECS] = 600;
  params[abi.PARAM_DISPUTE_DEADLINE_SECS] = 3600;
  params[abi.PARAM_MIN_PARTICIPANTS] = 1;
}

export function makeConfig(seed: number, chance: Chance, kind: Kind): CoreConfig {
  const params = [...DEFAULT_PARAMS];
  const isBusy = kind === 'busy';
  params[abi.PARAM_DAY_SECS] = isBusy ? 3 : chance.pick([86400, 3600, 100, 10, 1]);
  params[abi.PARAM_VERIFICATION_DEADLINE_SECS] = isBusy ? 300 : chance.pick([300, 300, 20, 3, 100_000]);
  params[abi.PARAM_FAUCET_COOLDOWN_SECS] = chance.pick([86400, 50]);
  params[abi.PARAM_FAUCET_AMOUNT] = chance.pick([5_000_000_000, 3_000_000_000_000_000]);
  params[abi.PARAM_MIN_PARTICIPANTS] = isBusy ? 1 : chance.pick([1, 1, 2, 3]);
  params[abi.PARAM_ALLOW_UNSIGNED] = chance.pick([1, 1, 0]);
  params[abi.PARAM_LEGACY_OPEN_COORDINATION] = chance.pick([0, 1]);
  params[abi.PARAM_ONBOARDING_DAILY_BUDGET] = seed % 5 === 3 ? 900_000_000_007 : 10_000_000_000_000;
  if (isOfTasks(kind)) hastenTasks(chance, params);
  if (isOfCases(kind)) hastenCases(chance, params, kind);
  const isTight = TIGHT_SEEDS[kind]?.(seed) ?? false;
  // Not drawn: what is drawn after it would change.
  params[abi.PARAM_SILENCE_EPOCHS] = 1 + (seed % 3);
  params[abi.PARAM_SILENCE_SECS] = [1, 20, 120, 604_800][(seed >> 2) % 4]!;
  params[abi.PARAM_CANCEL_NOTICE_SECS] = [60, 3, 1_000][(seed >> 1) % 3]!;
  // Where claims need no backing, more of what follows a claim is met.
  if (seed % 3 !== 1) {
    params[abi.PARAM_CLAIM_BUDGET] = 1e15;
    params[abi.PARAM_CLAIM_STAKE] = 1;
  } else if (seed % 2 === 1) {
    params[abi.PARAM_CLAIM_BUDGET] = 0;
  }
  params[abi.PARAM_ROW_DEPOSIT] = [100_000, 0, 2_000_000_000][seed % 3]!;
  params[abi.PARAM_FIRST_KIB] = [32, 5, 400][(seed >> 1) % 3]!;
  params[abi.PARAM_MIN_JUDGES] = [0, 0, 2][(seed >> 1) % 3]!;
  params[abi.PARAM_HOLDING_PER_KIB] = [10_000_000, 2_000_000_000, 1e15][(seed >> 2) % 3]!;
  if (isTight && kind === 'mixed') params[abi.PARAM_VERIFICATION_DEADLINE_SECS] = 100_000;
  return {
    testnet: isOfTasks(kind) || !chance.hit(4),
    chainId: chance.pick(['vws-testnet-1', 'vws-mainnet-1', 'odd "chain"\\\t1']),
    launchSecs: chance.pick([0, 0, 1_799_999_000]),
    params,
    capacities: isOfCases(kind) ? (isTight ? TIGHT_CASES : FOR_CASES) : isTight ? TIGHT : ROOMY,
  };
}

/** Seats of a court that may judge anything. */
const SURE_JUDGES = 5;

const SEATS: Record<Kind, number[]> = {
  mixed: [1, 2, 4, 7, 22],
  busy: [1],
  tasks: [4, 6, 12, 22],
  hoard: [4],
  court: [6, 8, 14, 22],
  clan: [8],
  canaries: [6],
};

function statusOf(chance: Chance, kind: Kind, seat: number, count: number): number {
  const statuses = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_ACTIVE, abi.VALIDATOR_ACTIVE];
  statuses.push(abi.VALIDATOR_PROBATION, abi.VALIDATOR_SUSPENDED, abi.VALIDATOR_EXCLUDED, abi.NO_STATUS);
  if (kind === 'clan') return seat < 6 ? abi.VALIDATOR_ACTIVE : abi.VALIDATOR_PROBATION;
  if (kind === 'canaries') return seat < 5 ? abi.VALIDATOR_ACTIVE : abi.VALIDATOR_PROBATION;
  const first = kind === 'court' ? SURE_JUDGES : 1;
  const isActive = seat < first || (count === 22 && kind !== 'court');
  return isActive ? abi.VALIDATOR_ACTIVE : chance.pick(statuses);
}

export function makeSeats(seed: number, chance: Chance, kind: Kind): SeatInit[] {
  // Twenty active ones end the bootstrap.
  const count = seed % 16 === 2 ? 22 : chance.pick(SEATS[kind]);
  const isSteady = kind === 'clan' || kind === 'canaries' || seed % 16 === 2;
  const isSure = (seat: number): boolean => isSteady || (kind === 'court' && seat < SURE_JUDGES);
  return Array.from({ length: count }, (_, seat) => ({
    seat,
    status: statusOf(chance, kind, seat, count),
    operator: unhex(keyFor(`op${seat}`)),
    stake: isSure(seat)
      ? 25_000n * TOKEN
      : chance.pick([25_000n, 25_000n, 24_999n, 40_000n, 1n]) * TOKEN + BigInt(chance.int(3)),
    baselineBp: kind === 'busy' || isSteady ? 5000 : chance.pick([5000, 5000, 8000, 0, 10000]),
    id: chance.pick(['v', 'V', 'val-', 'v1']) + seat * 7,
    categories: isSure(seat) ? [] : chance.pick([[], ['code'], ['code', 'data "x"'], ['überall']]),
    keyEpoch: chance.pick([1, 1, 4]),
  }));
}
