// The troubles of a run, one line each: what strikes, whom, when, for how long.
// Keeps: a fault counts as struck only when it met something: a message on a cut, slow or lossy wire, a write on a slow
// disk or in a power cut, a process whose clock is set.

import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { rowKey } from '../../host/store/prefixes.ts';
import { clientWith } from './client.ts';
import type { Machine } from './machine.ts';
import type { SimNetwork } from './network.ts';
import * as small from './small-faults.ts';

/** A seat that was removed stays away for so long: the others seal without it. */
const MS_GONE = 10_000;

/** A moment like any other, where no fault is to come. */
const MS_QUIET = 10_000;

/** Where seats keep their last-signed record, if they keep one. */
export const RECORD = '/records/own';

/** For the rotation to be ordered and to count. */
const MAX_ROTATION_MS = 120_000;

export type FaultKind =
  | 'kill'
  | 'kill_all'
  | 'crash_loop'
  | 'pause'
  | 'suspend'
  | 'power_before'
  | 'power_after'
  | 'power_in_join'
  | 'disk_full'
  | 'disk_slow'
  | 'bit_flip'
  | 'old_copy'
  | 'lost_disk'
  | 'cut_one_way'
  | 'partition'
  | 'slow_link'
  | 'lossy_link'
  | 'flapping_link'
  | 'clock_skew'
  | 'clock_jump'
  | 'rotate_key'
  | 'dead_seat'
  | 'stop'
  | 'power_at_seal'
  | 'writes_fail'
  | 'links_break'
  | 'link_sticks'
  | 'far_away'
  | 'stutter'
  | 'clock_drift';

export interface Fault {
  kind: FaultKind;
  atMs: number;
  forMs: number;
  /** Machines it strikes. */
  on: readonly string[];
  /** What else it needs: milliseconds, percent of loss, a fraction of the disk, how many writes, 1 for what is for good. */
  amount: number;
}

/** Its machine never comes back. */
export const isForGood = ({ kind, amount }: Fault): boolean => kind === 'dead_seat' && amount === 1;

export class Faults {
  readonly struck = new Map<FaultKind, number>();
  /** Faults that are not over. */
  #open = 0;
  /** Called when the next fault is over. */
  #waiting: (() => void)[] = [];

  constructor(private readonly net: SimNetwork) {}

  get areOver(): boolean {
    return this.#open === 0;
  }

  schedule(faults: readonly Fault[]): void {
    for (const fault of faults) {
      this.#open += 1;
      this.net.universe.after(fault.atMs, () => {
        const over = this.#strike(fault).then(() => {
          this.#open -= 1;
          for (const wake of this.#waiting.splice(0)) wake();
        });
        this.net.universe.beside(over);
      });
    }
  }

  /** Resolves when the next fault is over: somebody returns, or is reached again. While there is none, after a while. */
  moment(): Promise<void> {
    if (this.#open === 0) return this.#pause(MS_QUIET);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #count(kind: FaultKind): void {
    this.struck.set(kind, (this.struck.get(kind) ?? 0) + 1);
  }

  #pause(ms: number): Promise<void> {
    return this.net.universe.pause(ms);
  }

  async #strike(fault: Fault): Promise<void> {
    const machines = fault.on.map((name) => this.net.machine(name));
    const [first] = machines;
    if (!first) return;
    const strike = STRIKES[fault.kind];
    await strike({
      net: this.net,
      fault,
      machines,
      first,
      pause: (ms) => this.#pause(ms),
      count: () => this.#count(fault.kind),
    });
  }
}

export interface Scene {
  net: SimNetwork;
  fault: Fault;
  machines: readonly Machine[];
  first: Machine;
  pause(ms: number): Promise<void>;
  count(): void;
}

/** The process ends; after a while it is started again. */
async function down({ machines, fault, pause, count }: Scene): Promise<void> {
  for (const machine of machines) {
    if (machine.hasProcess) count();
    machine.kill();
  }
  await pause(fault.forMs);
  for (const machine of machines) void machine.start();
}

