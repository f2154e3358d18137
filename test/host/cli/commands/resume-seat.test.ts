// The operator's decision for a seat that is held: what is shown, what is refused, what is stored.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignedRecord } from '../../../../host/ordering/signed-record.ts';
import { readGate, type StoredGate, writeGate } from '../../../../host/ordering/stored-gate.ts';
import { rowKey } from '../../../../host/store/prefixes.ts';
import { WriteSet } from '../../../../host/store/write-set.ts';
import { firstSeqOf } from '../../../../host/wire/seq.ts';
import { systemFiles } from '../../../../host/world/system/files.ts';
import { openStore } from '../../../../host/world/system/open-store.ts';
import { scratch, vws } from '../harness.ts';

const HELD: StoredGate = {
  until: null,
  claims: [
    { seat: 1, epoch: 2, seq: 17, isOpen: true },
    { seat: 3, epoch: 2, seq: firstSeqOf(5) + 2, isOpen: false },
  ],
};

/** A data directory whose node stands in epoch 2. */
async function dataWith(gate: StoredGate | undefined): Promise<string> {
  const data = join(scratch(), 'data');
  mkdirSync(data);
  const store = await openStore(data, 'auto', () => {});
  const set = new WriteSet(store);
  set.putJson(rowKey.meta('meta'), { schema: 4, chain_id: 'vws-testnet-1', genesis_hash: 'ab12' });
  set.putJson(rowKey.meta('head'), { block: 40, blockHash: '', order: 200, timeMs: 0, seq: 1, epoch: 2 });
  await store.write(set.ops());
  if (gate) await writeGate(store, gate);
  await store.close();
  return data;
}

async function gateIn(data: string): Promise<StoredGate | undefined> {
  const store = await openStore(data, 'auto', () => {});
  const gate = readGate(store);
  await store.close();
  return gate;
}

describe('vws resume-seat', () => {
  it('shows what is known and the risk, and changes nothing without the flag', async () => {
    const data = await dataWith(HELD);
    const { code, out, err } = await vws(['resume-seat', '--data', data]);
    expect(code).toBe(2);
    expect(out.split('\n').slice(0, 6)).toEqual([
      'Genesis: ab12',
      'Stands at: epoch 2, block 40, order 200',
      'Seat: held: may have lost vertices, and no quorum of other seats has answered',
      'Last-signed record: none',
      'Seat 1 reported: has vertex 17 of this seat in epoch 2, signs',
      'Seat 3 reported: has vertex 3 of incarnation 5 of this seat in epoch 2, does not sign',
    ]);
    expect(out).toMatch(/^Risk: .*acknowledged\nwith their help may be lost/m);
    expect(err).toContain('error: nothing was changed; --accept-lost-writes decides (usage)');
    expect(await gateIn(data)).toEqual(HELD);
  });

  it('stores the decision with the flag; a second time changes nothing more', async () => {
    const data = await dataWith({ ...HELD, until: 4 });
    for (let i = 0; i < 2; i++) {
      const { code, out } = await vws(['resume-seat', '--data', data, '--accept-lost-writes']);
      expect(code).toBe(0);
      expect(out).toContain('Seat: held: signs nothing before epoch 4');
      expect(out).toContain('Decided: at the next start this seat resumes once another seat has reported.');
      expect(await gateIn(data)).toEqual({ ...HELD, until: 4, isForced: true });
    }
  });

  it('shows the last-signed record, and refuses a torn one', async () => {
    const data = await dataWith(HELD);
    const path = join(scratch(), 'record');
    const record = SignedRecord.open(systemFiles, path, { genesisHash: 'ab12', key: 'cd' });
    await record.write({ epoch: 2, seq: 21, id: 'ef' });
    const env = { SERVICE_SIGNED_RECORD: path };
    const shown = await vws(['resume-seat', '--data', data], { env });
    expect(shown.out).toContain('Last-signed record: epoch 2, vertex 21, id ef');
    systemFiles.writeText(path, systemFiles.readText(path).slice(0, 40));
    const torn = await vws(['resume-seat', '--data', data, '--accept-lost-writes'], { env });
    expect([torn.code, await gateIn(data)]).toEqual([1, HELD]);
    expect(torn.err).toMatch(/last-signed record .* is torn or altered/);
  });

  it.each<[string, StoredGate | undefined, RegExp]>([
    ['is not held', { until: 0 }, /this seat is not held: there is nothing to decide/],
    ['waits for an epoch that is here', { until: 2 }, /this seat is not held/],
    ['was never started', undefined, /start the node first/],
  ])('refuses a seat that %s', async (_, gate, text) => {
    const data = await dataWith(gate);
    const { code, err } = await vws(['resume-seat', '--data', data, '--accept-lost-writes']);
    expect([code, await gateIn(data)]).toEqual([1, gate]);
    expect(err).toMatch(text);
  });

  it('refuses a directory without a store, and one that a process uses', async () => {
    const none = join(scratch(), 'none');
    expect((await vws(['resume-seat', '--data', none])).err).toContain(`there is no store in ${none}`);
    const data = await dataWith(HELD);
    const store = await openStore(data, 'auto', () => {});
    const { code, err } = await vws(['resume-seat', '--data', data, '--accept-lost-writes']);
    expect(code).toBe(1);
    expect(err).toContain('another process is using');
    await store.close();
  });
});
