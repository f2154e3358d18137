// Troubles that no operator would notice: one connection of several, a write that fails once, a clock that runs a little
// fast, a machine that stands still for moments, a seat that is far away.

import { rowKey } from '../../host/store/prefixes.ts';
import { WRITE_FAILED } from './disk.ts';
import type { Scene } from './faults.ts';

/** A machine stands still for so long at a time. */
const STUTTER_MS = 200;
const DRIFT_STEP_MS = 100;
const EPOCH = rowKey.epoch(0)[0]!;

const isOver = ({ net, fault }: Scene): (() => boolean) => {
  const untilMs = net.universe.nowMs + fault.forMs;
  return () => net.universe.nowMs >= untilMs;
};

/** SIGTERM; after a while the process is gone, and started again. */
export async function stopped({ first, fault, pause, count }: Scene): Promise<void> {
  if (first.hasProcess) count();
  first.stop().catch(() => {});
  await pause(fault.forMs);
  first.kill();
  void first.start();
}

/** The power fails in the write that opens an epoch. */
export async function powerAtSeal(scene: Scene): Promise<void> {
  const { first, fault, pause, count } = scene;
  const isDone = isOver(scene);
  const { disk } = first;
  disk.cutAt = { in: (key) => key[0] === EPOCH, how: fault.amount === 0 ? 'before' : 'after' };
  while (disk.cutAt && !isDone()) await pause(20);
  const hasStruck = disk.cutAt === undefined;
  disk.cutAt = undefined;
  if (!hasStruck) return;
  count();
  await pause(500);
  void first.start();
}

/** Some writes fail, the next ones don't. What the node cannot do without ends it; it is started again. */
export async function writesFail({ first, fault, pause, count }: Scene): Promise<void> {
  first.disk.failing = fault.amount;
  await pause(fault.forMs);
  if (first.disk.failing < fault.amount) count();
  first.disk.failing = 0;
  const others = first.failures.filter(({ message }) => !message.includes(WRITE_FAILED));
  first.failures.splice(0, first.failures.length, ...others);
  void first.start();
}

/** Connections between two machines break now and then: one of several, and others stay. */
export async function linksBreak(scene: Scene): Promise<void> {
  const { net, machines, fault, pause, count } = scene;
  const isDone = isOver(scene);
  while (!isDone()) {
    const links = net.wires.linksBetween(machines[0]!.name, machines[1]!.name);
    if (links.length > 0) {
      net.universe.dice.pick(links).break();
      count();
    }
    await pause(fault.amount);
  }
}

/** One connection carries nothing any more, and nobody is told. */
export async function linkSticks({ net, machines, fault, pause, count }: Scene): Promise<void> {
  const links = net.wires.linksBetween(machines[0]!.name, machines[1]!.name);
  if (links.length === 0) return;
  const link = net.universe.dice.pick(links);
  link.stick(true);
  count();
  await pause(fault.forMs);
  link.stick(false);
}

/** All wires of a machine are long. */
export async function farAway({ net, first, fault, pause, count }: Scene): Promise<void> {
  const others = net.machines.filter((machine) => machine !== first);
  const wires = others.flatMap(({ name }) => net.wires.between(first.name, name));
  for (const wire of wires) wire.delayMs += fault.amount;
  count();
  await pause(fault.forMs);
  for (const wire of wires) wire.delayMs = Math.max(0, wire.delayMs - fault.amount);
}

export async function stutters(scene: Scene): Promise<void> {
  const { first, fault, pause, count } = scene;
  const isDone = isOver(scene);
  while (!isDone()) {
    if (first.hasProcess) count();
    first.pause();
    await pause(STUTTER_MS);
    first.resume();
    await pause(fault.amount);
  }
}

/** The wall clock runs fast or slow, and is set right in the end. */
export async function clockDrifts(scene: Scene): Promise<void> {
  const { first, fault, pause, count } = scene;
  const isDone = isOver(scene);
  if (first.hasProcess) count();
  let skewMs = 0;
  while (!isDone()) {
    await pause(DRIFT_STEP_MS);
    skewMs += fault.amount;
    first.skewMs += fault.amount;
  }
  first.skewMs -= skewMs;
}
