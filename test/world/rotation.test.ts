// A seat whose key was rotated loses its disk: the manifest names its first key, so only the network knows its seat.

import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { markUnused } from '../../host/crypto/unused-key.ts';
import { clientOf, clientWith, registered } from './client.ts';
import { SimNetwork } from './network.ts';

it('a seat that was down when it was rotated is told how its new key begins', async () => {
  const net = new SimNetwork({ seed: 22, seats: 4 });
  await net.start();
  await net.until(clientOf(net, 'n0', 1).register({}), 20_000);
  const [n3, key] = [net.machine('n3'), keyPairFromSeed(new Uint8Array(32).fill(78))];
  n3.kill();
  const seat = clientWith(net, 'n0', n3.o.key);
  await net.until(seat.validators.rotate('v3', { new_public_key: key.publicKeyHex }), 20_000);
  await net.run(60_000);
  n3.o.key = key;
  expect(await net.until(n3.start(), 20_000)).toBe(false);
  expect(n3.failures.splice(0).map(String)).toEqual([
    expect.stringMatching(/not in manifest: .*epoch 0.* --join checkpoint/),
  ]);
  n3.o.env = { ...n3.o.env, SERVICE_JOIN: 'checkpoint' };
  n3.disk.restore({ rows: [], files: new Map() });
  markUnused(n3.disk.files, '/data/n3', key.publicKeyHex);
  void n3.start();
  await net.until(registered(net, clientOf(net, 'n3', 2)), 60_000);
  expect(net.watch.fault).toBeUndefined();
  for (const machine of net.machines) machine.kill();
});

it('a rotated seat that lost its disk joins a checkpoint with its present key', async () => {
  const net = new SimNetwork({ seed: 21, seats: 4 });
  await net.start();
  const [n3, key] = [net.machine('n3'), keyPairFromSeed(new Uint8Array(32).fill(77))];
  const seat = clientWith(net, 'n0', n3.o.key);
  await net.until(seat.validators.rotate('v3', { new_public_key: key.publicKeyHex }), 20_000);
  await net.run(120_000, () => !n3.hasProcess);
  expect(n3.failures.splice(0).map(({ name }) => name)).toEqual(['KeyRotated']);
  n3.o.key = key;
  n3.o.env = { ...n3.o.env, SERVICE_JOIN: 'checkpoint' };
  n3.disk.restore({ rows: [], files: new Map() });
  void n3.start();
  await net.run(60_000, () => n3.isUp);
  expect(n3.failures).toEqual([]);
  await net.until(clientOf(net, 'n0', 1).register({}), 20_000);
  const same = (): boolean => net.watch.newest.get('n3') === net.watch.newest.get('n0');
  expect(await net.run(60_000, same)).toBe(true);
  expect(net.watch.fault).toBeUndefined();
  for (const machine of net.machines) machine.kill();
});
