// The terminal as commands see it: two output streams, a prompt without echo, the stop signals.
// Keeps: commands write and prompt only through this, so tests run them without a process.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { onStopSignal } from '../world/system/signals.ts';

export interface Io {
  /** One line on standard output. */
  out(line: string): void;
  /** One line on standard error. */
  err(line: string): void;
  /** Whether standard input is a terminal. */
  readonly isTerminal: boolean;
  /** Prompts on the terminal without echo. Rejects on Ctrl-C or end of input. */
  askSecret(question: string): Promise<string>;
  /** Calls `handler` on each SIGINT or SIGTERM from now on. */
  onStopSignal(handler: (signal: string) => void): void;
  /** Ends the process at once; for a shutdown that does not end by itself. */
  abandon(exitCode: number): void;
}

export const processIo: Io = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  get isTerminal() {
    return process.stdin.isTTY === true;
  },
  askSecret,
  onStopSignal,
  abandon: (exitCode) => process.exit(exitCode),
};

/** readline in terminal mode reads key by key; its echo goes to a stream that discards it. */
function askSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
  // Printed once echo is off, so that nothing typed in answer to it shows.
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    let answer: string | undefined;
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      process.stderr.write('\n');
      if (answer === undefined) reject(new Error('no passphrase was entered'));
      else resolve(answer);
    });
  });
}
