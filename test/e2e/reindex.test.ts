// `vws reindex` as an operator runs it: a stopped node's store that lost rows is made anew, and the node answers as before.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Prefix, rangeOf } from '../../host/store/prefixes.ts';
import { openStore } from '../../host/world/system/open-store.ts';
import { storePath } from '../../host/world/system/store-path.ts';
import { builtPath } from '../../tools/load/built.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { Agent, TOKEN } from './agent.ts';
import { type Network, Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

interface Ran {
  code: number;
  out: string;
  err: string;
}

const reindex = ({ dataDir, env }: Network): Promise<Ran> =>
  new Promise((resolve) => {
    const settings = { PATH: process.env.PATH, SERVICE_TESTNET: 'true', SERVICE_DATA: dataDir, ...env };
    execFile(process.execPath, [builtPath('host/cli/main.js'), 'reindex'], { env: settings }, (e, out, err) =>
      resolve({ code: e === null ? 0 : Number(e.code), out, err }),
    );
  });

/** Removes every row of a prefix from a stopped node's store; how many there were. */
async function lose(dataDir: string, prefix: Prefix): Promise<number> {
  const store = await openStore(dataDir, 'auto', () => {});
  const ops: { key: Uint8Array; value: undefined }[] = [];
  for await (const [key] of store.scan(rangeOf(prefix))) ops.push({ key, value: undefined });
  await store.write(ops);
  await store.close();
  return ops.length;
}

it('makes the store anew, keeps the old one, and goes on where it was interrupted', async () => {
  const network = await bed.network();
  let node = await bed.start(network);
  const poster = await new Agent(node.port).register({ initial_stake: 10 * TOKEN });
  const worker = await new Agent(node.port).register({ initial_stake: 10 * TOKEN });
  const listing = { name: 'Rhymes', description: 'Writes a rhyme.', category: 'writing' };
  await worker.do('/v1/registry', listing);
  await poster.do('/v1/transfer', { to_agent: worker.id, amount: 1234, memo: 'for nothing' });
  const paths = [poster, worker].flatMap(({ id }) => [
    `/v1/agents/${id}`,
    `/v1/events/recent?agent_id=${id}`,
  ]);
  paths.push(`/v1/registry/${worker.id}`, '/v1/agents');
  const reads = (of: NodeProcess): Promise<unknown[]> => Promise.all(paths.map((path) => of.json(path)));
  const before = await reads(node);
  const running = await reindex(network);
  expect(running.code).not.toBe(0);
  expect(running.err).toMatch(/^error: another process is using .*: stop it/);
  await node.stop();

  expect(await lose(network.dataDir, 'a')).toBeGreaterThan(0);
  const done = await reindex(network);
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toMatch(/^Order: \d+\nEvents: \d+\nReindexed: the old store is .*db-before-reindex\n$/);
  node = await bed.start(network);
  expect(await reads(node)).toEqual(before);
  await node.stop();

  // The old store is only deleted by its owner.
  const again = await reindex(network);
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toContain('db-before-reindex is there, from an earlier run');

  // Killed between its two renames: there is no store, but the new one is whole.
  const made = join(network.dataDir, 'reindex');
  await mkdir(made);
  await rename(storePath(network.dataDir), storePath(made));
  // A node that is started then, as by its unit after a power failure, must not begin a new history in an empty store.
  const refusal = await bed.refusal(network);
  expect(refusal.code).toBe(1);
  expect(refusal.log).toContain('vws reindex was interrupted between two steps: run it again');
  expect(existsSync(storePath(network.dataDir))).toBe(false);
  expect(await reindex(network)).toMatchObject({
    code: 0,
    out: 'Reindexed: the new store of an interrupted run is in place\n',
  });
  expect(existsSync(made)).toBe(false);
  node = await bed.start(network);
  expect(await reads(node)).toEqual(before);
  await node.stop();
});
