// The terminal as commands see it: two output streams, a prompt without echo, the stop signals.
// Keeps: commands write and prompt only through this, so tests run them without a process.

import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { onStopSignal } from '../world/system/signals.ts';

export interface Io {
  /** One line on standard output. */
  out(line: string): void;
  /** One line on standard error. */
  err(line: string): void;
  /** Whether standard input is a terminal. */
  readonly isTerminal: boolean;
  /** Prompts on the terminal; the answer without blanks at its ends. Rejects on Ctrl-C or end of input. */
  ask(question: string): Promise<string>;
  /** Prompts on the terminal without echo. Rejects on Ctrl-C or end of input. */
  askSecret(question: string): Promise<string>;
  /** Calls `handler` on each SIGINT or SIGTERM from now on. */
  onStopSignal(handler: (signal: string) => void): void;
  /** Calls `handler` once a line was written that nobody reads, as the reader of standard output has gone. */
  onReaderGone(handler: () => void): void;
  /** Ends the process at once; for a shutdown that does not end by itself. */
  abandon(exitCode: number): void;
}

export const processIo: Io = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  get isTerminal() {
    return process.stdin.isTTY === true;
  },
  ask,
  askSecret,
  onStopSignal,
  onReaderGone: (handler) => void process.stdout.once('error', handler),
  abandon: (exitCode) => process.exit(exitCode),
};

/** A pipe, and a socket in place of one that had unread bytes. */
const READER_GONE: readonly string[] = ['EPIPE', 'ECONNRESET'];

/**
 * A reader of the output that goes away (`vws try | head -1`, a log pipe that ends) must not end a node with it: lines
 * that nobody reads are dropped; a command that does nothing else than print asks for `onReaderGone`. Any other fault of the two streams ends the process, as before.
 */
export function outliveReaders(
  streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!READER_GONE.includes(error.code ?? '')) throw error;
    });
  }
}

/** The line that a reader is given; rejects with `none` when there is none. */
function lineOf(lines: Interface, none: string, onClosed: () => void = () => {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer: string | undefined;
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      onClosed();
      if (answer === undefined) reject(new Error(none));
      else resolve(answer);
    });
  });
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  lines.setPrompt(question);
  lines.prompt();
  return (await lineOf(lines, 'no answer was entered')).trim();
}

/** readline in terminal mode reads key by key; its echo goes to a stream that discards it. */
function askSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
  // Printed once echo is off, so that nothing typed in answer to it shows.
  process.stderr.write(question);
  return lineOf(lines, 'no passphrase was entered', () => process.stderr.write('\n'));
}
