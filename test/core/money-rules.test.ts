// Each money rule of protocol 6.2 to 6.7 and 6.12 in the core against BigInt, over random amounts of 0 to 10^15.
// VWS_CASES sets how many, VWS_SEED the seed, which is printed: VWS_CASES=1000000 VWS_SEED=7 npx vitest run <this file>

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { testSeed } from '../e2e/seed.ts';
import { replayNumber } from '../model/hashing.ts';
import * as rules from '../model/rules.ts';
import { assuranceFee } from '../model/task-money.ts';
import { unhex } from './driver.ts';
import { config } from './fixture.ts';
import { openProbed } from './probes.ts';
import { Chance, hash } from './world-setup.ts';

const CASES = Number(process.env.VWS_CASES ?? 20_000);
const SEED = testSeed(1);
const LANES = [abi.LANE_STANDARD, abi.LANE_HIGH, abi.LANE_ENTERPRISE];
const { core, probes } = openProbed(config());
const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** Amounts of every size up to the supply, its borders among them. */
function amountOf(chance: Chance): bigint {
  const most = 10n ** BigInt(chance.int(16));
  const drawn = (BigInt(chance.int(2 ** 32)) * 2n ** 32n + BigInt(chance.int(2 ** 32))) % (most + 1n);
  return chance.hit(50) ? chance.pick([0n, 1n, rules.SUPPLY, rules.SUPPLY - 1n, 9_999n, 10_000n]) : drawn;
}

function forEachCase(check: (chance: Chance, amount: bigint) => void): void {
  const chance = new Chance(SEED);
  for (let i = 0; i < CASES; i++) {
    const amount = amountOf(chance);
    try {
      check(chance, amount);
    } catch (error) {
      throw new Error(`VWS_SEED=${SEED} VWS_CASES=${i + 1}, amount ${amount}`, { cause: error });
    }
  }
}

test('fees, bonds, slashes, rewards and required stakes are exact (6.2, 6.3, 6.5, 6.6, 6.7, 6.12)', () => {
  forEachCase((chance, amount) => {
    const [lane, offense] = [chance.pick(LANES), chance.pick([1, 2, 3])];
    const [active, largest] = [BigInt(chance.int(40)), amountOf(chance)];
    const shown = [
      probes.probe_base_fee(amount),
      probes.probe_voter_cut(amount),
      probes.probe_assurance_fee(lane, amount),
      probes.probe_least_bond(amount),
      probes.probe_slash(amount, offense),
      probes.probe_reward(amount),
      probes.probe_required_stake(amount, active, largest),
    ].map(u64);
    const v0 = 100_000n * rules.TOKEN;
    const expected = [
      (amount * 10n) / 10_000n,
      (amount * 8_000n) / 10_000n,
      assuranceFee(lane, amount),
      rules.leastBond(amount),
      rules.offenseSlash(amount, offense),
      (1_000_000n * (v0 - rules.min(amount, v0))) / v0,
      rules.requiredStake(amount, Number(active), largest),
    ];
    if (shown.some((value, i) => value !== expected[i])) expect(shown).toEqual(expected);
  });
});

/** Up to five votes of a dispute; the weights together are no more than the supply, as stakes are. */
function votesOf(chance: Chance): { weight: bigint; approves: boolean }[] {
  return Array.from({ length: chance.int(6) }, () => ({
    weight: amountOf(chance) / 5n,
    approves: !chance.hit(4),
  }));
}

