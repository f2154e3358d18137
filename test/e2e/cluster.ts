// A test network of real nodes on this machine: keys, one manifest, a wire between each two nodes.
// Keeps: every node listens on a fixed port, so that a node may be killed and started again; node i dials the nodes before
// it, each over a wire of its own; only processes started here are ended.

import { cp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateSeed, type KeyPair, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import type { InitialStatus } from '../../host/wire/manifest.ts';
import { NodeProcess, type NodeStart, PASSPHRASE } from '../../tools/load/node-process.ts';
import { untilEqual } from '../../tools/localnet/agreement.ts';
import { CutWire, type WireState } from '../../tools/localnet/cut-wire.ts';
import { freePort } from '../../tools/localnet/free-ports.ts';
import { Agent, get, type Json, TOKEN, until } from './agent.ts';
import type { Testbed } from './testbed.ts';

/** A key that a test may also put into a file. */
export interface OwnKey extends KeyPair {
  seed: Uint8Array;
}

export function newPair(): OwnKey {
  const seed = generateSeed();
  return { ...keyPairFromSeed(seed), seed };
}

export interface Seat {
  status?: InitialStatus;
  /** Default 25,000 tokens. */
  stakeTokens?: number;
}

/** A node of the network or beside it: where it lives and how it is started. */
export interface Member {
  name: string;
  key: OwnKey;
  dataDir: string;
  peerPort: number;
  /** Others that it dials. */
  wires: Map<Member, CutWire>;
  flags: string[];
  /** Program and arguments that run the node. */
  wrap?: string[];
  env: Record<string, string>;
}

/** Puts another key into a data directory, as an operator does after a rotation. */
export async function useKey(dataDir: string, key: OwnKey): Promise<void> {
  await rm(join(dataDir, 'node_keys', 'identity.json'), { force: true });
  createNodeKeyFile(dataDir, PASSPHRASE, {}, key.seed);
}

export class Cluster {
  /** The seats, in order of the manifest. */
  readonly seats: Member[] = [];
  readonly #running = new Map<Member, NodeProcess>();
  readonly #all: NodeProcess[] = [];
  readonly #wires: CutWire[] = [];
  readonly #env: Record<string, string>;

  private constructor(
    private readonly bed: Testbed,
    env: Record<string, string>,
  ) {
    this.#env = env;
  }

  /** Makes everything and starts nothing. */
  static async make(
    bed: Testbed,
    seats: readonly Seat[],
    env: Record<string, string> = {},
  ): Promise<Cluster> {
    const cluster = new Cluster(bed, { ...env });
    for (const [i] of seats.entries()) cluster.seats.push(await cluster.member(`v${i + 1}`, cluster.seats));
    const entries = cluster.seats.map(({ name, key }, i) => ({
      validator_id: name,
      operator_agent_id: key.publicKeyHex,
      consensus_public_key: key.publicKeyHex,
      key_epoch: 1,
      bonded_stake: (seats[i]!.stakeTokens ?? 25_000) * TOKEN,
      initial_status: seats[i]!.status ?? 'active',
    }));
    const path = join(dirname(cluster.seats[0]!.dataDir), 'manifest.json');
    await writeFile(path, JSON.stringify({ entries }));
    cluster.#env.SERVICE_VALIDATOR_MANIFEST = path;
    return cluster;
  }

  /** A further node that dials these, by default with a key of its own: an observer, a stranger. */
  async member(name: string, dials: readonly Member[], key = newPair()): Promise<Member> {
    const dataDir = await this.bed.directory();
    createNodeKeyFile(dataDir, PASSPHRASE, {}, key.seed);
    return this.#wired({ name, key, dataDir, peerPort: await freePort() }, dials);
  }

  /** A second node with the key and all the data of another, which dials these. */
  async copyOf(original: Member, dials: readonly Member[]): Promise<Member> {
    const dataDir = await this.bed.directory();
    await cp(original.dataDir, dataDir, { recursive: true });
    const { name, key } = original;
    return this.#wired({ name: `${name} again`, key, dataDir, peerPort: await freePort() }, dials);
  }

  async #wired(
    part: Pick<Member, 'name' | 'key' | 'dataDir' | 'peerPort'>,
    dials: readonly Member[],
  ): Promise<Member> {
    const wires = new Map<Member, CutWire>();
    for (const other of dials) wires.set(other, await CutWire.to(other.peerPort));
    this.#wires.push(...wires.values());
    return { ...part, wires, flags: [], env: {} };
  }

  /** How a member is started. */
  startOf({ dataDir, peerPort, wires, flags, env, wrap = [] }: Member): NodeStart {
    const peers = [...wires.values()].map(({ port }) => `127.0.0.1:${port}`).join(',');
    return {
      dataDir,
      flags,
      wrap,
      env: {
        ...this.#env,
        SERVICE_LISTEN: `127.0.0.1:${peerPort}`,
        ...(peers ? { SERVICE_PEER: peers } : {}),
        ...env,
      },
    };
  }

  /** Starts a process and waits for nothing. */
  launch(member: Member): NodeProcess {
    const node = NodeProcess.launch(this.startOf(member));
    this.#running.set(member, node);
    this.#all.push(node);
    return node;
  }

  /** Starts these at once: none is healthy before a quorum is there. */
  async start(...members: readonly Member[]): Promise<NodeProcess[]> {
    const nodes = members.map((member) => this.launch(member));
    await Promise.all(nodes.map((node) => node.ready()));
    return nodes;
  }

  node(member: Member): NodeProcess {
    return this.#running.get(member)!;
  }

  async kill(...members: readonly Member[]): Promise<void> {
    await Promise.all(members.map((member) => this.node(member).kill()));
  }

  /** What becomes of everything between two groups. */
  between(left: readonly Member[], right: readonly Member[], state: WireState): void {
    for (const a of left) {
      for (const b of right) {
        a.wires.get(b)?.set(state);
        b.wires.get(a)?.set(state);
      }
    }
  }

  /** A registered agent that writes to this member. */
  async agent(at: Member, initialStake = TOKEN): Promise<Agent> {
    return new Agent(this.node(at).port).register({ initial_stake: initialStake });
  }

  /** The operator of a seat, which is its first key, writing to a member. */
  operator(of: Member, at: Member): Agent {
    return new Agent(this.node(at).port, of.key);
  }

  /** The newest signed checkpoint that all of these have, with equal state roots, and who signed it at each. */
  async agreed(
    ...members: readonly Member[]
  ): Promise<{ height: number; root: string; signers: string[][] }> {
    const nodes = members.map((member) => this.node(member));
    await untilEqual(nodes, 60_000);
    const read = async (): Promise<Json[]> =>
      Promise.all(nodes.map(async ({ port }) => (await get(port, '/v1/checkpoints/latest')).body));
    const all = await until(read, (docs) => new Set(docs.map((d) => d.height)).size === 1 && docs[0].height);
    const roots = new Set(all.map((d) => d.state_root));
    if (roots.size !== 1) throw new Error(`states differ at checkpoint ${all[0].height}: ${[...roots]}`);
    const signers = all.map((d) => d.signatures.map((s: Json) => s.validator_id));
    return { height: all[0].height, root: all[0].state_root, signers };
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((node) => node.kill()));
    await Promise.all(this.#wires.map((wire) => wire.close()));
  }
}