async function powerCut(scene: Scene, cut: 'before' | 'after'): Promise<void> {
  const { first, fault, pause, count, net } = scene;
  first.disk.cut = cut;
  const untilMs = net.universe.nowMs + fault.forMs;
  while (first.hasProcess && net.universe.nowMs < untilMs) await pause(50);
  // Another fault may have ended the process, and starts it again.
  const hasStruck = first.disk.cut === undefined;
  first.disk.cut = undefined;
  if (!hasStruck) return;
  count();
  await pause(fault.forMs);
  void first.start();
}

/** The power fails while a machine fetches the state that it joins from, in one of its writes. */
async function powerInJoin(scene: Scene): Promise<void> {
  const { first, fault, pause, net } = scene;
  const isJoining = (): boolean => first.disk.get(rowKey.meta('joining')) !== undefined;
  const untilMs = net.universe.nowMs + fault.forMs;
  while (!isJoining() && net.universe.nowMs < untilMs) await pause(5);
  if (isJoining())
    await powerCut({ ...scene, fault: { ...fault, forMs: 1000 } }, fault.amount === 0 ? 'before' : 'after');
}

/** The disk becomes what it was, or empty, while the machine is off. */
async function rebuilt(scene: Scene, amount: number | undefined): Promise<void> {
  const { first, fault, pause, count } = scene;
  const copy = amount === undefined ? { rows: [], files: new Map() } : first.disk.copy();
  if (amount !== undefined) await pause(amount);
  first.kill();
  first.disk.restore(copy);
  count();
  await pause(fault.forMs);
  void first.start();
}

/** The operator gives the seat another key; the node stops when it counts, and is started with it. */
async function rotated({ net, fault, machines, pause, count }: Scene): Promise<void> {
  const [first, other] = machines as [Machine, Machine];
  const key = keyPairFromSeed(new Uint8Array(32).fill(50 + fault.amount));
  const client = clientWith(net, other.name, first.o.key);
  const untilMs = net.universe.nowMs + MAX_ROTATION_MS;
  let isWanted = true;
  const ask = async (): Promise<void> => {
    // A request whose answer was lost may have been executed.
    while (isWanted) {
      await client.validators
        .rotate(`v${fault.amount}`, { new_public_key: key.publicKeyHex })
        .then(() => (isWanted = false))
        .catch(() => pause(1000));
    }
  };
  void ask();
  const refusal = (): boolean =>
    /signs with the key|has another key/.test(first.failures.at(-1)?.message ?? '');
  while (!refusal() && net.universe.nowMs < untilMs) await pause(200);
  isWanted = false;
  if (!refusal()) return;
  while (refusal()) first.failures.pop();
  first.o.key = key;
  // The last-signed record is of the old key.
  first.disk.files.remove(RECORD);
  // Its operator has the old key, so it cannot vote in the operator's name any more.
  first.o.env = { ...first.o.env, SERVICE_AUTOVALIDATOR: 'false' };
  count();
  void first.start();
}

/** A seat is gone until after its weight was removed, or for good (consensus 5.11). */
async function dead({ net, first, fault, pause, count }: Scene): Promise<void> {
  first.kill();
  const id = first.name.replace('n', 'v');
  const isRemoved = (): boolean =>
    [...net.watch.events.values()].some(
      ({ type, payload }) =>
        type === 'seat_weight' && payload.validator_id === id && payload.change === 'removed',
    );
  const untilMs = net.universe.nowMs + fault.forMs;
  while (!isRemoved() && net.universe.nowMs < untilMs) await pause(500);
  if (isRemoved()) count();
  if (isForGood(fault)) return;
  await pause(MS_GONE);
  void first.start();
}

