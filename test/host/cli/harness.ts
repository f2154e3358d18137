// Runs command lines inside the test: recorded output, typed answers, signals on request.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Io } from '../../../host/cli/io.ts';
import { runCommandLine } from '../../../host/cli/run.ts';
import type { StartNode } from '../../../host/cli/running-node.ts';
import type { Environment } from '../../../host/config/config.ts';

export class FakeIo implements Io {
  readonly outLines: string[] = [];
  readonly errLines: string[] = [];
  readonly questions: string[] = [];
  readonly abandoned: number[] = [];
  private readonly stopHandlers: ((signal: string) => void)[] = [];

  /** `answers`: what a person types; undefined: no terminal. */
  constructor(private readonly answers?: string[]) {}

  get isTerminal(): boolean {
    return this.answers !== undefined;
  }
  out(line: string): void {
    this.outLines.push(line);
  }
  err(line: string): void {
    this.errLines.push(line);
  }
  async ask(question: string): Promise<string> {
    return await this.askSecret(question);
  }
  async askSecret(question: string): Promise<string> {
    this.questions.push(question);
    const answer = this.answers?.shift();
    if (answer === undefined) throw new Error('no passphrase was entered');
    return answer;
  }
  onStopSignal(handler: (signal: string) => void): void {
    this.stopHandlers.push(handler);
  }
  onReaderGone(): void {}
  abandon(exitCode: number): void {
    this.abandoned.push(exitCode);
  }
  signal(name = 'SIGTERM'): void {
    for (const handler of this.stopHandlers) handler(name);
  }
  get stdout(): string {
    return this.outLines.join('\n');
  }
  get stderr(): string {
    return this.errLines.join('\n');
  }
}

export interface Ran {
  code: number;
  io: FakeIo;
  out: string;
  err: string;
}

const noNode: StartNode = async () => {
  throw new Error('this command must not start a node');
};

export async function vws(
  args: readonly string[],
  {
    env = {},
    io = new FakeIo(),
    startNode = noNode,
  }: { env?: Environment; io?: FakeIo; startNode?: StartNode } = {},
): Promise<Ran> {
  const code = await runCommandLine(args, { io, env, startNode });
  return { code, io, out: io.stdout, err: io.stderr };
}

type Started = Parameters<StartNode>[0];

/** Runs start or try with a node that is stopped as soon as it is ready; also returns its start options. */
export async function runToEnd(args: string[], env: Record<string, string>, io = new FakeIo()) {
  const starts: Started[] = [];
  const startNode: StartNode = async (options) => {
    starts.push(options);
    setTimeout(() => io.signal(), 0);
    const { api, listen } = options.config;
    const [apiAddress, listenAddress] = [api, listen].map(({ host, port }) => `${host}:${port}`) as [
      string,
      string,
    ];
    return {
      apiAddress: `http://${apiAddress}`,
      listenAddress,
      operatorAgentId: options.genesis.manifest.entries[0]!.operator_agent_id,
      stop: async () => {},
      failed: new Promise(() => {}),
    };
  };
  const ran = await vws(args, { env, io, startNode });
  return { ...ran, started: starts[0] };
}

/** A directory that is removed after the test. */
export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), 'vws-cli-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
