// Attempts to fool an auditor about time and history: going back, ending early, showing two histories.

import { beforeAll, describe, expect, it } from 'vitest';
import { checkpointCode, checkTwoHistories, type SignedCheckpoint } from '../../../host/audit/index.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { rangeOf } from '../../../host/store/prefixes.ts';
import { readJson } from '../../../host/store/write-set.ts';
import { checkpointHash } from '../../../host/wire/block.ts';
import { fromHex, utf8 } from '../../../host/wire/bytes.ts';
import { GENESIS, Giver } from '../net/join-world.ts';
import { seedOf } from '../one-node/harness.ts';
import {
  BALANCE,
  begin,
  both,
  giver,
  id,
  kindsOf,
  nodeThat,
  open,
  randomBytes,
  verdictOn,
  verifyBatch,
} from './auditors.ts';
import { type Alter, jsonAt } from './giver-node.ts';
import { PlainStore } from './giver-source.ts';

beforeAll(begin);

/** As a node that is at this order, as far as it says. */
function standingAt(order: number): Alter {
  return (path, given) => {
    if (path.startsWith('/v1/status')) return { ...given, body: utf8(JSON.stringify({ order })) };
    if (BALANCE.test(path)) return { ...given, order: String(order) };
    return undefined;
  };
}

const write = (to: Giver, n: number): Promise<string> =>
  to.write(keyPairFromSeed(seedOf(20 + n)), '/v1/agents', {});

/** Order numbers of the checkpoints, and of the seals of epochs, in the giver's store. */
async function ordersIn(prefix: 'k' | 'c', read: (doc: never) => number): Promise<number[]> {
  const orders: number[] = [];
  for await (const [, value] of giver.parts.store.scan(rangeOf(prefix))) orders.push(read(readJson(value)!));
  return orders;
}
const checkpointOrders = () => ordersIn('k', ({ order }: { order: number }) => order);
const sealOrders = () => ordersIn('c', (epoch: { first_order: number }) => epoch.first_order - 1);

/** Order of a checkpoint before the newest seal that is none itself; undefined while there is none. */
async function periodicOrder(): Promise<number | undefined> {
  const seals = await sealOrders();
  return (await checkpointOrders()).find((order) => !seals.includes(order) && order < Math.max(...seals));
}

describe('A4: a node that goes back', () => {
  it('behind what it served is a finding, and what is shown is of one order', async () => {
    const store = new PlainStore();
    const first = await open(nodeThat(), { store });
    const kept = await first.run();
    await first.close();
    const v = await open(nodeThat(standingAt(20)), { store });
    const verdict = await v.run();
    expect(kindsOf(verdict)).toContain('rollback');
    expect(verdict).toMatchObject({
      isGood: true,
      order: kept.order,
      stateRoot: kept.stateRoot,
      nodeOrder: 20,
    });
    expect(await v.compare('agent', id)).toMatchObject({ shown: 'not_comparable' });
  });

  it('another, honest node that is behind is no liar', async () => {
    const store = new PlainStore();
    const first = await open(nodeThat(), { store });
    await first.run();
    await first.close();
    const v = await open(nodeThat(standingAt(20)), { store, name: 'http://other' });
    const verdict = await v.run();
    expect(verdict.isGood).toBe(true);
    expect(kindsOf(verdict)).toEqual(['behind']);
    expect(await v.compare('agent', id)).toMatchObject({ shown: 'not_comparable' });
    // Having been asked about it spoils nothing.
    await v.close();
    const again = await open(nodeThat(), { store });
    expect(await again.run()).toMatchObject({ isGood: true, findings: [], stateRoot: giver.stateRoot });
  });
});

describe('A5: a log that ends early', () => {
  it('is a finding once it is older than the stated age', async () => {
    const clock = { ...giver.parts.clock, nowMs: () => giver.parts.clock.ms + 121_000 };
    const verdict = await verdictOn(() => undefined, { environment: { randomBytes, clock } });
    expect(verdict.isGood).toBe(true);
    expect(kindsOf(verdict)).toEqual(['stale']);
    const patient = await verdictOn(() => undefined, {
      environment: { randomBytes, clock },
      maxAgeMs: 600_000,
    });
    expect(patient.findings).toEqual([]);
  });

  it('withheld checkpoints are a finding', async () => {
    for (let n = 0; (await checkpointOrders()).length < 3; n++) await write(giver, n);
    const without = both(
      jsonAt(/^\/v1\/checkpoints\?/, () => []),
      (path, given) => (path === '/v1/checkpoints/latest' ? { ...given, status: 404 } : given),
    );
    const verdict = await verdictOn(without);
    expect(verdict).toMatchObject({ isGood: true, checkpoint: 0, checkpointCode: '' });
    expect(kindsOf(verdict)).toEqual(['unsigned']);
  });
});

