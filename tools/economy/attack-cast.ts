// The cast of the attacks: what sybils, launderers, wash traders, claim hogs and spammers do with their identities, and what
// each pays and gains by it (docs/security.md).
// Keeps: every figure is the core's. Grants are no yield of an attack: the daily budget bounds them (protocol 6.11).

import * as abi from '../../assembly/abi.ts';
import * as commands from '../../host/core/commands.ts';
import { validatorApply } from '../../host/core/validator-commands.ts';
import {
  backedClaim,
  type Chain,
  claim,
  keyOf,
  listing,
  payment,
  posting,
  ROGUE,
  registration,
  type Sent,
  staking,
  TOKEN,
  tasksOf,
  trade,
  unstaking,
  verdict,
} from './attack-chain.ts';
import { DAY } from './world.ts';

/** What one attack came to; amounts in micro-units. */
export interface Yield {
  /** What the attacker's identities have less than before, grants aside; and what more. */
  cost: number;
  gained: number;
  /** What they have bound for it in the end: stake, deposits of rows. It comes back. */
  locked: number;
  /** Trust limit or vote weight beyond what the stake alone gives. */
  power: number;
  /** What else it left, in words. */
  left: string;
}

const names = (what: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${what}${i}`);
const locked = (chain: Chain, all: readonly string[]): number =>
  all.reduce((sum, name) => {
    const { staked, reserved } = chain.state.agent(chain.index(name))!;
    return sum + staked + reserved;
  }, 0);
const owned = (chain: Chain, all: readonly string[]): number =>
  all.reduce((sum, name) => sum + chain.balance(name), locked(chain, all));
const difference = (before: number, after: number): Pick<Yield, 'cost' | 'gained'> => ({
  cost: Math.max(0, before - after),
  gained: Math.max(0, after - before),
});
const accepted = (codes: readonly number[]): number => codes.filter((code) => code === abi.OK).length;

/** Identities that register through the rogue seat on one day: what they were granted, each. */
export function registerAll(chain: Chain, what: string, count: number): number[] {
  const sent = names(what, count).map((name) => registration(name));
  return chain.run(sent, ROGUE).words.map((words) => words[abi.RESULT_REGISTER_GRANT]!);
}

/**
 * The grants, brought together in one account: who was granted something stakes half, sends the other half, and the
 * honest seats approve. Half of it stays as stake, which is not lost, so it counts as brought as well.
 */
export function launder(chain: Chain, grants: readonly number[]): { yielded: number; fees: number } {
  chain.run([registration('collector')], ROGUE);
  const before = chain.balance('collector');
  let kept = 0;
  let sent = 0;
  for (const [i, grant] of grants.entries()) {
    if (grant < 2) continue;
    const half = Math.floor(grant / 2);
    chain.run([staking(`sybil${i}`, grant - half)]);
    const [event] = chain.run([payment(`sybil${i}`, 'collector', half)]).txIds;
    chain.run([0, 1, 2].map((seat) => verdict(`op${seat}`, event!)));
    kept += grant - half;
    sent += half;
  }
  const arrived = chain.balance('collector') - before;
  return { yielded: kept + arrived, fees: sent - arrived };
}

/** What reputation adds to the power of an agent with a stake: as little as its limit is above it, or ten times its standing. */
const powerOf = (chain: Chain, name: string): number => 10 * chain.state.agent(chain.index(name))!.standing;

/** Tasks of 0.1 token among own identities, one for each: the attack of the first version. */
export function washSmall(chain: Chain, count: number, seat = 1): Yield & { reputationBp: number } {
  const workers = names('worker', count);
  chain.run([registration('wash'), ...workers.map((name) => registration(name))], seat);
  const all = ['wash', ...workers];
  const before = owned(chain, all);
  // One worker does a hundred of them; the others one each, as far as the table of open tasks is worth the time.
  for (let i = 0; i < 100; i++) trade(chain, 'wash', workers[0]!, TOKEN / 10);
  for (const name of workers.slice(1, 1000)) trade(chain, 'wash', name, TOKEN / 10);
  const { reputationBp } = chain.state.agent(chain.index(workers[0]!))!;
  const power = Math.max(...workers.slice(0, 1000).map((name) => powerOf(chain, name)));
  const left = `score of the first ${reputationBp} bp`;
  const cost = difference(before, owned(chain, all));
  return { ...cost, locked: locked(chain, all), power, left, reputationBp };
}

/**
 * All granted money of a day in tasks for one worker, as large as each poster can pay: the most standing for its fees.
 * The worker's own grant is the stake behind the claims.
 */
export function washLarge(chain: Chain, count: number): Yield {
  const grants = registerAll(chain, 'sybil', count);
  const posters = names('sybil', count).filter((_, i) => i > 0 && grants[i]! >= 1000 * TOKEN);
  const all = ['sybil0', ...posters];
  const before = owned(chain, all);
  for (const poster of posters) trade(chain, poster, 'sybil0', chain.balance(poster));
  const power = powerOf(chain, 'sybil0');
  return {
    ...difference(before, owned(chain, all)),
    locked: locked(chain, all),
    power,
    left: `standing of ${Math.round(power / 10 / TOKEN)} tokens`,
  };
}

/**
 * Identities hold the open tasks of an honest poster, 2,000 of them to be delivered in a day: one task each, for which
 * they need nothing; then who was granted something stakes it for as many more as one agent may hold.
 */
export function hogClaims(chain: Chain, count: number): Yield {
  const grants = registerAll(chain, 'sybil', count);
  const hogs = names('sybil', count);
  chain.run([registration('poster')], 0);
  const wanted = Array.from({ length: 2000 }, () => posting('poster', TOKEN, DAY));
  const tasks = tasksOf(chain.run(wanted));
  const before = owned(chain, hogs);
  const firsts = hogs.slice(0, tasks.length).map((hog, i) => claim(hog, tasks[i]!));
  let held = accepted(chain.attempt(firsts).codes);
  for (const hog of hogs.filter((_, i) => grants[i]! > 0))
    while (held < tasks.length && backedClaim(chain, hog, tasks[held]!)) held++;
  const left = `${held.toLocaleString('en-US')} of ${tasks.length.toLocaleString('en-US')} open tasks held`;
  return { ...difference(before, owned(chain, hogs)), locked: locked(chain, hogs), power: 0, left };
}

/** API keys that one owner may have (protocol 4.9). */
const MAX_KEYS = 50;

/** Rows of the table of API keys. */
const KEY_ROWS = 131_072;

/** An API key of the rogue seat: a row that stays until somebody revokes it. */
const keyCreation = (name: string, number: number): Sent => {
  const id = keyOf(`key ${number} of ${name}`);
  const key = { keyId: id.subarray(0, 8), hash: id, scopes: abi.SCOPE_TASKS, hourlyLimit: 1 };
  return {
    actor: keyOf(name),
    build: (head) => commands.keyCreate(head, { ...key, expiresAt: 0, issuingSeat: ROGUE }),
  };
};

/**
 * Spreads the grants: who was granted something stakes half and sends the other half to identities of `poor` in turn; the
 * honest seats approve, and the stake is free again but for a token.
 */
function spread(chain: Chain, rich: readonly string[], poor: readonly string[]): void {
  const halves = rich.map((name) => Math.floor(chain.balance(name) / 2));
  chain.run(rich.map((name, i) => staking(name, halves[i]!)));
  const shares = Math.ceil(poor.length / rich.length);
  const payments = poor.map((name, i) => {
    const payer = i % rich.length;
    return payment(rich[payer]!, name, Math.floor(halves[payer]! / shares));
  });
  const events = chain.run(payments).txIds;
  chain.run(events.flatMap((event) => [0, 1, 2].map((seat) => verdict(`op${seat}`, event))));
  chain.run(rich.map((name, i) => unstaking(name, halves[i]! - TOKEN)));
}

/**
 * Identities that make rows which nobody needs: themselves, all API keys that the grants can pay for when they are spread
 * over as many owners as it takes, and payments without a fee.
 */
export function spam(chain: Chain, count: number): Yield {
  const spammers = names('sybil', count);
  const rowsBefore = chain.state.header().agents;
  const grants = registerAll(chain, 'sybil', count);
  const before = owned(chain, spammers);
  const rich = spammers.filter((_, i) => grants[i]! > 0);
  const poor = spammers.filter((_, i) => grants[i] === 0).slice(0, KEY_ROWS / MAX_KEYS);
  spread(chain, rich, poor);
  // The last rows are the dearest.
  const wanted = [...poor, ...rich].flatMap((name) =>
    Array.from({ length: MAX_KEYS }, (_, i) => keyCreation(name, i)),
  );
  const keys = accepted(chain.attempt(wanted, ROGUE).codes);
  const events = accepted(chain.attempt(rich.map((name) => payment(name, 'op0', 999))).codes);
  chain.run([], 0, DAY);
  const rows = [chain.state.header().agents - rowsBefore, keys, events].map((n) => n.toLocaleString('en-US'));
  const left = `rows of ${rows[0]} agents for ever, ${rows[1]} API keys until revoked, ${rows[2]} events for minutes`;
  return { ...difference(before, owned(chain, spammers)), locked: locked(chain, spammers), power: 0, left };
}

/** The longest body that a node takes, and what is left of the first 32 KiB after a registration and three requests of 8. */
const LONGEST_KIB = 1024;
const LAST_KIB = 7;

/** Identities that write on one day what is free for them, in whatever sizes fill it best, through the rogue seat. */
export function fillLog(chain: Chain, count: number): Yield {
  const grants = registerAll(chain, 'sybil', count);
  const sybils = names('sybil', count);
  const before = owned(chain, sybils);
  let kib = count;
  const write = (writers: readonly string[], size: number): void => {
    kib +=
      size *
      accepted(
        chain.attempt(
          writers.map((name) => listing(name, size)),
          ROGUE,
        ).codes,
      );
  };
  const rich = sybils.filter((_, i) => grants[i]! > 0);
  const poor = sybils.filter((_, i) => grants[i] === 0);
  const { params } = chain;
  for (const name of rich) {
    let free = Math.floor(chain.balance(name) / params.holding_per_kib) + params.first_kib - 1;
    for (; free > 0; free -= LONGEST_KIB) write([name], Math.min(free, LONGEST_KIB));
  }
  for (let i = 0; i < 4; i++) write(poor, 8);
  write(poor, LAST_KIB);
  const left = `${(kib / 1024).toLocaleString('en-US', { maximumFractionDigits: 1 })} MiB of everybody's log for ever`;
  return { ...difference(before, owned(chain, sybils)), locked: locked(chain, sybils), power: 0, left };
}

/**
 * Ten identities of a one-seat network whose operator approves everything and never objects: their share of the verdict
 * weight when the first has become active, and a month later.
 */
export function judgeTogether(chain: Chain): { first: number; month: number } {
  const judges = names('judge', 10);
  const traders = [registration('from', 20_000 * TOKEN), registration('to')];
  chain.run([...traders, ...judges.map((name) => registration(name, 45_000 * TOKEN))]);
  chain.run(judges.map((name) => ({ actor: keyOf(name), build: (head) => validatorApply(head, []) })));
  for (let i = 0; i < 400; i++) {
    const [event] = chain.run([payment('from', 'to', TOKEN / 100)]).txIds;
    chain.run([...judges, 'op0'].map((name) => verdict(name, event!)));
  }
  const share = (): number => {
    const sum = judges.reduce((all, _, i) => all + chain.weight(i + 1), 0);
    return sum / (sum + chain.weight(0));
  };
  let first: number | undefined;
  for (let day = 0; day < 37 + 30; day++) {
    chain.run([], 0, DAY);
    if (first === undefined && share() > 0) first = share();
  }
  return { first: first ?? 0, month: share() };
}
