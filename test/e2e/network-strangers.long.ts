// Strangers who fill every peer port with silent sockets, again and again, from many addresses: a validator that starts
// again finds its peers all the same (protocol 12.8).

import { connect, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { Agent, get, type Json, until } from './agent.ts';
import { Cluster, type Member } from './cluster.ts';
import { Testbed } from './testbed.ts';

const ADDRESSES = ['127.0.1.1', '127.0.1.2', '127.0.1.3', '127.0.1.4', '127.0.1.5', '127.0.1.6'];
/** As many as one address is let in with, and more. */
const SOCKETS = 14;

const bed = new Testbed();
const strangers = new Set<Socket>();
let net: Cluster | undefined;
let isOver = false;
afterAll(async () => {
  isOver = true;
  for (const socket of strangers) socket.destroy();
  await net?.close();
  await bed.close();
});

/** Opens a socket that says nothing, and another one whenever it is closed. */
function besiege(port: number, localAddress: string): void {
  if (isOver) return;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  strangers.add(socket);
  socket.on('error', () => {});
  socket.on('close', () => {
    strangers.delete(socket);
    setTimeout(() => besiege(port, localAddress), 100);
  });
}

const peersOf = async (at: Member): Promise<number> => {
  const metrics = (await get(net!.node(at).port, '/metrics')).body as string;
  return Number(/^vws_peer_count (\d+)$/m.exec(metrics)?.[1]);
};

it('a validator that starts again is connected within seconds', async () => {
  net = await Cluster.make(bed, [{}, {}, {}, {}]);
  const [a, ...others] = net.seats as [Member, Member, Member, Member];
  await net.start(...net.seats);
  const agent = await net.agent(a);
  for (const { peerPort } of net.seats) {
    for (const address of ADDRESSES) {
      for (let i = 0; i < SOCKETS; i++) besiege(peerPort, address);
    }
  }
  await until(
    async () => strangers.size,
    (open) => open >= (ADDRESSES.length * SOCKETS * net!.seats.length) / 2,
  );
  await net.kill(a);
  await net.start(a);
  await until(
    () => peersOf(a),
    (count) => count === others.length,
    30_000,
  );
  const writer = new Agent(net.node(a).port, agent.signer);
  const done = await until<Json>(
    () => writer.post('/v1/stake', { amount: 1 }),
    ({ status }) => status === 200,
    30_000,
  );
  expect(done.status).toBe(200);
});