describe('A6: two histories', () => {
  let other: Giver;
  beforeAll(async () => {
    other = await Giver.make();
    // From here on they differ; each goes on over the next seal.
    for (let n = 0; n < 90; n++) await other.write(keyPairFromSeed(seedOf(150 + n)), '/v1/agents', {});
    for (let n = 0; n < 60 || (await periodicOrder()) === undefined; n++) await write(giver, n);
  });

  it('of one network end in a proof that anybody can check', async () => {
    const store = new PlainStore();
    const first = await open(nodeThat(), { store });
    const mine = await first.run();
    await first.close();
    const second = await open(
      nodeThat(() => undefined, other),
      { store, name: 'http://other' },
    );
    const verdict = await second.run();
    expect(verdict.fault).toMatchObject({ kind: 'histories' });
    const file = JSON.parse(JSON.stringify(verdict.proof));
    const double = checkTwoHistories(file, verifyBatch);
    expect(double).toMatchObject({ genesisHash: GENESIS.hashHex, height: verdict.proof!.height });
    expect(double.signers).toHaveLength(1);
    expect(verdict.proof!.height).toBeLessThan(mine.checkpoint + 1);
    // The seal or checkpoint at which they part, not a later one.
    expect(verdict.proof!.epoch.number).toBeLessThanOrEqual(giver.parts.ordering.epoch.number);
    for (const [name, spoil] of [
      ['one side twice', (f: typeof file) => ({ ...f, other: f.one })],
      ['another network', (f: typeof file) => ({ ...f, genesis_hash: '0'.repeat(64) })],
      ['another height', (f: typeof file) => ({ ...f, height: f.height + 1 })],
      ['no signatures', (f: typeof file) => ({ ...f, other: { ...f.other, signatures: [] } })],
      ['another weight', (f: typeof file) => ({ ...f, epoch: { ...f.epoch, min_participants: 2 } })],
      ['nothing', () => null],
    ] as [string, (f: typeof file) => unknown][])
      expect(() => checkTwoHistories(spoil(file), verifyBatch), name).toThrow(
        expect.objectContaining({ name: 'NoProof' }),
      );
  });

  it('a pinned checkpoint that is not in the history is a fault, and one that is in it is met both ways', async () => {
    const mine = await (await open(nodeThat())).run();
    const pin = { height: mine.checkpoint, code: mine.checkpointCode };
    const elsewhere = await (
      await open(
        nodeThat(() => undefined, other),
        { pin },
      )
    ).run();
    expect(elsewhere.fault).toMatchObject({ kind: 'pin', checkpoint: pin.height });
    expect(await (await open(nodeThat(), { pin })).run()).toMatchObject({ isGood: true, findings: [] });
    // From a seal on, with a pin from before it that is no seal: the node shows the statement, the chain of seals its epoch.
    const listed = (await nodeThat().source().checkpoints(0, 100)) as SignedCheckpoint[];
    const periodic = await periodicOrder();
    const { height, statement } = listed.find(({ order }) => order === periodic)!;
    const code = checkpointCode(checkpointHash(fromHex(statement)!));
    const early = { way: 'checkpoint' as const, pin: { height, code } };
    expect(await verdictOn(() => undefined, early)).toMatchObject({ isGood: true, findings: [] });
    const altered = jsonAt(/^\/v1\/checkpoints\?/, (list: SignedCheckpoint[]) =>
      list.map((c) => (c.height === height ? { ...c, statement: statement.replace(/..$/, '00') } : c)),
    );
    expect((await verdictOn(altered, early)).fault).toMatchObject({ kind: 'pin' });
    const gone = jsonAt(/^\/v1\/checkpoints\?/, (list: SignedCheckpoint[]) =>
      list.filter((c) => c.height !== height),
    );
    // A node that joined later no longer has it: no fault.
    const pruned = await verdictOn(gone, early);
    expect(pruned.isGood).toBe(true);
    expect(kindsOf(pruned)).toEqual(['pin']);
  });

  it('a pin beyond the end of the log is a finding', async () => {
    const verdict = await verdictOn(() => undefined, { pin: { height: 99_999, code: 'x' } });
    expect(verdict.isGood).toBe(true);
    expect(kindsOf(verdict)).toEqual(['pin']);
  });

  it('old seats count only up to a stated age, or from a pin', async () => {
    const clock = { ...giver.parts.clock, nowMs: () => giver.parts.clock.ms + 40 * 86_400_000 };
    const late = { environment: { randomBytes, clock }, way: 'checkpoint' as const, maxAgeMs: 1e12 };
    const without = await verdictOn(() => undefined, late);
    expect(kindsOf(without)).toEqual(['anchor']);
    // Keeping such a state does not make it an anchor.
    const store = new PlainStore();
    const v = await open(nodeThat(), { ...late, store });
    await v.run();
    await v.close();
    expect(kindsOf(await (await open(nodeThat(), { ...late, store })).run())).toEqual(['anchor']);
    const mine = await (await open(nodeThat())).run();
    const pin = { height: mine.checkpoint, code: mine.checkpointCode };
    expect(kindsOf(await verdictOn(() => undefined, { ...late, maxAnchorMs: 41 * 86_400_000, pin }))).toEqual(
      [],
    );
  });
});
