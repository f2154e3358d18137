// What a node refuses of a signed write although its signature holds: who carries it could add to it (protocol 1.2, 1.6).

import { expect, it } from 'vitest';
import type { SignedRequest } from '../../host/client/signed-request.ts';
import { clientOf, registered } from './client.ts';
import { SimNetwork } from './network.ts';

it.each<[string, (request: SignedRequest) => SignedRequest]>([
  ['a query', (request) => ({ ...request, path: `${request.path}?amount=2` })],
  ['white space without end', (request) => ({ ...request, body: request.body + ' '.repeat(3000) })],
])(
  '%s, which no signature covers; the write itself is carried out',
  async (_, add) => {
    const net = new SimNetwork({ seed: 3, seats: 1 });
    await net.start();
    const client = clientOf(net, 'n0', 0);
    await net.until(registered(net, client), 30_000);
    const write = await client.prepare('POST', '/v1/registry', { name: 'Counter', category: 'data' });
    const outcome = (request: SignedRequest): Promise<string> =>
      client.submit(request).then(
        () => 'done',
        ({ code }) => String(code),
      );
    expect(await net.until(outcome(add(write)), 30_000)).toBe('invalid_request');
    expect(await net.until(outcome(write), 30_000)).toBe('done');
    for (const machine of net.machines) machine.kill();
  },
  60_000,
);
