import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseManifest } from '../../../host/wire/manifest.ts';
import { openLayout, startOf } from '../../../tools/localnet/layout.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vws-layout-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

it('a network has a key, ports and peers for each node, and is reopened from its folder', async () => {
  const layout = await openLayout(dir, { seats: 2, observers: 1, params: { day_secs: 60 } });
  const [v1, v2, o1] = layout.members;
  expect(layout.members.map((m) => m.name)).toEqual(['v1', 'v2', 'o1']);
  const ports = layout.members.flatMap((m) => [m.peerPort, m.apiPort]);
  expect(new Set(ports).size).toBe(6);
  const manifest = parseManifest(await readFile(join(dir, 'manifest.json'), 'utf8'));
  expect(manifest.entries.map((e) => e.consensus_public_key)).toEqual([v1!.publicKey, v2!.publicKey]);
  const { flags, env } = startOf(layout, o1!);
  expect(flags).toEqual(['--observer']);
  expect(env!.SERVICE_PEER).toBe(`127.0.0.1:${v1!.peerPort},127.0.0.1:${v2!.peerPort}`);
  expect(startOf(layout, v1!).env).toMatchObject({
    SERVICE_PEER: `127.0.0.1:${v2!.peerPort}`,
    SERVICE_OBSERVERS: '*',
  });
  expect(await openLayout(dir, { seats: 2, observers: 1 })).toEqual(layout);
  await expect(openLayout(dir, { seats: 4, observers: 0 })).rejects.toThrow('2 validators and 1 observers');
});
