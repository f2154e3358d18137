// A network whose machines change to a newer program one by one, under load. The newer program knows a revision of the rules
// that the older one does not (consensus 5.11).

import { expect, it } from 'vitest';
import type { EpochRefused } from '../../host/core/consensus.ts';
import { headOf, jsonOf } from './answers.ts';
import { clientOf } from './client.ts';
import { SimNetwork } from './network.ts';

interface Status {
  rules: { revision: number; known: number; ready_ratio: number; waiting_for: string[] };
}

const rulesOf = async (net: SimNetwork, name: string) =>
  (await jsonOf<Status>(net, name, '/v1/status'))?.rules;

/** Agents register through every machine in turn until told to stop; those that were told that they are registered. */
function load(net: SimNetwork): { acknowledged: Set<string>; stop(): void } {
  const acknowledged = new Set<string>();
  let isOver = false;
  const work = async (): Promise<void> => {
    for (let agent = 1; !isOver; agent++) {
      const name = `n${agent % net.machines.length}`;
      try {
        const client = clientOf(net, name, agent);
        await client.register({});
        acknowledged.add(client.pair.publicKeyHex);
      } catch {
        // The machine is down, or did not answer in time: nothing was promised.
      }
      await net.universe.pause(300);
    }
  };
  net.universe.beside(work());
  const stop = (): void => {
    isOver = true;
  };
  return { acknowledged, stop };
}

it('rules change at a seal once a quorum knows them; an old program stops there, and nothing is lost', async () => {
  const net = new SimNetwork({ seed: 31, seats: 4 });
  await net.start();
  const { acknowledged, stop } = load(net);
  const upgrade = async (name: string): Promise<void> => {
    const machine = net.machine(name);
    if (machine.hasProcess) await net.until(machine.stop(), 20_000);
    machine.o.revision = 1;
    void machine.start();
    expect(await net.run(30_000, () => machine.isUp)).toBe(true);
    await net.run(3000);
  };
  const sealed = async (by: string): Promise<void> => {
    const { epoch } = await headOf(net, by);
    for (let i = 0; i < 300 && (await headOf(net, by)).epoch < epoch + 2; i++) await net.run(1000);
    expect((await headOf(net, by)).epoch).toBeGreaterThanOrEqual(epoch + 2);
  };

  for (const name of ['n0', 'n1']) await upgrade(name);
  await sealed('n0');
  expect(await rulesOf(net, 'n0')).toEqual({
    revision: 0,
    known: 1,
    ready_ratio: 0.5,
    waiting_for: ['v2', 'v3'],
  });
  expect(await rulesOf(net, 'n3')).toMatchObject({ revision: 0, known: 0 });
  expect(net.machines.flatMap(({ failures }) => failures)).toEqual([]);

  const old = net.machine('n3');
  await upgrade('n2');
  expect(await net.run(300_000, () => !old.hasProcess)).toBe(true);
  expect(old.failures.map((error) => (error as EpochRefused).reason)).toEqual(['old_program']);
  old.failures.length = 0;
  expect(await net.until(old.start(), 20_000)).toBe(false);
  expect(old.failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^the network executes newer rules than this program knows: install/),
  ]);

  await upgrade('n3');
  await sealed('n3');
  stop();
  await net.run(20_000);
  for (const { name } of net.machines)
    expect(await rulesOf(net, name)).toEqual({ revision: 1, known: 1, ready_ratio: 0, waiting_for: [] });
  expect(acknowledged.size).toBeGreaterThan(50);
  for (const { name } of net.machines) {
    for (const id of acknowledged) {
      expect(await jsonOf(net, name, `/v1/agents/${id}`)).toMatchObject({ agent_id: id });
    }
  }
  expect(net.watch.fault).toBeUndefined();

  const back = net.machine('n0');
  await net.until(back.stop(), 20_000);
  back.o.revision = 0;
  expect(await net.until(back.start(), 20_000)).toBe(false);
  expect(back.failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^the network executes newer rules than this program knows: install/),
  ]);
  for (const machine of net.machines) machine.kill();
});
