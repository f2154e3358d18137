// Raw sockets for driver tests: sends bytes exactly as given and reads answers back.

import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Splits a stream of answers with Content-Length (or without a body); `headOnly`: answers to HEAD. */
export function parseAnswers(text: string, headOnly = false): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const at = rest.indexOf('\r\n\r\n');
    if (at < 0) return answers;
    const [first, ...lines] = rest.slice(0, at).split('\r\n');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const length = headOnly ? 0 : Number(headers['content-length'] ?? 0);
    rest = rest.slice(at + 4);
    if (rest.length < length) return answers;
    answers.push({ status: Number(first!.split(' ')[1]), headers, body: rest.slice(0, length) });
    rest = rest.slice(length);
  }
}

export class RawClient {
  text = '';
  isClosed = false;
  private changed: (() => void)[] = [];

  private constructor(readonly socket: Socket) {
    const wake = () => {
      const waiting = this.changed;
      this.changed = [];
      for (const run of waiting) run();
    };
    socket.on('data', (data) => {
      this.text += data.toString('latin1');
      wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
      wake();
    });
  }

  static open(port: number): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => resolve(new RawClient(socket)));
    });
  }

  send(text: string): void {
    if (!this.socket.destroyed) this.socket.write(text, 'latin1');
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise<void>((resolve) => this.changed.push(resolve));
  }

  /** Waits for `count` answers or the end of the connection. */
  async answers(count = 1, headOnly = false): Promise<RawAnswer[]> {
    await this.until(() => this.isClosed || parseAnswers(this.text, headOnly).length >= count);
    return parseAnswers(this.text, headOnly);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** One request on its own connection; the first answer. */
export async function rawCall(port: number, text: string): Promise<RawAnswer | undefined> {
  const client = await RawClient.open(port);
  client.send(text);
  const [answer] = await client.answers();
  client.close();
  return answer;
}
