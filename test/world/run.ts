// Runs one plan to its end and says what did not hold.

import { headOf } from './answers.ts';
import { filterOf, startJunk } from './deviants.ts';
import { Faults } from './faults.ts';
import { Load } from './load.ts';
import type { LogLine } from './machine.ts';
import { SimNetwork, seatKey } from './network.ts';
import type { Plan } from './plan.ts';

/** After the heal: every honest node answers a write within this time. */
const LIVENESS_MS = 240_000;
/** After the last write: all honest nodes stand at one block. */
const AGREE_MS = 30_000;
/** Rows and log of an honest node in a run of this size. */
const MAX_DISK_BYTES = 256 << 20;

export interface Outcome {
  seed: number;
  /** What did not hold; undefined: all did. */
  fault: string | undefined;
  struck: ReadonlyMap<string, number>;
  done: ReadonlyMap<string, number>;
  /** Simulated. */
  ms: number;
  steps: number;
  blocks: number;
  events: number;
  epochs: number;
  /** Time from the heal until every honest node had answered a write. */
  healedInMs: number;
}

export interface RunOptions {
  onLog?: (line: LogLine) => void;
}

export async function runPlan(plan: Plan, o: RunOptions = {}): Promise<Outcome> {
  const net = new SimNetwork({
    seed: plan.seed,
    seats: plan.seats,
    wire: plan.wire,
    env: { SERVICE_AUTOVALIDATOR: 'true' },
  });
  if (o.onLog) net.onLog = o.onLog;
  const { universe } = net;
  for (const { seat, how } of plan.deviants) {
    const machine = net.machine(`n${seat}`);
    net.watch.ignored.add(machine.name);
    const filter = filterOf(how, universe.dice, () => universe.nowMs);
    if (filter) machine.o.filter = filter;
    if (how === 'junk') startJunk(net, seat);
    if (how === 'twin') {
      net.watch.ignored.add(`n${seat}t`);
      net.add({ name: `n${seat}t`, key: seatKey(seat) });
    }
  }
  const honest = net.machines.filter(({ name }) => !net.watch.ignored.has(name));
  const load = new Load(net, {
    agents: plan.agents,
    machines: honest.map(({ name }) => name),
    pauseMs: plan.pauseMs,
  });
  const faults = new Faults(net);
  const startMs = universe.nowMs;
  let healedInMs = Number.NaN;

  const play = async (): Promise<string | undefined> => {
    await net.start();
    faults.schedule(plan.faults);
    load.start();
    await net.run(plan.healMs);
    await net.run(60_000, () => faults.areOver);
    net.heal();
    for (const machine of honest) if (!machine.hasProcess) void machine.start();
    load.stop();
    const healMs = universe.nowMs;
    const alive = await isLive(
      net,
      honest.map(({ name }) => name),
    );
    if (alive !== undefined) return alive;
    healedInMs = universe.nowMs - healMs;
    const equal = (): boolean => new Set(honest.map(({ name }) => net.watch.newest.get(name))).size === 1;
    if (!(await net.run(AGREE_MS, equal)))
      return `honest nodes stand at different blocks: ${honest.map(({ name }) => `${name} ${net.watch.newest.get(name)}`).join(', ')}`;
    for (const machine of honest) {
      if (machine.disk.bytes > MAX_DISK_BYTES) return `${machine.name} holds ${machine.disk.bytes} bytes`;
    }
    return load.history.fault(net.watch) ?? unexpected(net, plan);
  };

  const fault = (await play()) ?? net.watch.fault?.message;
  const result: Outcome = {
    seed: plan.seed,
    fault: net.watch.fault?.message ?? fault,
    struck: faults.struck,
    done: load.done,
    ms: universe.nowMs - startMs,
    steps: universe.steps,
    blocks: net.watch.blocks.size,
    events: net.watch.events.size,
    epochs: Math.max(0, ...(await Promise.all(honest.map(async (m) => (await headOf(net, m.name)).epoch)))),
    healedInMs,
  };
  for (const machine of net.machines) machine.kill();
  return result;
}

/** Every honest node executes a write of its own within the bound; else which does not, and why. */
async function isLive(net: SimNetwork, names: readonly string[]): Promise<string | undefined> {
  const probe = new Load(net, { agents: names.length, machines: names, pauseMs: 1000 });
  const waiting = new Map<string, string>();
  const asked = names.map(async (name, i) => {
    const client = probe.client(9000 + i, name);
    waiting.set(name, 'no answer yet');
    for (;;) {
      try {
        await client.register({});
        break;
      } catch (error) {
        if ((error as { code?: string }).code === 'already_registered') break;
        waiting.set(name, `${(error as { code?: string }).code}: ${(error as Error).message}`);
        await net.universe.pause(1000);
      }
    }
    waiting.delete(name);
  });
  void Promise.all(asked);
  if (await net.run(LIVENESS_MS, () => waiting.size === 0)) return undefined;
  return `not live ${LIVENESS_MS / 1000} s after the heal: ${[...waiting].map(([name, why]) => `${name} ${why}`).join('; ')}`;
}

/** Ends of processes and errors in logs that no fault of the plan explains. */
function unexpected(net: SimNetwork, plan: Plan): string | undefined {
  const explains = new Set(
    plan.faults.flatMap(({ kind, on }) => (kind === 'disk_full' || kind === 'bit_flip' ? on : [])),
  );
  for (const machine of net.machines) {
    if (net.watch.ignored.has(machine.name) || explains.has(machine.name)) continue;
    const [failure] = machine.failures;
    if (failure) return `${machine.name} stopped: ${failure.stack ?? failure.message}`;
  }
  return undefined;
}
