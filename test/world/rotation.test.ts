// A seat whose key was rotated loses its disk: the manifest names its first key, so only the network knows its seat.

import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { clientOf, clientWith } from './client.ts';
import { SimNetwork } from './network.ts';

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
