// The terminal as commands see it: two output streams, a hidden question, the signals to stop.
// Keeps: commands write and ask only through this, so tests run them without a process.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { onStopSignal } from '../world/system/signals.ts';

export interface Io {
  /** One line on standard output. */
  out(line: string): void;
  /** One line on standard error. */
  err(line: string): void;
  /** Whether a person sits at standard input. */
  readonly isTerminal: boolean;
  /** Asks on the terminal without echo. Rejects when the person gives up (Ctrl-C, end of input). */
  askSecret(question: string): Promise<string>;
  /** Calls `handler` at each SIGINT or SIGTERM from now on. */
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

/** readline in terminal mode takes the keys one by one; its echo goes to a stream that keeps nothing. */
function askSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
  // After the echo is off, so that nothing typed in answer to the question shows.
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
