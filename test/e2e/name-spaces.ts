// Network namespaces of the kernel, one for each node of a test and one with the switches between them: packets really
// get lost in them. Linux and root only.
// Keeps: nothing of the machine's own network is touched; the nodes' APIs are reached through sockets in the file system,
// which are not bound to a network namespace.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { newNonce } from './agent.ts';

const ip = (...args: string[]): void => {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
};

/** May this process make namespaces. */
export function mayIsolate(): boolean {
  const name = `vws-${newNonce().slice(0, 8)}`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'del', name);
    return true;
  } catch {
    return false;
  }
}

/** Passes connections from a socket file on to a port of its own namespace. */
const FORWARDER = `const net = require('node:net');
net.createServer((near) => {
  const far = net.connect(Number(process.argv[2]), '127.0.0.1');
  near.pipe(far).pipe(near);
  for (const s of [near, far]) s.on('error', () => { near.destroy(); far.destroy(); });
}).listen(process.argv[1], () => process.stdout.write('ready'));`;

export class NameSpaces {
  readonly #id = newNonce().slice(0, 6);
  readonly #children: ChildProcess[] = [];
  readonly #servers: Server[] = [];
  readonly #names: string[] = [];

  /** Switches 0 and 1, and this many namespaces, all on switch 0. */
  constructor(count: number) {
    this.#add('hub');
    for (const bridge of ['br0', 'br1']) {
      ip('-n', this.#name('hub'), 'link', 'add', bridge, 'type', 'bridge');
      ip('-n', this.#name('hub'), 'link', 'set', bridge, 'up');
    }
    for (let i = 0; i < count; i++) this.#plug(i);
  }

  #name(part: string | number): string {
    return `vws-${this.#id}-${part}`;
  }

  #add(part: string | number): void {
    ip('netns', 'add', this.#name(part));
    this.#names.push(this.#name(part));
  }

  #plug(i: number): void {
    this.#add(i);
    const [hub, own] = [this.#name('hub'), this.#name(i)];
    ip('link', 'add', `p${i}`, 'netns', hub, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', own);
    ip('-n', hub, 'link', 'set', `p${i}`, 'master', 'br0', 'up');
    ip('-n', own, 'addr', 'add', `${this.address(i)}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) ip('-n', own, 'link', 'set', device, 'up');
  }

  address(i: number): string {
    return `10.9.0.${i + 1}`;
  }

  /** Command line before a program that is to run in there. */
  wrap(i: number): string[] {
    return ['ip', 'netns', 'exec', this.#name(i)];
  }

  /** Puts a namespace on the other switch: what was sent on the way there is lost. */
  move(i: number, toSwitch: 0 | 1): void {
    ip('-n', this.#name('hub'), 'link', 'set', `p${i}`, 'master', `br${toSwitch}`);
  }

  /** The port of loopback here leads to the same one in there. */
  async forward(i: number, port: number, dir: string): Promise<void> {
    const path = join(dir, `${i}.sock`);
    const [program, ...args] = [...this.wrap(i), process.execPath, '-e', FORWARDER, path, String(port)];
    const child = spawn(program as string, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#children.push(child);
    await new Promise<void>((done) => child.stdout.once('data', () => done()));
    const server = createServer((near) => {
      const far = connect(path);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) {
        socket.on('error', () => {
          near.destroy();
          far.destroy();
        });
      }
    });
    this.#servers.push(server);
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const child of this.#children) child.kill('SIGKILL');
    for (const name of this.#names.splice(0)) ip('netns', 'del', name);
  }
}
