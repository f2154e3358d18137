// A network of real nodes on this machine: starts them all, kills and restarts single ones, stops them.
// Keeps: only processes started here are ended; a start that fails ends those that were started with it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../host/world/system/clock.ts';
import { NodeProcess, type NodeStart, sleep } from '../load/node-process.ts';
import {
  type Layout,
  type LayoutOptions,
  type Member,
  openLayout,
  type PeerPort,
  startOf,
} from './layout.ts';

const CONNECTED_MS = 60_000;

interface LocalNetworkOptions extends LayoutOptions {
  /** Folder to keep; undefined: a temporary one that `close` removes. */
  dir?: string | undefined;
  /** Observers are not started with the others, but by `launch`. */
  observersLater?: boolean;
  /** Where members dial each other; undefined: where each listens. */
  peerPort?: PeerPort;
  /** Further settings of every node. */
  env?: NodeStart['env'];
  /** Further settings of one node. */
  envOf?(member: Member): NodeStart['env'];
  /** Arguments of Node itself for a node, e.g. `--cpu-prof`. */
  nodeFlags?(member: Member): readonly string[];
  /** As in NodeStart. */
  main?: string;
}

export class LocalNetwork {
  /** By member; a killed node stays here until it is restarted. */
  readonly nodes: NodeProcess[] = [];

  private constructor(
    readonly layout: Layout,
    private readonly options: LocalNetworkOptions,
  ) {}

  /** Starts every node; resolves when all are healthy and every one is connected to all seats. */
  static async start(options: LocalNetworkOptions): Promise<LocalNetwork> {
    const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'vws-net-')));
    const network = new LocalNetwork(await openLayout(dir, options), options);
    try {
      await network.startAll();
    } catch (error) {
      await network.close();
      throw error;
    }
    return network;
  }

  get members(): readonly Member[] {
    return this.layout.members;
  }

  /** Nodes that accept writes. */
  get seats(): NodeProcess[] {
    return this.nodes.filter((_, i) => !this.members[i]!.isObserver);
  }

  get isTemporary(): boolean {
    return this.options.dir === undefined;
  }

  dataDir(index: number): string {
    return join(this.layout.dir, this.members[index]!.name);
  }

  /** Starts the process of a member without waiting. */
  launch(index: number): NodeProcess {
    const member = this.members[index]!;
    const start = startOf(this.layout, member, this.options.peerPort);
    const nodeFlags = this.options.nodeFlags?.(member) ?? [];
    const { env, main } = this.options;
    const settings = { ...start.env, ...env, ...this.options.envOf?.(member) };
    const node = NodeProcess.launch({ ...start, env: settings, nodeFlags, main });
    this.nodes[index] = node;
    return node;
  }

  private async startAll(): Promise<void> {
    // All at once: none is healthy before there is a quorum.
    const first = this.members.filter((m) => !(m.isObserver && this.options.observersLater));
    const started = first.map((_, index) => this.launch(index));
    const settled = await Promise.allSettled(started.map((node) => node.ready()));
    const failed = settled.find((s) => s.status === 'rejected');
    if (failed) throw failed.reason;
    await this.untilConnected();
  }

  /** Resolves when every node is connected to every seat but itself. Errors: not within a minute. */
  async untilConnected(): Promise<void> {
    const seats = this.members.filter((m) => !m.isObserver).length;
    const endMs = systemClock.monotonicMs() + CONNECTED_MS;
    for (const [i, node] of this.nodes.entries()) {
      const wanted = this.members[i]!.isObserver ? seats : seats - 1;
      while ((await node.json<{ peers: number }>('/v1/status')).peers < wanted) {
        if (systemClock.monotonicMs() > endMs) throw new Error('the nodes did not connect to each other');
        await sleep(100);
      }
    }
  }

  /** Stops all nodes as an operator would. Errors: a node exits with another code than 0. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  /** Kills nodes that still run, and removes a temporary folder. */
  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    if (this.isTemporary) await rm(this.layout.dir, { recursive: true, force: true });
  }
}
