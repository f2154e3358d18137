// A network of real nodes with a wire of its own from each node to each other one, and a wall clock that can be set.
// Keeps: everything lies in one temporary folder, which `close` removes; only processes started here are ended.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtPath } from '../load/built.ts';
import type { NodeProcess, NodeStart } from '../load/node-process.ts';
import { CutWire, type WireState } from '../localnet/cut-wire.ts';
import { type Member, openLayout } from '../localnet/layout.ts';
import { LocalNetwork } from '../localnet/network.ts';

export interface WiredOptions {
  seats: number;
  params: Readonly<Record<string, number>>;
  env: NodeStart['env'];
  /** The program of the nodes, if it is another one than this build's. */
  main?: string | undefined;
}

export class WiredNetwork {
  private constructor(
    private readonly dir: string,
    private readonly network: LocalNetwork,
    /** By "from>to". */
    private readonly wires: ReadonlyMap<string, CutWire>,
  ) {}

  /** Resolves when all nodes are healthy and connected. */
  static async start({ seats, params, env, main }: WiredOptions): Promise<WiredNetwork> {
    const dir = await mkdtemp(join(tmpdir(), 'vws-histories-'));
    const wires = new Map<string, CutWire>();
    try {
      const layout = { seats, observers: 0, params };
      const { members } = await openLayout(dir, layout);
      for (const from of members) {
        await writeFile(clockFile(dir, from), '0');
        for (const to of members) {
          if (from !== to) wires.set(`${from.name}>${to.name}`, await CutWire.to(to.peerPort));
        }
      }
      const network = await LocalNetwork.start({
        ...layout,
        dir,
        env,
        ...(main === undefined ? {} : { main }),
        envOf: (member) => ({ CLOCK_STEP_FILE: clockFile(dir, member) }),
        peerPort: (from, to) => wires.get(`${from.name}>${to.name}`)!.port,
        nodeFlags: () => ['--import', pathToFileURL(builtPath('tools/histories/stepped-clock.js')).href],
      });
      return new WiredNetwork(dir, network, wires);
    } catch (error) {
      await closeAll(dir, wires);
      throw error;
    }
  }

  get names(): readonly string[] {
    return this.network.members.map(({ name }) => name);
  }

  get nodes(): readonly NodeProcess[] {
    return this.network.nodes;
  }

  /** Fixed: a restarted node listens where it did before. */
  port(index: number): number {
    return this.network.members[index]!.apiPort;
  }

  launch(index: number): NodeProcess {
    return this.network.launch(index);
  }

  /** Both ways between each node of the one side and each of the other. */
  between(left: readonly number[], right: readonly number[], state: WireState): void {
    for (const a of left) {
      for (const b of right) {
        this.wires.get(`${this.names[a]}>${this.names[b]}`)?.set(state);
        this.wires.get(`${this.names[b]}>${this.names[a]}`)?.set(state);
      }
    }
  }

  /** Sets a node's wall clock this far from the true time. */
  async stepClock(index: number, offsetMs: number): Promise<void> {
    await writeFile(clockFile(this.dir, this.network.members[index]!), String(offsetMs));
    this.nodes[index]!.signal('SIGUSR2');
  }

  async close(): Promise<void> {
    await this.network.close();
    await closeAll(this.dir, this.wires);
  }
}

const clockFile = (dir: string, { name }: Member): string => join(dir, `${name}.clock`);

async function closeAll(dir: string, wires: ReadonlyMap<string, CutWire>): Promise<void> {
  await Promise.all([...wires.values()].map((wire) => wire.close()));
  await rm(dir, { recursive: true, force: true });
}
