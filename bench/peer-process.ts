// Servers of a benchmark as child processes: starts one, waits for the ports it prints, stops it.

import { spawn } from 'node:child_process';
import { builtPath } from '../tools/load/built.ts';

export interface ServerProcess {
  /** In the order in which it prints them. */
  ports: readonly number[];
  pid: number;
  stop(): Promise<void>;
}

export interface PeerProcess extends Omit<ServerProcess, 'ports'> {
  port: number;
}

/** `file`: of the build, prints `port <number>` or `ports <number> <number> ...` once it listens. Errors: it ends before that. */
export function startServer(file: string, args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [builtPath(file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const stop = (): Promise<void> => {
    child.kill('SIGKILL');
    return ended;
  };
  return new Promise((resolve, reject) => {
    let out = '';
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    child.stdout.on('data', (part) => {
      out += part;
      const ports = /^ports? (\d+(?: \d+)*)$/m.exec(out)?.[1]?.split(' ').map(Number);
      if (ports) resolve({ ports, pid: child.pid as number, stop });
    });
  });
}

/** `script`: a file of bench/peers that prints one port. Errors: as startServer. */
export async function startPeer(script: string, args: readonly string[]): Promise<PeerProcess> {
  const { ports, ...peer } = await startServer(`bench/peers/${script}`, args);
  return { port: ports[0]!, ...peer };
}