const STRIKES: Readonly<Record<FaultKind, (scene: Scene) => Promise<void>>> = {
  kill: down,
  kill_all: down,
  async crash_loop({ net, first, fault, pause, count }) {
    const untilMs = net.universe.nowMs + fault.forMs;
    while (net.universe.nowMs < untilMs) {
      if (first.hasProcess) count();
      first.kill();
      void first.start();
      await pause(fault.amount);
    }
  },
  async pause({ first, fault, pause, count }) {
    if (first.hasProcess) count();
    first.pause();
    await pause(fault.forMs);
    first.resume();
  },
  async suspend({ first, fault, count }) {
    if (first.hasProcess) count();
    await first.suspend(fault.forMs);
  },
  power_before: (scene) => powerCut(scene, 'before'),
  power_after: (scene) => powerCut(scene, 'after'),
  power_in_join: powerInJoin,
  async disk_full({ first, fault, pause, count }) {
    first.disk.isFull = true;
    const failures = first.failures.length;
    await pause(fault.forMs);
    first.disk.isFull = false;
    if (first.failures.length > failures) count();
    void first.start();
  },
  async disk_slow({ first, fault, pause, count }) {
    const usual = first.syncMs;
    const { writes } = first.disk;
    first.syncMs = fault.amount;
    await pause(fault.forMs);
    if (first.disk.writes > writes) count();
    first.syncMs = usual;
  },
  async bit_flip(scene) {
    const { first, fault, pause, count } = scene;
    const copy = first.disk.copy();
    if (!first.disk.flipBit(fault.amount)) return;
    // A damaged row may never be read; if it is, the node stops. Either way the operator puts back the last good copy.
    const untilMs = scene.net.universe.nowMs + fault.forMs;
    while (first.hasProcess && scene.net.universe.nowMs < untilMs) await pause(100);
    if (!first.hasProcess) count();
    first.kill();
    first.disk.restore(copy);
    void first.start();
  },
  old_copy: (scene) => rebuilt(scene, scene.fault.amount),
  lost_disk: (scene) => rebuilt(scene, undefined),
  async cut_one_way({ net, machines, fault, pause, count }) {
    const [from, to] = machines;
    const wire = net.wires.wire(from!.name, to!.name);
    const { held } = wire;
    wire.isCut = true;
    await pause(fault.forMs);
    if (wire.held > held) count();
    wire.isCut = false;
  },
  async partition({ net, machines, fault, pause, count }) {
    const inside = machines.map(({ name }) => name);
    const outside = net.machines.map(({ name }) => name).filter((name) => !inside.includes(name));
    const held = (): number => net.wires.sum('held');
    const before = held();
    net.cut(inside, outside);
    await pause(fault.forMs);
    if (held() > before) count();
    net.cut(inside, outside, false);
  },
  async slow_link({ net, machines, fault, pause, count }) {
    const wires = net.wires.between(machines[0]!.name, machines[1]!.name);
    const usual = wires.map(({ delayMs, width }) => ({ delayMs, width }));
    const passed = net.wires.sum('passed', wires);
    for (const wire of wires) Object.assign(wire, { delayMs: fault.amount, width: 50 });
    await pause(fault.forMs);
    if (net.wires.sum('passed', wires) > passed) count();
    wires.forEach((wire, i) => {
      Object.assign(wire, usual[i]);
    });
  },
  async lossy_link({ net, machines, fault, pause, count }) {
    const [one, other] = machines;
    const wires = net.wires.between(one!.name, other!.name);
    const lost = net.wires.sum('lost', wires);
    for (const wire of wires) wire.lossPercent = fault.amount;
    await pause(fault.forMs);
    if (net.wires.sum('lost', wires) > lost) count();
    for (const wire of wires) wire.lossPercent = 0;
  },
  async flapping_link({ net, machines, fault, pause, count }) {
    const wires = net.wires.between(machines[0]!.name, machines[1]!.name);
    const held = net.wires.sum('held', wires);
    const untilMs = net.universe.nowMs + fault.forMs;
    while (net.universe.nowMs < untilMs) {
      for (const wire of wires) wire.isCut = !wire.isCut;
      await pause(fault.amount);
    }
    if (net.wires.sum('held', wires) > held) count();
    for (const wire of wires) wire.isCut = false;
  },
  stop: small.stopped,
  power_at_seal: small.powerAtSeal,
  writes_fail: small.writesFail,
  links_break: small.linksBreak,
  link_sticks: small.linkSticks,
  far_away: small.farAway,
  stutter: small.stutters,
  clock_drift: small.clockDrifts,
  rotate_key: rotated,
  dead_seat: dead,
  async clock_skew({ first, fault, pause, count }) {
    first.skewMs += fault.amount;
    if (first.hasProcess) count();
    await pause(fault.forMs);
    first.skewMs -= fault.amount;
  },
  async clock_jump({ first, fault, pause, count }) {
    first.skewMs += fault.amount;
    if (first.hasProcess) count();
    await pause(fault.forMs);
    first.skewMs -= fault.amount;
  },
};

export const FAULT_KINDS = Object.keys(STRIKES) as FaultKind[];
