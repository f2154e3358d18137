// Processes of vws export and vws serve, as operators run them.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtPath } from '../load/built.ts';

const main = (): string => builtPath('host/cli/main.js');

abstract class Running {
  protected constructor(protected readonly child: ChildProcess) {}

  get pid(): number {
    return this.child.pid as number;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Stops it as an operator does. */
  async close(): Promise<void> {
    if (this.hasEnded) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await gone;
  }
}

/** An export of what the node at a port has, and of what it makes later. */
export class Following extends Running {
  static start(database: string, port: number, more: readonly string[] = []): Following {
    const args = ['export', '--to', database, '--node', `http://127.0.0.1:${port}`, ...more];
    return new Following(
      spawn(process.execPath, [main(), ...args], { stdio: ['ignore', 'ignore', 'inherit'] }),
    );
  }
}

/** Exports once; the exit code. */
export async function exportOnce(
  database: string,
  port: number,
  more: readonly string[] = [],
): Promise<number | null> {
  const args = ['export', '--to', database, '--node', `http://127.0.0.1:${port}`, '--once', ...more];
  const child = spawn(process.execPath, [main(), ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/** A reader of a database. */
export class Serving extends Running {
  private constructor(
    child: ChildProcess,
    readonly port: number,
  ) {
    super(child);
  }

  static async start(database: string, more: readonly string[] = []): Promise<Serving> {
    const args = ['serve', '--from', database, '--api', '127.0.0.1:0', '--unlimited', ...more];
    const child = spawn(process.execPath, [main(), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    for await (const part of child.stdout) {
      out += part;
      if (/^ready$/m.test(out)) break;
    }
    const port = /API: http:\/\/127\.0\.0\.1:(\d+)/.exec(out)?.[1];
    if (port === undefined) throw new Error(`the reader did not start: ${out}`);
    return new Serving(child, Number(port));
  }
}
