// The ledger's peer must follow the same rules, or its speed means nothing: both sides on a mixed story with refusals,
// rejections and expiries, compared outcome by outcome.

import { describe, expect, it } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { LedgerRace } from '../../bench/ledger-race.ts';
import { type Batch, LedgerWork } from '../../bench/ledger-work.ts';
import type { MapCommand } from '../../bench/peers/map-types.ts';
import * as commands from '../../host/core/commands.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { SeededRandom } from '../../tools/load/seeded-random.ts';

const AGENTS = 12;
/** A day's budget of eight grants and a half, and half of the rows for fewer agents than a story has. */
const SCARCE = { dailyBudget: 425_000_000_000, agents: 32, tasks: 1 };
const EMPTY: Batch = { records: [], commands: [] };

/** Random commands in both forms over a few agents, most of them sensible. */
class Mixed {
  readonly keys: Uint8Array[] = [];
  private readonly events: Uint8Array[] = [];
  private readonly sent: [Uint8Array, MapCommand][] = [];

  constructor(
    private readonly random: SeededRandom,
    private readonly operator: Uint8Array,
  ) {}

  register(lastSecs: number): [Uint8Array, MapCommand] {
    const known = this.keys.length > 0 && this.random.below(4) === 0;
    const key = known ? this.random.pick(this.keys) : this.random.bytes(32);
    if (!known) this.keys.push(key);
    const txId = this.random.bytes(32);
    const stake = this.random.pick([0, 1_000, 30_000_000_000, 60_000_000_000]);
    const [id, head] = [toHex(key), { txId, actor: key, auth: abi.AUTH_TX_V1, lastSecs, windowSecs: 240 }];
    const command: MapCommand = {
      op: 'register',
      txId: toHex(txId),
      actor: id,
      lastSecs,
      publicKey: id,
      stake: BigInt(stake),
      agentId: id,
    };
    return [commands.register(head, key, stake, id), command];
  }

  transfer(lastSecs: number): [Uint8Array, MapCommand] {
    const txId = this.random.bytes(32);
    const parties = [...this.keys, this.operator, this.random.bytes(32)];
    const [from, to] = [this.random.pick(parties), this.random.pick(parties)];
    const amount = this.random.pick([1, 999, 12_345_678, 40_000_000_000]);
    this.events.push(txId);
    const command: MapCommand = {
      op: 'transfer',
      txId: toHex(txId),
      actor: toHex(from),
      lastSecs,
      to: toHex(to),
      amount: BigInt(amount),
    };
    return [
      commands.transfer({ txId, actor: from, auth: abi.AUTH_TX_V1, lastSecs, windowSecs: 240 }, to, amount),
      command,
    ];
  }

  verify(lastSecs: number): [Uint8Array, MapCommand] {
    const txId = this.random.bytes(32);
    const event = this.events.length > 0 ? this.random.pick(this.events) : txId;
    const approves = this.random.below(3) > 0;
    const actor = this.random.below(8) > 0 ? this.operator : this.random.pick(this.keys);
    const command: MapCommand = {
      op: 'verify',
      txId: toHex(txId),
      actor: toHex(actor),
      lastSecs,
      event: toHex(event),
      approves,
    };
    return [
      commands.verify(
        { txId, actor, auth: abi.AUTH_TX_V1, lastSecs, windowSecs: 240 },
        event,
        approves,
        undefined,
        abi.GROUND_NONE,
        0,
      ),
      command,
    ];
  }

  batch(count: number, lastSecs: number): Batch {
    const batch: Batch = { records: [], commands: [] };
    for (let i = 0; i < count; i++) {
      const pair = this.next(lastSecs);
      this.sent.push(pair);
      batch.records.push(pair[0]);
      batch.commands.push(pair[1]);
    }
    return batch;
  }

  private next(lastSecs: number): [Uint8Array, MapCommand] {
    if (this.keys.length < AGENTS) return this.register(lastSecs);
    const dice = this.random.below(20);
    if (dice === 0) return this.register(lastSecs);
    if (dice === 1 && this.sent.length > 0) return this.random.pick(this.sent);
    return dice < 12 ? this.transfer(dice === 2 ? 1 : lastSecs) : this.verify(lastSecs);
  }
}

describe('core and plain JavaScript peer', () => {
  it.each([1, 2, 3, 4])('give equal outcomes for a mixed story, seed %d', async (seed) => {
    const race = await LedgerRace.begin(SCARCE);
    const story = new Mixed(new SeededRandom(seed), race.work.operator);
    for (let block = 0; block < 40; block++) race.run(story.batch(25, race.lastSecs));
    // Open items expire: 300 s in blocks of 10 s.
    for (let block = 0; block < 32; block++) race.run(EMPTY);
    const { core, ...peer } = race.checksums(1000);
    expect(Object.values(peer)).toEqual([core]);
    // The story must contain what it is meant to test.
    for (const kind of ['settlement', 'slash', 'genesis'] as const) {
      expect(race.seen.kinds.get(kind) ?? 0, kind).toBeGreaterThan(0);
    }
    const { DUPLICATE_TX, TX_EXPIRED, TRUST_LIMIT_EXCEEDED, NOT_PENDING, CAPACITY } = abi;
    for (const code of [DUPLICATE_TX, TX_EXPIRED, TRUST_LIMIT_EXCEEDED, NOT_PENDING, CAPACITY]) {
      expect(race.seen.codes.get(code) ?? 0, `code ${code}`).toBeGreaterThan(0);
    }
  });

  it('differ in their checksums if they do different work', async () => {
    const race = await LedgerRace.begin();
    const batch = race.work.registrations(3, race.lastSecs);
    race.run({ records: batch.records.slice(0, 2), commands: batch.commands });
    expect(() => race.checksums(10)).toThrow();
  });
});

it('the same seed gives the same work', () => {
  const [a, b] = [new LedgerWork(5), new LedgerWork(5)];
  expect(a.registrations(3, 10)).toEqual(b.registrations(3, 10));
  expect(a.transfers(3, 10)).toEqual(b.transfers(3, 10));
  expect(a.verdicts(10)).toEqual(b.verdicts(10));
});