test('the assurance fee is shared to the unit, with and without replay, verifiers by weight (6.4)', () => {
  const pools = [abi.POOL_TREASURY, abi.POOL_DISPUTE, abi.POOL_CANARY];
  forEachCase((chance, fee) => {
    const hasReplay = chance.hit(2);
    const reserve = abi.POOL_REPLAY_CODE + chance.int(5);
    const held = chance.hit(2) ? amountOf(chance) : BigInt(chance.int(6_000_000));
    const votes = votesOf(chance);
    core.input(
      new Uint8Array(BigUint64Array.from(votes.flatMap((v) => [v.weight, BigInt(v.approves)])).buffer),
    );
    const executor = u64(probes.probe_fee_split(fee, hasReplay ? 1 : 0, reserve, held, votes.length));
    const header = core.query(abi.QUERY_HEADER)!;
    const pool = (number: number): bigint => header.getBigUint64(8 * (abi.HEADER_POOLS + number), true);
    const parts = rules.feeSplit(fee, hasReplay);
    const topUp = hasReplay ? rules.min(held, rules.executorPart(fee).missing) : 0n;
    const weights = votes.map(({ weight, approves }) => (approves ? weight : 0n));
    const weight = sum(weights);
    const shares = weights.map((own) => (weight === 0n ? 0n : (parts.verifiers * own) / weight));
    const shown = [executor, pool(reserve), ...pools.map(pool)];
    shown.push(...votes.map((_, i) => u64(probes.probe_balance(i))));
    const expected = [parts.executor + topUp, held + parts.reserve - topUp];
    expected.push(parts.treasury + parts.verifiers - sum(shares), parts.dispute, parts.canary, ...shares);
    if (shown.some((value, i) => value !== expected[i])) expect(shown).toEqual(expected);
    if (sum(shown) !== fee + held) expect(sum(shown)).toBe(fee + held);
  });
});

test('the worked examples of 6.3 to 6.6 and 6.12', () => {
  const token = rules.TOKEN;
  const fee = (lane: number, tokens: bigint): bigint => probes.probe_assurance_fee(lane, tokens * token);
  expect([fee(1, 200n), fee(1, 25n), fee(3, 90n)]).toEqual([6_000_000n, 2_000_000n, 8_000_000n]);
  expect(probes.probe_slash(25_000_000_001n, abi.OFFENSE_FRAUDULENT_APPROVAL)).toBe(7_500_000_000n);
  expect([250n, 40n].map((tokens) => probes.probe_least_bond(tokens * token))).toEqual([2_500_000n, token]);
  expect(probes.probe_reward(25_000n * token)).toBe(750_000n);
  expect(probes.probe_required_stake(1_200_000n * token, 12n, 400_000n * token)).toBe(120_000n * token);
  expect(probes.probe_fee_split(6_000_000n, 1, abi.POOL_REPLAY_CODE, 50n * token, 0)).toBe(5_000_000n);
});

test('replay rates: the highest that applies, and its reason (6.12)', () => {
  for (let i = 0; i < 16 * 21; i++) {
    const [over, eligible, novice, cluster] = [1, 2, 4, 8].map((bit) => (i & bit) !== 0);
    const completed = i >> 4;
    const shown = probes.probe_replay_rate(+over!, +eligible!, +novice!, +cluster!, completed);
    const facts = { isBootstrap: !over!, isEligible: eligible!, completed };
    const { bp, reason } = rules.replayRate({ ...facts, hasProbation: novice!, hasCluster: cluster! });
    expect([shown & 0xffff, shown >> 16]).toEqual([bp, reason]);
  }
});

test('the draw of a replay follows from task and block alone (6.12)', () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < Math.min(CASES, 5_000); i++) {
    const [task, block] = [hash(`task ${SEED} ${i}`).slice(0, 32), hash(`block ${SEED} ${i}`)];
    const rate = chance.pick([2000, 3500, 4000, 5000, 7500, 10_000, chance.int(10_001)]);
    core.input(unhex(task + block));
    expect(probes.probe_replay_draw(BigInt(rate)) !== 0).toBe(replayNumber(task, block) < rate);
  }
});

test('verdicts of replays: outcome, action, severity, mismatches (7.6)', () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < CASES; i++) {
    const kinds = chance.pick([[0], [0, 0, 0, 1], [0, 0, 4, 4], [0, 1, 2, 4, 5, 6], [0, 0, 0, 0, 0, 0, 2]]);
    const checks = Array.from({ length: 1 + chance.int(60) }, () => chance.pick(kinds));
    core.input(Uint8Array.from(checks));
    const packed = u64(probes.probe_verdict(checks.length));
    const words = [0n, 16n, 32n, 48n].map((shift) => Number((packed >> shift) & 0xffffn));
    const { outcome, action, severity, mismatches } = rules.replayResult(checks);
    if (words.join() !== [outcome, action, severity, mismatches].join()) {
      throw new Error(`VWS_SEED=${SEED}: ${checks} gave ${words}`);
    }
  }
});
