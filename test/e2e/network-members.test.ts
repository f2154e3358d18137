// Membership of a network: a late seat, observers, nodes that do not belong to it (protocol 12.8, 12.1; pitfall A13, D1).

import { afterAll, beforeAll, expect, it } from 'vitest';
import { helloOf } from '../../host/net/hello.ts';
import { decodeMessage, encodeMessage, type Message } from '../../host/net/messages.ts';
import { fromHex } from '../../host/wire/bytes.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { SecretTransport } from '../../host/world/system/secret-transport.ts';
import { Agent, get, type Json, TESTNET, TOKEN, until } from './agent.ts';
import { Cluster, type Member } from './cluster.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let net: Cluster;
let three: Member[];
let late: Member;
let observers: Member[];

beforeAll(async () => {
  net = await Cluster.make(bed, [{}, {}, {}, {}]);
  three = net.seats.slice(0, 3);
  late = net.seats[3]!;
  // Two follow the first seat only, two the second, one all of them.
  const [a, b] = three as [Member, Member];
  const dials = [[a], [a], [b], [b], three];
  observers = await Promise.all(dials.map((seats, i) => net.member(`o${i + 1}`, seats)));
  for (const o of observers) o.flags.push('--observer', '--join', 'replay');
  const keys = observers.map(({ key }) => key.publicKeyHex).join(',');
  for (const seat of three) seat.env.SERVICE_OBSERVERS = keys;
  await net.start(...three);
});
afterAll(async () => {
  await net.close();
  await bed.close();
});

const read = async (at: Member, path: string): Promise<Json> => (await get(net.node(at).port, path)).body;
let agent: Agent;

it('a seat that joins late with an empty disk replays everything and participates (pitfall D1)', async () => {
  agent = await net.agent(three[0]!);
  for (let i = 0; i < 30; i++) expect((await agent.post('/v1/stake', { amount: 1 })).status).toBe(200);
  late.flags.push('--join', 'replay');
  await net.start(late);
  const { root } = await net.agreed(...net.seats);
  expect(root).toMatch(/^[0-9a-f]{64}$/);
  const here = new Agent(net.node(late).port, agent.signer);
  expect((await here.post('/v1/stake', { amount: 1 })).status).toBe(200);
  await net.agreed(...net.seats);
  for (const path of ['/v1/agents?per_page=200', '/v1/economics', '/v1/events/recent?limit=100'])
    expect(await read(late, path)).toEqual(await read(three[0]!, path));
});

it('five observers at once follow, show their keys, serve reads and refuse writes', async () => {
  await Promise.all(observers.map((observer) => net.launch(observer).answering()));
  expect((await agent.post('/v1/stake', { amount: 1 })).status).toBe(200);
  await net.agreed(three[0]!, ...observers);
  for (const observer of observers) {
    const { port } = net.node(observer);
    expect((await get(port, `/v1/agents/${agent.id}`)).body.staked_amount).toBe(TOKEN + 32);
    const status = (await get(port, '/v1/status')).body;
    expect(status.agent_id).toBe(observer.key.publicKeyHex);
    expect(status).not.toHaveProperty('validator_id');
    const write = await new Agent(port, agent.signer).post('/v1/stake', { amount: 1 });
    expect([write.status, write.body.code, write.body.error]).toEqual([
      503,
      'not_ready',
      'this node is an observer: writes go to a validator',
    ]);
    expect(write.headers.get('retry-after')).toBe('5');
  }
  // One seat is not a quorum (protocol 4.10).
  const codes = observers.map(async (o) => (await get(net.node(o).port, '/health')).status);
  expect(await Promise.all(codes)).toEqual([503, 503, 503, 503, 200]);
});

/** Says hello over a link of its own and returns the goodbye; undefined when it is taken. */
async function greet(member: Member, at: Member, hello: Message): Promise<string | undefined> {
  const { publicKey, seed } = member.key;
  const transport = new SecretTransport(
    { publicKey, secretKey: Buffer.concat([seed, publicKey]) },
    systemClock,
  );
  const link = await transport.dial('127.0.0.1', at.peerPort);
  const answer = new Promise<string | undefined>((resolve) => {
    link.open({
      onMessage(bytes) {
        const message = decodeMessage(bytes);
        if (message?.type === 'bye') resolve(message.reason);
        else if (message?.type === 'head') resolve(undefined);
      },
      onClose: () => resolve('closed without a word'),
    });
  });
  link.send(encodeMessage(hello));
  const said = await answer;
  await transport.close();
  return said;
}

it('nodes with another protocol, chain, genesis or key stay outside, and the logs say why', async () => {
  const [first, observer] = [three[0]!, observers[0]!];
  await net.kill(observer, late);
  const hash = fromHex((await read(first, '/v1/status')).genesis_hash)!;
  const hello = helloOf({ chainId: TESTNET, hash }, true);
  const faults = [
    await greet(observer, first, { ...hello, protocol: '9.9.9' }),
    await greet(observer, first, { ...hello, chainId: 'vws-mainnet-1' }),
    await greet(observer, first, { ...hello, genesisHash: hash.map((b) => b ^ 1) }),
    await greet(observer, first, { ...hello, core: hash }),
    await greet(observer, first, { ...hello, revision: hello.revision + 1, consensus: hash }),
    await greet(await net.member('stranger', []), first, hello),
    await greet(observer, first, hello),
  ];
  expect(faults).toEqual([
    expect.stringMatching(/^protocol 9\.9\.9, not /),
    `chain vws-mainnet-1, not ${TESTNET}`,
    'another genesis: manifest or network parameters differ',
    expect.stringMatching(/^another core\.wasm for revision 0: /),
    undefined,
    'key has no seat and is not in SERVICE_OBSERVERS',
    undefined,
  ]);

  // A seat with a parameter of its own: its genesis is another one.
  const other = await net.member('other', three, late.key);
  other.env.SERVICE_PARAM_DAY_SECS = '60';
  const node = net.launch(other);
  await node.answering();
  const unlisted = await net.member('unlisted', [first]);
  unlisted.flags.push('--observer');
  await net.launch(unlisted).answering();
  await until(
    async () => node.logged,
    (log) => log.includes('another genesis'),
  );
  await until(
    async () => net.node(unlisted).logged,
    (log) => log.includes('key has no seat and is not in SERVICE_OBSERVERS'),
  );
  expect((await read(other, '/v1/status')).peers).toBe(0);
  expect((await read(unlisted, '/v1/status')).peers).toBe(0);
  const log = net.node(first).logged;
  for (const reason of faults.slice(0, 3)) expect(log).toContain(reason);
  expect((await agent.post('/v1/stake', { amount: 1 })).status).toBe(200);
});
