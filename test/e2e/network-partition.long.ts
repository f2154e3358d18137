// A partition on the level of packets: two switches with two nodes each, and no cable between them. The same over TCP, which
// needs no rights, is in network.test.ts.

import { dirname } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { untilEqual } from '../../tools/localnet/agreement.ts';
import { freePort } from '../../tools/localnet/free-ports.ts';
import { type Agent, get, TOKEN, until } from './agent.ts';
import { Cluster, type Member } from './cluster.ts';
import { mayIsolate, NameSpaces } from './name-spaces.ts';
import { Testbed } from './testbed.ts';

const PEER_PORT = 8337;

const bed = new Testbed();
let net: Cluster | undefined;
let spaces: NameSpaces | undefined;
afterAll(async () => {
  await net?.close();
  spaces?.close();
  await bed.close();
});

/** Four nodes, each in a namespace of its own. */
async function isolated(): Promise<[Cluster, NameSpaces]> {
  spaces = new NameSpaces(4);
  net = await Cluster.make(bed, [{}, {}, {}, {}]);
  for (const [i, seat] of net.seats.entries()) {
    const port = await freePort();
    await spaces.forward(i, port, dirname(seat.dataDir));
    seat.wrap = spaces.wrap(i);
    const peers = [0, 1, 2, 3].filter((other) => other !== i);
    seat.env = {
      SERVICE_API: `127.0.0.1:${port}`,
      SERVICE_LISTEN: `0.0.0.0:${PEER_PORT}`,
      SERVICE_PEER: peers.map((other) => `${spaces!.address(other)}:${PEER_PORT}`).join(','),
    };
  }
  await net.start(...net.seats);
  return [net, spaces];
}

const SKIPPED = mayIsolate() ? '' : ' (SKIPPED: no right to make network namespaces here)';

it.skipIf(SKIPPED !== '')(
  `two halves order nothing, and everything once they are one again${SKIPPED}`,
  async () => {
    const [cluster, cables] = await isolated();
    const { seats } = cluster;
    const agents: Agent[] = [await cluster.agent(seats[0]!), await cluster.agent(seats[2]!)];
    await untilEqual(seats.map((seat) => cluster.node(seat)));
    for (const i of [2, 3]) cables.move(i, 1);
    const answers = await Promise.all(agents.map((agent) => agent.post('/v1/stake', { amount: 7 })));
    expect(answers.map(({ body }) => body.code)).toEqual(['no_quorum', 'no_quorum']);
    const staked = (at: Member): Promise<number[]> =>
      Promise.all(
        agents.map(
          async ({ id }) => (await get(cluster.node(at).port, `/v1/agents/${id}`)).body.staked_amount,
        ),
      );
    for (const seat of seats) expect(await staked(seat)).toEqual([TOKEN, TOKEN]);

    for (const i of [2, 3]) cables.move(i, 0);
    for (const seat of seats) {
      await until(
        () => staked(seat),
        (amounts) => amounts.every((amount) => amount === TOKEN + 7),
        60_000,
      );
    }
    for (let i = 0; i < 30; i++) expect((await agents[0]!.post('/v1/stake', { amount: 1 })).status).toBe(200);
    await cluster.agreed(...seats);
  },
);
