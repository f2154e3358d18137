// One seat that shows two branches to two parts of a network of real nodes, with one ordinary restart or one cut: all heal by
// themselves (consensus 5.12). The same in simulated time is in test/world/equivocation.long.ts.

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, it } from 'vitest';
import { helloOf } from '../../host/net/hello.ts';
import { encodeMessage } from '../../host/net/messages.ts';
import { genesisEpoch } from '../../host/ordering/epoch.ts';
import { buildGenesis, type Genesis } from '../../host/wire/genesis.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { SecretTransport } from '../../host/world/system/secret-transport.ts';
import type { Link } from '../../host/world/transport.ts';
import { sleep } from '../../tools/load/node-process.ts';
import { branchOf, type Made } from '../host/net/dag-fixture.ts';
import { Agent, get, type Json, until } from './agent.ts';
import { Cluster, type Member } from './cluster.ts';
import { Testbed } from './testbed.ts';

const LARGE = Math.floor(2.6 * 1024 * 1024);
const COUNT = 16;
const HEAL_MS = 180_000;
const TAKE_MS = 20_000;

const bed = new Testbed();
let net: Cluster | undefined;
afterEach(async () => {
  await net?.close();
  await bed.close();
});

/** The fourth seat: no node runs it. It has links to some nodes and shows each of them what it likes. */
class Liar {
  readonly #transport: SecretTransport;

  constructor(
    private readonly genesis: Genesis,
    private readonly member: Member,
  ) {
    this.#transport = new SecretTransport(member.key.linkKey(), systemClock);
  }

  branch(entryBytes: number): Made[] {
    const epoch = genesisEpoch(this.genesis);
    return branchOf(epoch, this.member.key, 3, COUNT, entryBytes, Date.now());
  }

  async show(to: Member, made: readonly Made[]): Promise<void> {
    const link = await this.#greet(to);
    for (const { bytes } of made) {
      while (!link.isWritable) await sleep(5);
      link.send(encodeMessage({ type: 'vertices', epoch: 0, vertices: [bytes] }));
    }
  }

  async #greet(to: Member): Promise<Link> {
    const link = await this.#transport.dial('127.0.0.1', to.peerPort);
    return new Promise((resolve, reject) => {
      link.open({ onMessage: () => resolve(link), onClose: (reason) => reject(new Error(reason)) });
      link.send(encodeMessage(helloOf(this.genesis, false)));
    });
  }

  fallSilent(): Promise<void> {
    return this.#transport.close();
  }
}

async function started(): Promise<{ honest: [Member, Member, Member]; liar: Liar; agent: Agent }> {
  net = await Cluster.make(bed, [{}, {}, {}, {}]);
  const honest = net.seats.slice(0, 3) as [Member, Member, Member];
  const path = join(dirname(honest[0].dataDir), 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  const liar = new Liar(buildGenesis({ testnet: true, manifest, overrides: {} }), net.seats[3]!);
  await net.start(...honest);
  return { honest, liar, agent: await net.agent(honest[1]) };
}

async function vertices(at: Member): Promise<number> {
  const metrics = (await get(net!.node(at).port, '/metrics')).body as string;
  return Number(/^vws_dag_size (\d+)$/m.exec(metrics)?.[1]);
}

/** Shows a branch to these nodes until they have taken in all of it, or no more of it for some seconds. */
async function take(liar: Liar, made: readonly Made[], nodes: readonly Member[]): Promise<void> {
  const counts = (): Promise<number[]> => Promise.all(nodes.map(vertices));
  const before = await counts();
  await Promise.all(nodes.map((at) => liar.show(at, made)));
  const endMs = Date.now() + TAKE_MS;
  await until(
    counts,
    (now) => now.every((n, i) => n >= before[i]! + made.length) || Date.now() > endMs,
    60_000,
  );
}

async function expectLive(honest: readonly Member[], agent: Agent): Promise<void> {
  for (const at of honest) {
    const writer = new Agent(net!.node(at).port, agent.signer);
    await until(
      () => writer.post('/v1/stake', { amount: 1 }),
      ({ status }: Json) => status === 200,
      HEAL_MS,
    );
  }
  await net!.agreed(...honest);
}

it('a large branch shown while one node was down, a small one as it comes back', {
  timeout: 600_000,
}, async () => {
  const { honest, liar, agent } = await started();
  const [a, b, c] = honest;
  await net!.kill(a);
  await take(liar, liar.branch(LARGE), [b, c]);
  const starting = net!.start(a);
  const small = liar.branch(0);
  const shown = (): Promise<boolean> =>
    liar.show(a, small).then(
      () => true,
      () => false,
    );
  await until(shown, (isShown) => isShown, 30_000);
  await sleep(200);
  await liar.fallSilent();
  await starting;
  await expectLive(honest, agent);
});

it('a large branch at two nodes while the third is cut off with a small one', {
  timeout: 600_000,
}, async () => {
  const { honest, liar, agent } = await started();
  const [a, b, c] = honest;
  net!.between([a], [b, c], 'cut');
  await take(liar, liar.branch(LARGE), [b, c]);
  await take(liar, liar.branch(0), [a]);
  await liar.fallSilent();
  net!.between([a], [b, c], 'whole');
  await expectLive(honest, agent);
});
