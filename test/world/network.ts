// A network of machines under one universe, what everybody watches in it, and ways to talk to it.

import { type KeyPair, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { useNativeHash } from '../../host/crypto/native-hash.ts';
import type { Scale } from '../../host/execution/open-core.ts';
import { type Epoch, genesisEpoch } from '../../host/ordering/epoch.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { buildGenesis, type Genesis } from '../../host/wire/genesis.ts';
import type { Manifest } from '../../host/wire/manifest.ts';
import { SMALL_TABLES } from '../host/one-node/harness.ts';
import { type LogLine, Machine, type MachineOptions, type Surroundings } from './machine.ts';
import { Universe } from './universe.ts';
import { Watch } from './watch.ts';
import { GOOD_WIRE, type Wire, Wires } from './wires.ts';

useNativeHash();

export const seatKey = (seat: number): KeyPair => keyPairFromSeed(new Uint8Array(32).fill(seat + 1));

/** Epochs that seal after seconds, not hours. */
export const SMALL_EPOCHS: Scale['limits'] = { earlyBlocks: 8, blocks: 64, vertices: 400, timeMs: 60_000 };

export interface NetworkPlan {
  seed: number;
  seats: number;
  wire?: Partial<Wire>;
  limits?: Scale['limits'];
  params?: Record<string, string>;
  /** By seat. */
  env?: Readonly<Record<string, string>>;
  /** What else machines of seats are, by name. */
  machines?: Readonly<Record<string, Partial<MachineOptions>>>;
}

const manifestOf = (seats: number): Manifest => ({
  entries: Array.from({ length: seats }, (_, seat) => {
    const key = seatKey(seat).publicKeyHex;
    return {
      validator_id: `v${seat}`,
      operator_agent_id: key,
      consensus_public_key: key,
      key_epoch: 1,
      bonded_stake: 25_000_000_000,
      initial_status: 'active' as const,
    };
  }),
});

export class SimNetwork {
  readonly universe: Universe;
  readonly wires: Wires;
  readonly genesis: Genesis;
  readonly scale: Scale;
  readonly firstEpoch: Epoch;
  readonly machines: Machine[] = [];
  readonly watch: Watch;
  readonly log: LogLine[] = [];
  /** Called with every line that is logged, e.g. to print it. */
  onLog: (line: LogLine) => void = () => {};
  readonly #around: Surroundings;

  constructor(private readonly plan: NetworkPlan) {
    this.universe = new Universe(plan.seed);
    this.wires = new Wires(this.universe, { ...GOOD_WIRE, ...plan.wire });
    this.genesis = buildGenesis({
      testnet: true,
      manifest: manifestOf(plan.seats),
      ...(plan.params ? { overrides: plan.params } : {}),
    });
    this.scale = { limits: plan.limits ?? SMALL_EPOCHS, capacity: SMALL_TABLES };
    this.firstEpoch = genesisEpoch(this.genesis, this.scale.limits);
    this.watch = new Watch();
    this.#around = {
      universe: this.universe,
      wires: this.wires,
      genesis: this.genesis,
      scale: this.scale,
      logged: (line) => {
        this.log.push(line);
        this.onLog(line);
      },
      written: (machine, ops) => this.watch.written(machine, ops),
    };
    for (let seat = 0; seat < plan.seats; seat++) {
      const name = `n${seat}`;
      this.add({ name, key: seatKey(seat), ...plan.machines?.[name] });
    }
  }

  /** Another machine; by default it knows every seat's address. */
  add(o: Omit<MachineOptions, 'peers'> & { peers?: readonly string[] }): Machine {
    const seats = Array.from({ length: this.plan.seats }, (_, seat) => `n${seat}:8337`);
    const peers = o.peers ?? seats.filter((address) => address !== `${o.name}:8337`);
    const machine = new Machine(this.#around, { ...o, peers, env: { ...this.plan.env, ...o.env } });
    this.machines.push(machine);
    return machine;
  }

  /** Takes a machine away that never ran: somebody else has its key. */
  remove(name: string): void {
    this.machines.splice(this.machines.indexOf(this.machine(name)), 1);
  }

  machine(name: string): Machine {
    const found = this.machines.find((machine) => machine.name === name);
    if (!found) throw new Error(`no machine ${name}`);
    return found;
  }

  /** Starts every machine that is not up, but those that come later, and runs until all take requests. */
  async start(later: ReadonlySet<string> = new Set()): Promise<void> {
    const now = this.machines.filter(({ name }) => !later.has(name));
    for (const machine of now) void machine.start();
    await this.universe.run(60_000, () => now.every(({ isUp }) => isUp));
  }

  run(ms: number, isDone?: () => boolean): Promise<boolean> {
    return this.universe.run(ms, isDone);
  }

  /** Runs until a promise settles; its value. Errors: it did not settle within `ms`. */
  async until<T>(promise: Promise<T>, ms: number): Promise<T> {
    let isDone = false;
    const watched = promise.finally(() => {
      isDone = true;
    });
    watched.catch(() => {});
    if (!(await this.universe.run(ms, () => isDone))) throw new Error(`nothing came of it in ${ms} ms`);
    return watched;
  }

  /** Cuts or heals all wires between two groups of machines. */
  cut(a: readonly string[], b: readonly string[], isCut = true): void {
    for (const one of a)
      for (const other of b) for (const wire of this.wires.between(one, other)) wire.isCut = isCut;
  }

  heal(): void {
    const names = this.machines.map(({ name }) => name);
    this.cut(names, names, false);
  }

  keyHex(seat: number): string {
    return toHex(seatKey(seat).publicKey);
  }
}
